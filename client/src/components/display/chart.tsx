import { useId, type PointerEvent, type ReactNode } from 'react';
import * as m from '#words/messages.js';
import styles from './chart.module.css';
import { classNames } from '../../lib/class-names.js';

interface ChartProps {
  /** The space of the drawing. */
  width: number;
  height: number;
  /** What one step is, for who does not see the drawing: "Day". */
  label: string;
  steps: number;
  /** The step whose figures are read out, from 0. */
  at: number;
  /** Its figures in words. */
  said: string;
  /** The same to be seen, over the drawing. */
  reading: ReactNode;
  /** The step at a place of the drawing. */
  stepAt: (x: number) => number;
  onPoint: (step: number) => void;
  onLeave?: () => void;
  /** The drawing. */
  children: ReactNode;
}

/** A drawing whose steps are read with the pointer, with a finger, or by keyboard as those of a slider. */
export function Chart({ width, height, label, steps, at, said, reading, ...rest }: ChartProps) {
  const { stepAt, onPoint, onLeave, children } = rest;
  const id = useId();
  const point = (event: PointerEvent<HTMLInputElement>) => {
    const { left, width: shown } = event.currentTarget.getBoundingClientRect();
    onPoint(stepAt(((event.clientX - left) / shown) * width));
  };
  return (
    <figure className="m-0">
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 py-2 px-0 text-1 tabular-nums">
        {reading}
      </figcaption>
      <div className={styles.plot}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          aria-hidden="true"
          className="block w-full h-auto overflow-visible"
        >
          {children}
        </svg>
        <label htmlFor={id} className="visually-hidden">
          {label}
        </label>
        <input
          id={id}
          type="range"
          className={styles.pointer}
          min={0}
          max={steps - 1}
          value={at}
          aria-valuetext={said}
          onChange={(event) => onPoint(Number(event.target.value))}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={onLeave}
        />
      </div>
    </figure>
  );
}

interface TableSwitchProps {
  on: boolean;
  onTurn: (on: boolean) => void;
}

/** Shows the figures of a chart as a table. */
export function TableSwitch({ on, onTurn }: TableSwitchProps) {
  return (
    <button
      type="button"
      className={classNames(
        'min-h-7 py-0 px-2 border border-transparent rounded text-accent-text text-1 font-strong cursor-pointer',
        'hover:bg-accent-wash aria-pressed:border-line-strong aria-pressed:bg-surface aria-pressed:text-ink',
      )}
      aria-pressed={on}
      onClick={() => onTurn(!on)}
    >
      {m.list_as_table()}
    </button>
  );
}

/** Lines across a chart, at most, beside that of zero. */
const MAX_TICKS = 4;

/** Round numbers from 0 to the first that is not below `most`. */
export function ticksUpTo(most: number): number[] {
  const step = niceStep(Math.max(1, most) / MAX_TICKS);
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, at) => at * step);
}

/** The next of 1, 2, 5, 10, 20, 50 and so on. */
function niceStep(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? 10 * power;
}

/** A place of a drawing, to a tenth. */
export const roundPlace = (place: number) => Math.round(place * 10) / 10;
