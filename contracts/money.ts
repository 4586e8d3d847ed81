import * as m from '#words/messages.js';

/**
 * An amount as it is shown: two decimals and the currency.
 * @param grosze what events, ledger and rules count in
 */
export function money(grosze: number): string {
  const [whole = '', hundredths = ''] = (grosze / 100).toFixed(2).split('.');
  return m.common_money({ whole, hundredths });
}

/** The grosze of an amount that a view gives in PLN; what a double cannot hold exactly is rounded away. */
export function groszeOf(pln: number): number {
  return Math.round(pln * 100);
}
