import { z } from 'zod';
import {
  accountDetailsSchema,
  addressDetailsSchema,
  passwordSchema,
  PASSWORDS_DO_NOT_MATCH,
  personalDetailsSchema,
} from '#contracts/accounts/account-requests.js';

/** Step 1: the passwords are compared whatever else is still missing. */
export const accountStepSchema = accountDetailsSchema
  .extend({ confirmPassword: z.string().min(1, PASSWORDS_DO_NOT_MATCH) })
  .refine((account) => account.password === account.confirmPassword, {
    path: ['confirmPassword'],
    message: PASSWORDS_DO_NOT_MATCH,
    when: () => true,
  });
export type AccountStep = z.infer<typeof accountStepSchema>;

export const GENDERS: readonly string[] = personalDetailsSchema.shape.gender.options;

/** Step 2: while it is being filled in, the gender may still be the empty choice. */
export const personalStepSchema = personalDetailsSchema.extend({
  gender: z.string().refine((gender) => GENDERS.includes(gender), 'Gender is required'),
});
export type PersonalStep = z.infer<typeof personalStepSchema>;

export const addressStepSchema = addressDetailsSchema;
export type AddressStep = z.infer<typeof addressDetailsSchema>;

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
