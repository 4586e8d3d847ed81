import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useFormContext, type FieldPath, type FieldValues } from 'react-hook-form';
import { Field } from './field.js';
import styles from './password-field.module.css';

interface PasswordFieldProps<Values extends FieldValues> {
  name: FieldPath<Values>;
  label: string;
  autoComplete: 'current-password' | 'new-password';
  hint?: string;
  warning?: string | undefined;
  /** In place of what the form found. */
  errors?: readonly (string | undefined)[];
  /** Fields that are checked again when this one changes. */
  deps?: FieldPath<Values>[];
}

/** A field for a password in the form around it. It may be pasted into, and shows what is in it at will. */
export function PasswordField<Values extends FieldValues>(props: PasswordFieldProps<Values>) {
  const { name, label, autoComplete, hint, warning, errors, deps } = props;
  const { register, formState, getFieldState } = useFormContext<Values>();
  const { error } = getFieldState(name, formState);
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field
      label={label}
      errors={errors ?? [error?.message]}
      warning={warning}
      {...(hint !== undefined && { hint })}
    >
      {(control) => (
        <div className={styles.field}>
          <input
            {...control}
            {...register(name, deps && { deps })}
            type={shown ? 'text' : 'password'}
            autoComplete={autoComplete}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
          <button
            type="button"
            className={styles.toggle}
            aria-label={shown ? 'Hide what is typed' : 'Show what is typed'}
            aria-controls={control.id}
            onClick={() => setShown(!shown)}
          >
            <Icon size={18} aria-hidden="true" />
          </button>
        </div>
      )}
    </Field>
  );
}
