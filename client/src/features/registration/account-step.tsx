import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { TextField } from '../../components/form.js';
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
      <TextField<Values>
        name="password"
        label="Password"
        errors={passwordShown && errors.password ? passwordMessages(password) : [refused.password]}
        hint="At least 6 characters, with a number, a lowercase letter, an uppercase letter and a special character."
        deps={['confirmPassword']}
        type="password"
        autoComplete="new-password"
      />
      <TextField<Values>
        name="confirmPassword"
        label="Confirm password"
        errors={confirmShown ? [errors.confirmPassword?.message] : []}
        type="password"
        autoComplete="new-password"
      />
    </WizardForm>
  );
}
