/** The language that the page is in. */
export const pageLanguage = () => document.documentElement.lang || 'en';

const grouped = new Intl.NumberFormat(pageLanguage());

/** "12,040" */
export const inGroups = (number: number) => grouped.format(number);

/** "anna maria" → "Anna Maria", as the greeting shows a username. */
export function titleCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/(^|[\s._-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}
