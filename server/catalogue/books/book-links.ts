import type { Connection } from '#platform/database/database.js';

/** What a book refers to, each by its id, in the order of the form. */
export interface BookLinks {
  authors: readonly number[];
  genres: readonly number[];
  publisher: number;
}

/** Takes the ids of a form; one that is there twice keeps its first place. */
export function linksOf(body: {
  authors: readonly { id: number }[];
  genres: readonly { id: number }[];
  publisher: { id: number };
}): BookLinks {
  const distinct = (refs: readonly { id: number }[]) => [...new Set(refs.map(({ id }) => id))];
  return {
    authors: distinct(body.authors),
    genres: distinct(body.genres),
    publisher: body.publisher.id,
  };
}

/**
 * Sees to it that all of them are there and stay so until the transaction ends.
 * @returns messages by field for those that are not in the catalogue
 */
export async function holdLinks(connection: Connection, links: BookLinks): Promise<Record<string, string[]>> {
  const errors: Record<string, string[]> = {};
  const check = async (field: string, table: 'author' | 'genre' | 'publisher', ids: readonly number[]) => {
    const { rows } = await connection.query<{ id: number }>(
      `select id from ${table} where id = any($1::integer[]) order by id for key share`,
      [ids],
    );
    const found = new Set(rows.map(({ id }) => id));
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0) {
      errors[field] = [
        `There is no ${table} ${missing.join(', ')} in the catalogue any more. Choose another.`,
      ];
    }
  };
  await check('authors', 'author', links.authors);
  await check('genres', 'genre', links.genres);
  await check('publisher', 'publisher', [links.publisher]);
  return errors;
}

/** Gives the book these authors and genres, and touches nothing where it has them already. */
export async function writeLinks(connection: Connection, bookId: number, links: BookLinks): Promise<void> {
  await writeList(connection, bookId, 'author', links.authors);
  await writeList(connection, bookId, 'genre', links.genres);
}

async function writeList(
  connection: Connection,
  bookId: number,
  what: 'author' | 'genre',
  ids: readonly number[],
): Promise<void> {
  const present = await connection.query<{ id: number }>(
    `select ${what}_id as id from book_${what} where book_id = $1 order by place, ${what}_id`,
    [bookId],
  );
  if (present.rows.map(({ id }) => id).join() === ids.join()) return;
  await connection.query(`delete from book_${what} where book_id = $1`, [bookId]);
  await connection.query(
    `insert into book_${what} (book_id, ${what}_id, place)
     select $1, id, place - 1 from unnest($2::integer[]) with ordinality given (id, place)`,
    [bookId, ids],
  );
}
