import { useId } from 'react';
import styles from './transport.module.css';

interface SegmentsProps<Value extends string | number> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; title?: string }[];
  onChoose: (value: Value) => void;
}

/** A choice of few, all in sight. */
export function Segments<Value extends string | number>({
  label,
  value,
  options,
  onChoose,
}: SegmentsProps<Value>) {
  const name = useId();
  return (
    <fieldset className="inline-flex m-0 p-0 border border-line-strong rounded bg-surface">
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.segment} title={option.title}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
