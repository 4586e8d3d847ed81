import { useState } from 'react';
import type { RulesOverview, RulesVersion } from '#contracts/rules/rule-views.js';
import { Button } from '../../components/button.js';
import { Confirmation } from '../../components/confirmation.js';
import { ErrorState } from '../../components/error-state.js';
import listPage from '../../components/list-page.module.css';
import { Notice } from '../../components/notice.js';
import { SkeletonLines } from '../../components/skeleton.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { isoMinute } from '../../lib/dates.js';
import { Differences } from './differences.js';
import { differences } from './rule-fields.js';
import { useRules, useWithdrawRules } from './rules-calls.js';
import { RulesForm } from './rules-form.js';
import styles from './rules-page.module.css';

/** The rules of the library: what is in force, what comes, what was, and a form to change them. */
export function RulesPage() {
  usePageTitle('Rules');
  const query = useRules();
  const overview = query.data;
  return (
    <>
      <header className={listPage.head}>
        <h2 className={listPage.title}>Rules</h2>
        {overview && (
          <p className={listPage.count}>
            Version {overview.current.version}
            {overview.current.from !== null && `, in force since ${isoMinute(overview.current.from)}`}
          </p>
        )}
      </header>
      {query.isError && !overview && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      )}
      {!overview && !query.isError && <SkeletonLines label="Loading the rules" widths={[60, 80, 40]} />}
      {overview && (
        <>
          <Coming overview={overview} />
          {/* Another version is another form: what was typed on the one before would undo it. */}
          <RulesForm key={overview.current.version} overview={overview} />
          <History overview={overview} />
        </>
      )}
    </>
  );
}

/** What was prepared and can still be withdrawn. */
function Coming({ overview: { versions, current } }: { overview: RulesOverview }) {
  const withdraw = useWithdrawRules();
  const [asked, setAsked] = useState<RulesVersion | null>(null);
  return (
    <>
      {versions
        .filter(({ state }) => state === 'coming')
        .map((version) => (
          <section key={version.version} className={styles.coming} aria-label={`Version ${version.version}`}>
            <p>
              <strong>Version {version.version}</strong> begins on {isoMinute(version.from ?? '')}
              {version.why !== null && `: ${version.why}`}
            </p>
            <Differences changes={differences(current.rules, version.rules)} />
            <Button onClick={() => setAsked(version)}>Withdraw</Button>
          </section>
        ))}
      {withdraw.isError && <Notice>{sentenceOf(withdraw.error)}</Notice>}
      {asked && (
        <Confirmation
          question={`Withdraw version ${asked.version} of the rules?`}
          action="Withdraw it"
          busy={withdraw.isPending}
          onConfirm={() => withdraw.mutate(asked.version, { onSettled: () => setAsked(null) })}
          onDecline={() => setAsked(null)}
        >
          It never comes into force. It stays in the history.
        </Confirmation>
      )}
    </>
  );
}

const WORDS: Record<RulesVersion['state'], string> = {
  ...{ past: 'Was in force', current: 'In force', coming: 'Prepared', withdrawn: 'Withdrawn' },
};

function History({ overview: { versions } }: { overview: RulesOverview }) {
  return (
    <section className={styles.history} aria-label="Versions">
      <h3>Versions</h3>
      <ol role="list">
        {versions.map((version, n) => {
          const before = versions[n + 1];
          return (
            <li key={version.version} className={styles.version}>
              <p>
                <strong>Version {version.version}</strong>{' '}
                <span className={styles.state} data-state={version.state}>
                  {WORDS[version.state]}
                </span>
              </p>
              <p className="note">
                {version.from === null ? 'From the beginning' : `From ${isoMinute(version.from)}`}
                {version.changedBy !== null &&
                  `, by ${version.changedBy} on ${isoMinute(version.changedAt ?? '')}`}
                {version.withdrawnBy !== null &&
                  `; withdrawn by ${version.withdrawnBy} on ${isoMinute(version.withdrawnAt ?? '')}`}
              </p>
              {version.why !== null && <p className={styles.why}>{version.why}</p>}
              {before && <Differences changes={differences(before.rules, version.rules)} />}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
