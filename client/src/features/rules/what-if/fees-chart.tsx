import { useState } from 'react';
import { READER_KIND_WORDS, READER_KINDS, type ReaderKind } from '#contracts/rules/kinds.js';
import type { TrialAnswer } from '#contracts/rules/what-if.js';
import { Chart } from '../../../components/chart.js';
import chart from '../../../components/chart.module.css';
import pagePart from '../../../components/page-part.module.css';
import { Segments } from '../../../components/segments.js';
import { Table } from '../../../components/table.js';
import { TableSwitch } from '../../../components/table-switch.js';
import { drawnFees, HEIGHT, LEFT, RIGHT, WIDTH, type MonthFees } from './drawn-fees.js';
import { FeesCells } from './fees-cells.js';
import styles from './trial-answer.module.css';
import { difference, inMoney } from './words.js';

const ALL = 'all';
type Kind = ReaderKind | typeof ALL;

/** Late fees by month, of everybody or of a kind of reader, to look at or to read. */
export function FeesChart({ months }: { months: TrialAnswer['months'] }) {
  const [asTable, setAsTable] = useState(false);
  const [kind, setKind] = useState<Kind>(ALL);
  const known = READER_KINDS.filter((each) =>
    months.some(({ kinds }) => kinds.some((of) => of.kind === each)),
  );
  const shown = months.map((month): MonthFees => {
    if (kind === ALL) return month;
    const { real = 0, tried = 0 } = month.kinds.find((of) => of.kind === kind) ?? {};
    return { month: month.month, real, tried };
  });
  return (
    <section aria-labelledby="fees-by-month">
      <div className={pagePart.titleRow}>
        <h3 id="fees-by-month">Late fees by month</h3>
        <div className={styles.switches}>
          {known.length > 1 && (
            <Segments label="Readers" values={[ALL, ...known]} chosen={kind} onChoose={setKind}>
              {(each) => (each === ALL ? 'All' : READER_KIND_WORDS[each])}
            </Segments>
          )}
          <TableSwitch on={asTable} onTurn={setAsTable} />
        </div>
      </div>
      {asTable ? <FeesTable months={shown} /> : <Columns months={shown} />}
    </section>
  );
}

function Columns({ months }: { months: readonly MonthFees[] }) {
  const [at, setAt] = useState(() => mostChanged(months));
  const drawn = drawnFees(months);
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
      said={`${shown.month}: ${inMoney(shown.real)} were charged, ${inMoney(shown.tried)} would have been`}
      reading={
        <>
          <span className={styles.month}>{shown.month}</span>
          <span className={styles.key} data-world="real">
            {inMoney(shown.real)} as it was
          </span>
          <span className={styles.key} data-world="tried">
            {inMoney(shown.tried)} under these rules
          </span>
          <span className={styles.by}>{difference(shown, inMoney)}</span>
        </>
      }
      stepAt={drawn.monthAt}
      onPoint={setAt}
    >
      <rect x={guide.x} y={0} width={guide.width} height={HEIGHT - 24} className={styles.guide} />
      {drawn.ticks.map(({ amount, y }) => (
        <g key={amount}>
          <line x1={LEFT} x2={RIGHT} y1={y} y2={y} className={chart.grid} />
          <text x={LEFT - 8} y={y + 4} className={chart.tickY}>
            {amount / 100}
          </text>
        </g>
      ))}
      {drawn.months.map(({ month, real, tried }) => (
        <g key={month}>
          <rect {...real} className={styles.column} data-world="real" />
          <rect {...tried} className={styles.column} data-world="tried" />
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
              className={chart.tickX}
            >
              {month.month}
            </text>
          )
        );
      })}
    </Chart>
  );
}

const COLUMNS = [
  { title: 'Month' },
  { title: 'As it was', className: styles.number },
  { title: 'Under these rules', className: styles.number },
  { title: 'Difference', className: styles.number },
];

function FeesTable({ months }: { months: readonly MonthFees[] }) {
  return (
    <Table look="reading" columns={COLUMNS} waiting={3} className={styles.figures}>
      {months.map((fees) => (
        <tr role="row" key={fees.month}>
          <td role="cell" className={styles.name}>
            {fees.month}
          </td>
          <FeesCells fees={fees} real="As it was" />
        </tr>
      ))}
    </Table>
  );
}

const changeOf = ({ real, tried }: MonthFees) => Math.abs(tried - real);

function mostChanged(months: readonly MonthFees[]): number {
  return months.reduce(
    (most, month, at) => (changeOf(month) > changeOf(months[most] ?? month) ? at : most),
    0,
  );
}
