import { eventStoreAddress } from './event-store-address.js';

const SECRET = 'geheim';
const refusal = (url: string): string => {
  try {
    eventStoreAddress(url);
  } catch (error) {
    return (error as Error).message;
  }
  return 'not refused';
};

describe('the address of the event store', () => {
  it.each([
    ['esdb://localhost', [{ address: 'localhost', port: 2113 }], false, true],
    ['esdb://10.0.0.7:2114/?tls=false', [{ address: '10.0.0.7', port: 2114 }], false, false],
    ['esdb://[::1]:2113?tls=true', [{ address: '[::1]', port: 2113 }], false, true],
    [
      'kurrentdb://one,two:1?TLS=False',
      [
        { address: 'one', port: 2113 },
        { address: 'two', port: 1 },
      ],
      true,
      false,
    ],
    ['esdb+discover://cluster.lan', [{ address: 'cluster.lan', port: 2113 }], true, true],
    [
      'esdb+discover://a:1,b:2',
      [
        { address: 'a', port: 1 },
        { address: 'b', port: 2 },
      ],
      true,
      true,
    ],
  ])('reads %s', (url, hosts, isCluster, tls) => {
    expect(eventStoreAddress(url)).toMatchObject({ hosts, isCluster, tls });
  });

  it.each([
    ['a%3Ab%40c%2F%3F%23%25%C5%BC', 'a:b@c/?#%ż'],
    ['a:b@c', 'a:b@c'],
    ['a+b', 'a+b'],
    ['a/b#c', 'a/b#c'],
  ])('reads the password %s', (written, password) => {
    expect(eventStoreAddress(`esdb://lib%40rary:${written}@one:1,two:2?tls=true`)).toMatchObject({
      credentials: { username: 'lib@rary', password },
      hosts: [{ address: 'one' }, { address: 'two' }],
    });
  });

  it('has what is said behind the question mark, however its name is written, and else what is usual here', () => {
    const files = 'tlsCAFile=%2Fetc%2Fca%20one.pem&user_cert_file=c.pem&UserKeyFile=k.pem';
    const { caFile, certificateFile, keyFile, options } = eventStoreAddress(
      `esdb://h?${files}&keepAliveInterval=20000&node-preference=readOnlyReplica&connectionName=Library`,
    );
    expect([caFile, certificateFile, keyFile]).toEqual(['/etc/ca one.pem', 'c.pem', 'k.pem']);
    expect(options).toEqual({
      connectionName: 'Library',
      nodePreference: 'read_only_replica',
      keepAliveInterval: 20_000,
      keepAliveTimeout: 5_000,
      maxDiscoverAttempts: 3,
      discoveryInterval: 200,
      gossipTimeout: 2,
    });
  });

  it.each([
    ['http://localhost:2113', 'must be an esdb:// connection string'],
    ['esdb://', 'needs hosts'],
    ['esdb://one,,two', 'needs hosts'],
    ['esdb://one:70000', 'needs hosts'],
    ['esdb://one?tls=maybe', 'tls must be true or false'],
    ['esdb://one?tlsVerifyCert=false', 'tlsVerifyCert=false cannot be had'],
    ['esdb://one?throwOnAppendFailure=false', 'cannot be had'],
    ['esdb://one?keepAliveInterval=-1', 'keepAliveInterval must be a whole number, 500 or more'],
    ['esdb://one?keepAliveTimeout=soon', 'keepAliveTimeout must be a whole number'],
    ['esdb://one?userCertFile=c.pem', 'given together'],
    ['esdb://one?nodePreference=best', 'nodePreference must be leader or follower'],
    ['esdb://one?tlsCaFil=x', 'an option that is not known: tlsCaFil'],
    [`esdb://user:${SECRET}`, 'needs hosts'],
    [`esdb://user@${SECRET}.lan`, 'needs user and password'],
    [`esdb://user:${SECRET}%zz@one`, 'has a % in user or password'],
    [`esdb://user:${SECRET}?more@one`, 'needs hosts'],
    [`esdb://one?x=${SECRET}`, 'an option that is not known: x'],
    [`esdb://one?${SECRET}@two`, 'must be an esdb:// connection string'],
  ])('refuses %s, and says no password', (url, expected) => {
    const message = refusal(url);
    expect(message).toContain(expected);
    expect(message).not.toContain(SECRET);
  });
});
