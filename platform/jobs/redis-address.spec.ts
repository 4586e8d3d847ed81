import { readSettings } from '../settings.js';
import { redisAddress } from './redis-address.js';

const addressOf = (environment: NodeJS.ProcessEnv) => redisAddress(readSettings(environment));

describe('the address of Redis', () => {
  const one = (host: string, port = 6379, more: object = {}) => ({
    ...{ kind: 'server', server: { host, port }, database: 0, tls: false, ...more },
  });
  it.each([
    ['redis://cache', one('cache')],
    ['REDIS://cache/', one('cache')],
    ['rediss://cache_1.example:6380/3', one('cache_1.example', 6380, { database: 3, tls: true })],
    ['redis://[::1]', one('::1')],
    ['redis://[fe80::1]:7000', one('fe80::1', 7000)],
    ['redis://:s3cret@cache', one('cache', 6379, { password: 's3cret' })],
    [
      'redis://lec%40tern:a%2Fb%3Fc%23d%25%3Ae+f@cache',
      one('cache', 6379, { username: 'lec@tern', password: 'a/b?c#d%:e+f' }),
    ],
    ['redis://u:p:q@r@cache', one('cache', 6379, { username: 'u', password: 'p:q@r' })],
  ])('%s is one server', (text, expected) => {
    expect(addressOf({ REDIS_URL: text })).toEqual(expected);
  });

  it('is Sentinels, and the name by which they know the master', () => {
    expect(addressOf({ REDIS_SENTINELS: 'one, two:26380', REDIS_SENTINEL_NAME: 'mymaster' })).toEqual({
      kind: 'sentinel',
      sentinels: [
        { host: 'one', port: 26379 },
        { host: 'two', port: 26380 },
      ],
      master: 'mymaster',
      database: 0,
      tls: false,
    });
    expect(
      addressOf({
        REDIS_SENTINELS: '[::1]:1,h',
        REDIS_SENTINEL_NAME: 'my master',
        REDIS_SENTINEL_USERNAME: 's&u',
        REDIS_SENTINEL_PASSWORD: 'a+b==',
        REDIS_USERNAME: 'u',
        REDIS_PASSWORD: 'p,%20/@',
        REDIS_DATABASE: '2',
        REDIS_TLS: 'on',
      }),
    ).toEqual({
      kind: 'sentinel',
      sentinels: [
        { host: '::1', port: 1 },
        { host: 'h', port: 26379 },
      ],
      master: 'my master',
      database: 2,
      tls: true,
      username: 'u',
      password: 'p,%20/@',
      sentinelUsername: 's&u',
      sentinelPassword: 'a+b==',
    });
  });

  it('is some nodes of a cluster', () => {
    expect(addressOf({ REDIS_CLUSTER_NODES: 'one:7000,two:7001,three' })).toEqual({
      kind: 'cluster',
      nodes: [
        { host: 'one', port: 7000 },
        { host: 'two', port: 7001 },
        { host: 'three', port: 6379 },
      ],
      tls: false,
    });
    expect(addressOf({ REDIS_CLUSTER_NODES: '[2001:db8::1]', REDIS_PASSWORD: 'p', REDIS_TLS: 'on' })).toEqual(
      { kind: 'cluster', nodes: [{ host: '2001:db8::1', port: 6379 }], tls: true, password: 'p' },
    );
  });

  it('is none where no setting names one', () => {
    expect(addressOf({ REDIS_URL: '' })).toBeUndefined();
  });

  it.each([
    'http://zofia:s3cret@cache',
    'redis:cache',
    'redis://',
    'redis://:6379',
    'redis:///tmp/redis.sock',
    'redis://zofia:s3cret@',
    'redis://zofia:s3cret@ca che',
    'redis://cache:',
    'redis://cache:0',
    'redis://cache:65536',
    'redis://cache:s3cret',
    'redis://zofia:s3c/ret@cache',
    'redis://::1',
    'redis://[::1',
    'redis://[::1]7000',
    'redis://[s3cret]',
    'redis://one,two',
    'redis://cache/s3cret',
    'redis://cache/-1',
    'redis://cache/65536',
    'redis://cache/1/2',
    'redis://zofia@cache',
    'redis://zofia:@cache',
    'redis://:100%@cache',
    'redis://:%ff@cache',
    'redis://:s3#cret@cache',
    'redis://:s3?c?ret@cache',
    'redis://cache?password=s3cret',
  ])('%s is refused by its name and the rule alone', (text) => {
    const refused = () => readSettings({ REDIS_URL: text });
    expect(refused).toThrow(
      'REDIS_URL: must be redis://host, rediss://host (over TLS) or redis://user:password@host:6379/0',
    );
    expect(refused).not.toThrow(/s3cret|zofia|ca che/);
  });

  it.each([
    'redis+sentinel://:s3cret@one,two:26380/mymaster?sentinelPassword=s3cret',
    'rediss+cluster://zofia:s3cret@one:7000,two',
  ])('%s, as it was written once, is refused by the settings in its place', (text) => {
    const refused = () => readSettings({ REDIS_URL: text });
    expect(refused).toThrow(
      'REDIS_URL: names one server; Sentinels are named by REDIS_SENTINELS and REDIS_SENTINEL_NAME, a cluster by REDIS_CLUSTER_NODES',
    );
    expect(refused).not.toThrow(/s3cret|zofia|mymaster/);
  });

  const HOSTS = 'must be host or host:port with commas between them';
  const SENTINELS = { REDIS_SENTINELS: 'one', REDIS_SENTINEL_NAME: 'm' };
  const NODES = { REDIS_CLUSTER_NODES: 'one' };
  const SERVER = { REDIS_URL: 'redis://one' };
  it.each<[NodeJS.ProcessEnv, string]>([
    [{ ...SENTINELS, REDIS_SENTINELS: 'one,,two' }, `REDIS_SENTINELS: ${HOSTS}`],
    [{ ...SENTINELS, REDIS_SENTINELS: 's3cret@one' }, `REDIS_SENTINELS: ${HOSTS}`],
    [{ REDIS_CLUSTER_NODES: 'one,two,' }, `REDIS_CLUSTER_NODES: ${HOSTS}`],
    [{ REDIS_CLUSTER_NODES: 'one:65536' }, `REDIS_CLUSTER_NODES: ${HOSTS}`],
    [{ REDIS_CLUSTER_NODES: 'redis://one' }, `REDIS_CLUSTER_NODES: ${HOSTS}`],
    [{ ...SENTINELS, REDIS_DATABASE: 'x' }, 'REDIS_DATABASE: '],
    [{ ...SENTINELS, REDIS_DATABASE: '65536' }, 'REDIS_DATABASE: '],
    [{ ...SENTINELS, REDIS_TLS: 'yes' }, 'REDIS_TLS: '],
    [{ ...SENTINELS, REDIS_URL: 'redis://one' }, 'REDIS_SENTINELS: set either this or REDIS_URL, not both'],
    [
      { ...SENTINELS, REDIS_CLUSTER_NODES: 'one' },
      'REDIS_CLUSTER_NODES: set either this or REDIS_SENTINELS, not both',
    ],
    ...(
      [
        [{ REDIS_SENTINELS: 'one' }, 'REDIS_SENTINELS', 'REDIS_SENTINEL_NAME'],
        [{ REDIS_SENTINEL_NAME: 'm' }, 'REDIS_SENTINEL_NAME', 'REDIS_SENTINELS'],
        [{ ...SENTINELS, REDIS_USERNAME: 'zofia' }, 'REDIS_USERNAME', 'REDIS_PASSWORD'],
        [
          { ...SENTINELS, REDIS_SENTINEL_USERNAME: 'zofia' },
          'REDIS_SENTINEL_USERNAME',
          'REDIS_SENTINEL_PASSWORD',
        ],
        [{ ...NODES, REDIS_SENTINEL_PASSWORD: 's3cret' }, 'REDIS_SENTINEL_PASSWORD', 'REDIS_SENTINELS'],
        [{ ...NODES, REDIS_DATABASE: '1' }, 'REDIS_DATABASE', 'REDIS_SENTINELS'],
        [{ ...SERVER, REDIS_PASSWORD: 's3cret' }, 'REDIS_PASSWORD', 'REDIS_SENTINELS or REDIS_CLUSTER_NODES'],
        [{ ...SERVER, REDIS_TLS: 'on' }, 'REDIS_TLS', 'REDIS_SENTINELS or REDIS_CLUSTER_NODES'],
      ] as const
    ).map(([environment, name, other]): [NodeJS.ProcessEnv, string] => [
      environment,
      `${name}: has to be set together with ${other}`,
    ]),
  ])('%j is refused by the name of the setting and the rule', (environment, message) => {
    const refused = () => readSettings(environment);
    expect(refused).toThrow(message);
    expect(refused).not.toThrow(/s3cret|zofia/);
  });
});
