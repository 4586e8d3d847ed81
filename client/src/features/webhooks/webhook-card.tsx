import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as calls from '#contracts/webhooks/webhooks.js';
import type { Delivery, Webhook } from '#contracts/webhooks/webhooks.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { invalidate, queryKeys } from '../../domain/query-keys.js';
import { queryOf, useCall } from '../../lib/api/send.js';
import { isoSecond } from '../../lib/dates.js';
import { notify } from '../../lib/notify.js';
import { askPerson } from '../../lib/question.js';
import { SecretDialog, WebhookDialog } from './webhook-dialog.js';
import { answerText, kindText, stateText } from './webhook-texts.js';

export const LOOK_AGAIN = { refetchInterval: 5_000, meta: { inPlace: true } };

/** Asks before something that the receiver will notice. */
const asking = async (question: string, detail: string, action: string, then: () => void) => {
  if (await askPerson({ question, detail, action, refusal: m.common_cancel() })) then();
};

/** A webhook: how it is with it, what was sent, and what can be done about it. */
export function WebhookCard({ webhook }: { webhook: Webhook }) {
  const { id, address, offWhy, failingSince } = webhook;
  const params = { id };
  const client = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const onSuccess = () => invalidate(client, queryKeys.webhooks);
  const turn = useCall(calls.switchWebhook, { onSuccess });
  const renew = useCall(calls.renewSecret, { onSuccess });
  const remove = useCall(calls.removeWebhook, { onSuccess });
  const change = useCall(calls.changeWebhook, {
    meta: { inPlace: true },
    onSuccess: () => {
      setEditing(false);
      onSuccess();
    },
  });
  const send = useCall(calls.sendNow, {
    onSuccess: (delivery) => {
      onSuccess();
      (calls.isSuccess(delivery.status) ? notify.success : notify.error)(answerText(delivery));
    },
  });
  const go = (from: 'stopped' | 'now' | 'off' | number) => turn.mutate({ params, body: { from } });
  const edit = () => {
    change.reset();
    setEditing(true);
  };
  const test = () => send.mutate({ params, body: { again: null } });
  const askToRenew = () =>
    asking(m.webhooks_renew_question(), m.webhooks_renew_detail(), m.webhooks_renew(), () =>
      renew.mutate({ params }),
    );
  const askToRemove = () =>
    asking(m.webhooks_remove_question(), address, m.common_remove(), () => remove.mutate({ params }));
  const isUnwell = offWhy !== null || failingSince !== null;
  const actions: readonly (false | readonly [string, () => unknown, boolean])[] = [
    isUnwell && [offWhy ? m.webhooks_go_on() : m.webhooks_try_now(), () => go('stopped'), turn.isPending],
    offWhy !== null && [m.webhooks_go_on_now(), () => go('now'), turn.isPending],
    offWhy === null && [m.webhooks_switch_off(), () => go('off'), turn.isPending],
    [m.webhooks_send_test(), test, send.isPending],
    [m.common_edit(), edit, false],
    [m.webhooks_renew(), askToRenew, renew.isPending],
    [m.common_remove(), askToRemove, remove.isPending],
  ];
  return (
    <article className="py-4 border-t border-line" aria-label={address} data-webhook={offWhy ?? 'on'}>
      <h3 className="text-3 wrap-anywhere">{address}</h3>
      <p className={isUnwell ? 'mb-3 text-danger' : 'mb-3 text-ink-soft'} role="status">
        {stateText(webhook)}
      </p>
      <div className="flex flex-wrap gap-2 mb-3">
        {actions.map((each) => {
          if (!each) return null;
          const [action, act, isPending] = each;
          return (
            <Button key={action} size="small" busy={isPending} onClick={() => void act()}>
              {action}
            </Button>
          );
        })}
      </div>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="min-h-9 cursor-pointer to-480:min-h-11">{m.webhooks_deliveries()}</summary>
        {isOpen && (
          <Deliveries
            id={id}
            onAgain={(again) => send.mutate({ params, body: { again } })}
            onFrom={(from) =>
              void asking(m.webhooks_from_question(), m.webhooks_from_detail(), m.webhooks_from_here(), () =>
                go(from),
              )
            }
          />
        )}
      </details>
      {isEditing && (
        <WebhookDialog
          webhook={webhook}
          command={change}
          onSave={(body) => change.mutate({ params, body })}
          onClose={() => setEditing(false)}
        />
      )}
      {renew.data && <SecretDialog secret={renew.data.secret} onClose={renew.reset} />}
    </article>
  );
}

interface DeliveriesProps {
  id: string;
  onAgain: (delivery: number) => void;
  onFrom: (delivery: number) => void;
}

/** What was sent, the latest first. */
function Deliveries({ id, onAgain, onFrom }: DeliveriesProps) {
  const deliveries = useQuery({ ...queryOf(calls.listDeliveries, { params: { id } }), ...LOOK_AGAIN });
  const columns: readonly ListColumn<Delivery>[] = [
    { title: m.common_when(), look: 'nowrap', cell: ({ at }) => isoSecond(at) },
    { title: m.common_what(), look: 'name', cell: ({ kind }) => kindText(kind) },
    { title: m.webhooks_answer(), look: 'text', cell: answerText },
    { title: m.webhooks_took(), look: 'number', cell: ({ milliseconds }) => `${milliseconds} ms` },
    {
      title: m.common_actions(),
      look: 'action',
      cell: ({ id: delivery, kind }) =>
        kind !== null && (
          <span className="inline-flex flex-wrap gap-2">
            <Button size="small" onClick={() => onAgain(delivery)}>
              {m.webhooks_send_again()}
            </Button>
            <Button size="small" onClick={() => onFrom(delivery)}>
              {m.webhooks_from_here()}
            </Button>
          </span>
        ),
    },
  ];
  return (
    <Loaded of={deliveries} waiting={<SkeletonLines label={m.webhooks_loading()} widths={[90, 80]} />}>
      {(data) =>
        data.length === 0 ? (
          <p className="note">{m.webhooks_no_deliveries()}</p>
        ) : (
          <ListTable columns={columns} items={data} keyOf={(each) => each.id} waiting={3} />
        )
      }
    </Loaded>
  );
}
