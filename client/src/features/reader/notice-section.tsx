import { zodResolver } from '@hookform/resolvers/zod';
import { CircleAlert, MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  noticeBodySchema,
  removeNotice,
  writeNotice,
  type NoticeBody,
  type ReaderNotice,
} from '#contracts/accounts/reader-card.js';
import { Button } from '../../components/form/button.js';
import { Dialog, SubmitButtons } from '../../components/dialog/dialog.js';
import { Field } from '../../components/form/field.js';
import { Form } from '../../components/form/form.js';
import { Notice } from '../../components/dialog/notice.js';
import { isoDay } from '../../lib/dates.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { send } from '../../lib/api/send.js';
import { useReaderChange } from './use-reader-change.js';

/** What librarians want said to this reader, loud where it blocks them. */
export function NoticeSection({ readerId, notice }: { readerId: string; notice: ReaderNotice | null }) {
  const [editing, setEditing] = useState(false);
  const remove = useReaderChange(readerId, (_none: void, query) => send(removeNotice, { query }));
  const Icon = notice?.blocks ? CircleAlert : MessageSquareText;
  return (
    <>
      {notice ? (
        <section
          className="flex flex-wrap items-start gap-3 p-4 border border-line-strong rounded bg-mark data-blocks:border-danger data-blocks:bg-danger-wash"
          data-blocks={notice.blocks || undefined}
          aria-label={notice.blocks ? 'This reader is blocked' : 'Message about this reader'}
        >
          <Icon size={20} aria-hidden="true" />
          <div className="flex-[1_1_16rem] min-w-0">
            {notice.blocks && (
              <p className="text-danger font-semibold">Blocked: nothing may be rented or handed out.</p>
            )}
            <p className="max-w-measure wrap-anywhere whitespace-pre-line">{notice.message}</p>
            <p className="note">
              {notice.writtenBy ?? 'Somebody whose account is gone'}, {isoDay(notice.writtenAt)}
            </p>
          </div>
          <div className="flex flex-wrap items-center gap-2">
            <Button size="small" onClick={() => setEditing(true)}>
              Change
            </Button>
            <Button size="small" busy={remove.isPending} onClick={() => remove.mutate()}>
              {notice.blocks ? 'Lift the block' : 'Remove'}
            </Button>
          </div>
        </section>
      ) : (
        <p>
          <Button size="small" onClick={() => setEditing(true)}>
            Leave a message or block
          </Button>
        </p>
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
    <Dialog
      title="Message at the desk"
      lead="Every librarian sees it when this reader comes. The reader does not."
      keep
      onClose={onClose}
    >
      <Form
        form={form}
        busy={change.isPending}
        onSubmit={(values) => change.mutate(values, { onSuccess: onClose })}
      >
        <Field label="Message" errors={[errors.message?.message]}>
          {(control) => <textarea {...control} {...form.register('message')} rows={4} />}
        </Field>
        <label className="flex items-baseline gap-2">
          <input type="checkbox" {...form.register('blocks')} />
          <span>
            Block this reader
            <span className="note"> Nothing can be rented by them or handed to them until it is lifted.</span>
          </span>
        </label>
        {change.isError && <Notice>{sentenceOf(change.error)}</Notice>}
        <SubmitButtons action="Save" busy={change.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
