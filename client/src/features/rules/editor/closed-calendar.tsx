import * as m from '#words/messages.js';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { addDays } from '#contracts/local-day.js';
import { Button } from '../../../components/form/button.js';
import { isoDay } from '../../../lib/dates.js';
import styles from './closed-calendar.module.css';
import { daysFrom, monthAfter, weekdayOf, weeksOf } from './closed-days.js';
import { WEEKDAYS } from '../rule-texts.js';
import { classNames } from '../../../lib/class-names.js';

const SHOWN = 3;

interface ClosedCalendarProps {
  closed: ReadonlySet<string>;
  /** Of the weekdays on which it is closed anyway; 0 is Monday. */
  isClosedWeekly: (weekday: number) => boolean;
  onChange: (days: string[], isClosed: boolean) => void;
}

/**
 * Months in which a day is closed, or opened again, by a click or by Space; with Shift, all from the last one to it. The arrow
 * keys go from day to day.
 */
export function ClosedCalendar({ closed, isClosedWeekly, onChange }: ClosedCalendarProps) {
  const [today] = useState(() => isoDay(Date.now()));
  const [first, setFirst] = useState(today.slice(0, 7));
  /** The day that Tab comes to. */
  const [at, setAt] = useState(today);
  const last = useRef(today);
  const grid = useRef<HTMLDivElement>(null);
  const moved = useRef(false);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus();
  }, [at]);

  const turn = (months: number) => {
    const month = monthAfter(first, months);
    setFirst(month);
    setAt(`${month}-01`);
  };
  const goTo = (day: string) => {
    const month = day.slice(0, 7);
    if (month < first) setFirst(month);
    // On a phone only the first month is in sight.
    const isOneShown = window.matchMedia('(max-width: 640px)').matches;
    if (month > monthAfter(first, isOneShown ? 0 : SHOWN - 1))
      setFirst(isOneShown ? month : monthAfter(month, 1 - SHOWN));
    moved.current = true;
    setAt(day);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const day = keyMoves[event.key]?.(at);
    if (day === undefined) return;
    event.preventDefault();
    goTo(day);
  };
  const choose = (day: string, { shiftKey }: MouseEvent) => {
    const [from = day, to = day] = shiftKey ? [last.current, day].sort() : [];
    onChange(daysFrom({ from, to }), shiftKey ? closed.has(last.current) : !closed.has(day));
    if (!shiftKey) last.current = day;
    setAt(day);
  };

  return (
    <div>
      <div className="flex items-center justify-between gap-3 mb-2">
        <Button
          icon={ChevronLeft}
          size="small"
          aria-label={m.rules_month_earlier()}
          onClick={() => turn(-1)}
        />
        <Button icon={ChevronRight} size="small" aria-label={m.rules_month_later()} onClick={() => turn(1)} />
      </div>
      <div
        ref={grid}
        role="group"
        aria-label={m.rules_calendar()}
        className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-6 gap-y-4 phone:[&>:not(:first-child)]:hidden"
        onKeyDown={onKeyDown}
      >
        {Array.from({ length: SHOWN }, (_, n) => monthAfter(first, n)).map((month) => (
          <table
            key={month}
            className={classNames(
              'w-full table-fixed self-start text-1',
              '[&_caption]:pb-1 [&_caption]:font-serif [&_caption]:text-2 [&_caption]:text-left [&_th]:py-1',
              '[&_th]:px-0 [&_th]:text-ink-soft [&_th]:font-medium [&_th]:text-center [&_td]:p-px',
            )}
          >
            <caption>{m.rules_calendar_month({ month: `${month}-01` })}</caption>
            <thead>
              <tr>
                {WEEKDAYS.map((name, weekday) => (
                  <th key={name} scope="col" abbr={name}>
                    {m.rules_weekday_short({ weekday })}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weeksOf(month).map((week, n) => (
                <tr key={n}>
                  {week.map((day, weekday) => (
                    <td key={weekday}>
                      {day !== null && (
                        <button
                          type="button"
                          className={styles.day}
                          data-day={day}
                          data-past={day < today || undefined}
                          data-today={day === today || undefined}
                          data-weekly={isClosedWeekly(weekday) || undefined}
                          aria-pressed={closed.has(day)}
                          aria-label={
                            isClosedWeekly(weekday)
                              ? m.rules_calendar_day_closed({ day })
                              : m.rules_calendar_day({ day })
                          }
                          tabIndex={day === at ? 0 : -1}
                          onClick={(event) => choose(day, event)}
                        >
                          {Number(day.slice(8))}
                        </button>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    </div>
  );
}

const keyMoves: Record<string, (day: string) => string> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => addDays(day, -weekdayOf(day)),
  End: (day) => addDays(day, 6 - weekdayOf(day)),
  PageUp: (day) => `${monthAfter(day.slice(0, 7), -1)}-01`,
  PageDown: (day) => `${monthAfter(day.slice(0, 7), 1)}-01`,
};
