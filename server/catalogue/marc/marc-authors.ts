import { MAX_AUTHORS } from '#contracts/catalogue/book-views.js';
import type { AuthorName } from '../book-writer.js';
import { NO_FIRSTNAME } from '../import/author-name.js';
import {
  anew,
  dataField,
  foldedLetters,
  isName,
  oneLine,
  withFields,
  withoutCardPunctuation,
} from './marc-fields.js';
import { dataFields, subfieldsOf, type DataField, type MarcRecord } from './record.js';

/** A relator that says something else than that they wrote it. */
const isByOthers = (field: DataField) => {
  const said = [...subfieldsOf(field, 'e'), ...subfieldsOf(field, '4')].map((text) => foldedLetters(text));
  return (
    said.length > 0 &&
    !said.some((text) => /^(aut|author|autor|cre|creator|jointauthor|autorka|wspolautor)/.test(text))
  );
};

/** Who wrote it: the main entry, and added ones that say nothing else. Bodies and editors only where nobody else did. */
function authorFields(record: MarcRecord): DataField[] {
  const named = dataFields(record, '100', '700').filter(
    (field) => subfieldsOf(field, 't').length === 0 && subfieldsOf(field, 'a').length > 0,
  );
  const writers = named.filter((field) => field.tag === '100' || !isByOthers(field));
  if (writers.length > 0) return writers;
  const bodies = dataFields(record, '110', '111').filter((field) => subfieldsOf(field, 'a').length > 0);
  return bodies.length > 0 ? bodies : named;
}

function nameOf(field: DataField): AuthorName {
  const [written = ''] = subfieldsOf(field, 'a');
  const numbered = [withoutCardPunctuation(written), ...subfieldsOf(field, 'b').map(withoutCardPunctuation)];
  const name = oneLine(numbered.join(' '));
  const comma = /^([^,]+), (.+)$/.exec(name);
  const isInverted = /^[17]00$/.test(field.tag) && !field.indicators.startsWith('0');
  return isInverted && comma?.[1] && comma[2]
    ? { firstname: comma[2], lastname: comma[1] }
    : { firstname: NO_FIRSTNAME, lastname: name };
}

/** By which one author is the same as another. */
export const authorKey = ({ firstname, lastname }: AuthorName) => foldedLetters(`${lastname} ${firstname}`);

/** Nobody twice. */
export function authorsOf(record: MarcRecord): AuthorName[] {
  const names = new Map<string, AuthorName>();
  for (const field of authorFields(record)) {
    const author = nameOf(field);
    if (isName(author.firstname + author.lastname) && !names.has(authorKey(author)))
      names.set(authorKey(author), author);
  }
  return [...names.values()].slice(0, MAX_AUTHORS);
}

/** The record with these authors: fields of those who stay are as they were. */
export function withAuthors(record: MarcRecord, authors: readonly AuthorName[]): MarcRecord {
  const present = authorFields(record);
  const fields = authors.map((author, at) => {
    const found = present.find((field) => authorKey(nameOf(field)) === authorKey(author));
    const tag = at === 0 ? '100' : '700';
    // Beside others, a body or an editor would not be read as an author any more.
    const isRead = found?.tag.endsWith('00') && (at === 0 || !isByOthers(found));
    if (found && isRead) return found.tag === tag ? found : { ...anew(found), tag };
    const { firstname, lastname } = author;
    return firstname === NO_FIRSTNAME
      ? dataField(tag, '0 ', ['a', `${lastname},`], ['e', 'author.'])
      : dataField(tag, '1 ', ['a', `${lastname}, ${firstname},`], ['e', 'author.']);
  });
  return withFields(record, (field) => present.includes(field as DataField), fields);
}
