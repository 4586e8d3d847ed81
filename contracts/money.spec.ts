import { readLocaleBy } from '#words/locale.js';
import { CURRENCIES, currency, readCurrencyBy } from './currency.js';
import { money, moneyUnit } from './money.js';

describe('an amount', () => {
  afterEach(() => {
    readCurrencyBy(() => '');
    readLocaleBy(() => 'en');
  });
  const shown = (locale: 'en' | 'pl', code: string) => {
    readLocaleBy(() => locale);
    readCurrencyBy(() => code);
    return [money(1_250), moneyUnit()].map((text) => text.replaceAll('\u00a0', ' '));
  };

  it('is in PLN where the library has chosen nothing, or nothing that is known', () => {
    expect(shown('en', '')).toEqual(['12.50 PLN', 'PLN']);
    expect(shown('pl', 'XYZ')).toEqual(['12,50 zł', 'zł']);
  });

  it('is else in the currency of the library, as the language writes it', () => {
    expect(shown('en', 'EUR')).toEqual(['€12.50', '€']);
    expect(shown('pl', 'EUR')).toEqual(['12,50 €', '€']);
    expect(shown('pl', 'CZK')).toEqual(['12,50 CZK', 'CZK']);
  });

  it.each(CURRENCIES)('has two decimals in %s', (code) => {
    readCurrencyBy(() => code);
    expect(currency()).toBe(code);
    expect(money(5)).toMatch(/0\.05/);
  });
});
