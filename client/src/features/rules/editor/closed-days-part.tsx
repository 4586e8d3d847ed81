import type { PartProps } from './typed-rules.js';
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { daysBetween, isDay, NOT_A_DAY } from '#contracts/local-day.js';
import { Button } from '../../../components/form/button.js';
import { DateInput } from '../../../components/form/date-input.js';
import { ClosedCalendar } from './closed-calendar.js';
import { daysFrom, spansOf, spanText } from './closed-days.js';
import { WEEKDAYS } from '../rule-texts.js';
import form from './rules-form.module.css';

/** More are not listed until they are asked for. */
const LISTED = 12;

/** The days on which the library is closed beside those of the week. */
export function ClosedDaysPart({ typed: { closed, hasHours, week }, errors, onEdit }: PartProps) {
  const [isAll, setAll] = useState(false);
  const spans = spansOf(closed);
  const change = (days: readonly string[], isClosed: boolean) => {
    const changed = new Set(days);
    const others = closed.filter((day) => !changed.has(day));
    onEdit({ closed: isClosed ? [...others, ...changed].sort() : others });
  };
  const [wrong] = [...errors].flatMap(([path, message]) => (path.startsWith('closedDays') ? [message] : []));
  return (
    <fieldset className={form.group}>
      <legend className={form.title}>Closed days</legend>
      <div className="flex flex-col gap-4">
        <p className="note">
          Nothing is due on a closed day, and no late fee is charged for it. Click a day to close or reopen
          it; hold Shift to change all days up to it.
        </p>
        <ClosedCalendar
          closed={new Set(closed)}
          isClosedWeekly={(weekday) => hasHours && week[weekday]?.isOpen === false}
          onChange={change}
        />
        <ManyDays onChange={change} />
        {spans.length > 0 && (
          <>
            <ul role="list" className="flex flex-wrap gap-2" aria-label="Closed days">
              {(isAll ? spans : spans.slice(0, LISTED)).map((span) => (
                <li
                  key={span.from}
                  className="inline-flex items-center min-h-9 pl-3 border border-line rounded bg-surface text-1 tabular-nums phone:min-w-11 phone:min-h-11"
                >
                  {spanText(span)}
                  <button
                    type="button"
                    className="grid place-items-center size-9 rounded text-ink-soft cursor-pointer hover:bg-sunk hover:text-ink phone:min-w-11 phone:min-h-11"
                    aria-label={`Open again: ${spanText(span)}`}
                    onClick={() => change(daysFrom(span), false)}
                  >
                    <X size={16} aria-hidden="true" />
                  </button>
                </li>
              ))}
            </ul>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
              {spans.length > LISTED && (
                <Button size="small" onClick={() => setAll(!isAll)}>
                  {isAll ? 'List fewer' : `List ${spans.length - LISTED} more`}
                </Button>
              )}
              <Button size="small" look="danger" onClick={() => onEdit({ closed: [] })}>
                Clear all closed days
              </Button>
            </div>
          </>
        )}
        {wrong !== undefined && <p className="w-full text-danger text-1">{wrong}</p>}
      </div>
    </fieldset>
  );
}

/** Closes, or opens, a span of days; or each day of a weekday in it. */
function ManyDays({ onChange }: { onChange: (days: readonly string[], isClosed: boolean) => void }) {
  const [weekday, setWeekday] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [simulated, setSimulated] = useState(false);
  const until = to === '' ? from : to;
  const wrong =
    from === ''
      ? 'Say the first day.'
      : !isDay(from) || !isDay(until)
        ? NOT_A_DAY
        : until < from
          ? 'The last day must not be before the first.'
          : daysBetween(from, until) >= 366
            ? 'At most a year at once.'
            : undefined;
  const apply = (isClosed: boolean) => {
    setSimulated(wrong !== undefined);
    if (wrong !== undefined) return;
    onChange(daysFrom({ from, to: until }, weekday === '' ? undefined : Number(weekday)), isClosed);
    setFrom('');
    setTo('');
  };
  const id = useId();
  const day = (label: string, value: string, set: (value: string) => void) => (
    <div className="flex flex-col gap-1">
      <label htmlFor={`${id} ${label}`}>{label}</label>
      <DateInput
        id={`${id} ${label}`}
        className={`${form.input} w-38`}
        aria-invalid={(simulated && wrong !== undefined) || undefined}
        value={value}
        onChange={({ target }) => set(target.value)}
        onKeyDown={(event) => {
          // It would send the form around it.
          if (event.key !== 'Enter') return;
          event.preventDefault();
          apply(true);
        }}
      />
    </div>
  );
  return (
    <div
      role="group"
      aria-label="Many days at once"
      className="flex flex-wrap items-end gap-3 [&_label]:flex [&_label]:flex-col [&_label]:gap-1 [&_label]:text-1 [&_label]:font-strong"
    >
      <label>
        Which days
        <select className={form.input} value={weekday} onChange={({ target }) => setWeekday(target.value)}>
          <option value="">Every day</option>
          {WEEKDAYS.map((name, n) => (
            <option key={name} value={n}>
              Every {name}
            </option>
          ))}
        </select>
      </label>
      {day('First day', from, setFrom)}
      {day('Last day', to, setTo)}
      <Button onClick={() => apply(true)}>Close</Button>
      <Button onClick={() => apply(false)}>Open again</Button>
      {simulated && wrong !== undefined && (
        <p role="alert" className="w-full text-danger text-1">
          {wrong}
        </p>
      )}
    </div>
  );
}
