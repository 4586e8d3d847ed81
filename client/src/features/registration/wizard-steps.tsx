import { labels } from '../../domain/labels.js';
import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useEffect } from 'react';
import { type FieldValues, useForm, type UseFormReturn, useWatch } from 'react-hook-form';
import { z } from 'zod';
import {
  accountDetailsSchema,
  PASSWORDS_DO_NOT_MATCH,
  passwordSchema,
} from '#contracts/accounts/account-requests.js';
import { Button } from '../../components/form/button.js';
import { Form, TextField } from '../../components/form/form.js';
import { PasswordField } from '../../components/form/password-field.js';
import { PASSWORD_HINT, useWeakness } from '../../domain/passwords/use-weakness.js';
import {
  AddressFields,
  addressFieldsSchema,
  type AddressFieldValues,
  PersonalFields,
  personalFieldsSchema,
  type PersonalFieldValues,
} from '../../domain/readers/person-fields.js';

/** Step 1: the passwords are compared whatever else is still missing. */
const accountStepSchema = accountDetailsSchema
  .extend({ confirmPassword: z.string().min(1, PASSWORDS_DO_NOT_MATCH) })
  .refine((account) => account.password === account.confirmPassword, {
    path: ['confirmPassword'],
    message: PASSWORDS_DO_NOT_MATCH,
    when: () => true,
  });
export type AccountValues = z.infer<typeof accountStepSchema>;

export interface WizardValues {
  account: AccountValues;
  personal: PersonalFieldValues;
  address: AddressFieldValues;
}

export const EMPTY_WIZARD: WizardValues = {
  account: { username: '', email: '', password: '', confirmPassword: '' },
  personal: { firstname: '', lastname: '', dateOfBirth: '', gender: '' },
  address: { country: '', adress: '', city: '', postalCode: '' },
};

export const STEP_TITLES = [labels.accountDetails, labels.personalDetails, labels.addressDetails] as const;

interface AccountStepProps {
  values: AccountValues;
  /** What the server said about a field. */
  refused: Partial<Record<keyof AccountValues, string>>;
  /** It is being checked whether name and address are free. */
  busy: boolean;
  onDone: (values: AccountValues) => void;
}

export function AccountStep({ values, refused, busy, onDone }: AccountStepProps) {
  const form = useForm<AccountValues>({
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
    if (first) form.setFocus(first as keyof AccountValues, { shouldSelect: true });
  }, [form, refused]);

  // What the server refused stays refused until it is changed.
  const usernameRefused = username === values.username ? refused.username : undefined;
  const emailRefused = email === values.email ? refused.email : undefined;
  const passwordRefused = password === values.password ? refused.password : undefined;
  const weakness = useWeakness({ password, username, email });
  const passwordShown = Boolean(touchedFields.password) || isSubmitted;
  const confirmShown = Boolean(touchedFields.confirmPassword) || isSubmitted;
  return (
    <WizardForm form={form} busy={busy} onDone={onDone}>
      <TextField<AccountValues>
        name="username"
        label="Username"
        errors={[errors.username?.message ?? usernameRefused]}
        type="text"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField<AccountValues>
        name="email"
        label="Email"
        errors={[errors.email?.message ?? emailRefused]}
        type="email"
        autoComplete="email"
        spellCheck={false}
      />
      <PasswordField<AccountValues>
        name="password"
        label="Password"
        errors={passwordShown && errors.password ? passwordMessages(password) : [passwordRefused]}
        hint={PASSWORD_HINT}
        warning={weakness}
        deps={['confirmPassword']}
        autoComplete="new-password"
      />
      <PasswordField<AccountValues>
        name="confirmPassword"
        label="Confirm password"
        errors={confirmShown ? [errors.confirmPassword?.message] : []}
        autoComplete="new-password"
      />
    </WizardForm>
  );
}

/** Everything that a password still lacks; only that it is required while there is none. */
function passwordMessages(password: string): string[] {
  const issues = passwordSchema.safeParse(password).error?.issues ?? [];
  const messages = issues.map((issue) => issue.message);
  return password === '' ? messages.slice(0, 1) : messages;
}

interface StepProps<Values extends FieldValues> {
  values: Values;
  busy?: boolean | undefined;
  onDone: (values: Values) => void;
  onBack: (values: Values) => void;
}

export function PersonalStep({ values, onDone, onBack }: StepProps<PersonalFieldValues>) {
  const form = useForm<PersonalFieldValues>({
    resolver: zodResolver(personalFieldsSchema),
    mode: 'onTouched',
    defaultValues: values,
  });
  return (
    <WizardForm form={form} onDone={onDone} onBack={() => onBack(form.getValues())}>
      <PersonalFields />
    </WizardForm>
  );
}

export function AddressStep({ values, busy, onDone, onBack }: StepProps<AddressFieldValues>) {
  const form = useForm<AddressFieldValues>({
    resolver: zodResolver(addressFieldsSchema),
    mode: 'onTouched',
    defaultValues: values,
  });
  return (
    <WizardForm form={form} last busy={busy} onDone={onDone} onBack={() => onBack(form.getValues())}>
      <AddressFields />
    </WizardForm>
  );
}

interface WizardFormProps<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  onDone: (values: Values) => void;
  onBack?: (() => void) | undefined;
  /** The last step submits; the others go on. */
  last?: boolean;
  busy?: boolean | undefined;
  children: ReactNode;
}

/** The frame of a step: it can be left forward only when it is valid (specification, section 4). */
function WizardForm<Values extends FieldValues>(props: WizardFormProps<Values>) {
  const { form, onDone, onBack, last = false, busy = false, children } = props;
  return (
    <Form form={form} busy={busy} enterExplains onSubmit={() => onDone(form.getValues())}>
      {children}
      <div className="flex flex-wrap gap-3 mt-2 to-480:[&>*]:flex-1">
        {onBack && <Button onClick={onBack}>Back</Button>}
        <Button
          type="submit"
          look="primary"
          className="ml-auto min-w-32"
          disabled={!form.formState.isValid}
          busy={busy}
        >
          {last ? 'Submit' : 'Next'}
        </Button>
      </div>
    </Form>
  );
}
