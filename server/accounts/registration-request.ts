import { z } from 'zod';
import {
  PASSWORDS_DO_NOT_MATCH,
  registerBodySchema,
  type RegisterBody,
} from '#contracts/accounts/account-requests.js';
import { checkedPersonFields } from './person-rules.js';

const { email } = registerBodySchema.shape;

/**
 * A registration as the server takes it: the wizard's rules (specification, section 5), and what the wizard
 * leaves to the server: that the e-mail looks like one, the birth is in the past, the country is one of the list.
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
    // Also when other fields do not hold, so that the person sees all messages at once.
    when: ({ value }) => passwordsSchema.safeParse(value).success,
  });

const passwordsSchema = z.object({ password: z.string(), confirmPassword: z.string() });
