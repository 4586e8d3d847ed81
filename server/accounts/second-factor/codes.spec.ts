import { newRecoveryCodes, newTotpSecret, recoveryCodeDigest, stepOfCode, totpForApps } from './codes.js';

const SECRET = Buffer.from('12345678901234567890', 'ascii');
const at = (seconds: number) => new Date(seconds * 1000);

describe('the codes of an app', () => {
  // RFC 6238, appendix B, SHA-1; of its eight digits the last six.
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('are those of RFC 6238 at %d seconds', (seconds, code) => {
    expect(stepOfCode(SECRET, code, at(seconds), -1)).toBe(Math.floor(seconds / 30));
  });

  it('are taken one step early or late, and no further', () => {
    const step = Math.floor(1111111109 / 30);
    expect(stepOfCode(SECRET, '081804', at((step - 1) * 30), -1)).toBe(step);
    expect(stepOfCode(SECRET, '081804', at((step + 1) * 30), -1)).toBe(step);
    expect(stepOfCode(SECRET, '081804', at((step - 2) * 30), -1)).toBeUndefined();
    expect(stepOfCode(SECRET, '081804', at((step + 2) * 30), -1)).toBeUndefined();
  });

  it('count once: not again in the same step, and none of an earlier step after a later one', () => {
    const step = Math.floor(1111111109 / 30);
    expect(stepOfCode(SECRET, '081804', at(1111111109), step)).toBeUndefined();
    expect(stepOfCode(SECRET, '081804', at(1111111109), step + 1)).toBeUndefined();
    expect(stepOfCode(SECRET, '081804', at(1111111109), step - 1)).toBe(step);
  });

  it('are six digits and nothing else', () => {
    for (const code of ['', '28708', '2870820', 'abcdef', '287 082'])
      expect(stepOfCode(SECRET, code, at(59), -1)).toBeUndefined();
  });

  it('come from a secret that an app reads by its address', () => {
    const { base32, uri } = totpForApps(SECRET, 'The library', 'anna');
    expect(base32).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(uri).toMatch(/^otpauth:\/\/totp\/The%20library:anna\?/);
    expect(new URL(uri).searchParams.get('secret')).toBe(base32);
    expect(newTotpSecret()).toHaveLength(20);
    expect(newTotpSecret().equals(newTotpSecret())).toBe(false);
  });
});

describe('recovery codes', () => {
  it('are ten different ones of 80 bits each', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
  });

  it('are the same however they are typed from paper', () => {
    const digest = recoveryCodeDigest('10ab-cdef-gh10-mnpq');
    for (const typed of ['10AB CDEF GH10 MNPQ', ' ioabcdefghlOmnpq ', '10ab–cdef–gh10–mnpq'])
      expect(recoveryCodeDigest(typed).equals(digest)).toBe(true);
    expect(recoveryCodeDigest('10ab-cdef-gh10-mnpr').equals(digest)).toBe(false);
  });
});
