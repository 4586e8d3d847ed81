import * as m from '#words/messages.js';
import { memo, useId, useMemo, useRef, type PointerEvent } from 'react';
import { isoMinute } from '../../../../lib/dates.js';
import { axisTicks, type Proportion, type Scale, type View } from './scale.js';
import { type Bar, type StretchKind, barLayout, xOf, type LaidOutBar } from './bars.js';
import { END_MARKS, Patterns, STRETCH_LABELS } from './chart-legend.js';
import { titlesText } from '../../../../domain/borrowing/event-labels.js';
import styles from './history-chart.module.css';
import type { History } from '../history/history.js';
import { useSize } from '../../../../lib/use-size.js';

interface HistoryChartProps {
  history: History;
  bars: readonly Bar[];
  scale: Scale;
  proportion: Proportion;
  view: View;
  number: number;
  chosen: string | null;
  onScrub: (number: number) => void;
  onChoose: (borrowId: string) => void;
}

const LANE = 42;
const BAR_TOP = 19;
const BAR = 17;
/** A press that moves no further than this is a click. */
const STILL = 4;
/** How wide a letter of the axis is at most, in pixels. */
const DIGIT = 8;

/** The borrows over time, with the chosen instant. What it shows is also in the list of events, as words. */
export function HistoryChart(props: HistoryChartProps) {
  const { history, bars, scale, proportion, view, number, chosen, onScrub, onChoose } = props;
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box);
  const drawn = useMemo(() => barLayout(bars, scale, view, width), [bars, scale, view, width]);
  const ticks = useMemo(
    () => axisTicks(scale, view, width, proportion, history.events.length),
    [scale, view, width, proportion, history],
  );
  const lanes = bars.reduce((most, { lane }) => Math.max(most, lane + 1), 1);
  const height = lanes * LANE;
  const cursor = xOf(scale.ofNumber(number), view, width);
  const press = useRef<{ x: number; bar: string | null; moved: boolean } | null>(null);

  const scrub = (event: PointerEvent) => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    const part = Math.min(1, Math.max(0, (event.clientX - left) / width));
    onScrub(scale.numberAt(view.from + part * (view.to - view.from)));
  };
  const onDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    const bar = (event.target as Element).closest<SVGElement>('[data-bar]')?.dataset['bar'] ?? null;
    press.current = { x: event.clientX, bar, moved: false };
    event.currentTarget.setPointerCapture(event.pointerId);
    if (bar === null) scrub(event);
  };
  const onMove = (event: PointerEvent) => {
    if (!press.current) return;
    if (Math.abs(event.clientX - press.current.x) > STILL) press.current.moved = true;
    if (press.current.moved || press.current.bar === null) scrub(event);
  };
  const onUp = () => {
    if (press.current?.bar && !press.current.moved) onChoose(press.current.bar);
    press.current = null;
  };
  return (
    <figure className="flex flex-col m-0 min-w-0" aria-label={m.audit_chart()}>
      <div className="max-h-88 [overflow:hidden_auto] border-t border-t-line-strong border-b border-b-line">
        <div
          ref={box}
          className="relative [touch-action:pan-y] [cursor:col-resize] [user-select:none]"
          style={{ height: height + 1 }}
          onPointerDown={onDown}
          onPointerMove={onMove}
          onPointerUp={onUp}
          onPointerCancel={() => (press.current = null)}
        >
          {width > 0 && (
            <svg width={width} height={height} className="block" aria-hidden="true" focusable="false">
              <Bars drawn={drawn} chosen={chosen} width={width} lanes={lanes} ticks={ticks} view={view} />
              {cursor < width && (
                <rect
                  className="[fill:var(--paper)] [opacity:0.62] pointer-events-none"
                  x={Math.max(0, cursor)}
                  width={width - Math.max(0, cursor)}
                  height={height}
                />
              )}
              {cursor >= 0 && cursor <= width && (
                <line
                  className="[stroke:var(--accent-text)] [stroke-width:2] pointer-events-none"
                  x1={cursor}
                  x2={cursor}
                  y1={0}
                  y2={height}
                />
              )}
            </svg>
          )}
        </div>
      </div>
      <div
        className="relative h-6 overflow-hidden text-ink-soft [font-size:0.75rem] [line-height:1.5rem] tabular-nums whitespace-nowrap [&_span]:absolute [&_span]:pl-1"
        aria-hidden="true"
      >
        {ticks
          .map(({ place, label }) => ({ place, label, left: xOf(place, view, width) }))
          .filter(({ label, left }) => left >= 0 && left + label.length * DIGIT < width)
          .map(({ place, label, left }) => (
            <span key={label + String(place)} style={{ left }}>
              {label}
            </span>
          ))}
      </div>
    </figure>
  );
}

