import styles from './table-switch.module.css';

interface TableSwitchProps {
  on: boolean;
  onTurn: (on: boolean) => void;
}

/** Shows the figures of a chart as a table. */
export function TableSwitch({ on, onTurn }: TableSwitchProps) {
  return (
    <button type="button" className={styles.switch} aria-pressed={on} onClick={() => onTurn(!on)}>
      Table
    </button>
  );
}
