import * as m from '#words/messages.js';
import type { ComponentProps } from 'react';
import { TypedField } from '../../components/form/field.js';

/** Six digits of a code app, large enough to compare with a phone. */
export function CodeField(props: ComponentProps<typeof TypedField>) {
  return (
    <TypedField
      className="max-w-48 text-3 tabular-nums tracking-[0.2em]"
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
      spellCheck={false}
      {...props}
    />
  );
}

export const isWholeCode = (code: string) => /^\d{3} ?\d{3}$/.test(code.trim());
export const CODE_INCOMPLETE = m.security_code_incomplete();
