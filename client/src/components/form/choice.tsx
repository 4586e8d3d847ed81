import { useId } from 'react';

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChoose: (value: Value) => void;
}

/** A select with its label beside it, for the tools above a list. */
export function Choice<Value extends string>({ label, value, options, onChoose }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2 min-w-0">
      <label htmlFor={id} className="text-ink-soft text-1 whitespace-nowrap">
        {label}
      </label>
      <select
        id={id}
        className="min-h-11 min-w-0 py-0 px-2 border border-line-strong rounded bg-surface hover:border-ink focus-visible:outline-offset-0"
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen) onChoose(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}
