import { suggestedCurrency } from './time-and-money-fields.js';

describe('the currency that a browser suggests', () => {
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
  ])('of %s in %s is %s', (language, timeZone, currency) => {
    expect(suggestedCurrency(language, timeZone)).toBe(currency);
  });
});
