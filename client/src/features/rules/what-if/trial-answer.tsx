import { Printer } from 'lucide-react';
import { useState } from 'react';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { TrialAnswer as Answer, TrialView } from '#contracts/rules/what-if.js';
import { Button } from '../../../components/button.js';
import { EmptyState } from '../../../components/empty-state.js';
import pagePart from '../../../components/page-part.module.css';
import { isAdmin, useUser } from '../../../lib/session.js';
import { Differences } from '../differences.js';
import { differences } from '../rule-words.js';
import { ChangedReaders } from './changed-readers.js';
import { FeesChart } from './fees-chart.js';
import { FiguresTable } from './figures-table.js';
import { LimitsPart } from './limits-part.js';
import { PrintedTrial } from './printed-trial.js';
import { SaveTable } from './save-table.js';
import { rulesTable } from './trial-tables.js';
import { counted } from '../../../lib/counted.js';
import { answerInWords } from './words.js';

const COLUMNS = 'grid grid-cols-1 gap-10 items-start from-1200:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]';

interface TrialAnswerProps {
  trial: TrialView;
  answer: Answer;
  /** Those in force, from which the tried ones differ. */
  current: RuleSet;
}

/** What the rules would have done, beside what was. */
export function TrialAnswer({ trial, answer, current }: TrialAnswerProps) {
  const mayName = isAdmin(useUser());
  const [namedIn, setNamedIn] = useState<string | null>(null);
  const [isPrinting, setPrinting] = useState(false);
  const isNamed = mayName && namedIn === trial.id;
  const changes = differences(current, trial.rules);
  if (isNothing(answer)) {
    return (
      <EmptyState title="Nothing happened in these days">
        Nobody had a book or a reservation on which rules could have acted. Choose other days.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-10 phone:[--tick:22px]" data-answer={trial.id}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="flex-[1_1_20rem] max-w-measure font-serif text-3 tabular-nums">
          {answerInWords(answer)}
        </p>
        <Button size="small" onClick={() => setPrinting(true)}>
          <Printer size={16} aria-hidden="true" />
          Print
        </Button>
      </div>
      <FeesChart trial={trial} answer={answer} />
      <div className={COLUMNS}>
        <FiguresTable trial={trial} answer={answer} />
        <LimitsPart trial={trial} answer={answer} />
      </div>
      <div className={COLUMNS}>
        <ChangedReaders
          trial={trial}
          answer={answer}
          isWanted={isNamed}
          onWant={() => setNamedIn(trial.id)}
        />
        <section aria-labelledby="tried-rules" className="flex flex-col gap-3 min-w-0">
          <div className={pagePart.titleRow}>
            <h3 id="tried-rules">What was tried</h3>
            {changes.length > 0 && (
              <SaveTable
                trial={trial}
                title="What was tried"
                table={() => rulesTable(current, trial.rules)}
              />
            )}
          </div>
          {changes.length > 0 ? (
            <Differences changes={changes} />
          ) : (
            <p className="text-ink-soft text-1 max-w-measure">
              The rules that are in force now, over days that had others or the same.
            </p>
          )}
          <p className="text-ink-soft text-1 max-w-measure">
            {counted(answer.events, 'event', 'events')} of {counted(answer.readers, 'reader', 'readers')} were
            folded again.
          </p>
        </section>
      </div>
      {isPrinting && (
        <PrintedTrial
          trial={trial}
          answer={answer}
          changes={changes}
          isNamed={isNamed}
          onDone={() => setPrinting(false)}
        />
      )}
    </div>
  );
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
