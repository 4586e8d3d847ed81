import { ageInShort, isoDay, relativeTime } from '../lib/dates.js';
import { titleCase } from '../lib/texts.js';
import { feeText } from './fees/money.js';
import { seriesText } from './catalogue/book-texts.js';
import { suggestedCurrency } from './time-and-money-fields.js';
import { loanDays, usageRules } from './house-rules.js';

describe('texts as they are shown', () => {
  // spec 9.10
  it('dates are yyyy-MM-dd', () => {
    expect(isoDay(new Date(2026, 2, 7, 12).toISOString())).toBe('2026-03-07');
  });

  it('relative times are found under the pointer', () => {
    const now = Date.parse('2026-11-21T12:00:00Z');
    expect(relativeTime('2026-11-18T11:00:00Z', now)).toBe('3 days ago');
    expect(relativeTime('2026-12-05T12:00:00Z', now)).toBe('in 2 weeks');
    expect(relativeTime('2026-11-21T11:59:40Z', now)).toBe('just now');
  });

  it('the age of data is short', () => {
    expect([0, 4_400, 61_000, 7_300_000].map(ageInShort)).toEqual(['0 s', '4 s', '1 min', '2 h']);
  });

  // spec 4.15, 9.10
  it('a fee is in PLN, or none', () => {
    expect([feeText(0), feeText(0.5), feeText(12)]).toEqual(['No fee', '0.50 PLN', '12.00 PLN']);
  });

  // spec 2.6
  it('the greeting is in title case', () => {
    expect([titleCase('admin'), titleCase('ANNA maria'), titleCase('łucja-ewa')]).toEqual([
      'Admin',
      'Anna Maria',
      'Łucja-Ewa',
    ]);
  });

  it.each([
    ['Harry Potter', '1', 'Harry Potter, volume 1'],
    ['Darkest Powers', '1-3', 'Darkest Powers, volumes 1-3'],
    ['The Selection', '0.4, 0.5', 'The Selection, volumes 0.4, 0.5'],
    ['A Song of Ice and Fire', '5, Part 1 of 2', 'A Song of Ice and Fire, volume 5, Part 1 of 2'],
    ['Penguin Classics', null, 'Penguin Classics'],
    [null, null, ''],
  ])('the series %s and volume %s are "%s"', (series, volume, words) => {
    expect(seriesText({ series, volume })).toBe(words);
  });

  it.each([
    ['pl-PL', 'Europe/Warsaw', 'PLN'],
    ['pl', 'Europe/Warsaw', 'PLN'],
    ['en-US@posix', 'UTC', 'PLN'],
    ['en-GB', 'Europe/London', 'GBP'],
    ['de-CH', 'Europe/Zurich', 'CHF'],
    ['de-AT', 'Europe/Vienna', 'EUR'],
    ['ja-JP', 'Asia/Tokyo', 'PLN'],
    ['en-US', 'America/New_York', 'USD'],
    ['en-US', 'Europe/Warsaw', 'PLN'],
  ])('the currency that a browser of %s in %s suggests is %s', (language, timeZone, currency) => {
    expect(suggestedCurrency(language, timeZone)).toBe(currency);
  });
});

/** As the server stamps the page. */
function served(loanDays: string, renewals: string): void {
  for (const [name, content] of Object.entries({ 'loan-days': loanDays, renewals })) {
    document.head.querySelector(`meta[name="lectern-${name}"]`)?.remove();
    const element = document.createElement('meta');
    element.name = `lectern-${name}`;
    element.content = content;
    document.head.append(element);
  }
}

const ofLoans = () => usageRules().filter((rule) => rule.startsWith('Books can be borrowed'));

describe('what the home page says of loans', () => {
  it('is the text of the specification by its rules, and where no server said anything', () => {
    const fixed = ['Books can be borrowed for at most 14 days, with renewal possible.'];
    expect(ofLoans()).toEqual(fixed);
    served('', '');
    expect(ofLoans()).toEqual(fixed);
    served('14', '2');
    expect(ofLoans()).toEqual(fixed);
  });

  it('has the numbers of the rules in force', () => {
    served('21', '1');
    expect(loanDays()).toBe(21);
    expect(ofLoans()).toEqual(['Books can be borrowed for at most 21 days, with renewal possible.']);
    served('1', '0');
    expect(ofLoans()).toEqual(['Books can be borrowed for at most 1 day.']);
  });
});
