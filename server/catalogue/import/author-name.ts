import type { AuthorName } from '../book-writer.js';

/** Follows a name and belongs to the last one. */
const SUFFIX = /^(?:jr|sr|ii|iii|iv|v|vi|xiv|ph\.?d|m\.?d)\.?$/i;
/** Begins a last name wherever it is written small: "Antoine de Saint-Exupéry". */
const PARTICLE =
  /^(?:van|von|vom|zu|zum|zur|de|der|den|del|della|dello|di|da|das|do|dos|du|des|la|le|las|los|ten|ter|te|af|av|bin|ibn|al|el|'t|d')$/;
/** Written large they do so only just before the last word: "Ursula K. Le Guin", not "Van Morrison". */
const LARGE_PARTICLE =
  /^(?:Van|Von|De|Der|Den|Del|Della|Di|Da|Du|La|Le|Las|Los|Ten|Ter|Mac|St\.?|Saint|San|El|Al)$/;

/** Stands for the first name of one who has a single name, since the catalogue asks for both. */
export const NO_FIRSTNAME = '—';

/**
 * Splits a name as it is printed on a book. "Lem, Stanisław" is taken by its comma; else the last word is the last
 * name, with the particles before it and a "Jr." after it.
 * @param printed a name, not blank
 */
export function splitAuthorName(printed: string): AuthorName {
  const name = printed.replace(/\s+/gu, ' ').trim();
  const comma = /^([^,]+), ([^,]+)$/.exec(name);
  if (comma?.[1] && comma[2] && !SUFFIX.test(comma[2])) return { firstname: comma[2], lastname: comma[1] };

  const words = name.split(' ');
  let start = words.length - 1;
  while (start > 1 && SUFFIX.test(words[start] ?? '')) start -= 1;
  const small = words.findIndex((word, at) => at > 0 && at < start && PARTICLE.test(word));
  if (small > 0) start = small;
  else while (start > 1 && LARGE_PARTICLE.test(words[start - 1] ?? '')) start -= 1;
  if (start === 0) return { firstname: NO_FIRSTNAME, lastname: name };
  return { firstname: words.slice(0, start).join(' '), lastname: words.slice(start).join(' ') };
}

/**
 * The authors of a cell: separated by semicolons, or by commas where there is no semicolon. Nobody twice.
 * @param cell may be blank
 */
export function authorsOf(cell: string): AuthorName[] {
  return distinct(cell.split(cell.includes(';') ? ';' : ','));
}

/**
 * The author of a cell that is for one alone, so that "Lem, Stanisław" is one person; several by semicolons.
 * @param cell may be blank
 */
export function authorOf(cell: string): AuthorName[] {
  return distinct(cell.split(';'));
}

function distinct(names: readonly string[]): AuthorName[] {
  const authors = new Map<string, AuthorName>();
  for (const name of names) {
    if (!/[\p{L}\p{N}]/u.test(name)) continue;
    const author = splitAuthorName(name);
    authors.set(`${author.firstname}\n${author.lastname}`, author);
  }
  return [...authors.values()];
}
