import { useId, type ComponentProps, type ReactNode } from 'react';
import { classNames } from '../../lib/class-names.js';
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
    <div className="flex flex-col gap-1 min-w-0">
      <label htmlFor={id} className="text-1 font-strong">
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
          <p id={`${id}-warning`} className="mt-1 py-2 px-3 border-l-3 border-line-strong bg-sunk text-1">
            {warning}
          </p>
        )}
      </div>
      <div id={`${id}-errors`} aria-live="polite">
        {messages.map((message) => (
          <p key={message} className="text-danger text-1">
            {message}
          </p>
        ))}
      </div>
    </div>
  );
}

interface TypedFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  value: string;
  onValue: (value: string) => void;
}

/** A field of one line whose text is kept where it is drawn. */
export function TypedField({ label, hint, error, onValue, className, ...input }: TypedFieldProps) {
  return (
    <Field label={label} hint={hint} errors={[error]}>
      {(control) => (
        <input
          {...control}
          className={classNames(control.className, className)}
          onChange={({ target }) => onValue(target.value)}
          {...input}
        />
      )}
    </Field>
  );
}
