import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SIGN_ON_OUTCOMES } from '#contracts/accounts/sign-on-providers.js';
import { changeProviders, readProviders, tryProvider, type SignOnView } from '#contracts/accounts/sign-on.js';
import * as m from '#words/messages.js';
import { BackLink, Button } from '../../components/form/button.js';
import { OrderedList } from '../../components/list/ordered-list.js';
import { Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';
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
  const change = useCall(changeProviders, {
    meta,
    onSuccess: (changed) => client.setQueryData(keyOf(readProviders), changed),
    // Somebody else may have changed them: what they are now is below the message.
    onError: () => void client.invalidateQueries({ queryKey: keyOf(readProviders) }),
  });
  return (
    <OrderedList<Shown, EditedProvider>
      title={m.sign_on_title()}
      lead={m.sign_on_lead()}
      add={m.sign_on_add()}
      empty={{ title: m.sign_on_empty(), lead: m.sign_on_empty_lead() }}
      items={view.providers}
      nameOf={({ name }) => name}
      idOf={({ key }) => key}
      isFixed={({ fixed }) => fixed}
      about={(provider) => <About provider={provider} />}
      actions={(provider) => <Trial provider={provider} />}
      changed={{ at: view.changedAt, by: view.changedBy }}
      command={change}
      save={(providers, options) =>
        change.mutate({ body: { version: view.version, providers: [...providers] } }, options)
      }
      effectOfRemoving={({ sessions: count }) =>
        `${count > 0 ? `${m.sign_on_ends_sessions({ count })} ` : ''}${m.sign_on_remove_effect()}`
      }
      dialog={(provider, more) => <ProviderDialog provider={provider} command={change} {...more} />}
    />
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
