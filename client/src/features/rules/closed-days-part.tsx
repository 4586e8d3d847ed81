import { X } from 'lucide-react';
import { useState } from 'react';
import { daysBetween } from '#contracts/local-day.js';
import { Button } from '../../components/button.js';
import { ClosedCalendar } from './closed-calendar.js';
import { daysFrom, spansOf, toldSpan } from './closed-days.js';
import styles from './closed-days-part.module.css';
import type { PartProps } from './numbers-part.js';
import { WEEKDAYS } from './rule-words.js';
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
      <div className={styles.part}>
        <p className="note">
          Nothing is due on a closed day, and it costs nothing. Click a day to close it or to open it again;
          with Shift, all days up to it.
        </p>
        <ClosedCalendar
          closed={new Set(closed)}
          isClosedWeekly={(weekday) => hasHours && week[weekday]?.isOpen === false}
          onChange={change}
        />
        <ManyDays onChange={change} />
        {spans.length > 0 && (
          <>
            <ul role="list" className={styles.spans} aria-label="Closed days">
              {(isAll ? spans : spans.slice(0, LISTED)).map((span) => (
                <li key={span.from} className={styles.span}>
                  {toldSpan(span)}
                  <button
                    type="button"
                    className={styles.open}
                    aria-label={`Open again: ${toldSpan(span)}`}
                    onClick={() => change(daysFrom(span), false)}
                  >
                    <X size={16} aria-hidden="true" />
                  </button>
                </li>
              ))}
            </ul>
            <div className={form.add}>
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
        {wrong !== undefined && <p className={form.wrong}>{wrong}</p>}
      </div>
    </fieldset>
  );
}

/** Closes, or opens, a span of days; or each day of a weekday in it. */
function ManyDays({ onChange }: { onChange: (days: readonly string[], isClosed: boolean) => void }) {
  const [weekday, setWeekday] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [tried, setTried] = useState(false);
  const until = to === '' ? from : to;
  const wrong =
    from === ''
      ? 'Say the first day.'
      : until < from
        ? 'The last day must not be before the first.'
        : daysBetween(from, until) >= 366
          ? 'At most a year at once.'
          : undefined;
  const apply = (isClosed: boolean) => {
    setTried(wrong !== undefined);
    if (wrong !== undefined) return;
    onChange(daysFrom({ from, to: until }, weekday === '' ? undefined : Number(weekday)), isClosed);
    setFrom('');
    setTo('');
  };
  const day = (label: string, value: string, set: (value: string) => void) => (
    <label>
      {label}
      <input
        type="date"
        className={form.input}
        aria-invalid={(tried && wrong !== undefined) || undefined}
        value={value}
        onChange={({ target }) => set(target.value)}
        onKeyDown={(event) => {
          // It would send the form around it.
          if (event.key !== 'Enter') return;
          event.preventDefault();
          apply(true);
        }}
      />
    </label>
  );
  return (
    <div role="group" aria-label="Many days at once" className={styles.tool}>
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
      {tried && wrong !== undefined && (
        <p role="alert" className={form.wrong}>
          {wrong}
        </p>
      )}
    </div>
  );
}
