import * as m from '#words/messages.js';
import { May } from '../../domain/may.js';
import { useMay } from '../../lib/session.js';
import { zodResolver } from '@hookform/resolvers/zod';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import MessageSquareText from 'lucide-react/icons/message-square-text';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  noticeBodySchema,
  removeNotice,
  writeNotice,
  type NoticeBody,
  type ReaderNotice,
  blockCard,
  replaceCard,
  readReaderPanel,
} from '#contracts/accounts/reader-card.js';
import { Button } from '../../components/form/button.js';
import { Dialog, SubmitButtons } from '../../components/dialog/dialog.js';
import { Field } from '../../components/form/field.js';
import { Form } from '../../components/form/form.js';
import { Notice } from '../../components/dialog/notice.js';
import { isoDay } from '../../lib/dates.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { send, keyOf } from '../../lib/api/send.js';
import type { Card } from '#contracts/accounts/own-card.js';
import type { Reader } from '#contracts/accounts/reader.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import part from '../../components/display/page-part.module.css';
import { CardFace } from '../../domain/readers/card/card-face.js';
import { PinDialog } from '../../domain/readers/card/pin-dialog.js';
import { PrintCard } from '../../domain/readers/card/print-card.js';
import { notify } from '../../lib/notify.js';
import { useMutation, useQueryClient } from '@tanstack/react-query';

/** What librarians want said to this reader, loud where it blocks them. */
export function NoticeSection({ readerId, notice }: { readerId: string; notice: ReaderNotice | null }) {
  const [editing, setEditing] = useState(false);
  const remove = useReaderChange(readerId, (_none: void, query) => send(removeNotice, { query }));
  const mayChange = useMay(writeNotice);
  const Icon = notice?.blocks ? CircleAlert : MessageSquareText;
  return (
    <>
      {notice ? (
        <section
          className="flex flex-wrap items-start gap-3 p-4 border border-line-strong rounded bg-mark data-blocks:border-danger data-blocks:bg-danger-wash"
          data-blocks={notice.blocks || undefined}
          aria-label={notice.blocks ? m.readers_blocked() : m.readers_notice()}
        >
          <Icon size={20} aria-hidden="true" />
          <div className="flex-[1_1_16rem] min-w-0">
            {notice.blocks && <p className="text-danger font-semibold">{m.readers_blocked_lead()}</p>}
            <p className="max-w-measure wrap-anywhere whitespace-pre-line">{notice.message}</p>
            <p className="note">
              {notice.writtenBy ?? m.readers_notice_writer_removed()}, {isoDay(notice.writtenAt)}
            </p>
          </div>
          {mayChange && (
            <div className="flex flex-wrap items-center gap-2">
              <Button size="small" onClick={() => setEditing(true)}>
                {m.readers_notice_change()}
              </Button>
              <Button size="small" busy={remove.isPending} onClick={() => remove.mutate()}>
                {notice.blocks ? m.readers_block_lift() : m.common_remove()}
              </Button>
            </div>
          )}
        </section>
      ) : (
        mayChange && (
          <p>
            <Button size="small" onClick={() => setEditing(true)}>
              {m.readers_notice_leave()}
            </Button>
          </p>
        )
      )}
      {remove.isError && <Notice>{sentenceOf(remove.error)}</Notice>}
      {editing && <NoticeDialog readerId={readerId} notice={notice} onClose={() => setEditing(false)} />}
    </>
  );
}

interface NoticeDialogProps {
  readerId: string;
  notice: ReaderNotice | null;
  onClose: () => void;
}

function NoticeDialog({ readerId, notice, onClose }: NoticeDialogProps) {
  const change = useReaderChange(readerId, (body: NoticeBody, query) => send(writeNotice, { query, body }));
  const form = useForm({
    resolver: zodResolver(noticeBodySchema),
    mode: 'onTouched',
    defaultValues: { message: notice?.message ?? '', blocks: notice?.blocks ?? false },
  });
  const { errors } = form.formState;
  return (
    <Dialog title={m.readers_notice_title()} lead={m.readers_notice_lead()} keep onClose={onClose}>
      <Form
        form={form}
        busy={change.isPending}
        onSubmit={(values) => change.mutate(values, { onSuccess: onClose })}
      >
        <Field label={m.readers_notice_message()} errors={[errors.message?.message]}>
          {(control) => <textarea {...control} {...form.register('message')} rows={4} />}
        </Field>
        <label className="flex items-baseline gap-2">
          <input type="checkbox" {...form.register('blocks')} />
          <span>
            {m.readers_notice_blocks()}
            <span className="note block">{m.readers_notice_blocks_hint()}</span>
          </span>
        </label>
        {change.isError && <Notice>{sentenceOf(change.error)}</Notice>}
        <SubmitButtons action={m.common_save()} busy={change.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** The reader's card: printed, replaced when it is lost, blocked. */
export function CardSection({ card, reader }: { card: Card; reader: Reader }) {
  const change = useReaderChange(reader.id, (to: 'block' | 'lift' | 'replace', query) =>
    to === 'replace'
      ? send(replaceCard, { query })
      : send(blockCard, { query, body: { blocked: to === 'block' } }),
  );
  const [replacing, setReplacing] = useState(false);
  const [isAskingPin, setAskingPin] = useState(false);
  const isBlocked = card.blockedAt !== null;
  return (
    <section className="flex flex-col gap-3" aria-labelledby="card">
      <h3 id="card" className={part.title}>
        {m.readers_card()}
      </h3>
      <CardFace card={card} name={reader.fullname} />
      <p className={isBlocked ? 'text-not-paid text-1 font-semibold' : 'note'}>
        {card.blockedAt === null
          ? m.readers_card_valid({ day: isoDay(card.issuedAt) })
          : m.readers_card_blocked({ day: isoDay(card.blockedAt) })}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <PrintCard card={card} name={reader.fullname} />
      </div>
      <May make={replaceCard}>
        <div
          // A word without a frame begins where the others begin.
          className="flex flex-wrap gap-2 -m-3 -mt-2 mb-0"
        >
          <Button size="small" look="plain" onClick={() => setReplacing(true)}>
            {m.readers_card_replace()}
          </Button>
          <Button
            size="small"
            look="plain"
            busy={change.isPending && change.variables !== 'replace'}
            onClick={() => change.mutate(isBlocked ? 'lift' : 'block')}
          >
            {isBlocked ? m.readers_block_lift() : m.readers_card_block()}
          </Button>
          <Button size="small" look="plain" onClick={() => setAskingPin(true)}>
            {card.hasPin ? m.pin_change() : m.pin_set()}
          </Button>
        </div>
      </May>
      {change.isError && <Notice>{sentenceOf(change.error)}</Notice>}
      {isAskingPin && <PinDialog readerId={reader.id} onClose={() => setAskingPin(false)} />}
      {replacing && (
        <Confirmation
          question={m.readers_card_replace_question()}
          action={m.readers_card_replace()}
          busy={change.isPending}
          onConfirm={() =>
            change.mutate('replace', {
              onSuccess: () => notify.success(m.readers_card_is_replaced()),
              onSettled: () => setReplacing(false),
            })
          }
          onDecline={() => setReplacing(false)}
        >
          {m.readers_card_replace_loss({ name: reader.fullname })}
        </Confirmation>
      )}
    </section>
  );
}

/** What a librarian changes of a reader's card and message; a refusal is shown where it was asked for. */
function useReaderChange<Input>(
  id: string,
  change: (input: Input, query: { id: string }) => Promise<unknown>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(input, { id }),
    meta: { inPlace: true },
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(readReaderPanel, { query: { id } }) }),
  });
}
