import * as m from '#words/messages.js';
import './simulation-answer.module.css';
import { useState } from 'react';
import { READER_KIND_LABELS, READER_KINDS, type ReaderKind } from '#contracts/rules/kinds.js';
import { Chart, TableSwitch, roundPlace, ticksUpTo } from '../../../components/display/chart.js';
import pagePart from '../../../components/display/page-part.module.css';
import { Segments } from '../../../components/form/segments.js';
import { ListTable, type ListColumn } from '../../../components/list/table.js';
import { SaveTable, type AnswerPartProps, monthsTable } from './simulation-tables.js';
import { difference, inMoney } from './labels.js';
import type { SimulationAnswer } from '#contracts/rules/what-if.js';

const COLUMN = '[fill:var(--world-wash)] [stroke:var(--world)] [stroke-width:1]';

interface Fees {
  /** In grosze. */
  readonly real: number;
  readonly simulated: number;
}

/** Fees of a row: as they were, as they would have been, and by how much they differ. @param real what the first are called */
export const feesColumns = (real: string): ListColumn<Fees>[] => [
  { title: real, look: 'number', cell: (fees) => inMoney(fees.real) },
  { title: m.what_if_under_these(), look: 'number', cell: (fees) => inMoney(fees.simulated) },
  { title: m.what_if_difference(), look: 'number', cell: (fees) => difference(fees, inMoney) },
];

const KEY =
  "inline-flex items-center gap-2 before:content-[''] before:size-3 before:[border:1px_solid_var(--world)] before:rounded-[2px] before:[background:var(--world-wash)]";

const ALL = 'all';
type Kind = ReaderKind | typeof ALL;

/** Late fees by month, of everybody or of a kind of reader, to look at or to read. */
export function FeesChart({ simulation, answer }: AnswerPartProps) {
  const { months } = answer;
  const [asTable, setAsTable] = useState(false);
  const [kind, setKind] = useState<Kind>(ALL);
  const known = READER_KINDS.filter((each) =>
    months.some(({ kinds }) => kinds.some((of) => of.kind === each)),
  );
  const shown = months.map((month): MonthFees => {
    if (kind === ALL) return month;
    const { real = 0, simulated = 0 } = month.kinds.find((of) => of.kind === kind) ?? {};
    return { month: month.month, real, simulated };
  });
  return (
    <section aria-labelledby="fees-by-month">
      <div className={pagePart.titleRow}>
        <h3 id="fees-by-month">{m.what_if_fees_by_month()}</h3>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {known.length > 1 && (
            <Segments label={m.common_readers()} values={[ALL, ...known]} chosen={kind} onChoose={setKind}>
              {(each) => (each === ALL ? m.what_if_readers_all() : READER_KIND_LABELS[each]())}
            </Segments>
          )}
          <TableSwitch on={asTable} onTurn={setAsTable} />
          <SaveTable
            simulation={simulation}
            title={m.what_if_fees_by_month()}
            table={() => monthsTable(answer)}
          />
        </div>
      </div>
      {asTable ? <FeesTable months={shown} /> : <Columns months={shown} />}
    </section>
  );
}

function Columns({ months }: { months: readonly MonthFees[] }) {
  const [at, setAt] = useState(() => mostChanged(months));
  const drawn = feesLayout(months);
  const shown = months[at];
  const guide = drawn.months[at];
  if (!shown || !guide) return null;
  return (
    <Chart
      width={WIDTH}
      height={HEIGHT}
      label={m.what_if_month()}
      steps={months.length}
      at={at}
      said={m.what_if_month_said({
        month: shown.month,
        real: inMoney(shown.real),
        simulated: inMoney(shown.simulated),
      })}
      reading={
        <>
          <span className="min-w-20 font-semibold">{shown.month}</span>
          <span className={KEY} data-world="real">
            {m.what_if_amount_real({ amount: inMoney(shown.real) })}
          </span>
          <span className={KEY} data-world="tried">
            {m.what_if_amount_tried({ amount: inMoney(shown.simulated) })}
          </span>
          <span className="text-ink-soft">{difference(shown, inMoney)}</span>
        </>
      }
      stepAt={drawn.monthAt}
      onPoint={setAt}
    >
      <rect x={guide.x} y={0} width={guide.width} height={HEIGHT - 24} className="fill-surface" />
      <FeesDrawing drawn={drawn} />
    </Chart>
  );
}

