import Delete from 'lucide-react/icons/delete';
import { useState } from 'react';
import * as m from '#words/messages.js';
import { KioskButton } from './kiosk-parts.js';

interface PadProps {
  /** What is typed. */
  label: string;
  action: string;
  /** How many digits it has. */
  least: number;
  most: number;
  /** Shown as dots. */
  isSecret?: boolean;
  busy: boolean;
  error: string | null;
  onDone: (digits: string) => void;
}

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

/** Digits that are touched one by one. */
export function Pad({ label, action, least, most, isSecret = false, busy, error, onDone }: PadProps) {
  const [digits, setDigits] = useState('');
  const type = (text: string) => setDigits(text.replace(/\D/g, '').slice(0, most));
  const done = () => {
    if (busy || digits.length < least) return;
    setDigits('');
    onDone(digits);
  };
  return (
    <form
      className="flex flex-col gap-6 w-full max-w-100"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        done();
      }}
    >
      <input
        className="w-full min-h-16 p-2 border-2 border-line-strong rounded bg-surface text-center text-4 tracking-[0.3em] tabular-nums"
        type={isSecret ? 'password' : 'text'}
        aria-label={label}
        aria-describedby="pad-error"
        // The pad is the keyboard.
        inputMode="none"
        autoComplete="off"
        autoFocus
        maxLength={most}
        value={digits}
        onChange={({ target }) => type(target.value)}
      />
      <p id="pad-error" role="alert" className="min-h-8 text-danger font-semibold text-center">
        {error}
      </p>
      <div className="grid grid-cols-3 gap-4" role="group" aria-label={m.kiosk_digits()}>
        {DIGITS.map((digit) => (
          <KioskButton key={digit} onClick={() => type(digits + digit)}>
            {digit}
          </KioskButton>
        ))}
        <KioskButton aria-label={m.kiosk_delete_digit()} onClick={() => type(digits.slice(0, -1))}>
          <Delete className="size-8" aria-hidden="true" />
        </KioskButton>
        <KioskButton onClick={() => type(`${digits}0`)}>0</KioskButton>
      </div>
      <KioskButton look="primary" disabled={digits.length < least || busy} onClick={done}>
        {action}
      </KioskButton>
    </form>
  );
}
