import { Download } from 'lucide-react';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { TrialAnswer as Answer, TrialView } from '#contracts/rules/what-if.js';
import { Button } from '../../../components/button.js';
import { EmptyState } from '../../../components/empty-state.js';
import { Differences } from '../differences.js';
import { differences } from '../rule-words.js';
import { ChangedReaders } from './changed-readers.js';
import { FeesChart } from './fees-chart.js';
import { FiguresTable } from './figures-table.js';
import { LimitsPart } from './limits-part.js';
import styles from './trial-answer.module.css';
import { saveFees } from './trial-file.js';
import { counted, inGroups, inMoney } from './words.js';

interface TrialAnswerProps {
  trial: TrialView;
  answer: Answer;
  /** Those in force, from which the tried ones differ. */
  current: RuleSet;
}

/** What the rules would have done, beside what was. */
export function TrialAnswer({ trial, answer, current }: TrialAnswerProps) {
  const changes = differences(current, trial.rules);
  if (isNothing(answer)) {
    return (
      <EmptyState title="Nothing happened in these days">
        Nobody had a book or a reservation on which rules could have acted. Choose other days.
      </EmptyState>
    );
  }
  return (
    <div className={styles.answer} data-answer={trial.id}>
      <div className={styles.headline}>
        <p className={styles.sum}>{inWords(answer)}</p>
        <Button size="small" onClick={() => saveFees(trial)}>
          <Download size={16} aria-hidden="true" />
          Save as CSV
        </Button>
      </div>
      <FeesChart months={answer.months} />
      <div className={styles.columns}>
        <FiguresTable answer={answer} />
        <LimitsPart answer={answer} />
      </div>
      <div className={styles.columns}>
        <ChangedReaders key={trial.id} trialId={trial.id} changed={answer.changedReaders} />
        <section aria-labelledby="tried-rules" className={styles.part}>
          <h3 id="tried-rules" className={styles.triedTitle}>
            What was tried
          </h3>
          {changes.length > 0 ? (
            <Differences changes={changes} />
          ) : (
            <p className={styles.quiet}>
              The rules that are in force now, over days that had others or the same.
            </p>
          )}
          <p className={styles.quiet}>
            {counted(answer.events, 'event', 'events')} of {counted(answer.readers, 'reader', 'readers')} were
            folded again.
          </p>
        </section>
      </div>
    </div>
  );
}

function inWords({ fees, readers, changedReaders }: Answer): string {
  const [was, willBe] = [inMoney(fees.real), inMoney(fees.tried)];
  const sums =
    fees.real === fees.tried
      ? `Late fees would have come to the same, ${was}`
      : `Late fees would have come to ${willBe} instead of ${was}`;
  return changedReaders === 0
    ? `${sums}, for every reader as it was.`
    : `${sums}; ${inGroups(changedReaders)} of ${counted(readers, 'reader', 'readers')} would have had others.`;
}

function isNothing({ events, fees, losses, lateReturns, expiredRents, holds, limits }: Answer): boolean {
  const figures = [fees, losses, lateReturns, expiredRents];
  return (
    events === 0 ||
    (figures.every(({ real, tried }) => real === 0 && tried === 0) &&
      holds.ready === 0 &&
      limits.readers === 0)
  );
}
