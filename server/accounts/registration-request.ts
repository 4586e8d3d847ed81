import { z } from 'zod';
import {
  PASSWORDS_DO_NOT_MATCH,
  registerBodySchema,
  type RegisterBody,
} from '#contracts/accounts/account-requests.js';

const { email, dateOfBirth } = registerBodySchema.shape;
const EARLIEST_BIRTH = '1900-01-01';

/**
 * A registration as the server takes it: the wizard's rules (specification, section 5), and what the wizard
 * leaves to the server, namely that the e-mail looks like one and the birth is in the past.
 */
export const registrationSchema: z.ZodType<RegisterBody> = z
  .object({
    ...registerBodySchema.shape,
    email: email.refine(
      (address) => address === '' || z.email().safeParse(address).success,
      'Please enter a valid email address.',
    ),
    dateOfBirth: dateOfBirth
      .refine((day) => day < new Date().toISOString().slice(0, 10), 'Date of Birth must be in the past.')
      .refine((day) => day >= EARLIEST_BIRTH, 'Date of Birth must be after 1900.'),
  })
  .refine((body) => body.password === body.confirmPassword, {
    path: ['confirmPassword'],
    message: PASSWORDS_DO_NOT_MATCH,
    // Also when other fields do not hold, so that the person sees all messages at once.
    when: ({ value }) => passwordsSchema.safeParse(value).success,
  });

const passwordsSchema = z.object({ password: z.string(), confirmPassword: z.string() });
