import type { Queryable } from '#platform/database/database.js';
import type { LabelSheet } from '../label-sheet.js';

/** A book as the inventory has it. */
export interface InventoryBook {
  id: number;
  isbn: string;
  title: string;
  authors: string[];
  genres: string[];
  publisher: string;
  year: number;
  copiesTotal: number;
  copiesAvailable: number;
}

const BOOKS = `
  select b.id, b.isbn, b.title, p.name as publisher, extract(year from b.publication_date)::integer as year,
    b.copies_total as "copiesTotal", b.copies_available as "copiesAvailable",
    array(
      select concat_ws(' ', nullif(a.firstname, ''), nullif(a.lastname, '')) from book_author ba join author a on a.id = ba.author_id
      where ba.book_id = b.id order by ba.place, a.id) as authors,
    array(
      select g.name from book_genre bg join genre g on g.id = bg.genre_id
      where bg.book_id = b.id order by bg.place, g.id) as genres
  from book b join publisher p on p.id = b.publisher_id`;
/** As the catalogue sorts by title. */
const BY_TITLE = 'order by b.title collate "pl-x-icu", b.id';

/** The whole catalogue, by title. */
export async function inventoryBooks(database: Queryable): Promise<InventoryBook[]> {
  return (await database.query<InventoryBook>(`${BOOKS} ${BY_TITLE}`)).rows;
}

/** The books whose copies get labels, by title. */
export async function labelledBooks(database: Queryable, sheet: LabelSheet): Promise<InventoryBook[]> {
  const { rows } = await database.query<InventoryBook>(
    `${BOOKS}
     where b.copies_total > 0 and ($1::integer[] is null or b.id = any($1))
       and ($2::date is null or b.created >= $2::date)
     ${BY_TITLE}`,
    [sheet.bookIds ?? null, sheet.addedSince ?? null],
  );
  return rows;
}
