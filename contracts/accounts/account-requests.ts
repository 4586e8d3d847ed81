import * as m from '#words/messages.js';
import { z } from 'zod';
import { atMost, oneLine, identifyingName } from '../plain-text.js';

/** A required text on one line: trimmed, and refused with the specification's message when nothing is left. */
const required = (error: () => string, max = 100) =>
  oneLine(z.string({ error }).trim().min(1, { error }).max(max, atMost(max)));

/** The password rules of section 5, each with its message, in the order in which they are shown. */
export const passwordSchema = z
  .string({ error: m.password_required })
  .min(1, { error: m.password_required })
  .min(6, { error: m.password_too_short })
  .max(200, atMost(200))
  .regex(/\d/, { error: m.password_without_number })
  .regex(/\p{Ll}/u, { error: m.password_without_small_letter })
  .regex(/\p{Lu}/u, { error: m.password_without_capital })
  .regex(/[^\p{L}\p{N}]/u, { error: m.password_without_special });

/** Kept as it is shown: characters of other widths and styles become the usual ones. */
const usernameSchema = identifyingName(
  oneLine(
    z
      .string({ error: m.account_username_required })
      .normalize('NFKC')
      .trim()
      .min(1, { error: m.account_username_required })
      .max(50, atMost(50)),
  ),
).refine((name) => !name.includes('@'), { error: m.account_username_with_at });

/** Step 1 of the registration wizard. The email's format is not checked in the wizard (section 5), but by the server. */
export const accountDetailsSchema = z.object({
  username: usernameSchema,
  email: required(m.account_email_required, 254),
  password: passwordSchema,
  confirmPassword: z.string({ error: m.password_not_repeated }),
});

/** Step 2. */
export const personalDetailsSchema = z.object({
  firstname: required(m.account_firstname_required),
  lastname: required(m.account_lastname_required),
  dateOfBirth: z.iso.date({
    error: ({ input }) => (input ? m.common_not_a_day() : m.account_date_of_birth_required()),
  }),
  gender: z.enum(['Male', 'Female', 'Other'], { error: m.account_gender_required }),
});

/** Step 3. */
export const addressDetailsSchema = z.object({
  country: required(m.account_country_required),
  adress: required(m.account_address_required, 200),
  city: required(m.account_city_required),
  /** Two digits, hyphen, three digits; what follows is not looked at, as the specification has it. */
  postalCode: oneLine(
    z
      .string({ error: m.account_postal_code_required })
      .trim()
      .regex(/^\d{2}-\d{3}/, { error: m.account_postal_code_required })
      .max(20, atMost(20)),
  ),
});

const blank = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value);

/** What librarians know of a reader besides; blank is nothing. */
export const deskDetailsSchema = z.object({
  phone: z.preprocess(
    blank,
    oneLine(
      z
        .string()
        .trim()
        .max(40, atMost(40))
        .regex(/^\+?[\d\s()/-]{5,}$/, { error: m.account_phone_example }),
    ).nullable(),
  ),
  guardian: z.preprocess(blank, required(m.account_guardian_required).nullable()),
  memberUntil: z.preprocess(blank, z.iso.date({ error: m.common_not_a_day }).nullable()),
});

/** The name of an account that is there already, whatever characters it was once made with. */
export const usernameOfAccount = (max: number) =>
  z
    .string({ error: m.account_username_required })
    .trim()
    .min(1, { error: m.account_username_required })
    .max(max, atMost(max));

/** `POST Account/login` */
export const loginBodySchema = z.object({
  username: usernameOfAccount(254),
  password: z.string({ error: m.password_required }).min(1, { error: m.password_required }).max(200),
});
export type LoginBody = z.infer<typeof loginBodySchema>;

const VALID_EMAIL = { error: m.account_email_invalid };

/** `POST Account/forgot-password` */
export const forgotPasswordBodySchema = z.object({
  email: z.string(VALID_EMAIL).trim().max(254, VALID_EMAIL).pipe(z.email(VALID_EMAIL)),
});
export type ForgotPasswordBody = z.infer<typeof forgotPasswordBodySchema>;

const NEW_PASSWORD = { error: m.password_new_too_short };

/** The form of a reset: the specification asks for the length alone there. */
export const newPasswordFormSchema = z.object({
  newPassword: z.string(NEW_PASSWORD).min(6, NEW_PASSWORD).max(200, atMost(200)),
});

const CURRENT_PASSWORD = { error: m.password_current_required };

/** `POST Account/change-password`, by who is signed in. */
export const changePasswordBodySchema = z.object({
  currentPassword: z.string(CURRENT_PASSWORD).min(1, CURRENT_PASSWORD).max(200),
  newPassword: passwordSchema,
});
export type ChangePasswordBody = z.infer<typeof changePasswordBodySchema>;

/** The reader dialog: eight fields, all required (section 5). */
export const readerFormSchema = z.object({
  ...personalDetailsSchema.shape,
  ...addressDetailsSchema.shape,
});
export type ReaderForm = z.infer<typeof readerFormSchema>;

/**
 * The header of a call that a page makes by itself, as when it looks for news: it does not count as use of the session.
 */
export const UNATTENDED_HEADER = 'x-unattended';
