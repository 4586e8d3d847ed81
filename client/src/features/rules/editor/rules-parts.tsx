import * as m from '#words/messages.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import { ClosedDaysPart } from './closed-days-part.js';
import { ExceptionsPart, NumberField } from './exceptions-part.js';
import { WEEKDAYS, RULE_GROUPS } from '../rule-texts.js';
import styles from './rules-form.module.css';
import type { PartProps, TypedRules } from './typed-rules.js';

interface RulesPartsProps extends PartProps {
  /** What exceptions are told from, where what is typed cannot be read (`usualOf`). */
  usual: RuleSet;
}

/** All that rules have, to be typed. */
export function RulesParts({ usual, ...part }: RulesPartsProps) {
  return (
    <div className="flex flex-col gap-10 min-w-0">
      <NumbersPart {...part} />
      <ExceptionsPart {...part} rules={usual} />
      <WeekPart {...part} />
      <ClosedDaysPart {...part} />
    </div>
  );
}

const DAY = 'inline-flex items-center gap-2 min-h-11 [&_input]:size-4.5 [&_input]:accent-accent';

/** On which weekdays the library is open, and when. */
export function WeekPart({ typed: { hasHours, week }, errors, onEdit }: PartProps) {
  const edit = (n: number, day: Partial<TypedRules['week'][number]>) =>
    onEdit({ week: week.map((each, other) => (other === n ? { ...each, ...day } : each)) });
  return (
    <fieldset className={styles.group}>
      <legend className={styles.title}>{m.hours_title()}</legend>
      <label className={DAY}>
        <input
          type="checkbox"
          checked={!hasHours}
          onChange={({ target }) => onEdit({ hasHours: !target.checked })}
        />
        {m.rules_open_no_set_hours()}
      </label>
      {hasHours && (
        <ul
          role="list"
          // Opening hours
          className="grid max-w-136"
        >
          {week.map((day, n) => {
            const name = WEEKDAYS[n] ?? '';
            const wrong = errors.get(`week.${n}.opens`) ?? errors.get(`week.${n}.closes`);
            const id = `week-${n}-wrong`;
            return (
              <li
                key={name}
                className="grid grid-cols-[9rem_minmax(0,1fr)] items-center gap-x-4 gap-y-0 py-1 border-t border-line to-480:grid-cols-1"
              >
                <label className={DAY}>
                  <input
                    type="checkbox"
                    checked={day.isOpen}
                    onChange={({ target }) => edit(n, { isOpen: target.checked })}
                  />
                  {name}
                </label>
                {day.isOpen ? (
                  <span className="flex flex-wrap items-center gap-2">
                    <TimeInput
                      label={m.rules_weekday_opens({ weekday: name })}
                      value={day.opens}
                      wrong={wrong === undefined ? undefined : id}
                      onChange={(opens) => edit(n, { opens })}
                    />
                    –
                    <TimeInput
                      label={m.rules_weekday_closes({ weekday: name })}
                      value={day.closes}
                      wrong={wrong === undefined ? undefined : id}
                      onChange={(closes) => edit(n, { closes })}
                    />
                  </span>
                ) : (
                  <span className="quiet">{m.hours_closed()}</span>
                )}
                {wrong !== undefined && (
                  <p id={id} className="w-full text-danger text-1">
                    {wrong}
                  </p>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {errors.get('week') !== undefined && <p className="w-full text-danger text-1">{errors.get('week')}</p>}
    </fieldset>
  );
}

interface TimeInputProps {
  label: string;
  value: string;
  /** The id of what says why it is wrong. */
  wrong: string | undefined;
  onChange: (value: string) => void;
}

function TimeInput({ label, value, wrong, onChange }: TimeInputProps) {
  return (
    <input
      type="time"
      className={styles.input}
      aria-label={label}
      aria-invalid={wrong !== undefined || undefined}
      aria-describedby={wrong}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** The numbers that hold for everybody and every book. */
function NumbersPart({ typed: { numbers }, errors, onEdit }: PartProps) {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-10 gap-y-6">
      {RULE_GROUPS.map(({ title, fields }) => (
        <fieldset key={title} className={styles.group}>
          <legend className={styles.title}>{title}</legend>
          <div className="grid grid-cols-[repeat(auto-fill,minmax(9.25rem,1fr))] gap-4">
            {fields.map((field) => (
              <NumberField
                key={field.name}
                field={field}
                value={numbers[field.name]}
                error={errors.get(field.name)}
                onChange={(value) => onEdit({ numbers: { ...numbers, [field.name]: value } })}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  );
}
