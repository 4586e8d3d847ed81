import { useState } from 'react';
import { groszeOf, moneyUnit } from '#contracts/money.js';
import { TypedField } from '../../components/form/field.js';
import { typedAmount } from '../../lib/texts.js';

/**
 * A sum of money, or a part of it, as it is typed, with a point or a comma. What was typed of another sum counts no more.
 * @param most all of it, in grosze
 */
export function useAmount(most: number) {
  const [typed, setTyped] = useState<{ text: string; most: number }>();
  const [isWrong, setWrong] = useState(false);
  const text = typed?.most === most ? typed.text : typedAmount(most / 100);
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
  /** What is said where the sum cannot be. */
  wrong: (inputs: { most: string; currency: string }) => string;
  /** Where it is in no form. */
  onEnter?: () => void;
}

export function AmountField({ amount, label, hint, wrong, onEnter }: AmountFieldProps) {
  const most = typedAmount(amount.most / 100);
  return (
    <TypedField
      {...{ label, hint }}
      error={amount.isWrong ? wrong({ most, currency: moneyUnit() }) : undefined}
      value={amount.text}
      onValue={(next) => amount.type(next)}
      inputMode="decimal"
      autoComplete="off"
      onKeyDown={({ key, repeat }) => key === 'Enter' && !repeat && onEnter?.()}
    />
  );
}
