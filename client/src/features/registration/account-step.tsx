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
  const password = useWatch({ control: form.control, name: 'password' });

  useEffect(() => {
    for (const [name, message] of Object.entries(refused)) {
      form.setError(name as keyof Values, { type: 'server', message }, { shouldFocus: true });
    }
  }, [form, refused]);

  // Compared again when either of the two changes.
  const comparison = form.register('password', { deps: ['confirmPassword'] });
  const passwordShown = Boolean(touchedFields.password) || isSubmitted;
  const confirmShown = Boolean(touchedFields.confirmPassword) || isSubmitted;
  return (
    <WizardForm form={form} onDone={onDone}>
      <Field label="Username" errors={[errors.username?.message]}>
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
      <Field label="Email" errors={[errors.email?.message]}>
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
        errors={passwordShown && errors.password ? passwordMessages(password) : []}
        hint="At least 6 characters, with a number, a lowercase letter, an uppercase letter and a special character."
      >
        {(control) => <input {...control} {...comparison} type="password" autoComplete="new-password" />}
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
