/** The number of a card, as it is printed and scanned: 14 digits, the last of them a check digit. */
const CARD_NUMBER = /^2\d{13}$/;

/**
 * A scanned or typed text as the number of a card; blanks and hyphens between the digits do not matter.
 * @returns nothing for what is no card's number, or one with a slip in it
 */
export function readCardNumber(text: string): string | undefined {
  const number = text.replace(/[\s-]/g, '');
  return CARD_NUMBER.test(number) && hasCheckDigit(number) ? number : undefined;
}

/** Of cards from an earlier system, as they are printed: they go on to be scanned. */
const EARLIER_NUMBER = /^[0-9A-Z]{1,40}$/;

/**
 * A scanned or typed text as the number of a card that may come from an earlier system; blanks, hyphens and small letters do not
 * matter.
 * @returns nothing for what is on no card
 */
export function readAnyCardNumber(text: string): string | undefined {
  const number = text.replace(/[\s-]/g, '').toUpperCase();
  return EARLIER_NUMBER.test(number) ? number : undefined;
}

/** Whether a text has the look of a card's number, right or wrong: then it is no name. */
export function looksLikeCardNumber(text: string): boolean {
  return CARD_NUMBER.test(text.replace(/[\s-]/g, ''));
}

/** By Luhn, as the numbers of libraries' cards have it. */
function hasCheckDigit(number: string): boolean {
  const sum = [...number]
    .reverse()
    .map(Number)
    .reduce((before, digit, place) => {
      if (place % 2 === 0) return before + digit;
      return before + digit * 2 - (digit > 4 ? 9 : 0);
    }, 0);
  return sum % 10 === 0;
}

/** The number as people read it: "2481 0937 5526 14". */
export function spacedCardNumber(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ');
}
