import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { SIGN_ON_OUTCOMES } from '#contracts/accounts/sign-on-providers.js';
import { changeProviders, readProviders, tryProvider, type SignOnView } from '#contracts/accounts/sign-on.js';
import * as m from '#words/messages.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { Notice } from '../../components/dialog/notice.js';
import { BackLink, Button } from '../../components/form/button.js';
import { ListHead } from '../../components/list/list-page.js';
import { MoveButtons } from '../../components/list/move-buttons.js';
import { EmptyState, Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';
import { isoMinute } from '../../lib/dates.js';
import { ProviderDialog, type EditedProvider } from './provider-dialog.js';

const meta = { inPlace: true };

/** Where people can sign in instead of here. */
export function ProvidersPage() {
  usePageTitle(m.sign_on_title());
  const answer = useQuery({ ...queryOf(readProviders), refetchOnMount: 'always', meta });
  return (
    <>
      <BackLink to="/admin/library">{m.site_area_library()}</BackLink>
      <Loaded of={answer} waiting={<SkeletonLines label={m.sign_on_loading()} widths={[60, 50, 70]} />}>
        {(view) => <Providers view={view} />}
      </Loaded>
    </>
  );
}

type Shown = SignOnView['providers'][number];

function Providers({ view }: { view: SignOnView }) {
  const client = useQueryClient();
  /** The one whose window is open; null for a new one. */
  const [edited, setEdited] = useState<Shown | null>();
  const [removed, setRemoved] = useState<Shown>();
  const close = () => {
    change.reset();
    setEdited(undefined);
    setRemoved(undefined);
  };
  const change = useCall(changeProviders, {
    meta,
    onSuccess: (changed) => {
      client.setQueryData(keyOf(readProviders), changed);
      close();
    },
    // Somebody else may have changed them: what they are now is below the message.
    onError: () => void client.invalidateQueries({ queryKey: keyOf(readProviders) }),
  });
  const own = view.providers.filter(({ fixed }) => !fixed);
  const save = (providers: readonly EditedProvider[]) =>
    change.mutate({ body: { version: view.version, providers: [...providers] } });
  const others = ({ key }: EditedProvider) => own.filter((each) => each.key !== key);
  return (
    <>
      <ListHead title={m.sign_on_title()}>
        <Button onClick={() => setEdited(null)}>{m.sign_on_add()}</Button>
      </ListHead>
      <p className="max-w-measure mb-4 text-ink-soft text-1">{m.sign_on_lead()}</p>
      {change.isError && edited === undefined && <Notice>{firstWordsOf(change.error)}</Notice>}
      {view.providers.length === 0 && (
        <EmptyState title={m.sign_on_empty()}>{m.sign_on_empty_lead()}</EmptyState>
      )}
      <ol role="list">
        {view.providers.map((provider) => (
          <li
            key={provider.key}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-6 gap-y-2 py-3 border-t border-line to-760:grid-cols-1"
            data-provider={provider.key}
          >
            <About provider={provider} />
            <div className="flex flex-wrap gap-1">
              <Trial provider={provider} />
              {!provider.fixed && (
                <>
                  <MoveButtons
                    name={provider.name}
                    place={own.indexOf(provider) + 1}
                    total={own.length}
                    onMove={(place) =>
                      !change.isPending && save(others(provider).toSpliced(place - 1, 0, provider))
                    }
                  />
                  <Button size="small" onClick={() => setEdited(provider)}>
                    {m.common_edit()}
                  </Button>
                  <Button size="small" look="danger" onClick={() => setRemoved(provider)}>
                    {m.common_remove()}
                  </Button>
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
      {view.changedAt !== null && (
        <p className="note pt-3 border-t border-line">
          {m.sources_changed({
            by: view.changedBy ?? m.library_changed_by_gone(),
            at: isoMinute(view.changedAt),
          })}
        </p>
      )}
      {removed && (
        <Confirmation
          question={m.source_remove_question({ name: removed.name })}
          action={m.common_remove()}
          busy={change.isPending}
          onConfirm={() => save(others(removed))}
          onDecline={close}
        >
          {change.isError
            ? firstWordsOf(change.error)
            : `${m.sign_on_ends_sessions({ count: removed.sessions })} ${m.sign_on_remove_effect()}`}
        </Confirmation>
      )}
      {edited !== undefined && (
        <ProviderDialog
          provider={edited}
          command={change}
          onSave={(saved) =>
            save(edited ? own.map((each) => (each.key === saved.key ? saved : each)) : [...own, saved])
          }
          onClose={close}
        />
      )}
    </>
  );
}

function About({ provider }: { provider: Shown }) {
  const { name, issuer, on, fixed, hasSecret, makesAccounts, staff } = provider;
  const facts = [
    new URL(issuer).host,
    ...(fixed ? [m.sign_on_fixed()] : []),
    ...(on ? [] : [m.source_off()]),
    ...(hasSecret ? [] : [m.sign_on_without_secret()]),
    ...(makesAccounts ? [m.sign_on_makes_accounts_short()] : []),
    ...(staff ? [m.sign_on_staff_short()] : []),
  ];
  return (
    <div className="min-w-0">
      <h3 className="font-serif text-3 leading-tight wrap-anywhere">{name}</h3>
      <p className="note wrap-anywhere">{facts.join(' · ')}</p>
    </div>
  );
}

/** Asks a provider for all that a sign-in needs. */
function Trial({ provider: { key, name } }: { provider: Shown }) {
  const trial = useCall(tryProvider, { meta });
  const said = trial.data ? SIGN_ON_OUTCOMES[trial.data.outcome]({ name }) : '';
  return (
    <>
      <p className="basis-full text-1 empty:hidden" role="status" data-tried={trial.data?.outcome}>
        {trial.isError ? firstWordsOf(trial.error) : said}
      </p>
      <Button size="small" busy={trial.isPending} onClick={() => trial.mutate({ params: { key } })}>
        {m.source_try()}
      </Button>
    </>
  );
}
