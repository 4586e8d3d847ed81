const ONES = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'],
  ...['twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const ROMAN = [
  ...['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x'],
  ...['xi', 'xii', 'xiii', 'xiv', 'xv', 'xvi', 'xvii', 'xviii', 'xix', 'xx'],
];
const ORDINALS = [
  ...['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'],
  ...['eleventh', 'twelfth'],
];
/** Larger ones are not written out. */
const LARGEST = 999_999;
/** A Roman numeral of one letter may be any word: it is not read as a number. */
const FIRST_ROMAN = 2;

/** A number among words, and how many of the words say it. */
interface SpokenNumber {
  value: number;
  length: number;
}

/**
 * The number that some words begin with, as the longest that can be read of them: `nineteen eighty four` is 1984,
 * `twenty thousand` is 20000, `one hundred and one` is 101.
 * @param words folded
 */
export function spokenNumber(words: readonly string[]): SpokenNumber | undefined {
  const year = spokenYear(words);
  let [total, below, length] = [0, -1, 0];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    const small = smallNumber(word);
    if (word === 'and' && below >= 100 && smallNumber(words[at + 1] ?? '') !== undefined) continue;
    if (small !== undefined && fits(below, small)) below = Math.max(below, 0) + small;
    else if (word === 'hundred' && below > 0 && below < 100) below *= 100;
    else if (word === 'thousand' && below > 0 && total === 0) [total, below] = [below * 1000, 0];
    else break;
    length = at + 1;
  }
  if (year && year.length >= length) return year;
  return length === 0 ? undefined : { value: total + Math.max(below, 0), length };
}

/**
 * How a number is written otherwise, each way as the words that it takes.
 * @param value a whole number
 */
export function writtenNumbers(value: number): string[][] {
  if (value > LARGEST) return [];
  const digits = String(value);
  const ways = [[digits], cardinal(value)];
  const roman = value >= FIRST_ROMAN ? ROMAN[value] : undefined;
  if (roman) ways.push([roman]);
  // Nobody says "nineteen five".
  if (value >= 1100 && value < 2000 && value % 100 >= 10) {
    ways.push([...cardinal(Math.floor(value / 100)), ...cardinal(value % 100)]);
  }
  // "20,000" is found by its parts.
  if (value >= 1000) ways.push([digits.slice(0, -3), digits.slice(-3)]);
  return ways;
}

/** The number that a word stands for by itself: digits, a Roman numeral of two letters or more, `3rd`, `third`. */
export function numberOf(word: string): number | undefined {
  if (/^\d{1,6}$/.test(word)) return Number(word);
  const counted = /^(\d{1,3})(?:st|nd|rd|th)$/.exec(word);
  if (counted) return Number(counted[1]);
  const roman = word.length > 1 ? ROMAN.indexOf(word) : -1;
  if (roman > 0) return roman;
  const ordinal = ORDINALS.indexOf(word);
  return ordinal > 0 ? ordinal : undefined;
}

function spokenYear([century = '', tens = '', ones = '']: readonly string[]): SpokenNumber | undefined {
  const [hundreds, rest, last] = [smallNumber(century), smallNumber(tens), smallNumber(ones)];
  if (hundreds === undefined || hundreds < 11 || hundreds > 20 || rest === undefined || rest < 10)
    return undefined;
  const isTwo = rest >= 20 && rest % 10 === 0 && last !== undefined && last > 0 && last < 10;
  return { value: hundreds * 100 + rest + (isTwo ? last : 0), length: isTwo ? 3 : 2 };
}

/** Below a hundred, as one word. */
function smallNumber(word: string): number | undefined {
  const ones = ONES.indexOf(word);
  if (ones >= 0) return ones;
  const tens = TENS.indexOf(word);
  return tens >= 2 ? tens * 10 : undefined;
}

/** Whether a small number may follow what was said: four after twenty or a hundred, not after eleven. */
function fits(said: number, small: number): boolean {
  if (said < 0) return true;
  if (said === 0) return small > 0;
  const rest = said % 100;
  return small > 0 && (rest === 0 || (rest >= 20 && rest % 10 === 0 && small < 10));
}

function cardinal(value: number): string[] {
  if (value < 20) return [ONES[value] as string];
  if (value < 100)
    return [TENS[Math.floor(value / 10)] as string, ...(value % 10 === 0 ? [] : cardinal(value % 10))];
  const unit = value < 1000 ? 100 : 1000;
  return [
    ...cardinal(Math.floor(value / unit)),
    unit === 100 ? 'hundred' : 'thousand',
    ...(value % unit === 0 ? [] : cardinal(value % unit)),
  ];
}
