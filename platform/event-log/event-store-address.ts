/** Where EventStoreDB is and how it is spoken to: what an `EVENTSTORE_URL` says. */
export interface EventStoreAddress {
  /** One node, or several of a cluster that are asked who leads it. */
  hosts: { address: string; port: number }[];
  /** Whether the nodes are asked who leads, instead of the one host being taken as it is. */
  isCluster: boolean;
  tls: boolean;
  credentials?: { username: string; password: string };
  /** PEM files: the authority to trust, and a certificate of our own with its key. */
  caFile?: string;
  certificateFile?: string;
  keyFile?: string;
  options: EventStoreOptions;
}

/** What can be said behind the question mark besides files. Times in milliseconds, where nothing else is said. */
export interface EventStoreOptions {
  connectionName?: string;
  nodePreference?: (typeof PREFERENCES)[number];
  /** Between two signs of life that are asked for while a call is open. */
  keepAliveInterval: number;
  /** How long one may take before the connection counts as lost. */
  keepAliveTimeout: number;
  /** How often all hosts are asked for the leader before the calls that wait are told that it is away. */
  maxDiscoverAttempts: number;
  discoveryInterval: number;
  /** In seconds, as the client has it. */
  gossipTimeout: number;
}

const PREFERENCES = ['leader', 'follower', 'read_only_replica', 'random'] as const;
const DEFAULT_PORT = 2113;
/** Shorter intervals are what servers take for an attack. */
const SHORTEST_KEEP_ALIVE = 500;

/** The client's own wait four times longer for a leader, and twice as long for a sign of life. */
const DEFAULTS: EventStoreOptions = {
  keepAliveInterval: 10_000,
  keepAliveTimeout: 5_000,
  maxDiscoverAttempts: 3,
  discoveryInterval: 200,
  gossipTimeout: 2,
};

/**
 * Reads a connection string of EventStoreDB. We read it ourselves, as the official client prints the whole of it,
 * password and all, where it knows an option not, cuts a password at its first colon, and takes the first host
 * alone where several are to be asked.
 * @throws an Error that says what does not hold, and never the user or the password
 */
export function eventStoreAddress(url: string): EventStoreAddress {
  const [, scheme = '', rest = ''] =
    /^(?:esdb|kurrentdb)(\+discover)?:\/\/(.*)$/s.exec(url.trim()) ?? fail(FORM);
  const query = rest.indexOf('?');
  const authority = (query < 0 ? rest : rest.slice(0, query)).replace(/\/+$/, '');
  const at = authority.lastIndexOf('@');
  const hosts = authority
    .slice(at + 1)
    .split(',')
    .map(hostOf);
  const given = readOptions(query < 0 ? '' : rest.slice(query + 1));
  const tls = given.choice('tls', ['true', 'false']) !== 'false';
  if (given.choice('tlsverifycert', ['true', 'false']) === 'false') {
    fail('tlsVerifyCert=false cannot be had; name the authority of the certificate with tlsCAFile');
  }
  if (given.choice('throwonappendfailure', ['true', 'false']) === 'false') {
    fail('throwOnAppendFailure=false cannot be had');
  }
  const files = {
    caFile: given.text('tlscafile'),
    certificateFile: given.text('usercertfile'),
    keyFile: given.text('userkeyfile'),
  };
  if ((files.certificateFile === undefined) !== (files.keyFile === undefined)) {
    fail('userCertFile and userKeyFile are given together or not at all');
  }
  given.number('defaultdeadline', 1);
  const options: EventStoreOptions = {
    ...given.defined({
      connectionName: given.text('connectionname'),
      nodePreference: given.preference(),
    }),
    keepAliveInterval: given.keepAlive('keepaliveinterval') ?? DEFAULTS.keepAliveInterval,
    keepAliveTimeout: given.keepAlive('keepalivetimeout') ?? DEFAULTS.keepAliveTimeout,
    maxDiscoverAttempts: given.number('maxdiscoverattempts', 1) ?? DEFAULTS.maxDiscoverAttempts,
    discoveryInterval: given.number('discoveryinterval', 1) ?? DEFAULTS.discoveryInterval,
    gossipTimeout: given.number('gossiptimeout', 1) ?? DEFAULTS.gossipTimeout,
  };
  return {
    hosts,
    isCluster: scheme !== '' || hosts.length > 1,
    tls,
    ...(at >= 0 && { credentials: credentialsOf(authority.slice(0, at)) }),
    ...given.defined(files),
    options,
  };
}

