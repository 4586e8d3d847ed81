import { z } from 'zod';
import { call } from '../call.js';
import { oneLine } from '../plain-text.js';
import { checkedEmail, checkedPersonFields } from './account-calls.js';
import { readerFormSchema } from './account-requests.js';
import { messageAnswerSchema, signedInUserSchema, webAddressSchema } from './account-views.js';
import { secondFactorNeededSchema } from './second-factor.js';
import {
  keySchema,
  MAX_PROVIDERS,
  providerSchema,
  providersSchema,
  SIGN_ON_OUTCOMES,
  type SignOnOutcome,
} from './sign-on-providers.js';

const viewSchema = z.object({
  providers: z
    .array(
      providerSchema.extend({
        hasSecret: z.boolean(),
        /** By the environment: it cannot be changed here. */
        fixed: z.boolean(),
        /** How many people have signed in by it and are here: their sessions end with it. */
        sessions: z.int(),
      }),
    )
    .max(2 * MAX_PROVIDERS),
  version: z.int(),
  changedAt: z.iso.datetime().nullable(),
  /** A name; null where the account is gone, or nobody changed anything. */
  changedBy: z.string().nullable(),
});
export type SignOnView = z.output<typeof viewSchema>;

const admin = { may: ['roles'], tag: 'SignOn' } as const;
const params = z.object({ key: keySchema });

export const readProviders = call('GET SignOn', { ...admin, answer: viewSchema });

/** All of them but those of the environment, in the order of their buttons. */
export const changeProviders = call('PUT SignOn', {
  ...admin,
  body: z.object({ version: z.int().min(0), providers: providersSchema }),
  answer: viewSchema,
  confirmed: true,
});

/** Asks a provider for all that a sign-in needs, and whether it knows the client. */
export const tryProvider = call('POST SignOn/:key/try', {
  ...admin,
  params,
  answer: z.object({ outcome: z.enum(Object.keys(SIGN_ON_OUTCOMES) as [SignOnOutcome, ...SignOnOutcome[]]) }),
});

/** Where to go once somebody is signed in: an address within the site, and what they were about to do there. */
export const wantedSchema = z.object({
  from: z
    .string()
    .max(1_000)
    .regex(/^\/(?![/\\])/)
    .optional(),
  then: z.enum(['rent', 'reserve']).optional(),
});
export type Wanted = z.output<typeof wantedSchema>;

const guest = { may: ['Everybody'], tag: 'Account/sign-on' } as const;
const ofOne = { ...guest, params } as const;

/** The buttons of the login page. */
export const listSignOns = call('GET Account/sign-on', {
  ...guest,
  answer: z.object({
    providers: z.array(z.object({ key: z.string(), name: z.string() })).max(2 * MAX_PROVIDERS),
    /** Staff sign in by these alone. */
    staffOnly: z.boolean(),
  }),
});

/** @returns where the browser is to go */
export const beginSignOn = call('POST Account/sign-on/:key', {
  ...ofOne,
  body: wantedSchema,
  answer: z.object({ address: webAddressSchema }),
});

/** Proves to the provider again who is at the screen, in place of a password: in another window, so that nothing typed is lost. */
export const confirmBySignOn = call('POST Account/sign-on/:key/confirm', {
  may: ['SignedIn'],
  tag: 'Account/sign-on',
  params,
  answer: beginSignOn.answer,
  opensToEnrol: true,
});

/** What a provider sends the browser back with. */
const returnedSchema = z.object({
  state: oneLine(z.string().min(1).max(200)),
  code: oneLine(z.string().max(4_000)).optional(),
  iss: oneLine(z.string().max(500)).optional(),
  error: oneLine(z.string().max(200)).optional(),
});

/** Where a provider sends the browser: it goes on to the site's own page, which completes the sign-on. */
export const returnFromSignOn = call('GET Account/sign-on/:key/back', {
  ...ofOne,
  query: returnedSchema,
  answer: 'text/html',
});

/** What a new reader has to tell that the provider did not. */
export const personSchema = z.object({
  ...readerFormSchema.shape,
  ...checkedPersonFields,
  email: checkedEmail,
});
export type SignOnPerson = z.output<typeof personSchema>;

const ticket = z.string().min(1).max(200);
const signOnAnswerSchema = z.union([
  signedInUserSchema.extend({ wanted: wantedSchema }),
  secondFactorNeededSchema.extend({ wanted: wantedSchema }),
  z.object({
    person: z.object({ ticket, known: personSchema.partial() }),
    wanted: wantedSchema,
  }),
  /** Of what `confirmBySignOn` has begun. */
  z.object({ confirmed: z.literal(true) }),
]);
export type SignOnAnswer = z.output<typeof signOnAnswerSchema>;

export const completeSignOn = call('POST Account/sign-on/:key/complete', {
  ...ofOne,
  body: returnedSchema,
  answer: signOnAnswerSchema,
});

/** The rest of a new account; what the provider told stays as it was told. */
export const registerBySignOn = call('POST Account/sign-on/:key/register', {
  ...ofOne,
  body: personSchema.extend({ ticket }),
  answer: signOnAnswerSchema,
});

/** Back-channel logout (OpenID Connect Back-Channel Logout 1.0), as a form. */
export const signOnEnded = call('POST Account/sign-on/:key/logout', {
  ...ofOne,
  body: z.object({ logout_token: z.string().min(1).max(10_000) }),
  answer: messageAnswerSchema,
});

/** What a provider has to be told of this installation: where it sends browsers back to, after a logout too, and tells of logouts. */
export function addressesFor(home: string, key: string): Record<'back' | 'logout' | 'home', string> {
  const at = ({ path }: { path: string }) => `${home}/api/${path.replace(':key', key)}`;
  return { back: at(returnFromSignOn), logout: at(signOnEnded), home: `${home}/` };
}
