/** The language that the page is in. */
export const pageLanguage = () => document.documentElement.lang || 'en';

const grouped = new Intl.NumberFormat(pageLanguage());

/** "12,040" */
export const inGroups = (number: number) => grouped.format(number);

/** "1 event", "1,204 events" */
export const counted = (number: number, one: string, many: string) =>
  `${inGroups(number)} ${number === 1 ? one : many}`;

/** How much a list has: "1,204 authors", "2 authors for “lem”". */
export function countOf(total: number, [one, many]: readonly [string, string], term = ''): string {
  const things = counted(total, one, many);
  return term === '' ? things : `${things} for “${term}”`;
}

/** "anna maria" → "Anna Maria", as the greeting shows a username. */
export function titleCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/(^|[\s._-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}
