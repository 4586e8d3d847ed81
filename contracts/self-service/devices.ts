import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { LANGUAGES } from '../languages.js';
import { atMost, oneLine } from '../plain-text.js';

/** What a device speaks: a page of ours in a browser, or the protocol of bought self-checks, gates and sorters. */
export const DEVICE_KINDS = ['kiosk', 'sip2'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

export const MAX_DEVICES = 100;
/** Digits of the code by which a kiosk is bound: it is typed on the kiosk's own pad. */
export const DEVICE_CODE_DIGITS = 8;

/** How a SIP2 device writes what is not ASCII. */
export const ENCODINGS = [
  'UTF-8',
  'Windows-1250',
  'Windows-1252',
  'ISO-8859-1',
  'ISO-8859-2',
  'CP850',
  'CP852',
] as const;
export type Encoding = (typeof ENCODINGS)[number];

const NAME = { error: m.devices_name_missing };
const LANGUAGE = { error: m.devices_language_missing };
export const deviceFieldsSchema = z.object({
  /** As the log of what it did shows it: where it stands. */
  name: oneLine(z.string(NAME).trim().min(1, NAME).max(60, atMost(60))),
  /** What it speaks; it begins with the first. */
  languages: z
    .array(z.enum(LANGUAGES), LANGUAGE)
    .min(1, LANGUAGE)
    .max(LANGUAGES.length)
    .refine((languages) => new Set(languages).size === languages.length, LANGUAGE),
  /** Whether the PIN is asked for with the card. */
  asksPin: z.boolean(),
  /** Nobody can use it until it is opened again. */
  isClosed: z.boolean(),
  /** Of a SIP2 device, from its next login. */
  encoding: z.enum(ENCODINGS),
  /** Whether a SIP2 device hears where readers live, and their e-mail address. */
  hearsAddress: z.boolean(),
});
export type DeviceFields = z.infer<typeof deviceFieldsSchema>;

const deviceSchema = z.object({
  ...deviceFieldsSchema.shape,
  name: z.string(),
  id: z.uuid(),
  kind: z.enum(DEVICE_KINDS),
  /** By what it signs in; null for a kiosk, which is bound by a code. */
  login: z.string().nullable(),
  /** Whether it has been let in, by a code or a password. */
  isBound: z.boolean(),
  lastSeenAt: z.iso.datetime().nullable(),
});
export type Device = z.infer<typeof deviceSchema>;

/** What lets a device in: a kiosk's code, or the password of its login. Answered once, and never again. */
const deviceSecretSchema = z.object({
  secret: z.string(),
  /** Of a code; a password stays until there is another. */
  expiresAt: z.iso.datetime().nullable(),
});
export type DeviceSecret = z.infer<typeof deviceSecretSchema>;

const staff = { may: ['devices'], tag: 'Device' } as const;
const ofOne = { ...staff, params: z.object({ id: z.uuid() }) } as const;

/** Those that were not removed. */
export const listDevices = call('GET Device', { ...staff, answer: z.array(deviceSchema).max(MAX_DEVICES) });

export const addDevice = call('POST Device', {
  ...staff,
  body: deviceFieldsSchema.extend({ kind: z.enum(DEVICE_KINDS) }),
  answer: z.object({ device: deviceSchema, ...deviceSecretSchema.shape }),
  status: 201,
  confirmed: true,
});

export const changeDevice = call('PUT Device/:id', {
  ...ofOne,
  body: deviceFieldsSchema,
  answer: deviceSchema,
});

/** Another secret; a former password ends, a kiosk that is bound stays so until the code is used elsewhere. */
export const renewDeviceSecret = call('POST Device/:id/secret', {
  ...ofOne,
  answer: deviceSecretSchema,
  status: 201,
  confirmed: true,
});

/** Ends all that it may, at once and for good. Its name stays in the log of what it did. */
export const revokeDevice = call('DELETE Device/:id', {
  ...ofOne,
  answer: z.array(deviceSchema).max(MAX_DEVICES),
});
