import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { SimulationView } from '#contracts/rules/what-if.js';
import { Button, ButtonLink } from '../../../components/form/button.js';
import { Meter } from '../../../components/display/meter.js';
import { Notice } from '../../../components/dialog/notice.js';
import { NonBreakingDates } from '../../../components/display/non-breaking-dates.js';
import { sentenceOf } from '../../../lib/api/request-error.js';
import { isoMinute } from '../../../lib/dates.js';
import { isAdmin, useUser } from '../../../lib/session.js';
import { EDITOR } from '../rules-address.js';
import { SimulationAnswer } from './simulation-answer.js';
import { useCancelSimulation } from './simulation-calls.js';

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
  const mayChange = isAdmin(useUser());
  const { state, from, to, askedAt, askedBy, answer, failure } = simulation;
  const again = (
    <Button busy={repeating} onClick={onRepeat}>
      Try again
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
            <NonBreakingDates text={`From ${from} to ${to}`} />
          </h3>
          <p className="note">
            Asked for {askedBy === null ? '' : `by ${askedBy} `}on{' '}
            <NonBreakingDates text={isoMinute(askedAt)} />
          </p>
        </div>
        <div className="flex flex-wrap gap-x-3 gap-y-1">
          <Button size="small" look="plain" onClick={onEdit}>
            Try them otherwise
          </Button>
          {mayChange && (
            <ButtonLink size="small" look="plain" to={EDITOR} state={{ rules: simulation.rules }}>
              Change the rules to these
            </ButtonLink>
          )}
        </div>
      </div>
      <div role="status" className="max-w-measure empty:hidden">
        {state === 'waiting' && <p>It waits for its turn.</p>}
        {state === 'running' && (
          <p>The log is folded again. You may leave this page: it goes on, and is found here.</p>
        )}
        {state === 'cancelled' && <p>It was cancelled. Nothing was changed by it.</p>}
        {state === 'done' && <p className="visually-hidden">It is done.</p>}
      </div>
      {(state === 'waiting' || state === 'running') && <Progress simulation={simulation} />}
      {state === 'cancelled' && <div>{again}</div>}
      {state === 'failed' && (
        <Notice action={again}>{failure ?? 'The trial failed. Nothing was changed by it.'}</Notice>
      )}
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
          label="How much of the log was read"
          className="flex-[1_1_14rem] max-w-measure"
        />
        <span className="min-w-14 text-right tabular-nums">{progress} %</span>
        <Button size="small" busy={cancel.isPending} onClick={() => cancel.mutate(id)}>
          Cancel
        </Button>
      </div>
      {cancel.isError && <Notice>{sentenceOf(cancel.error)}</Notice>}
    </>
  );
}
