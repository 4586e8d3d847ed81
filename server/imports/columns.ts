/** The file's first row names no columns that anything can be made of. */
export class InvalidHeader extends Error {}

/**
 * Where the fields of a file are, recognised by the names of its columns; unknown ones are ignored.
 * @param names of each field, in small letters and digits alone; the first known one wins where a file has several
 */
export function placesOf<Field extends string>(
  header: readonly string[],
  names: Record<Field, readonly string[]>,
): Partial<Record<Field, number>> {
  const written = header.map((name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  const places: Partial<Record<Field, number>> = {};
  for (const [field, known] of Object.entries(names) as [Field, readonly string[]][]) {
    const place = known.map((name) => written.indexOf(name)).find((at) => at >= 0);
    if (place !== undefined) places[field] = place;
  }
  return places;
}
