import * as m from '#words/messages.js';
import { z } from 'zod';
import { atMost, oneLine } from '../plain-text.js';
import { ROLES } from '../permissions.js';
import { READER_KINDS } from '../rules/kinds.js';

export const MAX_PROVIDERS = 10;

/** What came of asking a provider, each as a sentence for admins. */
export const SIGN_ON_OUTCOMES = {
  good: m.sign_on_good,
  unreachable: m.sign_on_unreachable,
  'timed-out': m.sign_on_timed_out,
  private: m.sign_on_private,
  insecure: m.sign_on_insecure,
  'no-openid': m.sign_on_no_openid,
  'other-issuer': m.sign_on_other_issuer,
  lacking: m.sign_on_lacking,
  'client-refused': m.sign_on_client_refused,
  'bad-answer': m.sign_on_bad_answer,
  denied: m.sign_on_denied,
} as const satisfies Record<string, (inputs: { name: string }) => string>;
export type SignOnOutcome = keyof typeof SIGN_ON_OUTCOMES;

const KEY = { error: m.sign_on_key_rule };
export const keySchema = z.string(KEY).regex(/^[a-z\d][a-z\d-]{0,29}$/, KEY);
const line = (longest: number) =>
  oneLine(z.string({ error: m.sign_on_missing }).trim().min(1, { error: m.sign_on_missing })).max(
    longest,
    atMost(longest),
  );
/** The name of a claim; empty for none. */
const claim = z.string().trim().max(100, atMost(100)).default('');
const ISSUER = { error: m.sign_on_issuer_rule };

/** Where people can sign in instead of here, by OpenID Connect. */
export const providerSchema = z.object({
  /** In the addresses that the provider is told; never changed. */
  key: keySchema,
  /** As the button has it. */
  name: line(40),
  issuer: z
    .url({ protocol: /^https?$/, ...ISSUER })
    .max(500, ISSUER)
    .refine((text) => !/[?#@]/.test(text), ISSUER),
  clientId: line(200),
  /** What is asked for. */
  scopes: oneLine(z.string().trim().max(200, atMost(200))).default('openid profile email'),
  /** By which claim an account that is there already is found, the first time; empty: by none. */
  matchClaim: claim,
  /** What of an account it is compared with. An address counts only where the provider says that it is verified. */
  matchTo: z.enum(['email', 'card']).default('email'),
  /** Whoever has no account gets one, of this kind. */
  makesAccounts: z.boolean().default(false),
  kind: z.enum(READER_KINDS).default('adult'),
  /** Accounts with rights beyond a reader's may sign in by it too. */
  staff: z.boolean().default(false),
  /** A second factor that was given there (`mfa` among the claim `amr`) counts here. */
  trustsMfa: z.boolean().default(false),
  /** The claim that names somebody's groups there; empty: groups give nothing. */
  groupsClaim: claim,
  /** Which permission sets a group gives, as long as somebody is in it. What was given here by hand stays. */
  groups: z
    .array(z.object({ group: line(200), set: z.union([z.enum(ROLES), z.uuid()]) }))
    .max(50, atMost(50))
    .default([]),
  on: z.boolean().default(true),
});
export type Provider = z.output<typeof providerSchema>;

/** Of the client; empty for a client without one, or to leave it as it is. */
const withSecret = providerSchema.extend({ secret: z.string().max(500, atMost(500)).default('') });
export const providersSchema = z
  .array(withSecret)
  .max(MAX_PROVIDERS, { error: () => m.sign_on_too_many({ most: MAX_PROVIDERS }) })
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, { error: m.sign_on_key_taken });
export type ProviderWithSecret = z.output<typeof withSecret>;
