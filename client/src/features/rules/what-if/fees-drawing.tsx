import { HEIGHT, LEFT, RIGHT, type FeesLayout } from './fees-layout.js';
import styles from './simulation-answer.module.css';

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
          <rect {...real} className={styles.column} data-world="real" />
          <rect {...simulated} className={styles.column} data-world="tried" />
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
