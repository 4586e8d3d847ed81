import type { BookListItem } from '#contracts/catalogue/book-views.js';
import type { Queryable } from '#platform/database/database.js';

const CARDS = `
  select b.id, b.isbn, b.title, to_char(b.publication_date, 'YYYY-MM-DD') as "publicationDate",
    b.copies_available as "copiesAvailable", b.copies_total as "copiesTotal",
    case when b.photo_url is not null then json_build_object('url', b.photo_url) end as photo,
    json_build_object('id', p.id, 'name', p.name) as publisher,
    coalesce((
      select json_agg(json_build_object('id', a.id, 'firstname', a.firstname, 'lastname', a.lastname) order by ba.place, a.id)
      from book_author ba join author a on a.id = ba.author_id where ba.book_id = b.id), '[]') as authors,
    coalesce((
      select json_agg(json_build_object('id', g.id, 'name', g.name) order by bg.place, g.id)
      from book_genre bg join genre g on g.id = bg.genre_id where bg.book_id = b.id), '[]') as genres
  from unnest($1::integer[]) with ordinality wanted (id, place)
  join book b on b.id = wanted.id
  join publisher p on p.id = b.publisher_id
  order by wanted.place`;

/**
 * Reads the books as lists show them, in the order of the ids.
 * @param ids one page of them; a book that is gone meanwhile is left out
 */
export async function readBookCards(database: Queryable, ids: readonly number[]): Promise<BookListItem[]> {
  if (ids.length === 0) return [];
  const { rows } = await database.query<BookListItem>({ name: 'book-cards', text: CARDS, values: [ids] });
  return rows;
}
