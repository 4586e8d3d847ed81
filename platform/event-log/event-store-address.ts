import { z } from 'zod';
import * as m from '#words/messages.js';

/** The address and the options of EventStoreDB, as `EVENTSTORE_URL` sets them. */
export type EventStoreAddress = ReturnType<typeof eventStoreAddress>;

const PREFERENCES = ['leader', 'follower', 'read_only_replica', 'random'] as const;
const DEFAULT_PORT = 2113;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Servers treat shorter intervals as an attack. */
const SHORTEST_KEEP_ALIVE = 500;

/** Of the option that a part of the address is. */
const nameOf = (path: PropertyKey[] = []) => path.join('.');

const flag = z
  .string()
  .toLowerCase()
  .pipe(
    z.enum(['true', 'false'], {
      error: ({ path }) => m.start_setting_esdb_boolean({ option: nameOf(path) }),
    }),
  )
  .transform((text) => text === 'true');

const wholeNumber = (least: number) =>
  z
    .string()
    .refine((text) => /^-?\d{1,9}$/.test(text) && Number(text) >= least, {
      error: ({ path }) => m.start_setting_esdb_whole_number({ option: nameOf(path), least }),
    })
    .transform(Number);

/**
 * Keep-alive in milliseconds, where the address does not say. The only sign of life that a quiet subscription gives: a cluster
 * has another node for it, and should not be waited for; a single node is better given time.
 */
const KEEP_ALIVE = {
  cluster: { keepAliveInterval: 2_000, keepAliveTimeout: 2_000 },
  node: { keepAliveInterval: 10_000, keepAliveTimeout: 5_000 },
};

/**
 * The options after the question mark, in milliseconds unless stated otherwise. The client's own defaults wait four
 * times longer for a leader, and two to four times as long for a keep-alive.
 */
const optionsSchema = z
  .object({
    tls: flag.default(true),
    tlsVerifyCert: flag
      .refine(Boolean, { error: () => m.start_setting_esdb_verify({ option: 'tlsVerifyCert' }) })
      .optional(),
    throwOnAppendFailure: flag
      .refine(Boolean, { error: () => m.start_setting_esdb_throw({ option: 'throwOnAppendFailure' }) })
      .optional(),
    /** PEM files: the trusted authority, and a client certificate with its key. */
    tlsCAFile: z.string().optional(),
    userCertFile: z.string().optional(),
    userKeyFile: z.string().optional(),
    /** The secret of the embedded event store, which every call then carries. */
    secretFile: z.string().optional(),
    connectionName: z.string().exactOptional(),
    nodePreference: z
      .string()
      .transform((text) => PREFERENCES.find((each) => flat(each) === flat(text)))
      .pipe(
        z.enum(PREFERENCES, {
          error: ({ path }) => m.start_setting_esdb_preference({ option: nameOf(path) }),
        }),
      )
      .exactOptional(),
    /** Keep-alive interval while a call is open. -1, for never, would hide a lost connection. */
    keepAliveInterval: wholeNumber(SHORTEST_KEEP_ALIVE).optional(),
    /** Keep-alive timeout, after which the connection counts as lost. */
    keepAliveTimeout: wholeNumber(SHORTEST_KEEP_ALIVE).optional(),
    /** How often all hosts are asked for the leader before the waiting calls fail. */
    maxDiscoverAttempts: wholeNumber(1).default(3),
    discoveryInterval: wholeNumber(1).default(200),
    /** In seconds, as the client has it. */
    gossipTimeout: wholeNumber(1).default(2),
    defaultDeadline: wholeNumber(1).optional(),
  })
  .refine(({ userCertFile, userKeyFile }) => (userCertFile === undefined) === (userKeyFile === undefined), {
    error: m.start_setting_esdb_certificate,
  });

/** Names of options are compared without case, hyphens and underscores, as in the client. */
const flat = (name: string) => name.replace(/[_-]/g, '').toLowerCase();
const OPTIONS = new Map(Object.keys(optionsSchema.shape).map((name) => [flat(name), name]));