interface BarsProps {
  drawn: readonly LaidOutBar[];
  chosen: string | null;
  width: number;
  lanes: number;
  ticks: readonly { place: number; label: string }[];
  view: View;
}

/** Redrawn only when its content changes, not while the cursor moves. */
const Bars = memo(function Bars({ drawn, chosen, width, lanes, ticks, view }: BarsProps) {
  const patterns = useId();
  return (
    <>
      <Patterns id={patterns} />
      {ticks.map(({ place, label }) => {
        const x = Math.round(xOf(place, view, width)) + 0.5;
        return (
          <line
            key={label + String(place)}
            className="[stroke:var(--line)] [stroke-width:1]"
            x1={x}
            x2={x}
            y1={0}
            y2={lanes * LANE}
          />
        );
      })}
      {drawn.map((one) => (
        <BarShape
          key={one.bar.borrowId}
          drawn={one}
          patterns={patterns}
          width={width}
          faded={chosen !== null && chosen !== one.bar.borrowId}
        />
      ))}
    </>
  );
});

interface BarShapeProps {
  drawn: LaidOutBar;
  patterns: string;
  width: number;
  faded: boolean;
}

function BarShape({ drawn, patterns, width, faded }: BarShapeProps) {
  const { bar, lane, x, count, stretches, roomUntil } = drawn;
  const top = lane * LANE + BAR_TOP;
  const left = Math.max(0, x);
  const titles = count > 1 ? m.common_borrows_count({ count }) : titlesText(bar.titles);
  const title = fitting(titles, Math.min(roomUntil, width) - left - 12, 6.6);
  const end = x + drawn.width;
  return (
    <g className={styles.bar} data-bar={count > 1 ? undefined : bar.borrowId} data-faded={faded || undefined}>
      <title>{count > 1 ? m.audit_borrows_near({ count }) : describe(bar)}</title>
      <rect className="[fill:transparent]" x={x} y={lane * LANE + 2} width={drawn.width} height={LANE - 4} />
      {title && (
        <text className={styles.title} x={left + 1} y={lane * LANE + 13}>
          {title}
        </text>
      )}
      {stretches.length === 0 && (
        <rect className="[fill:var(--line-strong)]" x={x} y={top} width={drawn.width} height={BAR} />
      )}
      {stretches.map((stretch, index) => (
        <g key={index} className={styles[stretch.kind]}>
          <rect className={styles.ground} x={stretch.x} y={top} width={stretch.width} height={BAR} />
          {stretch.kind !== 'issued' && stretch.width > 3 && (
            <rect
              x={stretch.x}
              y={top}
              width={stretch.width}
              height={BAR}
              fill={`url(#${patterns}-${stretch.kind})`}
            />
          )}
          <StretchWord kind={stretch.kind} x={stretch.x} width={stretch.width} top={top} edge={width} />
        </g>
      ))}
      {stretches.length > 0 && bar.end && (
        <rect className={styles[bar.end]} x={end - 2.5} y={top} width={2.5} height={BAR} />
      )}
      {stretches.length > 0 && bar.end && end <= width + 8 && drawn.width > 20 && (
        <g className={styles[bar.end]} transform={`translate(${end - 9} ${top + BAR / 2})`}>
          <circle r={6.5} />
          <path d={END_MARKS[bar.end]} />
        </g>
      )}
    </g>
  );
}

interface StretchWordProps {
  kind: StretchKind;
  x: number;
  width: number;
  top: number;
  /** The right edge of the drawing. */
  edge: number;
}

/** The word of a stretch where there is room for it, on a ground of its own. */
function StretchWord({ kind, x, width, top, edge }: StretchWordProps) {
  const word = STRETCH_LABELS[kind];
  const from = Math.max(0, x);
  const room = Math.min(edge, x + width) - from;
  const length = word.length * 6.4 + 8;
  if (room < length + 14) return null;
  return (
    <>
      <rect
        className={styles.ground}
        data-plain=""
        x={from + 2}
        y={top + 1}
        width={length}
        height={BAR - 2}
      />
      <text className="[fill:currentcolor] [font:500_0.6875rem_/_1_var(--sans)]" x={from + 6} y={top + 12.5}>
        {word}
      </text>
    </>
  );
}

const ENDED = {
  returned: m.audit_bar_returned,
  expired: m.audit_bar_expired,
  abandoned: m.audit_bar_abandoned,
};

function describe(bar: Bar): string {
  const named = { titles: titlesText(bar.titles), from: isoMinute(bar.from.time) };
  return bar.to && bar.end
    ? ENDED[bar.end]({ ...named, to: isoMinute(bar.to.time) })
    : m.audit_bar_open(named);
}

function fitting(text: string, room: number, letter: number): string {
  const letters = Math.floor(room / letter);
  if (letters < 5) return '';
  return text.length <= letters ? text : `${text.slice(0, letters - 1).trimEnd()}…`;
}
