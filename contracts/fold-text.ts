/**
 * A text as searches compare it: without case and accents, `Łódź` as `lodz`.
 * @param text anything a person typed or a title
 */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łøđßæœ]/g, (letter) => PLAIN[letter] ?? letter)
    .trim();
}

const PLAIN: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' };
