import type { ComponentProps } from 'react';
import { Field } from '../../components/form/field.js';

interface CodeFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  label: string;
  hint?: string;
  error?: string | undefined;
  value: string;
  onValue: (value: string) => void;
}

/** Six digits of a code app, large enough to compare with a phone. */
export function CodeField({ label, hint, error, value, onValue, ...input }: CodeFieldProps) {
  return (
    <Field label={label} errors={[error]} {...(hint !== undefined && { hint })}>
      {(control) => (
        <input
          {...control}
          className={`${control.className ?? ''} max-w-48 text-3 tabular-nums tracking-[0.2em]`}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          spellCheck={false}
          value={value}
          onChange={(event) => onValue(event.target.value)}
          {...input}
        />
      )}
    </Field>
  );
}

export const isWholeCode = (code: string) => /^\d{3} ?\d{3}$/.test(code.trim());
export const CODE_INCOMPLETE = 'Enter the six digits your app shows.';
