import { currentLocale } from '#words/locale.js';
import * as m from '#words/messages.js';

/** Those in which a library may count. Each has hundredths, in which amounts are kept. */
export const CURRENCIES = [
  ...(['PLN', 'AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR'] as const),
  ...(['GBP', 'NOK', 'NZD', 'RON', 'SEK', 'USD'] as const),
] as const;
export type Currency = (typeof CURRENCIES)[number];

/** Of a library that has chosen none. */
export const USUAL_CURRENCY = 'PLN' satisfies Currency;

let readCurrency = (): string => USUAL_CURRENCY;

/** Before anything is counted. @param how may give nothing where the library has chosen none */
export function readCurrencyBy(how: () => string): void {
  readCurrency = how;
}

/** The one in which the library counts. */
export const currency = (): Currency => CURRENCIES.find((each) => each === readCurrency()) ?? USUAL_CURRENCY;

/**
 * An amount as it is shown: two decimals and the currency.
 * @param grosze what events, ledger and rules count in: hundredths of the library's currency
 */
export function money(grosze: number): string {
  if (currency() !== USUAL_CURRENCY) return formatted().format(grosze / 100);
  const [whole = '', hundredths = ''] = (grosze / 100).toFixed(2).split('.');
  return m.common_money({ whole, hundredths });
}

/** What stands beside a number that is an amount: "PLN", "€". */
export function moneyUnit(): string {
  if (currency() === USUAL_CURRENCY) return m.rules_unit_money();
  return (
    formatted()
      .formatToParts(0)
      .find(({ type }) => type === 'currency')?.value ?? currency()
  );
}

/** An amount as a file has it: what a spreadsheet reads as a number. */
export const plainAmount = (grosze: number) => (grosze / 100).toFixed(2);

const formats = new Map<string, Intl.NumberFormat>();

/** As the language writes the currency. */
function formatted(): Intl.NumberFormat {
  const [locale, of] = [currentLocale(), currency()];
  const known = formats.get(locale + of);
  if (known) return known;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: of });
  formats.set(locale + of, format);
  return format;
}

/** The grosze of an amount that a view gives in the library's currency; what a double cannot hold exactly is rounded away. */
export function groszeOf(amount: number): number {
  return Math.round(amount * 100);
}
