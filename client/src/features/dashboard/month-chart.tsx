import { useId, useState, type PointerEvent } from 'react';
import type { Today } from '#contracts/dashboard/today.js';
import { Skeleton } from '../../components/skeleton.js';
import { Table } from '../../components/table.js';
import { TableSwitch } from '../../components/table-switch.js';
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

/** The lines. What is under the pointer is read out above them; by keyboard the days are walked as a slider's steps. */
function Lines({ month }: { month: Month }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const label = useId();
  const { rents, returns, ticks, days, x, y } = drawnMonth(month);
  const at = Math.min(pointed ?? month.length - 1, month.length - 1);
  const shown = month[at];
  if (!shown) return null;
  const point = (event: PointerEvent<HTMLInputElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const drawnX = ((event.clientX - left) / width) * WIDTH;
    const step = (x(month.length - 1) - x(0)) / Math.max(1, month.length - 1);
    setPointed(Math.max(0, Math.min(month.length - 1, Math.round((drawnX - x(0)) / step))));
  };
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.reading}>
        <span className={styles.day}>{shown.day}</span>
        <span className={styles.key} data-line="rents">
          {shown.rents} rented
        </span>
        <span className={styles.key} data-line="returns">
          {shown.returns} returned
        </span>
      </figcaption>
      <div className={styles.plot}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" className={styles.svg}>
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={x(0)} x2={x(month.length - 1)} y1={y(tick)} y2={y(tick)} className={styles.grid} />
              <text x={x(0) - 8} y={y(tick)} className={styles.tickY}>
                {tick}
              </text>
            </g>
          ))}
          {days.map((index) => (
            <text key={index} x={x(index)} y={HEIGHT - 4} className={styles.tickX}>
              {month[index]?.day.slice(5)}
            </text>
          ))}
          <line x1={x(at)} x2={x(at)} y1={y(ticks.at(-1) ?? 0)} y2={y(0)} className={styles.guide} />
          <path d={returns} className={styles.line} data-line="returns" />
          <path d={rents} className={styles.line} data-line="rents" />
          <circle cx={x(at)} cy={y(shown.returns)} r={4} className={styles.dot} data-line="returns" />
          <circle cx={x(at)} cy={y(shown.rents)} r={4} className={styles.dot} data-line="rents" />
        </svg>
        <label htmlFor={label} className="visually-hidden">
          Day
        </label>
        <input
          id={label}
          type="range"
          className={styles.pointer}
          min={0}
          max={month.length - 1}
          value={at}
          aria-valuetext={`${shown.day}: ${shown.rents} rented, ${shown.returns} returned`}
          onChange={(event) => setPointed(Number(event.target.value))}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(null)}
        />
      </div>
    </figure>
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
