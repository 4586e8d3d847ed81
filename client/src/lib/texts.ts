/** The language that the page is in. */
export const pageLanguage = () => document.documentElement.lang || 'en';

const grouped = new Intl.NumberFormat(pageLanguage());

/** "12,040" */
export const inGroups = (number: number) => grouped.format(number);

/** An amount as it is typed into a field: "0.50", "0,50" */
export const typedAmount = (amount: number) =>
  amount.toLocaleString(pageLanguage(), {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    useGrouping: false,
  });

/** "anna maria" → "Anna Maria", as the greeting shows a username. */
export function titleCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/(^|[\s._-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}
