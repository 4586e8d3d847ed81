import { Printer } from 'lucide-react';
import { useState } from 'react';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { SimulationAnswer as Answer, SimulationView } from '#contracts/rules/what-if.js';
import { Button } from '../../../components/form/button.js';
import { EmptyState } from '../../../components/list/empty-state.js';
import pagePart from '../../../components/display/page-part.module.css';
import { isAdmin, useUser } from '../../../lib/session.js';
import { Differences } from '../differences.js';
import { differences } from '../rule-texts.js';
import { ChangedReaders } from './changed-readers.js';
import { FeesChart } from './fees-chart.js';
import { FiguresTable } from './figures-table.js';
import { LimitsPart } from './limits-part.js';
import { PrintedSimulation } from './printed-simulation.js';
import { SaveTable } from './save-table.js';
import { rulesTable } from './simulation-tables.js';
import { counted } from '../../../lib/counted.js';
import { answerText } from './labels.js';

const COLUMNS = 'grid grid-cols-1 gap-10 items-start from-1200:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]';

interface SimulationAnswerProps {
  simulation: SimulationView;
  answer: Answer;
  /** Those in force, from which the tried ones differ. */
  current: RuleSet;
}

/** What the rules would have done, beside what was. */
export function SimulationAnswer({ simulation, answer, current }: SimulationAnswerProps) {
  const mayName = isAdmin(useUser());
  const [namedIn, setNamedIn] = useState<string | null>(null);
  const [isPrinting, setPrinting] = useState(false);
  const isNamed = mayName && namedIn === simulation.id;
  const changes = differences(current, simulation.rules);
  if (isNothing(answer)) {
    return (
      <EmptyState title="Nothing happened in these days">
        Nobody had a book or a reservation on which rules could have acted. Choose other days.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-10 phone:[--tick:22px]" data-answer={simulation.id}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="flex-[1_1_20rem] max-w-measure font-serif text-3 tabular-nums">{answerText(answer)}</p>
        <Button size="small" onClick={() => setPrinting(true)}>
          <Printer size={16} aria-hidden="true" />
          Print
        </Button>
      </div>
      <FeesChart simulation={simulation} answer={answer} />
      <div className={COLUMNS}>
        <FiguresTable simulation={simulation} answer={answer} />
        <LimitsPart simulation={simulation} answer={answer} />
      </div>
      <div className={COLUMNS}>
        <ChangedReaders
          simulation={simulation}
          answer={answer}
          isWanted={isNamed}
          onWant={() => setNamedIn(simulation.id)}
        />
        <section aria-labelledby="tried-rules" className="flex flex-col gap-3 min-w-0">
          <div className={pagePart.titleRow}>
            <h3 id="tried-rules">What was tried</h3>
            {changes.length > 0 && (
              <SaveTable
                simulation={simulation}
                title="What was tried"
                table={() => rulesTable(current, simulation.rules)}
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
        <PrintedSimulation
          simulation={simulation}
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
    (figures.every(({ real, simulated }) => real === 0 && simulated === 0) &&
      holds.ready === 0 &&
      limits.readers === 0)
  );
}
