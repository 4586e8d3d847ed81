import { readSettings } from '../settings.js';
import { parseRedisAddress } from './redis-address.js';

describe('an address of Redis', () => {
  it.each([
    ['redis://cache', { server: { host: 'cache', port: 6379 }, database: 0, tls: false }],
    ['REDIS://cache/', { server: { host: 'cache', port: 6379 }, database: 0, tls: false }],
    [
      'rediss://cache_1.example:6380/3',
      { server: { host: 'cache_1.example', port: 6380 }, database: 3, tls: true },
    ],
    ['redis://[::1]', { server: { host: '::1', port: 6379 }, database: 0, tls: false }],
    ['redis://[fe80::1]:7000', { server: { host: 'fe80::1', port: 7000 }, database: 0, tls: false }],
    [
      'redis://:s3cret@cache',
      { server: { host: 'cache', port: 6379 }, database: 0, tls: false, password: 's3cret' },
    ],
    [
      'redis://lec%40tern:a%2Fb%3Fc%23d%25%3Ae+f@cache',
      {
        server: { host: 'cache', port: 6379 },
        database: 0,
        tls: false,
        username: 'lec@tern',
        password: 'a/b?c#d%:e+f',
      },
    ],
    [
      'redis://u:p:q@r@cache',
      { server: { host: 'cache', port: 6379 }, database: 0, tls: false, username: 'u', password: 'p:q@r' },
    ],
  ])('%s is one server', (text, expected) => {
    expect(parseRedisAddress(text)).toEqual({ kind: 'server', ...expected });
  });

  it.each([
    [
      'redis+sentinel://one,two:26380/mymaster',
      {
        sentinels: [
          { host: 'one', port: 26379 },
          { host: 'two', port: 26380 },
        ],
        master: 'mymaster',
        database: 0,
        tls: false,
      },
    ],
    [
      'rediss+sentinel://u:p%2C@[::1]:1,h/my%20master/2?sentinelUsername=s%26u&sentinelPassword=a+b%3D=',
      {
        sentinels: [
          { host: '::1', port: 1 },
          { host: 'h', port: 26379 },
        ],
        master: 'my master',
        database: 2,
        tls: true,
        username: 'u',
        password: 'p,',
        sentinelUsername: 's&u',
        sentinelPassword: 'a+b==',
      },
    ],
    [
      'redis+sentinel://one/m?sentinelPassword=x',
      {
        sentinels: [{ host: 'one', port: 26379 }],
        master: 'm',
        database: 0,
        tls: false,
        sentinelPassword: 'x',
      },
    ],
  ])('%s are Sentinels', (text, expected) => {
    expect(parseRedisAddress(text)).toEqual({ kind: 'sentinel', ...expected });
  });

  it.each([
    [
      'redis+cluster://one:7000,two:7001,three',
      {
        nodes: [
          { host: 'one', port: 7000 },
          { host: 'two', port: 7001 },
          { host: 'three', port: 6379 },
        ],
        tls: false,
      },
    ],
    [
      'rediss+cluster://:p@[2001:db8::1]/0',
      { nodes: [{ host: '2001:db8::1', port: 6379 }], tls: true, password: 'p' },
    ],
  ])('%s is a cluster', (text, expected) => {
    expect(parseRedisAddress(text)).toEqual({ kind: 'cluster', ...expected });
  });

  const ADDRESS = 'must be a redis://, redis+sentinel:// or redis+cluster:// address';
  const HOST = 'must name each host by letters';
  const PORT = 'must have ports between 1 and 65535';
  it.each([
    ['http://zofia:s3cret@cache', ADDRESS],
    ['redis:cache', ADDRESS],
    ['redis+magic://cache', ADDRESS],
    ['redis://', HOST],
    ['redis://:6379', HOST],
    ['redis:///tmp/redis.sock', HOST],
    ['redis://zofia:s3cret@', HOST],
    ['redis://zofia:s3cret@ca che', HOST],
    ['redis+cluster://one,,two', HOST],
    ['redis+cluster://one,two,', HOST],
    ['redis+sentinel:///mymaster', HOST],
    ['redis://cache:', PORT],
    ['redis://cache:0', PORT],
    ['redis://cache:65536', PORT],
    ['redis://cache:s3cret', PORT],
    ['redis://zofia:s3c/ret@cache', PORT],
    ['redis://::1', 'must be host or host:port between the commas, an IPv6 address in brackets'],
    ['redis://[::1', 'must be host or host:port between the commas'],
    ['redis://[::1]7000', 'must be host or host:port between the commas'],
    ['redis://[s3cret]', 'must have an IPv6 address between the brackets'],
    ['redis://one,two', 'must name one host: several are for redis+sentinel:// and redis+cluster://'],
    ['redis://cache/s3cret', 'must name its database by a number'],
    ['redis://cache/-1', 'must name its database by a number'],
    ['redis://cache/65536', 'must name its database by a number'],
    ['redis://cache/1/2', 'must end with the number of the database'],
    ['redis+sentinel://one/mymaster/x', 'must name its database by a number'],
    ['redis+sentinel://one/mymaster/1/2', 'must end with the master and the number of the database'],
    ['redis+sentinel://one', 'must name the master behind the Sentinels'],
    ['redis+sentinel://one/', 'must name the master behind the Sentinels'],
    ['redis+sentinel://one//1', 'must name the master behind the Sentinels'],
    ['redis+cluster://one/1', 'must name no database: a cluster has one only'],
    ['redis+cluster://one/mymaster', 'must name no database: a cluster has one only'],
    ['redis://zofia@cache', 'must have a password where it has a user name'],
    ['redis://zofia:@cache', 'must have a password where it has a user name'],
    ['redis://:100%@cache', 'must be percent-encoded: "%" itself is written %25'],
    ['redis://:%ff@cache', 'must be percent-encoded'],
    ['redis+sentinel://one/%E0%A4%A/1', 'must be percent-encoded'],
    ['redis://:s3#cret@cache', 'must have no "#": in a password it is written %23'],
    ['redis://:s3?c?ret@cache', 'must have one "?" at most'],
    ['redis://cache?password=s3cret', 'takes no parameters behind a "?"'],
    ['redis+cluster://one?sentinelPassword=s3cret', 'takes no parameters behind a "?"'],
    [
      'redis+sentinel://one/m?password=s3cret',
      'knows no parameters but sentinelUsername and sentinelPassword',
    ],
    [
      'redis+sentinel://one/m?sentinelUsername=zofia',
      'must have a sentinelPassword where it has a sentinelUsername',
    ],
    [
      'redis+sentinel://one/m?sentinelPassword=s3cret&sentinelPassword=s3cret',
      'must have each parameter once',
    ],
  ])('%s is refused by its name and the rule alone', (text, rule) => {
    const refused = () => readSettings({ REDIS_URL: text });
    expect(refused).toThrow(`REDIS_URL: ${rule}`);
    expect(refused).not.toThrow(/s3cret|zofia|ca che/);
  });
});
