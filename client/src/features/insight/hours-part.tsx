import * as m from '#words/messages.js';
import { useState } from 'react';
import {
  ACTIVITIES,
  type HoursInsight,
  type InsightQuery,
  type Activity,
} from '#contracts/insight/insight.js';
import { Chart, TableSwitch, roundPlace } from '../../components/display/chart.js';
import { Marked } from '../../components/display/marked.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { FigureLink, PartFrame } from './part-frame.js';
import { useHours } from './insight-calls.js';
import styles from './insight-page.module.css';
import { inGroups } from '../../lib/texts.js';
import { ACTIVITY_TONES, HAPPENING_LABELS, happeningWord, hourName } from './labels.js';

const TICK = 'fill-ink-soft [font:var(--tick,12px)_var(--sans)] tabular-nums [text-anchor:end]';

/** When it is busy, to look at or to read. */
export function HoursPart({ span }: { span: InsightQuery }) {
  const hours = useHours(span);
  const [asTable, setAsTable] = useState(false);
  return (
    <PartFrame
      of="hours"
      span={span}
      answer={hours}
      sum={sumOf}
      isEmpty={({ items }) => items.every((item) => ACTIVITIES.every((what) => item[what] === 0))}
    >
      {(answer) =>
        !answer ? (
          <div className="[aspect-ratio:720_/_400] pt-3" aria-busy="true">
            <Skeleton width="100%" />
          </div>
        ) : (
          <>
            <p className="flex justify-end">
              <TableSwitch on={asTable} onTurn={setAsTable} />
            </p>
            {asTable ? <HoursTable hours={answer} /> : <HoursChart hours={answer} />}
          </>
        )
      }
    </PartFrame>
  );
}

/** The columns. The figures of the hour that is chosen stand over them. */
function HoursChart({ hours: { items } }: { hours: HoursInsight }) {
  const [at, setAt] = useState(() => busiest(items));
  const rows = hoursLayout(items);
  const shown = items[at];
  if (!shown) return null;
  const { Rented: rented, Issued: issued, Returned: returned } = shown;
  return (
    <div className="max-w-240 phone:[--tick:22px]">
      <Chart
        width={WIDTH}
        height={HEIGHT}
        label={m.insight_hour()}
        steps={24}
        at={at}
        said={m.insight_hour_said({ hour: hourName(at), rented, issued, returned })}
        reading={
          <>
            <span className="min-w-24 font-semibold">{hourName(at)}</span>
            {ACTIVITIES.map((what) => (
              <span
                key={what}
                className="inline-flex items-center gap-1 before:content-[''] before:size-3 before:mr-1 before:rounded-[2px] before:bg-tone"
                data-tone={ACTIVITY_TONES[what]}
              >
                <Marked
                  parts={m.insight_figure_of.parts({ what: happeningWord(what) })}
                  as={{ figure: () => <HourFigure count={shown[what]} what={what} hour={at} /> }}
                />
              </span>
            ))}
          </>
        }
        stepAt={hourAt}
        onPoint={setAt}
      >
        <rect x={xOf(at)} y={0} width={xOf(1) - xOf(0)} height={HEIGHT - 20} className="fill-sunk" />
        {rows.map(({ what, top, base, most, columns }) => (
          <g key={what} data-tone={ACTIVITY_TONES[what]}>
            <text x={xOf(0)} y={top - 8} className="fill-ink [font:600_13px_var(--sans)] phone:text-[22px]">
              {HAPPENING_LABELS[what]}
            </text>
            <text x={xOf(0) - 8} y={top + 4} className={TICK}>
              {inGroups(most)}
            </text>
            <text x={xOf(0) - 8} y={base + 4} className={TICK}>
              0
            </text>
            {columns.map(({ hour, ...place }) => (
              <rect key={hour} {...place} className="[fill:var(--tone)]" />
            ))}
            <line
              x1={xOf(0)}
              x2={xOf(24)}
              y1={base}
              y2={base}
              className="stroke-line-strong [stroke-width:1]"
            />
          </g>
        ))}
        {[0, 3, 6, 9, 12, 15, 18, 21].map((hour) => (
          <text
            key={hour}
            x={xOf(hour)}
            y={HEIGHT - 4}
            className="fill-ink-soft [font:var(--tick,12px)_var(--sans)] tabular-nums"
          >
            {String(hour).padStart(2, '0')}
          </text>
        ))}
      </Chart>
    </div>
  );
}

