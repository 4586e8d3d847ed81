import type { BookSource } from '#contracts/catalogue/book-sources.js';
import { isbn10Of } from '../isbn.js';
import { bookOfMarc } from '../marc/book-fields.js';
import { parseMarcXml } from '../marc/marc-xml.js';
import { MarcDamaged } from '../marc/record.js';
import { ServiceFailed, type Asking, type FoundBook } from './book-service.js';
import { askXml } from './xml-answer.js';

type SruSource = Extract<BookSource, { kind: 'sru' }>;

/** Asks a library that answers SRU with MARCXML. A record that only mentions the number is another book's. */
export async function findBySru(
  { address, index, format }: SruSource,
  isbn: string,
  asking: Asking,
): Promise<FoundBook | undefined> {
  const query = [isbn, isbn10Of(isbn) ?? []]
    .flat()
    .map((number) => `${index}=${number}`)
    .join(' or ');
  const asked = {
    operation: 'searchRetrieve',
    version: '1.1',
    query,
    maximumRecords: '10',
    recordSchema: format,
  };
  const { records, texts } = await askXml('SRU', address, asked, asking);
  if (records.length === 0 && texts.has('diagnostic'))
    throw new ServiceFailed(texts.get('message') ?? texts.get('details') ?? texts.get('uri') ?? '');
  const book = records.flatMap(({ marc }) => bookOf(marc)).find(({ numbers }) => numbers.includes(isbn));
  return (
    book && {
      title: book.title,
      description: book.description,
      authors: book.authors.map(({ firstname, lastname }) =>
        [lastname, firstname].filter((part) => /\p{L}/u.test(part)).join(', '),
      ),
      genres: [...book.genres],
      publisher: book.publisher ?? '',
      published: book.published ?? '',
      language: book.language ?? '',
    }
  );
}

/** One that is damaged is none. */
function bookOf(marc: string | undefined) {
  try {
    return marc === undefined ? [] : [bookOfMarc(parseMarcXml(marc))];
  } catch (error) {
    if (error instanceof MarcDamaged) return [];
    throw error;
  }
}