const COLUMNS: readonly ListColumn<MonthFees>[] = [
  {
    title: m.what_if_month(),
    label: null,
    className: 'wrap-anywhere to-860:col-span-full',
    cell: ({ month }) => month,
  },
  ...feesColumns(m.what_if_happened()),
];

const FeesTable = ({ months }: { months: readonly MonthFees[] }) => (
  <ListTable columns={COLUMNS} items={months} keyOf={({ month }) => month} waiting={3} />
);

const changeOf = ({ real, simulated }: MonthFees) => Math.abs(simulated - real);

function mostChanged(months: readonly MonthFees[]): number {
  return months.reduce(
    (most, month, at) => (changeOf(month) > changeOf(months[most] ?? month) ? at : most),
    0,
  );
}

/** The columns of months, the amounts beside them and the months below: what is drawn, on a screen or on paper. */
export function FeesDrawing({ drawn }: { drawn: FeesLayout }) {
  return (
    <>
      {drawn.ticks.map(({ amount, y }) => (
        <g key={amount}>
          <line x1={LEFT} x2={RIGHT} y1={y} y2={y} className="stroke-line [stroke-width:1]" />
          <text
            x={LEFT - 8}
            y={y + 4}
            className="fill-ink-soft [font:var(--tick,12px)_var(--sans)] tabular-nums [text-anchor:end]"
          >
            {amount / 100}
          </text>
        </g>
      ))}
      {drawn.months.map(({ month, real, simulated }) => (
        <g key={month}>
          <rect {...real} className={COLUMN} data-world="real" />
          <rect {...simulated} className={COLUMN} data-world="tried" />
        </g>
      ))}
      {drawn.named.map((index) => {
        const month = drawn.months[index];
        return (
          month && (
            <text
              key={month.month}
              x={month.x + month.width / 2}
              y={HEIGHT - 6}
              textAnchor="middle"
              className="fill-ink-soft [font:var(--tick,12px)_var(--sans)] tabular-nums"
            >
              {month.month}
            </text>
          )
        );
      })}
    </>
  );
}

export const WIDTH = 720;
export const HEIGHT = 280;
const MARGIN = { left: 64, right: 4, top: 12, bottom: 28 };
/** More of them would run into each other, on a phone and on paper above all. */
const MAX_NAMES = 6;

/** Late fees of a month, in grosze. */
type MonthFees = Pick<SimulationAnswer['months'][number], 'month' | 'real' | 'simulated'>;

interface Column {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface FeesLayout {
  /** The amounts on the left, in grosze, from 0. */
  ticks: { amount: number; y: number }[];
  months: { month: string; x: number; width: number; real: Column; simulated: Column }[];
  /** Indexes of the months that are named below. */
  named: number[];
  monthAt: (x: number) => number;
}

/** Where the columns of months go, two for each: as it was, and as it would have been. */
export function feesLayout(months: readonly MonthFees[]): FeesLayout {
  const most = Math.max(0, ...months.flatMap(({ real, simulated }) => [real, simulated]));
  const ticks = ticksUpTo(most / 100).map((pln) => pln * 100);
  const top = ticks.at(-1) ?? 1;
  const base = HEIGHT - MARGIN.bottom;
  const y = (amount: number) => roundPlace(base - ((base - MARGIN.top) * amount) / top);
  const step = (WIDTH - MARGIN.left - MARGIN.right) / Math.max(1, months.length);
  // Half of what is left free stands on either side, and a little between the two.
  const width = roundPlace(Math.min(36, step * 0.36));
  const every = Math.ceil(months.length / MAX_NAMES);
  return {
    ticks: ticks.map((amount) => ({ amount, y: y(amount) })),
    months: months.map(({ month, real, simulated }, index) => {
      const x = MARGIN.left + step * index;
      const middle = x + step / 2;
      const column = (amount: number, left: number) => ({
        x: roundPlace(left),
        y: y(amount),
        width,
        height: roundPlace(base - y(amount)),
      });
      return {
        ...{ month, x: roundPlace(x), width: roundPlace(step) },
        real: column(real, middle - width - step * 0.01),
        simulated: column(simulated, middle + step * 0.01),
      };
    }),
    named: months.flatMap((_, index) => (index % every === 0 ? [index] : [])),
    monthAt: (x) => Math.max(0, Math.min(months.length - 1, Math.floor((x - MARGIN.left) / step))),
  };
}

export const LEFT = MARGIN.left;
export const RIGHT = WIDTH - MARGIN.right;
