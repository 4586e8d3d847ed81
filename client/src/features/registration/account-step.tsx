import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { Field } from '../../components/field.js';
import { WizardForm } from './wizard-form.js';
import { accountStepSchema, passwordMessages, type AccountStep as Values } from './wizard-steps.js';

interface AccountStepProps {
  values: Values;
  /** What the server said about a field, after a submit. */
  refused: Partial<Record<keyof Values, string>>;
  onDone: (values: Values) => void;
}

export function AccountStep({ values, refused, onDone }: AccountStepProps) {
  const form = useForm<Values>({
    resolver: zodResolver(accountStepSchema),
    mode: 'onTouched',
    defaultValues: values,
  });
  const { errors, touchedFields, isSubmitted } = form.formState;
  const [username, email, password] = useWatch({
    control: form.control,
    name: ['username', 'email', 'password'],
  });

  useEffect(() => {
    const [first] = Object.keys(refused);
    if (first) form.setFocus(first as keyof Values, { shouldSelect: true });
  }, [form, refused]);

  // What the server refused stays refused until it is changed.
  const usernameRefused = username === values.username ? refused.username : undefined;
  const emailRefused = email === values.email ? refused.email : undefined;
  const passwordShown = Boolean(touchedFields.password) || isSubmitted;
  const confirmShown = Boolean(touchedFields.confirmPassword) || isSubmitted;
  return (
    <WizardForm form={form} onDone={onDone}>
      <Field label="Username" errors={[errors.username?.message ?? usernameRefused]}>
        {(control) => (
          <input
            {...control}
            {...form.register('username')}
            type="text"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Email" errors={[errors.email?.message ?? emailRefused]}>
        {(control) => (
          <input
            {...control}
            {...form.register('email')}
            type="email"
            autoComplete="email"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label="Password"
        errors={passwordShown && errors.password ? passwordMessages(password) : [refused.password]}
        hint="At least 6 characters, with a number, a lowercase letter, an uppercase letter and a special character."
      >
        {(control) => (
          <input
            {...control}
            // Compared again when either of the two changes.
            {...form.register('password', { deps: ['confirmPassword'] })}
            type="password"
            autoComplete="new-password"
          />
        )}
      </Field>
      <Field label="Confirm password" errors={confirmShown ? [errors.confirmPassword?.message] : []}>
        {(control) => (
          <input
            {...control}
            {...form.register('confirmPassword')}
            type="password"
            autoComplete="new-password"
          />
        )}
      </Field>
    </WizardForm>
  );
}