const COLUMNS: readonly ListColumn<HoursInsight['items'][number]>[] = [
  { title: m.insight_hour(), label: null, className: styles.name, cell: ({ hour }) => hourName(hour) },
  ...ACTIVITIES.map((what): ListColumn<HoursInsight['items'][number]> => ({
    title: HAPPENING_LABELS[what],
    look: 'number',
    cell: ({ hour, [what]: count }) => <HourFigure count={count} what={what} hour={hour} />,
  })),
];

function HourFigure(figure: { count: number; what: Activity; hour: number }) {
  const { count, what, hour } = figure;
  const label = m.insight_books_in_hour({ count, what: happeningWord(what), hour: hourName(hour) });
  return <FigureLink {...figure} label={label} />;
}

const HoursTable = ({ hours: { items } }: { hours: HoursInsight }) => (
  <ListTable
    columns={COLUMNS}
    items={items}
    keyOf={({ hour }) => hour}
    className={styles.figures}
    waiting={3}
  />
);

const totalOf = (item: HoursInsight['items'][number]) =>
  ACTIVITIES.reduce((sum, what) => sum + item[what], 0);

function busiest(items: HoursInsight['items']): number {
  return items.reduce((most, item, hour) => (totalOf(item) > totalOf(items[most] ?? item) ? hour : most), 0);
}

function sumOf({ items, timeZone }: HoursInsight): string {
  const all = items.reduce((sum, item) => sum + totalOf(item), 0);
  if (all === 0) return m.insight_no_events();
  const most = busiest(items);
  return m.insight_events_of_books({ count: all, hour: hourName(most), timeZone });
}

export const WIDTH = 720;
const LEFT = 48;
const RIGHT = 8;
const TOP = 22;
const ROW = 84;
const GAP = 30;
const BOTTOM = 24;
export const HEIGHT = TOP + ACTIVITIES.length * (ROW + GAP) - GAP + BOTTOM;
/** What is left free between two columns. */
const BETWEEN = 4;

const STEP = (WIDTH - LEFT - RIGHT) / 24;

interface HoursRow {
  what: Activity;
  /** Where its name stands, and its line of zero. */
  top: number;
  base: number;
  most: number;
  columns: { hour: number; x: number; y: number; width: number; height: number }[];
}

/** Where the columns of 24 hours go, a row for each thing that happens, all of one scale. */
export function hoursLayout(items: HoursInsight['items']): HoursRow[] {
  const most = Math.max(1, ...items.flatMap((item) => ACTIVITIES.map((what) => item[what])));
  return ACTIVITIES.map((what, row) => {
    const top = TOP + row * (ROW + GAP);
    const base = top + ROW;
    return {
      what,
      top,
      base,
      most,
      columns: items.map((item) => {
        const height = roundPlace((ROW * item[what]) / most);
        return {
          hour: item.hour,
          x: roundPlace(xOf(item.hour) + BETWEEN / 2),
          y: roundPlace(base - height),
          width: roundPlace(STEP - BETWEEN),
          height,
        };
      }),
    };
  });
}

/** Where an hour begins. */
export const xOf = (hour: number) => LEFT + STEP * hour;

/** The hour at a place of the drawing, the first or the last one beside it. */
export function hourAt(x: number): number {
  return Math.max(0, Math.min(23, Math.floor((x - LEFT) / STEP)));
}
