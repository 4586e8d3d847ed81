import * as m from '#words/messages.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import { changeRules } from '#contracts/rules/rule-views.js';
import {
  readSimulationReaders,
  type SimulationView,
  type SimulationAnswer as Answer,
} from '#contracts/rules/what-if.js';
import { Button, ButtonLink } from '../../../components/form/button.js';
import { Meter } from '../../../components/display/meter.js';
import { Notice } from '../../../components/dialog/notice.js';
import { NonBreakingDates } from '../../../components/display/day.js';
import { sentenceOf } from '../../../lib/api/request-error.js';
import { isoMinute } from '../../../lib/dates.js';
import { useMay } from '../../../lib/session.js';
import { EDITOR } from '../rules-calls.js';
import { useCancelSimulation } from './simulation-calls.js';
import Printer from 'lucide-react/icons/printer';
import { useState } from 'react';
import { EmptyState } from '../../../components/list/placeholders.js';
import pagePart from '../../../components/display/page-part.module.css';
import { Differences } from '../differences.js';
import { differences } from '../rule-texts.js';
import { ChangedReaders, FiguresTable, LimitsPart } from './answer-parts.js';
import { FeesChart } from './fees-chart.js';
import { PrintedSimulation } from './printed-simulation.js';
import { SaveTable, rulesTable } from './simulation-tables.js';
import { answerText } from './labels.js';

interface SimulationPartProps {
  simulation: SimulationView;
  /** The rules in force. */
  current: RuleSet;
  /** Asks for the same once more. */
  onRepeat: () => void;
  repeating: boolean;
  /** Puts its rules and days into the form. */
  onEdit: () => void;
}

/** A trial: how far it is, what became of it, or its answer. */
export function SimulationPart({ simulation, current, onRepeat, repeating, onEdit }: SimulationPartProps) {
  const mayChange = useMay(changeRules);
  const { state, from, to, askedAt, askedBy, answer, failure } = simulation;
  const again = (
    <Button busy={repeating} onClick={onRepeat}>
      {m.common_try_again()}
    </Button>
  );
  return (
    <section
      aria-labelledby="trial"
      className="flex flex-col gap-4 pt-4 border-t border-line-strong"
      data-trial={simulation.id}
      data-state={state}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 [&_h3]:text-4">
        <div>
          <h3 id="trial">
            <NonBreakingDates text={m.what_if_span({ from, to })} />
          </h3>
          <p className="note">
            <NonBreakingDates
              text={
                askedBy === null
                  ? m.what_if_asked({ at: isoMinute(askedAt) })
                  : m.what_if_asked_by({ who: askedBy, at: isoMinute(askedAt) })
              }
            />
          </p>
        </div>
        <div className="flex flex-wrap gap-x-3 gap-y-1">
          <Button size="small" look="plain" onClick={onEdit}>
            {m.what_if_edit()}
          </Button>
          {mayChange && (
            <ButtonLink size="small" look="plain" to={EDITOR} state={{ rules: simulation.rules }}>
              {m.what_if_use()}
            </ButtonLink>
          )}
        </div>
      </div>
      <div role="status" className="max-w-measure empty:hidden">
        {state === 'waiting' && <p>{m.what_if_waiting()}</p>}
        {state === 'running' && <p>{m.what_if_running()}</p>}
        {state === 'cancelled' && <p>{m.what_if_cancelled()}</p>}
        {state === 'done' && <p className="visually-hidden">{m.what_if_done()}</p>}
      </div>
      {(state === 'waiting' || state === 'running') && <Progress simulation={simulation} />}
      {state === 'cancelled' && <div>{again}</div>}
      {state === 'failed' && <Notice action={again}>{failure ?? m.what_if_failed()}</Notice>}
      {answer && <SimulationAnswer simulation={simulation} answer={answer} current={current} />}
    </section>
  );
}

function Progress({ simulation: { id, progress } }: { simulation: SimulationView }) {
  const cancel = useCancelSimulation();
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Meter
          value={progress}
          max={100}
          label={m.what_if_progress()}
          className="flex-[1_1_14rem] max-w-measure"
        />
        <span className="min-w-14 text-right tabular-nums">{progress} %</span>
        <Button size="small" busy={cancel.isPending} onClick={() => cancel.mutate(id)}>
          {m.what_if_cancel()}
        </Button>
      </div>
      {cancel.isError && <Notice>{sentenceOf(cancel.error)}</Notice>}
    </>
  );
}

const COLUMNS = 'grid grid-cols-1 gap-10 items-start from-1200:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]';

interface SimulationAnswerProps {
  simulation: SimulationView;
  answer: Answer;
  /** Those in force, from which the tried ones differ. */
  current: RuleSet;
}

/** What the rules would have done, beside what was. */
function SimulationAnswer({ simulation, answer, current }: SimulationAnswerProps) {
  const mayName = useMay(readSimulationReaders);
  const [namedIn, setNamedIn] = useState<string | null>(null);
  const [isPrinting, setPrinting] = useState(false);
  const isNamed = mayName && namedIn === simulation.id;
  const changes = differences(current, simulation.rules);
  if (isNothing(answer)) {
    return <EmptyState title={m.what_if_nothing()}>{m.what_if_nothing_hint()}</EmptyState>;
  }
  return (
    <div className="flex flex-col gap-10 phone:[--tick:22px]" data-answer={simulation.id}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="flex-[1_1_20rem] max-w-measure font-serif text-3 tabular-nums">{answerText(answer)}</p>
        <Button icon={Printer} size="small" onClick={() => setPrinting(true)}>
          {m.common_print()}
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
            <h3 id="tried-rules">{m.what_if_tried()}</h3>
            {changes.length > 0 && (
              <SaveTable
                simulation={simulation}
                title={m.what_if_tried()}
                table={() => rulesTable(current, simulation.rules)}
              />
            )}
          </div>
          {changes.length > 0 ? (
            <Differences changes={changes} />
          ) : (
            <p className="text-ink-soft text-1 max-w-measure">{m.what_if_tried_current()}</p>
          )}
          <p className="text-ink-soft text-1 max-w-measure">{m.what_if_replayed(answer)}</p>
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
