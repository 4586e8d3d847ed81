import { useFormContext, type FieldPath, type FieldValues } from 'react-hook-form';
import { Field } from './field.js';
import { PasswordInput } from './password-input.js';

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
