import { newRecoveryCodes, recoveryCodeDigest } from './recovery-codes.js';

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
