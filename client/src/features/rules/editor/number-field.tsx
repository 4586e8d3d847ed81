import { Field } from '../../../components/form/field.js';
import type { RuleField } from '../rule-fields.js';

interface NumberFieldProps {
  field: RuleField;
  value: string;
  error: string | undefined;
  /** In place of the field's own hint. */
  hint?: string;
  onChange: (value: string) => void;
}

/** A number of the rules, with what it counts behind it. */
export function NumberField({ field, value, error, hint = field.hint, onChange }: NumberFieldProps) {
  const { label, unit, blank } = field;
  return (
    <Field label={label} errors={[error]} {...(hint !== undefined && { hint })}>
      {(control) => (
        <span className="flex items-center gap-2 [&_input]:max-w-26 [&_input]:text-right [&_input]:tabular-nums">
          <input
            {...control}
            type="text"
            inputMode={unit === 'PLN' ? 'decimal' : 'numeric'}
            autoComplete="off"
            aria-required={blank === undefined}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <span className="text-ink-soft text-1" aria-hidden="true">
            {unit}
          </span>
        </span>
      )}
    </Field>
  );
}
