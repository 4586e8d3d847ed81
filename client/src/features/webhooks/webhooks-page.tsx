import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addWebhook, listWebhookChanges, listWebhooks } from '#contracts/webhooks/webhooks.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { ListHead } from '../../components/list/list-page.js';
import { EmptyState, Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { invalidate, queryKeys } from '../../domain/query-keys.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { queryOf, useCall } from '../../lib/api/send.js';
import { isoMinute } from '../../lib/dates.js';
import { LOOK_AGAIN, WebhookCard } from './webhook-card.js';
import { SecretDialog, WebhookDialog } from './webhook-dialog.js';
import { CHANGE_TEXTS } from './webhook-texts.js';

/** Addresses of others that are told what happens. */
export function WebhooksPage() {
  usePageTitle(m.webhooks_title());
  const client = useQueryClient();
  const webhooks = useQuery({ ...queryOf(listWebhooks), ...LOOK_AGAIN });
  const [isAdding, setAdding] = useState(false);
  const add = useCall(addWebhook, {
    meta: { inPlace: true },
    onSuccess: () => {
      setAdding(false);
      invalidate(client, queryKeys.webhooks);
    },
  });
  const begin = () => {
    add.reset();
    setAdding(true);
  };
  return (
    <>
      <ListHead title={m.webhooks_title()}>
        <Button onClick={begin}>{m.webhooks_add()}</Button>
      </ListHead>
      <p className="max-w-measure mb-6 text-ink-soft">{m.webhooks_lead()}</p>
      <Loaded of={webhooks} waiting={<SkeletonLines label={m.webhooks_loading()} widths={[60, 50, 70]} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState title={m.webhooks_empty()}>{m.webhooks_empty_lead()}</EmptyState>
          ) : (
            data.map((webhook) => <WebhookCard key={webhook.id} webhook={webhook} />)
          )
        }
      </Loaded>
      <Changes />
      {isAdding && (
        <WebhookDialog
          command={add}
          onSave={(body) => add.mutate({ body })}
          onClose={() => setAdding(false)}
        />
      )}
      {add.data && <SecretDialog secret={add.data.secret} onClose={add.reset} />}
    </>
  );
}

/** What admins changed, the latest first. */
function Changes() {
  const changes = useQuery({ ...queryOf(listWebhookChanges), meta: { inPlace: true } });
  if (!changes.data?.length) return null;
  return (
    <section className="mt-10" aria-label={m.webhooks_changes()}>
      <h3 className="mb-3 text-3">{m.webhooks_changes()}</h3>
      <ul role="list" className="text-1 tabular-nums">
        {changes.data.map(({ id, at, by, address, what }) => (
          <li key={id} className="flex flex-wrap gap-x-4 py-2 border-t border-line" data-change={what}>
            <time dateTime={at}>{isoMinute(at)}</time>
            <span>{CHANGE_TEXTS[what]}</span>
            <span className="wrap-anywhere text-ink-soft">{address}</span>
            <span className="ml-auto">{by ?? m.account_removed()}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
