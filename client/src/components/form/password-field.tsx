import { useFormContext, type FieldPath, type FieldValues } from 'react-hook-form';
import { Field } from './field.js';
import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.js';

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

/** A field for a password in the form around it. */
export function PasswordField<Values extends FieldValues>(props: PasswordFieldProps<Values>) {
  const { name, label, autoComplete, hint, warning, errors, deps } = props;
  const { register, formState, getFieldState } = useFormContext<Values>();
  const { error } = getFieldState(name, formState);
  return (
    <Field
      label={label}
      errors={errors ?? [error?.message]}
      warning={warning}
      {...(hint !== undefined && { hint })}
    >
      {(control) => (
        <PasswordInput {...control} {...register(name, deps && { deps })} autoComplete={autoComplete} />
      )}
    </Field>
  );
}

type PasswordInputProps = Omit<ComponentProps<'input'>, 'type' | 'autoComplete'> & {
  autoComplete: 'current-password' | 'new-password';
};

/** What a password is typed into. It may be pasted into, and shows what is in it at will. */
export function PasswordInput(props: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div
      // Our own button does it.
      className="relative flex [&>input]:pr-[calc(var(--touch)_+_var(--space-1))] [&>input::-ms-reveal]:hidden"
    >
      <input
        {...props}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <button
        type="button"
        className={classNames(
          'absolute top-0 right-0 bottom-0 left-auto inline-flex items-center justify-center w-11',
          'p-0 border-0 rounded bg-transparent text-ink-soft cursor-pointer',
          'hover:text-ink focus-visible:-outline-offset-3',
        )}
        aria-label={shown ? 'Hide what is typed' : 'Show what is typed'}
        aria-controls={props.id}
        onClick={() => setShown(!shown)}
      >
        <Icon size={18} aria-hidden="true" />
      </button>
    </div>
  );
}
