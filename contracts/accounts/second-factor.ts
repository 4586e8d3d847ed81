import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { atMost, oneLine } from '../plain-text.js';
import { messageAnswerSchema, signedInUserSchema } from './account-views.js';

/** Recovery codes that are made at a time. */
export const RECOVERY_CODES = 10;
/** Of an account. */
export const MAX_PASSKEYS = 20;

/** The digits of a code app, with or without the blank in the middle that some apps show. */
const codeSchema = z
  .string({ error: m.security_code_incomplete })
  .trim()
  .regex(/^\d{3} ?\d{3}$/, { error: m.security_code_incomplete });

const recoveryCodeSchema = z
  .string({ error: m.security_recovery_code_required })
  .trim()
  .min(1, { error: m.security_recovery_code_required })
  .max(60, atMost(60));

const passkeyNameSchema = oneLine(
  z
    .string({ error: m.security_passkey_nameless })
    .trim()
    .min(1, { error: m.security_passkey_nameless })
    .max(60, atMost(60)),
);

const ticketSchema = z.string().min(1).max(200);

/** Bytes as base64url. */
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]*$/);

const credential = {
  id: bytes(1400).min(1),
  rawId: bytes(1400).min(1),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(40).nullish(),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};

/** What a browser answers for a passkey that proves itself. */
const passkeyProofSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8_000),
    authenticatorData: bytes(8_000),
    signature: bytes(8_000),
    userHandle: bytes(200).nullish(),
  }),
});
export type PasskeyProof = z.infer<typeof passkeyProofSchema>;

/** What a browser answers for a passkey that it just made. */
const newPasskeySchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8_000),
    attestationObject: bytes(60_000),
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
});

/** What a browser is asked to make or to prove a passkey with, and the ticket by which its answer is handed in. */
const passkeyRequestSchema = z.object({
  ticket: z.string(),
  options: z.looseObject({ challenge: z.string() }).meta({ maxProperties: 20 }),
});
export type PasskeyRequest = z.infer<typeof passkeyRequestSchema>;

const secondFactorMethodSchema = z.enum(['code', 'recoveryCode', 'passkey']);
export type SecondFactorMethod = z.infer<typeof secondFactorMethodSchema>;

/** What a login answers in place of a user where the password alone does not do. */
export const secondFactorNeededSchema = z.object({
  secondFactor: z.object({
    /** For `POST Account/login/second-factor`. */
    ticket: z.string(),
    methods: z.array(secondFactorMethodSchema).max(secondFactorMethodSchema.options.length),
    expiresAt: z.iso.datetime(),
  }),
});
export type SecondFactorNeeded = z.infer<typeof secondFactorNeededSchema>;

/** `POST Account/login` */
export const loginAnswerSchema = z.union([signedInUserSchema, secondFactorNeededSchema]);
export type LoginAnswer = z.infer<typeof loginAnswerSchema>;

const given = (values: object) => Object.values(values).filter((value) => value !== undefined).length;

const secondFactorBodySchema = z
  .object({
    ticket: ticketSchema,
    code: codeSchema.optional(),
    recoveryCode: recoveryCodeSchema.optional(),
    passkey: passkeyProofSchema.optional(),
  })
  .refine(({ ticket: _ticket, ...proofs }) => given(proofs) === 1, {
    path: ['code'],
    error: () => m.security_one_proof({ ways: 'code, recoveryCode, passkey' }),
  });
export type SecondFactorBody = z.infer<typeof secondFactorBodySchema>;

const atLogin = { may: ['Everybody'], tag: 'Account/login' } as const;

/** The ticket of the login and one proof. */
export const giveSecondFactor = call('POST Account/login/second-factor', {
  ...atLogin,
  body: secondFactorBodySchema,
  answer: signedInUserSchema,
});

/** With the ticket of a login as its second factor, without one to sign in by it alone. */
export const beginPasskeyLogin = call('POST Account/login/passkey-options', {
  ...atLogin,
  body: z.object({ ticket: ticketSchema.optional() }),
  answer: passkeyRequestSchema,
});

const passkeyLoginBodySchema = z.object({ ticket: ticketSchema, passkey: passkeyProofSchema });
export type PasskeyLoginBody = z.infer<typeof passkeyLoginBodySchema>;

