import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { TextField } from '../../components/form/form.js';
import { PasswordField } from '../../components/form/password-field.js';
import { PASSWORD_HINT } from '../../domain/passwords/password-hint.js';
import { useWeakness } from '../../domain/passwords/use-weakness.js';
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
  const passwordRefused = password === values.password ? refused.password : undefined;
  const weakness = useWeakness({ password, username, email });
  const passwordShown = Boolean(touchedFields.password) || isSubmitted;
  const confirmShown = Boolean(touchedFields.confirmPassword) || isSubmitted;
  return (
    <WizardForm form={form} onDone={onDone}>
      <TextField<Values>
        name="username"
        label="Username"
        errors={[errors.username?.message ?? usernameRefused]}
        type="text"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField<Values>
        name="email"
        label="Email"
        errors={[errors.email?.message ?? emailRefused]}
        type="email"
        autoComplete="email"
        spellCheck={false}
      />
      <PasswordField<Values>
        name="password"
        label="Password"
        errors={passwordShown && errors.password ? passwordMessages(password) : [passwordRefused]}
        hint={PASSWORD_HINT}
        warning={weakness}
        deps={['confirmPassword']}
        autoComplete="new-password"
      />
      <PasswordField<Values>
        name="confirmPassword"
        label="Confirm password"
        errors={confirmShown ? [errors.confirmPassword?.message] : []}
        autoComplete="new-password"
      />
    </WizardForm>
  );
}
