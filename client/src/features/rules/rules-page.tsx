import * as m from '#words/messages.js';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { changeRules, type RulesOverview, type RulesVersion } from '#contracts/rules/rule-views.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { ErrorState, SkeletonLines } from '../../components/list/placeholders.js';
import { Notice } from '../../components/dialog/notice.js';
import { LiveBadge } from '../../domain/live/live-badge.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { isoMinute } from '../../lib/dates.js';
import { notify } from '../../lib/notify.js';
import { useMay } from '../../lib/session.js';
import { Marked } from '../../components/display/marked.js';
import { Differences } from './differences.js';
import { DraftList, VersionList } from './version-list.js';
import { differences } from './rule-texts.js';
import { before, latestOf, beginningText } from './rule-versions.js';
import { EDITOR, WHAT_IF, useRules, useWithdrawRules } from './rules-calls.js';
import { RulesInForce } from './rules-in-force.js';
import pagePart from '../../components/display/page-part.module.css';
import { classNames } from '../../lib/class-names.js';

/** The rules of the library: what is in force, what comes, what is prepared and what was. Auditors read it in their area. */
export function RulesPage() {
  usePageTitle(m.common_rules());
  const isInAdminArea = useLocation().pathname.startsWith('/admin');
  const mayChange = useMay(changeRules);
  const query = useRules();
  const overview = query.data;
  // The administration has a heading of its own over all its pages.
  const Heading = isInAdminArea ? 'h2' : 'h1';
  return (
    <div className={isInAdminArea ? undefined : 'w-[min(100%,var(--page))] my-0 mx-auto py-6 px-4'}>
      <header className={pagePart.head}>
        <Heading className={pagePart.name}>{m.common_rules()}</Heading>
        <p className="flex-[1_1_14rem] text-ink-soft text-1 tabular-nums">
          {overview && inForceText(overview.current)}
        </p>
        {!isInAdminArea && <Link to="/audit">{m.common_back_to_readers()}</Link>}
        <ButtonLink to={isInAdminArea ? WHAT_IF : '/audit/rules/what-if'}>
          {m.rules_what_if_link()}
        </ButtonLink>
        {mayChange && (
          <ButtonLink look="primary" to={EDITOR}>
            {m.rules_change()}
          </ButtonLink>
        )}
        <LiveBadge />
      </header>
      {query.isError && !overview && <ErrorState of={query} />}
      {!overview && !query.isError && <SkeletonLines label={m.rules_loading()} widths={[60, 80, 40]} />}
      {overview && (
        <>
          <News overview={overview} />
          <Coming overview={overview} mayChange={mayChange} />
          {!isInAdminArea && <h2 className="visually-hidden">{m.rules_in_force()}</h2>}
          <RulesInForce rules={overview.current.rules} />
          <DraftList overview={overview} mayChange={mayChange} />
          <VersionList overview={overview} mayChange={mayChange} />
        </>
      )}
    </div>
  );
}

/** "Version 5, in force since 2026-11-23 10:02". */
function inForceText({ version, from }: RulesVersion): string {
  return from === null
    ? m.rules_version({ version })
    : m.rules_version_since({ version, from: isoMinute(from) });
}

/** Says what came while one looks at the page. */
function News({ overview: { versions } }: { overview: RulesOverview }) {
  const [seen, setSeen] = useState(() => latestOf(versions));
  const [newest] = versions;
  if (!newest || newest.version <= seen) return null;
  return (
    <div className="flex flex-col gap-3 not-empty:mb-6">
      <Notice
        look="news"
        action={
          <Button size="small" onClick={() => setSeen(newest.version)}>
            {m.rules_seen()}
          </Button>
        }
      >
        {m.rules_news({
          who: newest.changedBy ?? m.rules_somebody_first(),
          version: newest.version,
          state: newest.state,
          from: beginningText(newest),
        })}
      </Notice>
    </div>
  );
}

function comingParts(coming: RulesVersion) {
  const { version, why } = coming;
  const from = beginningText(coming);
  return why === null
    ? m.rules_version_begins.parts({ version, from })
    : m.rules_version_begins_why.parts({ version, from, why });
}

/** What was prepared and can still be withdrawn. */
function Coming({ overview: { versions }, mayChange }: { overview: RulesOverview; mayChange: boolean }) {
  const withdraw = useWithdrawRules();
  const [asked, setAsked] = useState<RulesVersion | null>(null);
  const coming = versions.filter(({ state }) => state === 'coming').toReversed();
  return (
    <>
      {coming.map((version) => (
        <section
          key={version.version}
          className={classNames(
            'grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-2 items-start mb-6 p-4',
            'border-l-3 border-accent-text rounded bg-accent-wash',
            '[&>:last-child]:col-span-full',
            'phone:grid-cols-1 phone:justify-items-start phone:[&>:last-child]:justify-self-stretch',
          )}
          aria-label={m.rules_version_to_come({ version: version.version })}
          data-coming={version.version}
        >
          <p>
            <Marked parts={comingParts(version)} as={{ strong: (words) => <strong>{words}</strong> }} />
          </p>
          {mayChange && (
            <Button size="small" onClick={() => setAsked(version)}>
              {m.rules_withdraw()}
            </Button>
          )}
          <Differences
            changes={differences(before(versions, version)?.rules ?? version.rules, version.rules)}
          />
        </section>
      ))}
      {withdraw.isError && (
        <div className="flex flex-col gap-3 not-empty:mb-6">
          <Notice>{sentenceOf(withdraw.error)}</Notice>
        </div>
      )}
      {asked && (
        <Confirmation
          question={m.rules_withdraw_question({ version: asked.version })}
          action={m.rules_withdraw_confirm()}
          busy={withdraw.isPending}
          onConfirm={() =>
            withdraw.mutate(asked.version, {
              onSuccess: () => notify.success(m.rules_withdrawn({ version: asked.version })),
              onSettled: () => setAsked(null),
            })
          }
          onDecline={() => setAsked(null)}
        >
          {m.rules_withdraw_effect()}
        </Confirmation>
      )}
    </>
  );
}
