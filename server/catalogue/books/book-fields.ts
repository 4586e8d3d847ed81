/** The form's plain text fields. */
const PLAIN = [
  'isbn',
  'title',
  'originalTitle',
  'otherTitles',
  'description',
  'publicationDate',
  'copiesAvailable',
  'copiesBefore',
  'price',
  'series',
  'volume',
  'language',
  'kind',
  'version',
  'isbnConfirmed',
  'removeCover',
] as const;

const LISTED = /^(authors|genres)\[(\d{1,4})\]\.id$/;

/** Marks a repeated field: not a text, so the contract refuses it by name. */
type FieldValue = unknown;

/**
 * Makes the object that `bookBodySchema` validates of the flat names of the multipart form (specification, section
 * 7): `publisher.id`, `authors[i].id`, `genres[i].id`. The indices give the order and may have gaps; other names are
 * left aside. Nothing is ever stored under a name that the caller chose.
 * @param fields by their names
 */
export function bookOfFields(fields: Readonly<Record<string, FieldValue>>): Record<string, unknown> {
  const book: Record<string, unknown> = {};
  const lists = { authors: new Map<number, FieldValue>(), genres: new Map<number, FieldValue>() };
  for (const [name, value] of Object.entries(fields)) {
    const plain = PLAIN.find((known) => known === name);
    if (plain) book[plain] = typeof value === 'string' ? withPlainLines(value) : value;
    else if (name === 'publisher.id') book['publisher'] = { id: value };
    else addListed(lists, name, value);
  }
  for (const list of ['authors', 'genres'] as const) {
    const items = [...lists[list]].sort(([one], [other]) => one - other);
    if (items.length > 0) book[list] = items.map(([, id]) => ({ id }));
  }
  return book;
}

function addListed(
  lists: { authors: Map<number, FieldValue>; genres: Map<number, FieldValue> },
  name: string,
  value: FieldValue,
): void {
  const [, list, index] = LISTED.exec(name) ?? [];
  if (list !== 'authors' && list !== 'genres') return;
  const place = Number(index);
  // "[1]" and "[01]" are the same index: a repeated field.
  lists[list].set(place, lists[list].has(place) ? [lists[list].get(place), value] : value);
}

/** Forms end lines with CR LF; the catalogue stores LF. */
function withPlainLines(text: string): string {
  return text.replace(/\r\n/g, '\n');
}
