import { zodResolver } from '@hookform/resolvers/zod';
import type { ReactNode } from 'react';
import { type FieldValues, useForm, type UseFormReturn } from 'react-hook-form';
import type { register } from '#contracts/accounts/account-calls.js';
import {
  accountDetailsSchema,
  addressDetailsSchema,
  personalDetailsSchema,
} from '#contracts/accounts/account-requests.js';
import type { Taken } from '#contracts/call.js';
import { Form } from '../../components/form/form.js';
import {
  AddressFields,
  addressFieldsSchema,
  type AddressFieldValues,
  PersonalFields,
  personalFieldsSchema,
  type PersonalFieldValues,
} from '../../domain/readers/person-fields.js';
import type { AccountValues } from './account-rules.js';
import { StepButtons } from './account-step.js';

export interface WizardValues {
  account: AccountValues;
  personal: PersonalFieldValues;
  address: AddressFieldValues;
}

/** What is sent in the end. */
export function registrationOf({ account, personal, address }: WizardValues): Taken<typeof register>['body'] {
  return {
    ...accountDetailsSchema.parse(account),
    ...personalDetailsSchema.parse(personal),
    ...addressDetailsSchema.parse(address),
  };
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
  onBack: () => void;
  /** The last step submits; the others go on. */
  last?: boolean;
  busy?: boolean | undefined;
  children: ReactNode;
}

function WizardForm<Values extends FieldValues>(props: WizardFormProps<Values>) {
  const { form, onDone, onBack, last = false, busy = false, children } = props;
  return (
    <Form form={form} busy={busy} enterExplains onSubmit={() => onDone(form.getValues())}>
      {children}
      <StepButtons isValid={form.formState.isValid} busy={busy} onBack={onBack} last={last} />
    </Form>
  );
}
