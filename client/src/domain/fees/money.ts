/** An amount in PLN as it is shown: two decimals and the currency. */
export function plnText(amount: number): string {
  return `${amount.toFixed(2)} PLN`;
}

/** 'No fee' when 0, else the amount in PLN (specification, section 4). */
export function feeText(amount: number): string {
  return amount === 0 ? 'No fee' : plnText(amount);
}
