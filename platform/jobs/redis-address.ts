import { isIPv6 } from 'node:net';

/** One process of Redis, or a Sentinel. */
export interface RedisHost {
  host: string;
  port: number;
}

interface Access {
  username?: string;
  password?: string;
  /** Over TLS, also to the Sentinels. */
  tls: boolean;
}

/** What `REDIS_URL` names. */
export type RedisAddress = Access &
  (
    | { kind: 'server'; server: RedisHost; database: number }
    | {
        kind: 'sentinel';
        sentinels: RedisHost[];
        /** The name by which the Sentinels know the master. */
        master: string;
        database: number;
        sentinelUsername?: string;
        sentinelPassword?: string;
      }
    | { kind: 'cluster'; nodes: RedisHost[] }
  );

/** Says which rule an address breaks, and nothing of what it holds. */
export class RedisAddressError extends Error {}

const FORMS = /^(redis|rediss)(?:\+(sentinel|cluster))?:\/\//i;
const DEFAULT_PORT = 6379;
const DEFAULT_SENTINEL_PORT = 26379;
/** As many as a Redis can be told to have. */
const MAX_DATABASES = 65_536;
const SENTINEL_PARAMETERS = ['sentinelUsername', 'sentinelPassword'];

/**
 * Reads an address of Redis: `redis://[user:password@]host[:port][/database]`,
 * `redis+sentinel://[user:password@]host[:port],…/master[/database][?sentinelUsername=…&sentinelPassword=…]`, or
 * `redis+cluster://[user:password@]host[:port],…`; each with `rediss` in the place of `redis` for TLS.
 * @throws RedisAddressError
 */
export function parseRedisAddress(text: string): RedisAddress {
  const [form, scheme = '', kind] = FORMS.exec(text) ?? [];
  if (form === undefined) {
    throw new RedisAddressError(
      'must be a redis://, redis+sentinel:// or redis+cluster:// address, or one of these with rediss for TLS',
    );
  }
  const { userinfo, hosts, path, query } = split(text.slice(form.length));
  const access: Access = { ...credentials(userinfo), tls: scheme.toLowerCase() === 'rediss' };
  const parameters = readParameters(query);
  switch (kind?.toLowerCase() as 'sentinel' | 'cluster' | undefined) {
    case 'sentinel':
      return { kind: 'sentinel', ...access, ...sentinels(hosts, path), ...sentinelAccess(parameters) };
    case 'cluster':
      noParameters(parameters);
      if (path.some((part) => part !== '' && part !== '0')) {
        throw new RedisAddressError('must name no database: a cluster has one only');
      }
      return { kind: 'cluster', ...access, nodes: readHosts(hosts, DEFAULT_PORT) };
    case undefined:
      noParameters(parameters);
      return { kind: 'server', ...access, ...server(hosts, path) };
  }
}

/** What a text breaks of these rules, to be shown behind the setting's name; nothing when it holds. */
export function troubleOfRedisAddress(text: string): string | undefined {
  try {
    parseRedisAddress(text);
    return undefined;
  } catch (error) {
    if (error instanceof RedisAddressError) return error.message;
    throw error;
  }
}

function split(rest: string) {
  if (rest.includes('#')) {
    throw new RedisAddressError('must have no "#": in a password it is written %23');
  }
  const [beforeQuery = '', query, ...more] = rest.split('?');
  if (more.length > 0)
    throw new RedisAddressError('must have one "?" at most: in a password it is written %3F');
  const [authority = '', ...path] = beforeQuery.split('/');
  const at = authority.lastIndexOf('@');
  return {
    userinfo: at < 0 ? '' : authority.slice(0, at),
    hosts: authority.slice(at + 1).split(','),
    path,
    query: query ?? '',
  };
}

function credentials(userinfo: string): { username?: string; password?: string } {
  const colon = userinfo.indexOf(':');
  const username = decoded(colon < 0 ? userinfo : userinfo.slice(0, colon));
  const password = colon < 0 ? '' : decoded(userinfo.slice(colon + 1));
  if (username !== '' && password === '') {
    throw new RedisAddressError('must have a password where it has a user name, as in user:password@host');
  }
  return { ...(username !== '' && { username }), ...(password !== '' && { password }) };
}

function server(hosts: string[], path: string[]) {
  const [server, ...others] = readHosts(hosts, DEFAULT_PORT);
  if (!server || others.length > 0) {
    throw new RedisAddressError(
      'must name one host: several are for redis+sentinel:// and redis+cluster:// addresses',
    );
  }
  const [database, ...beyond] = path;
  if (beyond.length > 0) throw new RedisAddressError('must end with the number of the database');
  return { server, database: readDatabase(database) };
}

function sentinels(hosts: string[], path: string[]) {
  const [master, database, ...beyond] = path;
  if (!master) {
    throw new RedisAddressError(
      'must name the master behind the Sentinels, as in redis+sentinel://host/mymaster',
    );
  }
  if (beyond.length > 0)
    throw new RedisAddressError('must end with the master and the number of the database');
  return {
    sentinels: readHosts(hosts, DEFAULT_SENTINEL_PORT),
    master: decoded(master),
    database: readDatabase(database),
  };
}

function sentinelAccess(parameters: Map<string, string>) {
  if ([...parameters.keys()].some((name) => !SENTINEL_PARAMETERS.includes(name))) {
    throw new RedisAddressError(`knows no parameters but ${SENTINEL_PARAMETERS.join(' and ')}`);
  }
  const [sentinelUsername, sentinelPassword] = SENTINEL_PARAMETERS.map((name) => parameters.get(name) ?? '');
  if (sentinelUsername && !sentinelPassword) {
    throw new RedisAddressError('must have a sentinelPassword where it has a sentinelUsername');
  }
  return { ...(sentinelUsername && { sentinelUsername }), ...(sentinelPassword && { sentinelPassword }) };
}

function readHosts(texts: string[], defaultPort: number): RedisHost[] {
  return texts.map((text) => {
    const [, ipv6, name, port] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::([^:]*))?$/.exec(text) ?? [];
    if (ipv6 === undefined && name === undefined) {
      throw new RedisAddressError(
        'must be host or host:port between the commas, an IPv6 address in brackets, and a password percent-encoded',
      );
    }
    if (ipv6 !== undefined && !isIPv6(ipv6)) {
      throw new RedisAddressError('must have an IPv6 address between the brackets');
    }
    if (name !== undefined && !/^[\w.-]+$/.test(name)) {
      throw new RedisAddressError('must name each host by letters, digits, "-", "_" and "."');
    }
    return { host: ipv6 ?? name ?? '', port: port === undefined ? defaultPort : readPort(port) };
  });
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) {
    throw new RedisAddressError('must have ports between 1 and 65535, and a password percent-encoded');
  }
  return port;
}

function readDatabase(text = ''): number {
  if (text === '') return 0;
  if (!/^\d{1,5}$/.test(text) || Number(text) >= MAX_DATABASES) {
    throw new RedisAddressError('must name its database by a number');
  }
  return Number(text);
}

function readParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const each of query.split('&')) {
    if (each === '') continue;
    const equals = each.indexOf('=');
    const name = equals < 0 ? each : each.slice(0, equals);
    if (parameters.has(name)) throw new RedisAddressError('must have each parameter once');
    parameters.set(name, equals < 0 ? '' : decoded(each.slice(equals + 1)));
  }
  return parameters;
}

function noParameters(parameters: Map<string, string>): void {
  if (parameters.size > 0) throw new RedisAddressError('takes no parameters behind a "?"');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RedisAddressError('must be percent-encoded: "%" itself is written %25');
  }
}
