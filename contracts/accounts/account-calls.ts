import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import {
  accountDetailsSchema,
  addressDetailsSchema,
  changePasswordBodySchema,
  forgotPasswordBodySchema,
  loginBodySchema,
  newPasswordFormSchema,
  passwordSchema,
  personalDetailsSchema,
  usernameOfAccount,
} from './account-requests.js';
import { LANGUAGES } from '../languages.js';
import { messageAnswerSchema, signedInUserSchema, webAddressSchema } from './account-views.js';
import { COUNTRIES } from './countries.js';
import { loginAnswerSchema } from './second-factor.js';

export const EARLIEST_BIRTH = '1900-01-01';
const COUNTRY_NAMES = new Set(COUNTRIES.map(({ name }) => name));

/**
 * What the wizard and the reader dialog leave to the server: the birth is in the past, the country is in the list. In a call these
 * stand in place of the form's own.
 */
export const checkedPersonFields = {
  dateOfBirth: personalDetailsSchema.shape.dateOfBirth
    .refine((day) => day < new Date().toISOString().slice(0, 10), { error: m.account_born_in_future })
    .refine((day) => day >= EARLIEST_BIRTH, { error: m.account_born_too_early }),
  country: addressDetailsSchema.shape.country.refine((name) => name === '' || COUNTRY_NAMES.has(name), {
    error: m.account_country_unknown,
  }),
};

const passwordsSchema = z.object({ password: z.string(), confirmPassword: z.string() });
const isRepeated = (body: z.infer<typeof passwordsSchema>) => body.password === body.confirmPassword;
const NOT_REPEATED = {
  path: ['confirmPassword'],
  error: m.password_not_repeated,
  // Checked even if other fields are invalid, so that the person sees all messages at once.
  when: ({ value }: { value: unknown }) => passwordsSchema.safeParse(value).success,
};

/** The form asks for an address, the server for one that a letter can go to. */
export const checkedEmail = accountDetailsSchema.shape.email.refine(
  (address) => address === '' || z.email().safeParse(address).success,
  { error: m.account_email_invalid },
);

const registrationSchema = z
  .object({
    ...accountDetailsSchema.shape,
    email: checkedEmail,
    ...personalDetailsSchema.shape,
    ...addressDetailsSchema.shape,
    ...checkedPersonFields,
  })
  .refine(isRepeated, NOT_REPEATED);
export type RegisterBody = z.infer<typeof registrationSchema>;

export const firstAdminSchema = z
  .object({
    /** As the terminal shows it where the product was started. */
    code: z.string().min(1).max(100),
    ...accountDetailsSchema.shape,
    email: checkedEmail,
    firstname: personalDetailsSchema.shape.firstname,
    lastname: personalDetailsSchema.shape.lastname,
  })
  .refine(isRepeated, NOT_REPEATED);
export type FirstAdmin = z.infer<typeof firstAdminSchema>;

const ofGuest = { may: ['Everybody'], answer: messageAnswerSchema } as const;
const ofOwn = { may: ['SignedIn'], answer: messageAnswerSchema } as const;

/** A registration by the wizard's three steps at once. */
export const register = call('POST Account/register', { ...ofGuest, body: registrationSchema, status: 201 });

/** The first account of an installation, an admin's: only while there is none. */
export const makeFirstAdmin = call('POST Account/first-admin', {
  may: ['Everybody'],
  body: firstAdminSchema,
  answer: signedInUserSchema,
  status: 201,
});

/** Whether a name and an address can be registered: refused as the registration would be, but at the step that asks for them. */
export const checkRegistration = call('POST Account/check-registration', {
  ...ofGuest,
  body: z.object({ username: accountDetailsSchema.shape.username, email: checkedEmail }),
});

export const confirmEmail = call('POST Account/confirm-email', {
  ...ofGuest,
  body: z.object({ userId: z.uuid(), token: z.string().min(1).max(200) }),
});

export const resendConfirmation = call('POST Account/resend-confirmation-email', {
  ...ofGuest,
  body: z.object({ username: usernameOfAccount(50) }),
});

export const forgotPassword = call('POST Account/forgot-password', {
  ...ofGuest,
  body: forgotPasswordBodySchema,
});

const resetPasswordBodySchema = z.object({
  email: z.string().trim().min(1).max(254),
  token: z.string().min(1).max(200),
  // The server holds a new password to all the rules of a first one.
  newPassword: newPasswordFormSchema.shape.newPassword.pipe(passwordSchema),
});
export type ResetPasswordBody = z.infer<typeof resetPasswordBodySchema>;

export const resetPassword = call('POST Account/reset-password', {
  ...ofGuest,
  body: resetPasswordBodySchema,
});

const passwordCheckSchema = z.object({
  /** Why the password is easy to guess; null if nothing is known against it. */
  weakness: z.string().nullable(),
  /** Whether a weak one is refused. */
  refused: z.boolean(),
});
export type PasswordCheck = z.infer<typeof passwordCheckSchema>;

/** Of a password that somebody is about to choose, with what the form knows of them. */
export const checkPassword = call('POST Account/check-password', {
  may: ['Everybody'],
  body: z.object({
    password: z.string().min(1).max(200),
    username: z.string().max(254).optional(),
    email: z.string().max(254).optional(),
  }),
  answer: passwordCheckSchema,
});

export const logIn = call('POST Account/login', {
  may: ['Everybody'],
  body: loginBodySchema,
  answer: loginAnswerSchema,
});

export const logOut = call('POST Account/logout', {
  ...ofOwn,
  /** `address`: where they sign out of the provider that they signed in by. */
  answer: messageAnswerSchema.extend({ address: webAddressSchema.optional() }),
  opensToEnrol: true,
});

/** What the account is read and written to in, from now on. */
export const chooseLanguage = call('PUT Account/language', {
  ...ofOwn,
  body: z.object({ language: z.enum(LANGUAGES) }),
});

export const changePassword = call('POST Account/change-password', {
  ...ofOwn,
  body: changePasswordBodySchema,
});

/** Sessions that an account has at once: the one used longest ago makes room for another. */
export const MAX_SESSIONS = 500;

const sessionViewSchema = z.object({
  id: z.uuid(),
  /** "Firefox on Windows" */
  device: z.string(),
  /** "203.0.113.x", without the part that names one machine. */
  network: z.string(),
  created: z.iso.datetime(),
  /** To within a minute. */
  lastUsed: z.iso.datetime(),
  expires: z.iso.datetime(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
});
export type SessionView = z.infer<typeof sessionViewSchema>;

/** The caller's own: the one that asks, then the others, the one used last first. */
export const listSessions = call('GET Account/sessions', {
  may: ['SignedIn'],
  answer: z.array(sessionViewSchema).max(MAX_SESSIONS),
});

export const endOtherSessions = call('POST Account/sessions/end-others', ofOwn);

export const endSession = call('DELETE Account/sessions/:id', {
  ...ofOwn,
  params: z.object({ id: z.uuid() }),
});
