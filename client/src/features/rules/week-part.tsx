import type { PartProps } from './numbers-part.js';
import { WEEKDAYS } from './rule-words.js';
import styles from './rules-form.module.css';
import type { TypedRules } from './typed-rules.js';

/** On which weekdays the library is open, and when. */
export function WeekPart({ typed: { hasHours, week }, errors, onEdit }: PartProps) {
  const edit = (n: number, day: Partial<TypedRules['week'][number]>) =>
    onEdit({ week: week.map((each, other) => (other === n ? { ...each, ...day } : each)) });
  return (
    <fieldset className={styles.group}>
      <legend className={styles.title}>Opening hours</legend>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={!hasHours}
          onChange={({ target }) => onEdit({ hasHours: !target.checked })}
        />
        Open every day, at no set hours
      </label>
      {hasHours && (
        <ul role="list" className={styles.week}>
          {week.map((day, n) => {
            const name = WEEKDAYS[n] ?? '';
            const wrong = errors.get(`week.${n}.opens`) ?? errors.get(`week.${n}.closes`);
            const id = `week-${n}-wrong`;
            return (
              <li key={name} className={styles.day}>
                <label className={styles.check}>
                  <input
                    type="checkbox"
                    checked={day.isOpen}
                    onChange={({ target }) => edit(n, { isOpen: target.checked })}
                  />
                  {name}
                </label>
                {day.isOpen ? (
                  <span className={styles.hours}>
                    <TimeInput
                      label={`${name} opens`}
                      value={day.opens}
                      wrong={wrong === undefined ? undefined : id}
                      onChange={(opens) => edit(n, { opens })}
                    />
                    –
                    <TimeInput
                      label={`${name} closes`}
                      value={day.closes}
                      wrong={wrong === undefined ? undefined : id}
                      onChange={(closes) => edit(n, { closes })}
                    />
                  </span>
                ) : (
                  <span className="quiet">closed</span>
                )}
                {wrong !== undefined && (
                  <p id={id} className={styles.wrong}>
                    {wrong}
                  </p>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {errors.get('week') !== undefined && <p className={styles.wrong}>{errors.get('week')}</p>}
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
