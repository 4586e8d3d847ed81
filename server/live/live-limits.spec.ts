import { addressKey } from '../http/address-key.js';
import { ConnectionLimit, TokenBucket } from './live-limits.js';

describe('limits of the live socket', () => {
  it('let a burst through, then what comes in with time, for each key alone', () => {
    let now = 0;
    const throttle = new TokenBucket(3, 2, () => now);
    const taken = (key: string, times: number) =>
      Array.from({ length: times }, () => throttle.take(key)).filter(Boolean).length;
    expect([taken('a', 9), taken('b', 9)]).toEqual([3, 3]);
    now = 500;
    expect(taken('a', 9)).toBe(1);
    now = 3_600_000;
    expect(taken('a', 9)).toBe(3);
  });

  it('count connections until they are gone, once each', () => {
    const limit = new ConnectionLimit(2);
    const [first] = [limit.enter('a'), limit.enter('a')];
    expect([limit.allows('a'), limit.allows('b')]).toEqual([false, true]);
    first();
    first();
    expect(limit.allows('a')).toBe(true);
    limit.enter('a');
    expect(limit.allows('a')).toBe(false);
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8::5:6', '2001:db8:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
  ])('count %j as %j', (address, key) => expect(addressKey(address)).toBe(key));
});
