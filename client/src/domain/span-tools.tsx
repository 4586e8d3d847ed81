import { useId, useState } from 'react';
import { addDays, isDay } from '#contracts/local-day.js';
import * as m from '#words/messages.js';
import { Choice } from '../components/form/choice.js';
import { DateInput } from '../components/form/date-input.js';
import styles from './span-tools.module.css';

const FIRST_DAY = '1970-01-01';
const LAST_DAY = '2999-12-31';
/** One after the other, in ten years. */
const MAX_DAYS = 3_660;

/** Days of the library, the last one included. */
export interface DaySpan {
  from: string;
  to: string;
}

interface SpanToolsProps {
  span: DaySpan;
  /** Those that have a name. */
  spans: readonly (DaySpan & { value: string; label: string })[];
  onChange: (span: DaySpan) => void;
}

/** Of which days the figures are. */
export function SpanTools({ span, spans, onChange }: SpanToolsProps) {
  const named = spans.find(({ from, to }) => from === span.from && to === span.to);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 mb-3 phone:grid phone:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] phone:gap-2 phone:items-start phone:[&>:first-child]:col-span-full">
      <Choice
        label={m.common_span_days()}
        value={named?.value ?? 'chosen'}
        options={named ? spans : [...spans, { value: 'chosen', label: m.common_span_as_chosen() }]}
        onChoose={(value) => {
          const chosen = spans.find((each) => each.value === value);
          if (chosen) onChange({ from: chosen.from, to: chosen.to });
        }}
      />
      <DayField
        label={m.common_span_from()}
        value={span.from}
        onChoose={(from) => onChange({ from, to: within(span.to, from, addDays(from, MAX_DAYS - 1)) })}
      />
      <DayField
        label={m.common_span_to()}
        value={span.to}
        onChoose={(to) => onChange({ from: within(span.from, addDays(to, 1 - MAX_DAYS), to), to })}
      />
    </div>
  );
}

/** The other end of the span moves where it would stand before its beginning, or be too long. */
function within(day: string, first: string, last: string): string {
  return day < first ? first : day > last ? last : day;
}

interface DayFieldProps {
  label: string;
  value: string;
  /** The last day that can be chosen. */
  max?: string;
  onChoose: (day: string) => void;
}

/** A day that is chosen once it is whole. */
export function DayField({ label, value, max = LAST_DAY, onChoose }: DayFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [isTyping, setIsTyping] = useState(false);
  // The days came from elsewhere: a name, a link, Back. What somebody types is ahead of the address, which follows it.
  if (value !== known) {
    setKnown(value);
    if (!isTyping) setTyped(value);
  }
  const isPossible = (day: string) => isDay(day) && day >= FIRST_DAY && day <= max;
  const isWrong = !isTyping && !isPossible(typed);
  return (
    <div className={styles.day}>
      <label htmlFor={id}>{label}</label>
      <DateInput
        id={id}
        value={typed}
        min={FIRST_DAY}
        max={max}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
        onChange={({ target }) => {
          setTyped(target.value);
          if (isPossible(target.value)) onChoose(target.value);
        }}
        onFocus={() => setIsTyping(true)}
        onBlur={() => {
          setIsTyping(false);
          if (typed === '') setTyped(value);
        }}
      />
      {isWrong && (
        <p id={`${id}-error`} role="alert" className="text-danger">
          {isDay(typed) ? m.common_span_day_beyond({ first: FIRST_DAY, last: max }) : m.common_not_a_day()}
        </p>
      )}
    </div>
  );
}
