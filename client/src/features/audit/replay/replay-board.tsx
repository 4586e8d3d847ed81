import * as m from '#words/messages.js';
import X from 'lucide-react/icons/x';
import { useMemo, useState } from 'react';
import { READER_EVENT_TYPES } from '#contracts/holds/hold-events.js';
import { Button } from '../../../components/form/button.js';
import { EmptyState } from '../../../components/list/placeholders.js';
import { isoDay } from '../../../lib/dates.js';
import { barsOf, showing, viewOf, WHOLE, type Bar } from './chart/bars.js';
import { ChartZoom, Legend } from './chart/chart-legend.js';
import { EventList } from './events/event-list.js';
import { titlesText, eventLabels } from '../../../domain/borrowing/event-labels.js';
import { HistoryChart } from './chart/history-chart.js';
import type { History } from './history/history.js';
import type { ReplayAddress } from './replay-address.js';
import styles from './replay-page.module.css';
import { scaleOf, type Scale, type View } from './chart/scale.js';
import { StatePanel } from './state/state-panel.js';
import { Transport } from './player/transport.js';
import { useThrottled, useReplay } from './player/use-replay.js';

/** How often the state is fetched while the instant moves. */
const STATE_EVERY_MS = 200;

interface ReplayBoardProps {
  readerId: string;
  history: History;
  address: ReplayAddress;
  change: (changes: Partial<ReplayAddress>) => void;
}

/** The borrows over time, the slider, the events, and the state at the chosen instant. */
export function ReplayBoard({ readerId, history, address, change }: ReplayBoardProps) {
  const { events } = history;
  const { proportion, borrowId, kind } = address;
  const scale = useMemo(() => scaleOf(events, proportion), [events, proportion]);
  const bars = useMemo(() => barsOf(events), [events]);
  const replay = useReplay(history, address, change);
  const [view, setView] = useView(
    bars.find((bar) => bar.borrowId === borrowId),
    scale,
    proportion,
    replay.number,
  );
  const stateNumber = useThrottled(replay.number, STATE_EVERY_MS);
  const numbers = useMemo(() => replay.stops.filter((stop) => stop > 0), [replay.stops]);

  return (
    <div className="stack">
      <div className="flex flex-col">
        <HistoryChart
          history={history}
          bars={bars}
          scale={scale}
          proportion={proportion}
          view={view}
          number={replay.number}
          chosen={borrowId}
          onScrub={replay.goTo}
          onChoose={(next) => change({ borrowId: next === borrowId ? null : next })}
        />
        <Transport
          history={history}
          replay={replay}
          scale={scale}
          proportion={proportion}
          onProportion={(next) => change({ proportion: next })}
        >
          <ChartZoom view={view} onView={setView} place={scale.ofNumber(replay.number)} />
          <Legend />
        </Transport>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(21rem,27rem)] items-start gap-6 to-960:grid-cols-1">
        <section className="min-w-0" aria-label={m.audit_what_happened()}>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 mb-2 text-1">
            <BorrowFilter bars={bars} value={borrowId} onChoose={(next) => change({ borrowId: next })} />
            <label className={styles.filter}>
              <span>{m.common_what()}</span>
              <select
                value={kind ?? ''}
                onChange={(event) => change({ kind: event.target.value === '' ? null : event.target.value })}
              >
                <option value="">{m.audit_everything()}</option>
                {READER_EVENT_TYPES.map((type) => (
                  <option key={type} value={type}>
                    {eventLabels(type).word}
                  </option>
                ))}
              </select>
            </label>
            {(borrowId !== null || kind !== null) && (
              <Button
                icon={X}
                size="small"
                look="plain"
                onClick={() => change({ borrowId: null, kind: null })}
              >
                {m.audit_show_everything()}
              </Button>
            )}
            <p className="ml-auto text-ink-soft tabular-nums" role="status">
              {numbers.length === events.length
                ? ''
                : m.audit_events_shown({ shown: numbers.length, total: events.length })}
            </p>
          </div>
          {numbers.length === 0 ? (
            <EmptyState
              title={m.audit_no_matching_events()}
              action={
                <Button onClick={() => change({ borrowId: null, kind: null })}>
                  {m.audit_show_everything()}
                </Button>
              }
            >
              {m.audit_no_such_events()}
            </EmptyState>
          ) : (
            <div className="h-[clamp(20rem,62vh,44rem)] to-960:h-[clamp(18rem,46vh,30rem)]">
              <EventList
                readerId={readerId}
                events={events}
                numbers={numbers}
                chosen={replay.number}
                onChoose={replay.goTo}
              />
            </div>
          )}
        </section>
        <div className="min-w-0">
          <StatePanel
            readerId={readerId}
            events={events}
            number={stateNumber}
            moving={replay.playing || stateNumber !== replay.number}
          />
        </div>
      </div>
    </div>
  );
}

/**
 * What of the drawing is in view. Of another borrow or another scale it is another, and it goes with the instant
 * as soon as that moves.
 */
function useView(bar: Bar | undefined, scale: Scale, proportion: string, number: number) {
  const meant = `${bar?.borrowId ?? ''} ${proportion}`;
  const first = () => (bar ? viewOf(bar, scale) : WHOLE);
  const [of, setOf] = useState(meant);
  const [at, setAt] = useState(number);
  const [view, setView] = useState<View>(first);
  if (of !== meant) {
    setOf(meant);
    setView(first());
  } else if (at !== number) {
    setAt(number);
    setView(showing(view, scale.ofNumber(number)));
  }
  return [view, setView] as const;
}

interface BorrowFilterProps {
  bars: readonly Bar[];
  value: string | null;
  onChoose: (borrowId: string | null) => void;
}

function BorrowFilter({ bars, value, onChoose }: BorrowFilterProps) {
  const options = useMemo(
    () =>
      bars.toReversed().map(({ borrowId, from, titles }) => (
        <option key={borrowId} value={borrowId}>
          {isoDay(from.time)} {titlesText(titles)}
        </option>
      )),
    [bars],
  );
  return (
    <label className={styles.filter}>
      <span>{m.audit_borrow()}</span>
      <select
        value={value ?? ''}
        onChange={(event) => onChoose(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">{m.audit_all_borrows()}</option>
        {options}
      </select>
    </label>
  );
}