export const logInByPasskey = call('POST Account/login/passkey', {
  ...atLogin,
  body: passkeyLoginBodySchema,
  answer: signedInUserSchema,
});

const confirmBodySchema = z
  .object({
    password: z.string().min(1, { error: m.password_required }).max(200).optional(),
    code: codeSchema.optional(),
    passkey: passkeyLoginBodySchema.optional(),
  })
  .refine((proofs) => given(proofs) === 1, {
    path: ['password'],
    error: () => m.security_one_proof({ ways: 'password, code, passkey' }),
  });
export type ConfirmBody = z.infer<typeof confirmBodySchema>;

/** Until when nothing is asked again. */
const confirmedSchema = z.object({ until: z.iso.datetime() });
export type Confirmed = z.infer<typeof confirmedSchema>;

const ofOwn = { may: ['SignedIn'], opensToEnrol: true } as const;

/** One proof that it is still the same person. */
export const confirmIdentity = call('POST Account/confirm', {
  ...ofOwn,
  body: confirmBodySchema,
  answer: confirmedSchema,
});

export const beginPasskeyConfirmation = call('POST Account/confirm/passkey-options', {
  ...ofOwn,
  answer: passkeyRequestSchema,
});

const passkeySchema = z.object({
  id: z.string(),
  name: z.string(),
  created: z.iso.datetime(),
  lastUsed: z.iso.datetime().nullable(),
});
export type Passkey = z.infer<typeof passkeySchema>;

const secondFactorsSchema = z.object({
  /** Since when the account has a code app; null without one. */
  codeAppSince: z.iso.datetime().nullable(),
  passkeys: z.array(passkeySchema).max(MAX_PASSKEYS),
  recoveryCodesLeft: z.int(),
  /** Whether this account has to have one, by the roles it has. */
  required: z.boolean(),
  /** The provider that vouched for this session, and can do so again; said only where there is one. */
  signOn: z.object({ key: z.string(), name: z.string() }).optional(),
});
export type SecondFactors = z.infer<typeof secondFactorsSchema>;

export const readSecondFactors = call('GET Account/second-factor', {
  ...ofOwn,
  answer: secondFactorsSchema,
});

/** What an app needs. */
const codeAppSchema = z.object({
  /** In base32, to be typed in. */
  secret: z.string(),
  /** An `otpauth://` address. */
  uri: z.string(),
  /** The same as a QR code, an SVG image. */
  qr: z.string(),
});
export type CodeApp = z.infer<typeof codeAppSchema>;

/** Recovery codes, where new ones were made: shown once. */
const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()).max(RECOVERY_CODES) });
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>;

const change = { ...ofOwn, confirmed: true } as const;
const adding = { ...change, status: 201, answer: recoveryCodesSchema } as const;

/** The app is shown once, and counts once a code of it was given. */
export const beginCodeApp = call('POST Account/second-factor/code-app', {
  ...change,
  status: 201,
  answer: codeAppSchema,
});

export const confirmCodeApp = call('POST Account/second-factor/code-app/confirm', {
  ...change,
  body: z.object({ code: codeSchema }),
  answer: recoveryCodesSchema,
});

export const removeCodeApp = call('DELETE Account/second-factor/code-app', {
  ...change,
  answer: messageAnswerSchema,
});

export const renewRecoveryCodes = call('POST Account/second-factor/recovery-codes', adding);

export const beginPasskey = call('POST Account/second-factor/passkeys/options', {
  ...change,
  answer: passkeyRequestSchema,
});

const newPasskeyBodySchema = z.object({
  ticket: ticketSchema,
  name: passkeyNameSchema,
  passkey: newPasskeySchema,
});
export type NewPasskeyBody = z.infer<typeof newPasskeyBodySchema>;

export const addPasskey = call('POST Account/second-factor/passkeys', {
  ...adding,
  body: newPasskeyBodySchema,
});

const ofPasskey = {
  ...change,
  params: z.object({ id: bytes(1400).min(1) }),
  answer: messageAnswerSchema,
} as const;

export const renamePasskey = call('PUT Account/second-factor/passkeys/:id', {
  ...ofPasskey,
  body: z.object({ name: passkeyNameSchema }),
});

export const removePasskey = call('DELETE Account/second-factor/passkeys/:id', ofPasskey);