const FORM = 'must be an esdb:// connection string';

function fail(reason: string): never {
  throw new Error(reason);
}

function hostOf(text: string): { address: string; port: number } {
  // The text is not told: where an @ is missing, it is the user and the password.
  const [, address = '', port] =
    /^([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(text.trim()) ?? fail(HOSTS);
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  if (number < 1 || number > 65_535) fail(HOSTS);
  return { address, port: number };
}

const HOSTS =
  'needs hosts as name or name:port, with commas between them; in user and password write ? and % as %3F and %25';

function credentialsOf(text: string): { username: string; password: string } {
  const colon = text.indexOf(':');
  const [username, password] = [text.slice(0, Math.max(colon, 0)), text.slice(colon + 1)];
  if (username === '' || password === '') fail('needs user and password as user:password before the @');
  try {
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return fail('has a % in user or password that stands for nothing; write it as %25');
  }
}

/** Known options, however their names are written: the client lets out hyphens, underscores and capitals. */
const OPTIONS = new Set(
  [
    ...[
      'tls',
      'tlsVerifyCert',
      'tlsCAFile',
      'userCertFile',
      'userKeyFile',
      'connectionName',
      'nodePreference',
    ],
    ...['keepAliveInterval', 'keepAliveTimeout', 'maxDiscoverAttempts', 'discoveryInterval', 'gossipTimeout'],
    ...['defaultDeadline', 'throwOnAppendFailure'],
  ].map((name) => name.toLowerCase()),
);

function readOptions(query: string) {
  const given = new Map<string, string>();
  for (const part of query.split('&').filter((each) => each !== '')) {
    const [name = '', ...value] = part.split('=');
    const key = name.replace(/[_-]/g, '').toLowerCase();
    if (!OPTIONS.has(key)) fail(/^\w{1,30}$/.test(name) ? `has an option that is not known: ${name}` : FORM);
    try {
      given.set(key, decodeURIComponent(value.join('=').trim()));
    } catch {
      fail(`${name} has a % that stands for nothing; write it as %25`);
    }
    if (given.get(key) === '') fail(`${name} has no value`);
  }
  const text = (key: string) => given.get(key);
  const number = (key: string, least: number): number | undefined => {
    const value = given.get(key);
    if (value === undefined) return undefined;
    return /^-?\d{1,9}$/.test(value) && Number(value) >= least
      ? Number(value)
      : fail(`${key} must be a whole number, ${least} or more`);
  };
  const choice = <Choice extends string>(key: string, choices: readonly Choice[]): Choice | undefined => {
    const value = given.get(key)?.toLowerCase();
    if (value === undefined) return undefined;
    return choices.find((each) => each === value) ?? fail(`${key} must be ${choices.join(' or ')}`);
  };
  return {
    text,
    number,
    choice,
    preference: () => {
      const value = given.get('nodepreference')?.replace(/[_-]/g, '').toLowerCase();
      if (value === undefined) return undefined;
      const found = PREFERENCES.find((each) => each.replaceAll('_', '') === value);
      return found ?? fail(`nodePreference must be ${PREFERENCES.join(' or ')}`);
    },
    /** -1 is how a connection string says never; then a lost connection would not be noticed. */
    keepAlive: (key: string) => number(key, SHORTEST_KEEP_ALIVE),
    defined: <Of extends object>(parts: Of) =>
      Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as {
        [Key in keyof Of]?: Exclude<Of[Key], undefined>;
      },
  };
}
