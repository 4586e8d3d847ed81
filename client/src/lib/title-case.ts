/** "anna maria" → "Anna Maria", as the greeting shows a username. */
export function titleCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/(^|[\s._-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}
