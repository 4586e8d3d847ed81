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
