import CalendarDays from 'lucide-react/icons/calendar-days';
import { useRef, type ComponentPropsWithRef } from 'react';
import { isDay } from '#contracts/local-day.js';
import * as m from '#words/messages.js';

/** All of a day, however its parts are kept apart: the digits of a phone's keypad have no hyphen beside them. */
const WHOLE = /^\s*(\d{4})([-./ ]?)(\d{2})\2(\d{2})\s*$/;

/**
 * A day, typed as `yyyy-MM-dd` (specification, section 9) or picked from the browser's calendar. The browser's own field
 * would show it in the order of the browser's language. What is no day is left as it was typed, for the form to say so.
 */
export function DateInput(props: ComponentPropsWithRef<'input'>) {
  const { ref, className, min, max, onChange, ...input } = props;
  const typed = useRef<HTMLInputElement>(null);
  const calendar = useRef<HTMLInputElement>(null);
  const openCalendar = () => {
    if (!calendar.current) return;
    const day = typed.current?.value ?? '';
    calendar.current.value = isDay(day) ? day : '';
    calendar.current.showPicker();
  };
  return (
    <span className="relative block min-w-0">
      <input
        {...input}
        ref={(element) => {
          typed.current = element;
          if (typeof ref === 'function') ref(element);
          else if (ref) ref.current = element;
        }}
        type="text"
        inputMode="numeric"
        placeholder={m.common_day_format()}
        size={10}
        className={`${className ?? ''} pr-11 tabular-nums placeholder:text-ink-soft placeholder:opacity-100`}
        onChange={(event) => {
          const { target } = event;
          if (WHOLE.test(target.value) && !isDay(target.value))
            target.value = target.value.replace(WHOLE, '$1-$3-$4');
          onChange?.(event);
        }}
      />
      <input
        ref={calendar}
        type="date"
        {...{ min, max }}
        tabIndex={-1}
        aria-hidden="true"
        className="absolute inset-0 w-full opacity-0 pointer-events-none"
        onChange={({ target }) => typed.current && enter(typed.current, target.value)}
      />
      <button
        type="button"
        className="absolute inset-y-0 right-0 grid place-items-center w-11 rounded text-ink-soft cursor-pointer hover:text-ink focus-visible:-outline-offset-3"
        aria-label={m.form_open_calendar()}
        onClick={openCalendar}
      >
        <CalendarDays size={18} aria-hidden="true" />
      </button>
    </span>
  );
}

/** As if it had been typed, so that the form around hears of it. */
function enter(field: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.focus();
}
