import { useState } from 'react';
import { groszeOf } from '#contracts/money.js';
import { TypedField } from '../../components/form/field.js';

/**
 * A sum of money, or a part of it, as it is typed in PLN, with a point or a comma. What was typed of another sum counts no more.
 * @param most all of it, in grosze
 */
export function useAmount(most: number) {
  const [typed, setTyped] = useState<{ text: string; most: number }>();
  const [isWrong, setWrong] = useState(false);
  const text = typed?.most === most ? typed.text : (most / 100).toFixed(2);
  const read = /^\s*\d+([.,]\d{1,2})?\s*$/.test(text) ? groszeOf(Number(text.replace(',', '.'))) : 0;
  const grosze = read > 0 && read <= most ? read : undefined;
  return {
    ...{ most, text, grosze, isWrong },
    type(next: string) {
      setTyped({ text: next, most });
      setWrong(false);
    },
    /** Does something with the sum; where it is none, its field says so. */
    use(take: (grosze: number) => void) {
      if (grosze === undefined) setWrong(true);
      else take(grosze);
    },
  };
}

interface AmountFieldProps {
  amount: ReturnType<typeof useAmount>;
  label: string;
  hint?: string;
  /** What can be done with the sum. */
  can: string;
  /** Where it is in no form. */
  onEnter?: () => void;
}

export function AmountField({ amount, label, hint, can, onEnter }: AmountFieldProps) {
  const wrong = `Between 0.01 and ${(amount.most / 100).toFixed(2)} PLN can be ${can}. Use at most two decimals.`;
  return (
    <TypedField
      {...{ label, hint }}
      error={amount.isWrong ? wrong : undefined}
      value={amount.text}
      onValue={(next) => amount.type(next)}
      inputMode="decimal"
      autoComplete="off"
      onKeyDown={({ key, repeat }) => key === 'Enter' && !repeat && onEnter?.()}
    />
  );
}
