import { useState } from 'react';
import { READER_KIND_LABELS, READER_KINDS, type ReaderKind } from '#contracts/rules/kinds.js';
import { Chart } from '../../../components/display/chart.js';
import pagePart from '../../../components/display/page-part.module.css';
import { Segments } from '../../../components/form/segments.js';
import { ListTable, type ListColumn } from '../../../components/list/table.js';
import { TableSwitch } from '../../../components/list/table-switch.js';
import { feesLayout, HEIGHT, WIDTH, type MonthFees } from './fees-layout.js';
import { feesColumns } from './fees-columns.js';
import { FeesDrawing } from './fees-drawing.js';
import { SaveTable } from './save-table.js';
import type { AnswerPartProps } from './answer-part.js';
import { monthsTable } from './simulation-tables.js';
import { difference, inMoney } from './labels.js';

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
        <h3 id="fees-by-month">Late fees by month</h3>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {known.length > 1 && (
            <Segments label="Readers" values={[ALL, ...known]} chosen={kind} onChoose={setKind}>
              {(each) => (each === ALL ? 'All' : READER_KIND_LABELS[each])}
            </Segments>
          )}
          <TableSwitch on={asTable} onTurn={setAsTable} />
          <SaveTable simulation={simulation} title="Late fees by month" table={() => monthsTable(answer)} />
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
      label="Month"
      steps={months.length}
      at={at}
      said={`${shown.month}: ${inMoney(shown.real)} were charged, ${inMoney(shown.simulated)} would have been`}
      reading={
        <>
          <span className="min-w-20 font-semibold">{shown.month}</span>
          <span className={KEY} data-world="real">
            {inMoney(shown.real)} as it was
          </span>
          <span className={KEY} data-world="tried">
            {inMoney(shown.simulated)} under these rules
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
    title: 'Month',
    label: null,
    className: 'wrap-anywhere to-860:col-span-full',
    cell: ({ month }) => month,
  },
  ...feesColumns('As it was'),
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
