import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import * as m from '#words/messages.js';
import { providersSchema } from '#contracts/accounts/sign-on-providers.js';
import { isTimeZone } from '#contracts/local-day.js';
import type { ReadModelRelease } from './database/read-model.js';
import { eventStoreAddress } from './event-log/event-store-address.js';
import { checkRedisSettings, redisSettings } from './jobs/redis-address.js';
import { validationMessage } from './validation-messages.js';

export const SHORTEST_PASSPHRASE = 12;

/** Milliseconds. */
const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

function isAddressOrNetwork(text: string): boolean {
  if (NAMED_NETWORKS.includes(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function checkEventStoreAddress(url: string, context: z.RefinementCtx): void {
  try {
    eventStoreAddress(url);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
}

const atLeast = (least: number) =>
  z.string().min(least, { error: () => m.start_setting_at_least_characters({ least }) });

/** Names of hosts, with commas between them. */
const hostNames = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((each) => each.trim().toLowerCase() || []))
  .refine(
    (names) =>
      names.every((name) => URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname === name),
    { error: m.start_setting_allowed_hosts },
  );

/** What an installation can set, read once from the environment (see `docs/handbook.md`). */
const settingsSchema = z
  .object({
    NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
    HOST: z.string().default('127.0.0.1'),
    PORT: z.coerce.number().int().min(0).max(65535).default(3000),
    DATA_DIR: z.string().min(1).default('./data'),
    /** Where people reach this installation, for links in emails. */
    PUBLIC_URL: z.url().optional(),
    /** Further names, beside those of `PUBLIC_URL`, `HOST` and this machine, by which browsers may ask for the site. */
    ALLOWED_HOSTS: hostNames,
    /**
     * The proxies in front of the server whose word on the caller's address counts: how many there are, or a list of
     * their addresses and networks. Whoever is not among them can claim nothing.
     */
    TRUST_PROXY: z
      .string()
      .default('0')
      .transform((text) =>
        /^\d{1,2}$/.test(text) ? Number(text) : text.split(',').map((each) => each.trim()),
      )
      .refine((proxies) => typeof proxies === 'number' || proxies.every(isAddressOrNetwork), {
        error: m.start_setting_trust_proxy,
      }),
    DATABASE_URL: z.string().startsWith('postgres', { error: m.start_setting_database_url }).optional(),
    EVENTSTORE_URL: z.string().superRefine(checkEventStoreAddress).optional(),
    /** Where `npm run move-log` takes the event log, if the command line does not say: an address as above, or `embedded`. */
    MOVE_LOG_TO: z
      .string()
      .superRefine((to, context) => (to === 'embedded' ? undefined : checkEventStoreAddress(to, context)))
      .optional(),
    ...redisSettings,
    SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\//, { error: m.start_setting_smtp_url })
      .optional(),
    /** Seconds that the mail server may keep silent before a letter is tried again later. */
    SMTP_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(300).default(20),
    /** Unset: the library's name, at library@localhost. */
    SMTP_FROM: z.string().optional(),
    STRIPE_SECRET_KEY: z
      .string()
      .regex(/^(sk|rk)_/, { error: m.start_setting_stripe_key })
      .optional(),
    STRIPE_WEBHOOK_SECRET: z
      .string()
      .startsWith('whsec_', { error: m.start_setting_stripe_webhook })
      .optional(),
    /** Another address of Stripe's API, for tests. */
    STRIPE_API_URL: z.url({ protocol: /^https?$/ }).optional(),
    JWT_SECRET: atLeast(32).optional(),
    /** What JWT_SECRET was before: what these signed is still accepted. Between several a comma or a new line. */
    JWT_SECRET_PREVIOUS: z
      .string()
      .default('')
      .transform((text) => text.split(/[,\s]+/).filter((each) => each !== ''))
      .refine((secrets) => secrets.every((each) => each.length >= 32), {
        error: m.start_setting_previous_secrets,
      }),
    /** Encrypts the secrets of code apps; where it is unset, that of the data folder does, or else JWT_SECRET. */
    SECOND_FACTOR_SECRET: atLeast(32).optional(),
    /** Opens encrypted backups, and encrypts new ones; asked for on the terminal where it is needed and unset. */
    BACKUP_PASSPHRASE: atLeast(SHORTEST_PASSPHRASE).optional(),
    /** Where backups are made by themselves, with the embedded database; unset, none are. */
    BACKUP_FOLDER: z.string().min(1).optional(),
    /** The time of day at which one is due. */
    BACKUP_AT: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: m.start_setting_time_of_day })
      .default('03:00'),
    /** In place of a time of day: how long after the last one the next is due; in milliseconds once it is read. */
    BACKUP_EVERY: z
      .string()
      .regex(/^[1-9]\d{0,3}[mhd]$/, { error: m.start_setting_every })
      .transform((text) => Number(text.slice(0, -1)) * UNITS[text.slice(-1) as keyof typeof UNITS])
      .optional(),
    /** How many good ones are kept. */
    BACKUP_KEEP: z.coerce.number().int().min(1).max(1000).default(7),
    /** Public keys of age (`age1…`), with commas between them: backups are encrypted for their owners. */
    BACKUP_RECIPIENT: z
      .string()
      .transform((text) => text.split(',').map((each) => each.trim()))
      .refine((keys) => keys.every((key) => /^age1[a-z0-9]+$/.test(key)), {
        error: m.start_setting_recipients,
      })
      .optional(),
    /** Minutes after which a reader's session that nobody uses ends; eight hours after its begin it does in any case. */
    SESSION_IDLE_MINUTES: z.coerce.number().int().min(5).max(480).default(240),
    /** The same for admins and auditors, whose screens show other people's data and stand at a desk. */
    STAFF_SESSION_IDLE_MINUTES: z.coerce.number().int().min(5).max(480).default(60),
    /** `required`: admins and auditors without a second factor can sign in to add one, and do nothing else. */
    STAFF_MFA: z.enum(['required', 'optional']).default('optional'),
    /** Providers of OpenID Connect by which people sign in, as JSON: a list, each as admins name them too. */
    SIGN_ON_PROVIDERS: z
      .string()
      .default('[]')
      .transform((text, context): unknown => {
        try {
          return JSON.parse(text);
        } catch {
          context.addIssue({ code: 'custom', message: m.start_setting_json() });
          return z.NEVER;
        }
      })
      .pipe(providersSchema),
    /** `required`: admins and auditors sign in by a provider alone; local admins, whom the set-up or the command line made, by password too. */
    STAFF_SSO: z.enum(['required', 'optional']).default('optional'),
    // What helps to try the product. Unset, each is on where no stranger comes, and off elsewhere (`exposure.ts`).
    /** A demo catalogue and demo accounts, with the embedded services only. */
    DEMO: z.enum(['on', 'off']).optional(),
    /** The mailbox at /dev/mail that takes the place of a mail server. */
    MAILBOX: z.enum(['on', 'off']).optional(),
    /** Paying fees online without money, where no payment provider is set. */
    SANDBOX_PAYMENTS: z.enum(['on', 'off']).optional(),
    /** The description of the API at /api/docs. */
    API_DOCS: z.enum(['on', 'off']).optional(),
    /** `as-found`: the texts that the specification fixes, letter by letter (`client/src/domain/labels.ts`). */
    LABELS: z.enum(['as-found', 'corrected']).default('corrected'),
    /**
     * Seconds after which a rent whose event is not known to be stored counts as broken off and is settled. Any value
     * is safe, as the fence decides; one below the time that a rent takes gives up rents that would have succeeded.
     */
    HOLD_STALE_SECONDS: z.coerce.number().int().min(1).max(3600).default(20),
    /** Seconds without anything done for a reader at the desk after which their visit is over and its letter is sent. */
    VISIT_QUIET_SECONDS: z.coerce.number().int().min(1).max(3600).default(300),
    /** `off` where workers that run alone do the jobs: then this server asks for them only. */
    JOBS: z.enum(['on', 'off']).default('on'),
    /** Seconds that a server which closes goes on taking calls, so that a proxy can take it out of service first. */
    DRAIN_SECONDS: z.coerce.number().min(0).max(300).default(0),
    /** Seconds that requests under way have to end, once a server that closes takes nobody new. */
    SHUTDOWN_SECONDS: z.coerce.number().min(1).max(3600).default(15),
    /** A port of their own for /healthz, /readyz and /metrics; projections and workers that run alone have no other. */
    OPERATIONS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
    /** Who sends it as a bearer token gets /metrics and the details of /readyz on the port of the site too. */
    OPERATIONS_TOKEN: atLeast(24).optional(),
    /** A port of its own for bought self-checks, gates and sorters, which speak SIP2; unset, there is none. */
    SIP2_PORT: z.coerce.number().int().min(0).max(65535).optional(),
    SIP2_HOST: z.string().default('127.0.0.1'),
    /** The PEM files of a certificate and its key. */
    SIP2_TLS_CERT: z.string().min(1).optional(),
    SIP2_TLS_KEY: z.string().min(1).optional(),
    /** `off`: other machines may come without encryption, and who listens in that network reads cards and PINs. */
    SIP2_TLS: z.enum(['required', 'off']).default('required'),
    /** Where the sources of these kinds are asked. */
    OPEN_LIBRARY_URL: z.url({ protocol: /^https?$/ }).default('https://openlibrary.org'),
    GOOGLE_BOOKS_URL: z.url({ protocol: /^https?$/ }).default('https://www.googleapis.com'),
    GOOGLE_BOOKS_API_KEY: z.string().optional(),
    /** Hosts of the library's own network that admins may name as sources and for webhooks; all others have to be public. */
    PRIVATE_HOSTS: hostNames,
    /** Live connections that one account may have at once, over all its windows and devices. */
    LIVE_SOCKETS_PER_ACCOUNT: z.coerce.number().int().min(1).max(1_000_000).default(100),
    /** Live connections from one address at once: those of a whole school or of a proxy that is not in TRUST_PROXY. */
    LIVE_SOCKETS_PER_ADDRESS: z.coerce.number().int().min(1).max(1_000_000).default(600),
    /** Messages a second that one live connection may send for long; five times as many at once. */
    LIVE_MESSAGES_PER_SECOND: z.coerce.number().int().min(1).max(10_000).default(20),
    /** Seconds that one report may take to print. */
    REPORT_TIMEOUT_SECONDS: z.coerce.number().int().min(10).max(7200).default(600),
    /** Megabytes that the printing process may use together with its browser. */
    REPORT_MEMORY_MB: z.coerce.number().int().min(300).max(65_536).default(1500),
    /** `off` where an ordinary user's Chromium cannot start its sandbox, as in some containers. */
    CHROMIUM_SANDBOX: z.enum(['on', 'off']).default('on'),
    // The sheet of labels that the library buys, in millimetres; margins that are unset centre the labels.
    STICKER_COLUMNS: z.coerce.number().int().min(1).max(20).default(3),
    STICKER_ROWS: z.coerce.number().int().min(1).max(50).default(8),
    STICKER_WIDTH: z.coerce.number().min(20).max(210).default(70),
    STICKER_HEIGHT: z.coerce.number().min(15).max(297).default(37),
    STICKER_MARGIN_LEFT: z.coerce.number().min(0).max(100).optional(),
    STICKER_MARGIN_TOP: z.coerce.number().min(0).max(100).optional(),
    STICKER_GAP_X: z.coerce.number().min(0).max(50).default(0),
    STICKER_GAP_Y: z.coerce.number().min(0).max(50).default(0),
    APP_TITLE: z.string().max(60).optional(),
    /** How readers reach the library, at the foot of its pages: address, telephone, mail. */
    CONTACT: z.string().max(300).optional(),
    /** By whose midnight the library counts its days. Unset: what the database keeps, at first `TZ` or the machine's. */
    TIME_ZONE: z.string().refine(isTimeZone, { error: m.start_setting_time_zone }).optional(),
    /** The zone of this machine, as for every program. */
    TZ: z.string().optional(),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  })
  .superRefine(checkRedisSettings);

export type Settings = z.infer<typeof settingsSchema>;

/** What JWT_SECRET was before it was changed. */
export interface PreviousSecret {
  secret: string;
  /** When the last token that it signed has run out; unset where the operator takes it away. */
  until?: Date;
}

/** The settings of an app whose parts all have an address: set by the person, or by the embedded default. */
export type ResolvedSettings = Settings & {
  DATABASE_URL: string;
  EVENTSTORE_URL: string;
  JWT_SECRET: string;
  /** What the secret of the data folder was before it was changed. */
  storedPreviousSecrets?: PreviousSecret[];
  /** Whether PostgreSQL is the embedded one, in DATA_DIR. */
  ownsDatabase?: boolean;
  /** Whether the event log lies in this very database, as the embedded one does. */
  eventsInDatabase?: boolean;
  /** Tests pretend another version of the read model. */
  readModel?: ReadModelRelease;
  /** Milliseconds between two heartbeats; tests shorten it. */
  heartbeatMs?: number;
};

/** Settings that may hold a secret. Each can be given as a file, by its name with `_FILE` behind it. */
const FROM_FILES = [
  'DATABASE_URL',
  'EVENTSTORE_URL',
  'MOVE_LOG_TO',
  'REDIS_URL',
  'REDIS_PASSWORD',
  'REDIS_SENTINEL_PASSWORD',
  'SMTP_URL',
  'JWT_SECRET',
  'JWT_SECRET_PREVIOUS',
  'SECOND_FACTOR_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SIGN_ON_PROVIDERS',
  'OPERATIONS_TOKEN',
  'GOOGLE_BOOKS_API_KEY',
  'BACKUP_PASSPHRASE',
] as const;

/**
 * Reads the settings; an empty variable counts as unset.
 * @throws an Error that names every variable that does not hold, and never its value
 */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const troubles = takeFromFiles(given);
  const result = settingsSchema.safeParse(given, { error: validationMessage });
  if (result.success && troubles.length === 0) return result.data;
  const others = (result.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const lines = [...troubles, ...others].map((line) => `  ${line}`).join('\n');
  throw new Error(m.start_settings_wrong({ lines }));
}

/** Puts what the files hold in, without the line's end that editors leave. Gives what is wrong with them. */
function takeFromFiles(given: NodeJS.ProcessEnv): string[] {
  const troubles: string[] = [];
  for (const name of FROM_FILES) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    if (given[name] !== undefined) {
      troubles.push(m.start_setting_either_or({ name: `${name}_FILE`, other: name }));
      continue;
    }
    try {
      const held = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      if (held.trim() === '') troubles.push(m.start_setting_file_empty({ name: `${name}_FILE` }));
      else given[name] = held;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      troubles.push(m.start_setting_file_unreadable({ name: `${name}_FILE`, code }));
    }
  }
  return troubles;
}

/**
 * For an app that runs without the embedded default.
 * @throws an Error naming the settings that are missing
 */
export function requireAddresses(settings: Settings): ResolvedSettings {
  const missing = (['DATABASE_URL', 'EVENTSTORE_URL', 'JWT_SECRET'] as const).filter(
    (name) => !settings[name],
  );
  if (missing.length > 0) throw new Error(m.start_settings_missing({ names: missing.join(', ') }));
  return settings as ResolvedSettings;
}
