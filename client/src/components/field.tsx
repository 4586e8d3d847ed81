import { useId, type ReactNode } from 'react';
import styles from './field.module.css';

/** What an input needs to be known by its label and its messages. */
export interface FieldControl {
  id: string;
  className: string | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface FieldProps {
  label: string;
  /** Messages under the field; none while all is well or the field is untouched. */
  errors?: readonly (string | undefined)[];
  hint?: string | undefined;
  /** What speaks against what is in it, in place of the hint: what is below hardly moves. */
  warning?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}

/** A label above, a control, and its messages below. */
export function Field({ label, errors = [], hint, warning, children }: FieldProps) {
  const id = useId();
  const messages = errors.filter((message) => message !== undefined);
  const wrong = messages.length > 0;
  const shownHint = warning ? undefined : hint;
  const describedBy = [shownHint && `${id}-hint`, warning && `${id}-warning`, wrong && `${id}-errors`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {children({
        id,
        className: styles.control,
        'aria-invalid': wrong || undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {shownHint && (
        <p id={`${id}-hint`} className="note">
          {shownHint}
        </p>
      )}
      <div aria-live="polite">
        {warning && (
          <p id={`${id}-warning`} className={styles.warning}>
            {warning}
          </p>
        )}
      </div>
      <div id={`${id}-errors`} aria-live="polite">
        {messages.map((message) => (
          <p key={message} className={styles.error}>
            {message}
          </p>
        ))}
      </div>
    </div>
  );
}
