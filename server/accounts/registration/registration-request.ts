import { z } from 'zod';
import {
  PASSWORDS_DO_NOT_MATCH,
  registerBodySchema,
  type RegisterBody,
} from '#contracts/accounts/account-requests.js';
import { checkedPersonFields } from '../person-rules.js';

const { email } = registerBodySchema.shape;

/**
 * A registration, validated by the wizard's rules (specification, section 5) and by those that the wizard leaves to
 * the server: the e-mail is well formed, the birth is in the past, the country is in the list.
 */
export const registrationSchema: z.ZodType<RegisterBody> = z
  .object({
    ...registerBodySchema.shape,
    email: email.refine(
      (address) => address === '' || z.email().safeParse(address).success,
      'Please enter a valid email address.',
    ),
    ...checkedPersonFields,
  })
  .refine((body) => body.password === body.confirmPassword, {
    path: ['confirmPassword'],
    message: PASSWORDS_DO_NOT_MATCH,
    // Checked even if other fields are invalid, so that the person sees all messages at once.
    when: ({ value }) => passwordsSchema.safeParse(value).success,
  });

const passwordsSchema = z.object({ password: z.string(), confirmPassword: z.string() });
