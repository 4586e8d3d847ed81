import * as m from '#words/messages.js';
import type { PartProps } from './typed-rules.js';
import X from 'lucide-react/icons/x';
import { useId, useState } from 'react';
import { daysBetween, isDay } from '#contracts/local-day.js';
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
      <legend className={form.title}>{m.hours_closed_days()}</legend>
      <div className="flex flex-col gap-4">
        <p className="note">{m.rules_closed_days_hint()}</p>
        <ClosedCalendar
          closed={new Set(closed)}
          isClosedWeekly={(weekday) => hasHours && week[weekday]?.isOpen === false}
          onChange={change}
        />
        <ManyDays onChange={change} />
        {spans.length > 0 && (
          <>
            <ul role="list" className="flex flex-wrap gap-2" aria-label={m.hours_closed_days()}>
              {(isAll ? spans : spans.slice(0, LISTED)).map((span) => (
                <li
                  key={span.from}
                  className="inline-flex items-center min-h-9 pl-3 border border-line rounded bg-surface text-1 tabular-nums phone:min-w-11 phone:min-h-11"
                >
                  {spanText(span)}
                  <button
                    type="button"
                    className="grid place-items-center size-9 rounded text-ink-soft cursor-pointer hover:bg-sunk hover:text-ink phone:min-w-11 phone:min-h-11"
                    aria-label={m.rules_open_again_days({ days: spanText(span) })}
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
                  {isAll ? m.rules_list_fewer() : m.rules_list_more({ count: spans.length - LISTED })}
                </Button>
              )}
              <Button size="small" look="danger" onClick={() => onEdit({ closed: [] })}>
                {m.rules_clear_closed_days()}
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
      ? m.rules_first_day_missing()
      : !isDay(from) || !isDay(until)
        ? m.common_not_a_day()
        : until < from
          ? m.rules_last_day_too_early()
          : daysBetween(from, until) >= 366
            ? m.rules_a_year_at_once()
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
      aria-label={m.rules_many_days()}
      className="flex flex-wrap items-end gap-3 [&_label]:flex [&_label]:flex-col [&_label]:gap-1 [&_label]:text-1 [&_label]:font-strong"
    >
      <label>
        {m.rules_which_days()}
        <select className={form.input} value={weekday} onChange={({ target }) => setWeekday(target.value)}>
          <option value="">{m.rules_which_days_all()}</option>
          {WEEKDAYS.map((name, n) => (
            <option key={name} value={n}>
              {m.rules_every_weekday({ weekday: n })}
            </option>
          ))}
        </select>
      </label>
      {day(m.rules_day_first(), from, setFrom)}
      {day(m.rules_day_last(), to, setTo)}
      <Button onClick={() => apply(true)}>{m.rules_close_days()}</Button>
      <Button onClick={() => apply(false)}>{m.rules_open_again()}</Button>
      {simulated && wrong !== undefined && (
        <p role="alert" className="w-full text-danger text-1">
          {wrong}
        </p>
      )}
    </div>
  );
}
