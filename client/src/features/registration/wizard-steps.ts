import { z } from 'zod';
import {
  accountDetailsSchema,
  passwordSchema,
  PASSWORDS_DO_NOT_MATCH,
} from '#contracts/accounts/account-requests.js';
import type { AddressFieldValues, PersonalFieldValues } from '../../domain/readers/person-form.js';

/** Step 1: the passwords are compared whatever else is still missing. */
export const accountStepSchema = accountDetailsSchema
  .extend({ confirmPassword: z.string().min(1, PASSWORDS_DO_NOT_MATCH) })
  .refine((account) => account.password === account.confirmPassword, {
    path: ['confirmPassword'],
    message: PASSWORDS_DO_NOT_MATCH,
    when: () => true,
  });
export type AccountStep = z.infer<typeof accountStepSchema>;

export type PersonalStep = PersonalFieldValues;
export type AddressStep = AddressFieldValues;

export interface WizardValues {
  account: AccountStep;
  personal: PersonalStep;
  address: AddressStep;
}

export const EMPTY_WIZARD: WizardValues = {
  account: { username: '', email: '', password: '', confirmPassword: '' },
  personal: { firstname: '', lastname: '', dateOfBirth: '', gender: '' },
  address: { country: '', adress: '', city: '', postalCode: '' },
};

export const STEP_TITLES = ['Account Details', 'Personal Details', 'Address Details'] as const;

/** Everything that a password still lacks; only that it is required while there is none. */
export function passwordMessages(password: string): string[] {
  const issues = passwordSchema.safeParse(password).error?.issues ?? [];
  const messages = issues.map((issue) => issue.message);
  return password === '' ? messages.slice(0, 1) : messages;
}
