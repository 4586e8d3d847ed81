import { useId, type ComponentProps } from 'react';
import { Field } from './field.js';

interface ChoiceProps<Value extends string | number> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChoose: (value: Value) => void;
}

/** A select with its label beside it, for the tools above a list. */
export function Choice<Value extends string | number>({ label, ...choice }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2 min-w-0">
      <label htmlFor={id} className="text-ink-soft text-1 whitespace-nowrap">
        {label}
      </label>
      <Select
        {...choice}
        id={id}
        className="min-h-11 min-w-0 py-0 px-2 border border-line-strong rounded bg-surface hover:border-ink focus-visible:outline-offset-0"
      />
    </span>
  );
}

/** A choice of a few, in a form. */
export function SelectField<Value extends string | number>({
  label,
  errors = [],
  ...choice
}: ChoiceProps<Value> & { errors?: readonly string[] }) {
  return (
    <Field label={label} errors={errors}>
      {(control) => <Select {...choice} {...control} />}
    </Field>
  );
}

function Select<Value extends string | number>({
  options,
  onChoose,
  ...select
}: Omit<ChoiceProps<Value>, 'label'> & Omit<ComponentProps<'select'>, 'value'>) {
  return (
    <select
      {...select}
      onChange={({ target }) => {
        const chosen = options[target.selectedIndex];
        if (chosen) onChoose(chosen.value);
      }}
    >
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
