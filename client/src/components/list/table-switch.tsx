import { classNames } from '../../lib/class-names.js';

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
      Table
    </button>
  );
}
