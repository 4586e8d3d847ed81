import { isIPv6 } from 'node:net';
import { z } from 'zod';
import * as m from '#words/messages.js';
import { currentLocale } from '#words/locale.js';

/** One process of Redis, or a Sentinel. */
export interface RedisHost {
  host: string;
  port: number;
}

interface Access {
  username?: string | undefined;
  password?: string | undefined;
  /** Over TLS, also to the Sentinels. */
  tls: boolean;
}

/** The Redis of the queues: one server, a master behind Sentinels, or a cluster. */
export type RedisAddress = Access &
  (
    | { kind: 'server'; server: RedisHost; database: number }
    | {
        kind: 'sentinel';
        sentinels: RedisHost[];
        /** The master's name in the Sentinels. */
        master: string;
        database: number;
        sentinelUsername?: string | undefined;
        sentinelPassword?: string | undefined;
      }
    | { kind: 'cluster'; nodes: RedisHost[] }
  );

const DEFAULT_PORT = 6379;
const DEFAULT_SENTINEL_PORT = 26379;
/** The most that Redis can be configured to have. */
const databaseSchema = z.coerce.number().int().min(0).max(65_535);

const hosts = (defaultPort: number) =>
  z.string().transform((text, context) => {
    const found = text.split(',').map((each) => hostOf(each.trim(), defaultPort));
    if (found.every((host) => host !== undefined)) return found;
    context.addIssue(m.start_setting_redis_hosts());
    return z.NEVER;
  });

/** `REDIS_URL`, or the plain variables for Sentinels or a cluster; unset, the queues are in PostgreSQL. */
export const redisSettings = {
  REDIS_URL: z
    .string()
    .superRefine((text, context) => {
      if (/^rediss?\+/i.test(text)) {
        context.addIssue(m.start_setting_redis_one_server());
      } else if (!serverOf(text)) context.addIssue(m.start_setting_redis_url());
    })
    .optional(),
  REDIS_SENTINELS: hosts(DEFAULT_SENTINEL_PORT).optional(),
  REDIS_SENTINEL_NAME: z.string().optional(),
  REDIS_SENTINEL_USERNAME: z.string().optional(),
  REDIS_SENTINEL_PASSWORD: z.string().optional(),
  REDIS_CLUSTER_NODES: hosts(DEFAULT_PORT).optional(),
  // Of the Redis behind the Sentinels, or of the cluster.
  REDIS_USERNAME: z.string().optional(),
  REDIS_PASSWORD: z.string().optional(),
  REDIS_DATABASE: databaseSchema.optional(),
  REDIS_TLS: z.enum(['on', 'off']).optional(),
};

export type RedisSettings = z.infer<z.ZodObject<typeof redisSettings>>;

/** A setting, and those of which at least one is required with it. */
const NEEDS: [keyof RedisSettings, ...(keyof RedisSettings)[]][] = [
  ['REDIS_SENTINELS', 'REDIS_SENTINEL_NAME'],
  ['REDIS_SENTINEL_NAME', 'REDIS_SENTINELS'],
  ['REDIS_SENTINEL_USERNAME', 'REDIS_SENTINEL_PASSWORD'],
  ['REDIS_SENTINEL_PASSWORD', 'REDIS_SENTINELS'],
  ['REDIS_DATABASE', 'REDIS_SENTINELS'],
  ['REDIS_USERNAME', 'REDIS_PASSWORD'],
  ['REDIS_PASSWORD', 'REDIS_SENTINELS', 'REDIS_CLUSTER_NODES'],
  ['REDIS_TLS', 'REDIS_SENTINELS', 'REDIS_CLUSTER_NODES'],
];

/** Reports each of these settings that conflicts with the others. */
export function checkRedisSettings(settings: RedisSettings, context: z.core.$RefinementCtx): void {
  const report = (setting: keyof RedisSettings, message: string) =>
    context.addIssue({ code: 'custom', path: [setting], message });
  const places = (['REDIS_URL', 'REDIS_SENTINELS', 'REDIS_CLUSTER_NODES'] as const).filter(
    (name) => settings[name] !== undefined,
  );
  const [first = '', ...others] = places;
  for (const more of others) report(more, m.start_setting_redis_either_or({ other: first }));
  for (const [setting, ...needed] of NEEDS) {
    if (settings[setting] === undefined || needed.some((name) => settings[name] !== undefined)) continue;
    const names = new Intl.ListFormat(currentLocale(), { type: 'disjunction' }).format(needed);
    report(setting, m.start_setting_redis_together({ names }));
  }
}

/** The Redis in the settings; nothing if they name none. */
export function redisAddress(settings: RedisSettings): RedisAddress | undefined {
  if (settings.REDIS_URL !== undefined) return serverOf(settings.REDIS_URL);
  const access = {
    username: settings.REDIS_USERNAME,
    password: settings.REDIS_PASSWORD,
    tls: settings.REDIS_TLS === 'on',
  };
  if (settings.REDIS_SENTINELS && settings.REDIS_SENTINEL_NAME !== undefined) {
    return {
      kind: 'sentinel',
      ...access,
      sentinels: settings.REDIS_SENTINELS,
      master: settings.REDIS_SENTINEL_NAME,
      database: settings.REDIS_DATABASE ?? 0,
      sentinelUsername: settings.REDIS_SENTINEL_USERNAME,
      sentinelPassword: settings.REDIS_SENTINEL_PASSWORD,
    };
  }
  return settings.REDIS_CLUSTER_NODES && { kind: 'cluster', ...access, nodes: settings.REDIS_CLUSTER_NODES };
}

function serverOf(text: string): RedisAddress | undefined {
  const [, scheme, username, password, host = '', database] =
    /^(rediss?):\/\/(?:([^:/?#]*):([^/?#]+)@)?([^@/?#]+)(?:\/(\d*))?$/i.exec(text) ?? [];
  const server = hostOf(host, DEFAULT_PORT);
  const number = databaseSchema.safeParse(database ?? 0);
  if (scheme === undefined || !server || !number.success) return undefined;
  try {
    return {
      kind: 'server',
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      tls: scheme.toLowerCase() === 'rediss',
      server,
      database: number.data,
    };
  } catch {
    // A % that stands for nothing.
    return undefined;
  }
}

function hostOf(text: string, defaultPort: number): RedisHost | undefined {
  const [, ipv6, name, digits] = /^(?:\[([^\]]*)\]|([\w.-]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = ipv6 !== undefined && isIPv6(ipv6) ? ipv6 : name;
  const port = Number(digits ?? defaultPort);
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : undefined;
}
