import { z } from 'zod';
import { NOT_A_DAY } from '../local-day.js';
import { oneLine, identifyingName } from '../plain-text.js';
import { FIELD_NAMES } from './field-names.js';

/** A required text on one line: trimmed, and refused with the specification's message when nothing is left. */
const required = (error: string | (() => string), max = 100) =>
  oneLine(z.string({ error }).trim().min(1, { error }).max(max, `At most ${max} characters.`));

/** The password rules of section 5, each with its message, in the order in which they are shown. */
export const passwordSchema = z
  .string({ error: 'Password is required.' })
  .min(1, 'Password is required.')
  .min(6, 'Password must be at least 6 characters.')
  .max(200, 'At most 200 characters.')
  .regex(/\d/, 'Password must contain at least one number (0-9).')
  .regex(/\p{Ll}/u, 'Password must contain at least one lowercase letter.')
  .regex(/\p{Lu}/u, 'Password must contain at least one uppercase letter.')
  .regex(/[^\p{L}\p{N}]/u, 'Password must contain at least one special character.');

export const PASSWORDS_DO_NOT_MATCH = 'Passwords do not match';

const USERNAME = 'Username is required';
/** Kept as it is shown: characters of other widths and styles become the usual ones. */
const usernameSchema = identifyingName(
  oneLine(
    z.string({ error: USERNAME }).normalize('NFKC').trim().min(1, USERNAME).max(50, 'At most 50 characters.'),
  ),
).refine((name) => !name.includes('@'), 'A username cannot contain @.');

/** Step 1 of the registration wizard. The email's format is not checked in the wizard (section 5), but by the server. */
export const accountDetailsSchema = z.object({
  username: usernameSchema,
  email: required('Email is required', 254),
  password: passwordSchema,
  confirmPassword: z.string(PASSWORDS_DO_NOT_MATCH),
});

/** Step 2. */
export const personalDetailsSchema = z.object({
  firstname: required(() => `${FIELD_NAMES.firstname()} is required`),
  lastname: required(() => `${FIELD_NAMES.lastname()} is required`),
  dateOfBirth: z.iso.date({
    error: ({ input }) => (input ? NOT_A_DAY : `${FIELD_NAMES.dateOfBirth()} is required`),
  }),
  gender: z.enum(['Male', 'Female', 'Other'], 'Gender is required'),
});

const postalCodeRequired = () => `${FIELD_NAMES.postalCode()} is required (5 digits)`;

/** Step 3. */
export const addressDetailsSchema = z.object({
  country: required('Country is required'),
  adress: required('Address is required', 200),
  city: required('City is required'),
  /** Two digits, hyphen, three digits; what follows is not looked at, as the specification has it. */
  postalCode: oneLine(
    z
      .string({ error: postalCodeRequired })
      .trim()
      .regex(/^\d{2}-\d{3}/, { error: postalCodeRequired })
      .max(20, 'At most 20 characters.'),
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
        .max(40, 'At most 40 characters.')
        .regex(/^\+?[\d\s()/-]{5,}$/, 'For example +48 601 234 567.'),
    ).nullable(),
  ),
  guardian: z.preprocess(blank, required('Name the guardian.').nullable()),
  memberUntil: z.preprocess(blank, z.iso.date(NOT_A_DAY).nullable()),
});

/** The name of an account that is there already, whatever characters it was once made with. */
export const usernameOfAccount = (max: number) =>
  z
    .string({ error: 'Username is required' })
    .trim()
    .min(1, 'Username is required')
    .max(max, `At most ${max} characters.`);

/** `POST Account/login` */
export const loginBodySchema = z.object({
  username: usernameOfAccount(254),
  password: z.string('Password is required.').min(1, 'Password is required.').max(200),
});
export type LoginBody = z.infer<typeof loginBodySchema>;

const VALID_EMAIL = 'Please enter a valid email address.';

/** `POST Account/forgot-password` */
export const forgotPasswordBodySchema = z.object({
  email: z.string(VALID_EMAIL).trim().max(254, VALID_EMAIL).pipe(z.email(VALID_EMAIL)),
});
export type ForgotPasswordBody = z.infer<typeof forgotPasswordBodySchema>;

const NEW_PASSWORD = 'Password must be at least 6 characters long.';

/** The form of a reset: the specification asks for the length alone there. */
export const newPasswordFormSchema = z.object({
  newPassword: z.string(NEW_PASSWORD).min(6, NEW_PASSWORD).max(200, 'At most 200 characters.'),
});

const CURRENT_PASSWORD = 'Your current password is required.';

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
