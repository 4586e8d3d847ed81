import { z } from 'zod';
import { addressDetailsSchema, personalDetailsSchema } from '#contracts/accounts/account-requests.js';

export const GENDERS: readonly string[] = personalDetailsSchema.shape.gender.options;

/** The personal fields of a form: while it is being filled in, the gender may still be the empty choice. */
export const personalFieldsSchema = personalDetailsSchema.extend({
  gender: z.string().refine((gender) => GENDERS.includes(gender), 'Gender is required'),
});
export type PersonalFieldValues = z.infer<typeof personalFieldsSchema>;

export const addressFieldsSchema = addressDetailsSchema;
export type AddressFieldValues = z.infer<typeof addressFieldsSchema>;
