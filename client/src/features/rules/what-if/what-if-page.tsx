import * as m from '#words/messages.js';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { RulesDraft } from '#contracts/rules/draft-views.js';
import type { RulesOverview } from '#contracts/rules/rule-views.js';
import { ErrorState, EmptyState, SkeletonLines } from '../../../components/list/placeholders.js';
import listPage from '../../../components/list/list-page.module.css';
import { Marked } from '../../../components/display/marked.js';
import { Notice } from '../../../components/dialog/notice.js';
import { usePageTitle } from '../../../domain/use-page-title.js';
import { isoDay } from '../../../lib/dates.js';
import { handedOver, RULES_PAGE, useRules, useRulesDrafts } from '../rules-calls.js';
import {
  useAskSimulation,
  useLatestSimulation,
  useSimulation,
  usualSpan,
  useWhatIfAddress,
} from './simulation-calls.js';
import { SimulationForm } from './simulation-form.js';
import { SimulationPart } from './simulation-part.js';
import { BackLink } from '../../../components/form/button.js';

const TITLE = m.what_if_title();

/** Rules that are thought of, tried on what really happened. */
export function WhatIfPage() {
  usePageTitle(TITLE);
  const isInAdminArea = useLocation().pathname.startsWith('/admin');
  const overview = useRules();
  const drafts = useRulesDrafts();
  // The administration has a heading of its own over all its pages.
  const Heading = isInAdminArea ? 'h2' : 'h1';
  const failed = [overview, drafts].find((query) => query.isError && query.data === undefined);
  return (
    <div className={isInAdminArea ? undefined : 'w-[min(100%,var(--page))] my-0 mx-auto py-6 px-4'}>
      <BackLink to={isInAdminArea ? RULES_PAGE : '/audit/rules'}>{m.common_rules()}</BackLink>
      <header className={listPage.head}>
        <Heading className={listPage.title}>{TITLE}</Heading>
      </header>
      <p className="max-w-measure mb-6 py-3 px-4 border-l-3 border-accent bg-accent-wash">
        <Marked parts={m.what_if_lead.parts()} as={{ strong: (words) => <strong>{words}</strong> }} />
      </p>
      {overview.data && drafts.data ? (
        <Simulations overview={overview.data} drafts={drafts.data} />
      ) : failed ? (
        <ErrorState of={failed} />
      ) : (
        <SkeletonLines label={m.rules_loading()} widths={[60, 80, 40]} />
      )}
    </div>
  );
}

interface SimulationsProps {
  overview: RulesOverview;
  drafts: readonly RulesDraft[];
}

function Simulations({ overview, drafts }: SimulationsProps) {
  const [address, change] = useWhatIfAddress();
  const location = useLocation();
  const [handed, setHanded] = useState(() => handedOver(location.state));
  const latest = useLatestSimulation();
  const simulationId = address.simulation ?? latest.data?.id ?? null;
  const asked = useSimulation(simulationId);
  const { data: simulation } = asked;
  const ask = useAskSimulation();
  const usual = usualSpan();
  const span = { from: address.from ?? usual.from, to: address.to ?? usual.to };
  const { sources, source, start } = beginning(address, { overview, drafts, handed });
  const current = overview.current.rules;
  const send = (request: Parameters<typeof ask.mutate>[0]) =>
    ask.mutate(request, { onSuccess: ({ id }) => change({ simulation: id }) });
  const isGone = (address.draft !== null || address.version !== null) && source === VERSION;
  return (
    <>
      {isGone && <Notice look="news">{m.what_if_draft_gone()}</Notice>}
      <SimulationForm
        // What is fetched meanwhile does not take away what is being typed.
        key={source === HANDED ? JSON.stringify(start) : source}
        {...{ start, current, sources, source, span }}
        onSource={(chosen) => {
          ask.reset();
          const [kind, id = ''] = chosen.split(' ');
          if (kind !== HANDED) setHanded(null);
          change({
            draft: kind === DRAFT ? id : null,
            version: kind === VERSION && id !== '' ? Number(id) : null,
          });
        }}
        onSpan={({ from, to }) =>
          change(from === usual.from && to === usual.to ? { from: null, to: null } : { from, to })
        }
        onAsk={send}
        asking={ask.isPending}
        refusal={ask.error}
        onForget={ask.reset}
        onShowOther={() => {
          ask.reset();
          void latest.refetch();
          change({ simulation: null });
        }}
      />
      {simulation ? (
        <SimulationPart
          simulation={simulation}
          current={current}
          onRepeat={() => send({ rules: simulation.rules, from: simulation.from, to: simulation.to })}
          repeating={ask.isPending}
          onEdit={() => {
            setHanded(simulation.rules);
            change({ draft: null, version: null, from: simulation.from, to: simulation.to });
          }}
        />
      ) : asked.isError ? (
        <ErrorState of={asked} />
      ) : latest.isError && simulationId === null ? (
        <ErrorState of={latest} />
      ) : latest.data === null && simulationId === null ? (
        <EmptyState title={m.what_if_none()}>{m.what_if_none_hint()}</EmptyState>
      ) : (
        <SkeletonLines label={m.what_if_loading()} widths={[40, 90, 70]} />
      )}
    </>
  );
}

const DRAFT = 'draft';
const VERSION = 'version';
const HANDED = 'handed';

/** With which rules the form begins: those of a draft, of a version, those handed over, else those in force. */
function beginning(
  { draft, version }: { draft: string | null; version: number | null },
  { overview, drafts, handed }: SimulationsProps & { handed: RuleSet | null },
) {
  const { current, versions } = overview;
  const isPrepared = ({ state, version: number }: (typeof versions)[number]) =>
    state === 'coming' || (number === version && number !== current.version);
  const all = [
    { value: VERSION, label: m.what_if_source_current({ version: current.version }), rules: current.rules },
    ...versions.filter(isPrepared).map(({ version: number, from, rules }) => ({
      value: `${VERSION} ${number}`,
      label:
        from === null
          ? m.rules_version({ version: number })
          : m.what_if_source_version_from({ version: number, day: isoDay(from) }),
      rules,
    })),
    ...drafts.map(({ id, name, rules }) => ({
      value: `${DRAFT} ${id}`,
      label: m.what_if_source_draft({ name }),
      rules,
    })),
    ...(handed ? [{ value: HANDED, label: m.what_if_source_handed(), rules: handed }] : []),
  ];
  const wanted =
    draft !== null
      ? `${DRAFT} ${draft}`
      : version !== null
        ? `${VERSION} ${version}`
        : handed
          ? HANDED
          : VERSION;
  const chosen = all.find(({ value }) => value === wanted);
  return { sources: all, source: chosen?.value ?? VERSION, start: chosen?.rules ?? current.rules };
}
