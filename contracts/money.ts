import { currentLocale } from '#words/locale.js';
import * as m from '#words/messages.js';
import { currency, USUAL_CURRENCY } from './currency.js';

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
