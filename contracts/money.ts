/**
 * An amount as it is shown: two decimals and the currency.
 * @param grosze what events, ledger and rules count in
 */
export function money(grosze: number): string {
  return `${(grosze / 100).toFixed(2)} PLN`;
}

/** The grosze of an amount that a view gives in PLN; what a double cannot hold exactly is rounded away. */
export function groszeOf(pln: number): number {
  return Math.round(pln * 100);
}
