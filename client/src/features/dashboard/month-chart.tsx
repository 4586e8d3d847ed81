import { useState } from 'react';
import type { Today } from '#contracts/dashboard/today.js';
import { Chart } from '../../components/chart.js';
import chart from '../../components/chart.module.css';
import { Skeleton } from '../../components/skeleton.js';
import { Table } from '../../components/table.js';
import { TableSwitch } from '../../components/table-switch.js';
import { classNames } from '../../lib/class-names.js';
import { drawnMonth, HEIGHT, WIDTH } from './drawn-month.js';
import styles from './month-chart.module.css';

type Month = Today['month'];

/** A month of rents and returns, to look at or to read. @param month undefined while loading */
export function MonthChart({ month }: { month: Month | undefined }) {
  const [asTable, setAsTable] = useState(false);
  return (
    <section className={styles.section} aria-labelledby="month">
      <header className={styles.head}>
        <h3 id="month" className={styles.title}>
          The last 30 days
        </h3>
        <TableSwitch on={asTable} onTurn={setAsTable} />
      </header>
      {!month ? (
        <div className={styles.waiting} aria-busy="true">
          <Skeleton width="100%" />
        </div>
      ) : asTable ? (
        <MonthTable month={month} />
      ) : (
        <Lines month={month} />
      )}
    </section>
  );
}

/** The lines. What is under the pointer is read out above them. */
function Lines({ month }: { month: Month }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { rents, returns, ticks, days, x, y } = drawnMonth(month);
  const last = month.length - 1;
  const at = Math.min(pointed ?? last, last);
  const shown = month[at];
  if (!shown) return null;
  const step = (x(last) - x(0)) / Math.max(1, last);
  return (
    <Chart
      width={WIDTH}
      height={HEIGHT}
      label="Day"
      steps={month.length}
      at={at}
      said={`${shown.day}: ${shown.rents} rented, ${shown.returns} returned`}
      reading={
        <>
          <span className={styles.day}>{shown.day}</span>
          <span className={styles.key} data-line="rents">
            {shown.rents} rented
          </span>
          <span className={styles.key} data-line="returns">
            {shown.returns} returned
          </span>
        </>
      }
      stepAt={(place) => Math.max(0, Math.min(last, Math.round((place - x(0)) / step)))}
      onPoint={setPointed}
      onLeave={() => setPointed(null)}
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={x(0)} x2={x(last)} y1={y(tick)} y2={y(tick)} className={chart.grid} />
          <text x={x(0) - 8} y={y(tick)} className={classNames(chart.tickY, styles.tickY)}>
            {tick}
          </text>
        </g>
      ))}
      {days.map((index) => (
        <text key={index} x={x(index)} y={HEIGHT - 4} className={classNames(chart.tickX, styles.tickX)}>
          {month[index]?.day.slice(5)}
        </text>
      ))}
      <line x1={x(at)} x2={x(at)} y1={y(ticks.at(-1) ?? 0)} y2={y(0)} className={styles.guide} />
      <path d={returns} className={styles.line} data-line="returns" />
      <path d={rents} className={styles.line} data-line="rents" />
      <circle cx={x(at)} cy={y(shown.returns)} r={4} className={styles.dot} data-line="returns" />
      <circle cx={x(at)} cy={y(shown.rents)} r={4} className={styles.dot} data-line="rents" />
    </Chart>
  );
}

function MonthTable({ month }: { month: Month }) {
  return (
    // Scrolls by itself, so that the page keeps its length.
    <div className={styles.scroll} role="group" aria-label="Rents and returns by day" tabIndex={0}>
      <Table
        look="list"
        className={styles.table}
        columns={[
          { title: 'Day' },
          { title: 'Rented', className: styles.number },
          { title: 'Returned', className: styles.number },
        ]}
        waiting={3}
      >
        {[...month].reverse().map(({ day, rents, returns }) => (
          <tr role="row" key={day} className={styles.tableRow}>
            <td role="cell">{day}</td>
            <td role="cell" className={styles.number}>
              {rents}
            </td>
            <td role="cell" className={styles.number}>
              {returns}
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
