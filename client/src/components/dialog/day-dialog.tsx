import { useState } from 'react';
import { isDay } from '#contracts/local-day.js';
import * as m from '#words/messages.js';
import { DateInput } from '../form/date-input.js';
import { Field } from '../form/field.js';
import { CommandDialog, type CommandDialogProps } from './dialog.js';

interface DayDialogProps extends Omit<CommandDialogProps, 'onSubmit' | 'children'> {
  label: string;
  hint?: string;
  /** As the window opens, yyyy-MM-dd; empty where none is named yet. */
  day: string;
  /** The first day that may be named. */
  earliest: string;
  /** What is said of an earlier one. */
  tooEarly: string;
  /** What is said where none is named. */
  missing?: string;
  onDay: (day: string) => void;
}

/** A window in which one day is asked for. */
export function DayDialog(props: DayDialogProps) {
  const {
    label,
    hint,
    day: first,
    earliest,
    tooEarly,
    missing = m.common_not_a_day(),
    onDay,
    ...dialog
  } = props;
  const [day, setDay] = useState(first);
  const [wrong, setWrong] = useState<string>();
  const submit = () => {
    if (day === '') return setWrong(missing);
    if (!isDay(day)) return setWrong(m.common_not_a_day());
    if (day < earliest) return setWrong(tooEarly);
    onDay(day);
  };
  return (
    <CommandDialog {...dialog} onSubmit={submit}>
      <Field label={label} errors={[wrong]} {...(hint !== undefined && { hint })}>
        {(control) => (
          <DateInput
            {...control}
            min={earliest}
            value={day}
            onChange={({ target }) => {
              setDay(target.value);
              setWrong(undefined);
            }}
          />
        )}
      </Field>
    </CommandDialog>
  );
}
