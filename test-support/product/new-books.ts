import { inTransaction, type Database } from '#platform/database/database.js';
import { writeBooks, type NewBook } from '../../server/catalogue/book-writer.js';

let numbered = 0;

/** Writes books; what is not given is filled in. */
export async function addNewBooks(
  database: Database,
  books: readonly Partial<NewBook>[],
): Promise<NewBook[]> {
  const complete = books.map((book) => {
    numbered += 1;
    return {
      isbn: `979${String(numbered).padStart(10, '0')}`,
      title: `Book ${numbered}`,
      description: '',
      authors: [{ firstname: 'Ada', lastname: 'Writer' }],
      genres: ['Various'],
      publisher: 'House',
      published: '2001-02-03',
      copies: 1,
      ...book,
    };
  });
  await inTransaction(database, (connection) => writeBooks(connection, complete));
  return complete;
}