/**
 * Parses a connection string of EventStoreDB. The official client's own parser will not do: at an unknown option it
 * prints the whole string with the password, it cuts a password at its first colon, takes `user@host` for a host, and
 * supports neither `kurrentdb://` nor IPv6.
 * @throws an Error that says what is wrong, and never the user or the password
 */
export function eventStoreAddress(url: string) {
  const [, discover, rest = ''] =
    /^(?:esdb|kurrentdb)(\+discover)?:\/\/(.*)$/s.exec(url.trim()) ?? fail(m.start_setting_esdb_form());
  const [authority = '', ...query] = rest.split('?');
  const at = authority.lastIndexOf('@');
  const hosts = authority
    .slice(at + 1)
    .replace(/\/+$/, '')
    .split(',')
    .map(hostOf);
  const options = optionsOf(query.join('?'));
  if (options.secretFile !== undefined && !hosts.every(({ address }) => LOOPBACK.has(address)))
    fail(m.start_setting_esdb_secret_file());
  const isCluster = discover !== undefined || hosts.length > 1;
  const { keepAliveInterval, keepAliveTimeout } = KEEP_ALIVE[isCluster ? 'cluster' : 'node'];
  return {
    /** One node, or several of a cluster. */
    hosts,
    /** Whether to discover the leader through the nodes, instead of using the one host as it is. */
    isCluster,
    ...(at >= 0 && { credentials: credentialsOf(authority.slice(0, at)) }),
    ...options,
    options: {
      ...options.options,
      keepAliveInterval: options.options.keepAliveInterval ?? keepAliveInterval,
      keepAliveTimeout: options.options.keepAliveTimeout ?? keepAliveTimeout,
    },
  };
}

function fail(reason: string): never {
  throw new Error(reason);
}

function hostOf(text: string): { address: string; port: number } {
  // Do not quote the text: without an @, it is the user and the password.
  const [, address = '', port = DEFAULT_PORT] =
    /^([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(text.trim()) ?? fail(m.start_setting_esdb_hosts());
  return Number(port) >= 1 && Number(port) <= 65_535
    ? { address, port: Number(port) }
    : fail(m.start_setting_esdb_hosts());
}

function credentialsOf(text: string): { username: string; password: string } {
  const [, username, password] = /^([^:]+):(.+)$/s.exec(text) ?? fail(m.start_setting_esdb_user());
  const wrong = m.start_setting_esdb_percent_user;
  return { username: decoded(username, wrong), password: decoded(password, wrong) };
}

function optionsOf(query: string) {
  const given: Record<string, string> = {};
  for (const part of query.split('&').filter((each) => each !== '')) {
    const [, written = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    const name = OPTIONS.get(flat(written));
    // An unknown name may be a part of a password.
    if (!name) {
      fail(
        /^\w{1,30}$/.test(written)
          ? m.start_setting_esdb_unknown_option({ option: written })
          : m.start_setting_esdb_form(),
      );
    }
    given[name] =
      decoded(value.trim(), () => m.start_setting_esdb_percent({ option: name })) ||
      fail(m.start_setting_esdb_no_value({ option: name }));
  }
  const { data, error } = optionsSchema.safeParse(given);
  const [issue] = error?.issues ?? [];
  if (!data) fail(issue?.message ?? '');
  const { tls, tlsCAFile, userCertFile, userKeyFile, secretFile, ...others } = data;
  // Options with a single allowed value need not be passed on; none of our calls uses a default deadline.
  const {
    tlsVerifyCert: _verify,
    throwOnAppendFailure: _throw,
    defaultDeadline: _deadline,
    ...options
  } = others;
  return { tls, caFile: tlsCAFile, certificateFile: userCertFile, keyFile: userKeyFile, secretFile, options };
}

function decoded(text = '', wrong: () => string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return fail(wrong());
  }
}
