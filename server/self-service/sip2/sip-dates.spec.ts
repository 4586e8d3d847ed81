import { dayOfSipDate, namesTransaction, sipDate } from './sip-dates.js';

const WARSAW = 'Europe/Warsaw';
const NOW = '2026-11-27T09:15:07.000Z';

describe('dates of the protocol', () => {
  it('are of the library’s clock', () => {
    expect(sipDate(NOW, WARSAW)).toBe('20261127    101507');
    expect(sipDate('2026-12-31T23:30:00.000Z', WARSAW)).toBe('20270101    003000');
  });

  it('have a day', () => {
    expect(dayOfSipDate('20261127    101507')).toBe('2026-11-27');
    expect(dayOfSipDate('20261127')).toBe('2026-11-27');
    for (const none of ['', ' '.repeat(18), '20261327    101507', '20260230', 'tomorrow']) {
      expect(dayOfSipDate(none)).toBeUndefined();
    }
  });

  it('name a transaction where the device’s clock runs', () => {
    const names = (text: string) => namesTransaction(text, NOW, WARSAW);
    expect(names('20261127    101507')).toBe(true);
    expect(names('20261127   Z091507')).toBe(true);
    expect(names('20261101    101507')).toBe(true);
    expect(names('20000101    000000')).toBe(false);
    expect(names('20261127')).toBe(false);
    expect(names(' '.repeat(18))).toBe(false);
  });
});
