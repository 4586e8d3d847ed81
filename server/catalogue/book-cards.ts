import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { firstDay } from '#contracts/catalogue/book-facts.js';
import { BOOK_KINDS } from '#contracts/rules/kinds.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { lruLimit } from '#platform/lru-limit.js';
import { CatalogueCache } from './catalogue-cache.js';

/** LRU cache size: some 15 MB. */
const MAX_CARDS = 20_000;

/** The part that does not change when a copy is lent. */
type Card = Omit<BookListItem, 'copiesAvailable'>;

const json = z.string().transform((text): unknown => JSON.parse(text));

const cardRow = z.object({
  id: z.int(),
  isbn: z.string(),
  title: z.string(),
  series: z.string().nullable(),
  volume: z.string().nullable(),
  published: z.string().nullable(),
  copiesAvailable: z.int(),
  copiesTotal: z.int(),
  kind: z.enum(BOOK_KINDS),
  photoUrl: z.string().nullable(),
  publisher: json.pipe(z.tuple([z.int(), z.string()])).nullable(),
  authors: z.array(json.pipe(z.tuple([z.int(), z.string(), z.string()]))),
  genres: z.array(json.pipe(z.tuple([z.int(), z.string()]))),
});
const copiesRow = z.object({ id: z.int(), copiesAvailable: z.int() });

// Arrays of small arrays: aggregating objects takes the database longer than finding the authors.
const CARDS = `
  select b.id, b.isbn, b.title, b.series, b.volume, b.published,
    b.copies_available as "copiesAvailable", b.copies_total as "copiesTotal", b.kind, b.photo_url as "photoUrl",
    case when p.id is not null then json_build_array(p.id, p.name)::text end as publisher,
    array(
      select json_build_array(a.id, a.firstname, a.lastname)::text
      from book_author ba join author a on a.id = ba.author_id
      where ba.book_id = b.id order by ba.place, a.id) as authors,
    array(
      select json_build_array(g.id, g.name)::text
      from book_genre bg join genre g on g.id = bg.genre_id
      where bg.book_id = b.id order by bg.place, g.id) as genres
  from book b left join publisher p on p.id = b.publisher_id
  where b.id = any($1::integer[])`;

/** Reads books for lists. */
@Injectable()
export class BookCards {
  private readonly known = new LRUCache<number, Card>(lruLimit(MAX_CARDS));
  private generation = 0;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    cache: CatalogueCache,
  ) {
    cache.onChanged((change) => {
      this.generation += 1;
      if (typeof change === 'object') for (const id of change.books) this.known.delete(id);
      else if (change === 'everything') this.known.clear();
    });
  }

  /**
   * Returns the books in the order of the ids, with the copies currently on the shelf.
   * @param ids one page of them; deleted books are left out
   */
  async read(ids: readonly number[]): Promise<BookListItem[]> {
    const known = new Map<number, Card>();
    for (const id of ids) {
      const card = this.known.get(id);
      if (card) known.set(id, card);
    }
    const unknown = ids.filter((id) => !known.has(id));
    const books = new Map<number, BookListItem>();
    await Promise.all([
      known.size > 0 && this.addCopies(known, books),
      unknown.length > 0 && this.readWhole(unknown, books),
    ]);
    return ids.flatMap((id) => books.get(id) ?? []);
  }

  private async addCopies(cards: ReadonlyMap<number, Card>, books: Map<number, BookListItem>): Promise<void> {
    const rows = await queryRows(this.database, copiesRow, {
      name: 'book-copies',
      text: 'select id, copies_available as "copiesAvailable" from book where id = any($1::integer[])',
      values: [[...cards.keys()]],
    });
    for (const { id, copiesAvailable } of rows) {
      const card = cards.get(id);
      if (card) books.set(id, { ...card, copiesAvailable });
    }
  }

  private async readWhole(ids: readonly number[], books: Map<number, BookListItem>): Promise<void> {
    const { generation } = this;
    const rows = await queryRows(this.database, cardRow, { name: 'book-cards', text: CARDS, values: [ids] });
    for (const row of rows) {
      const { copiesAvailable, ...card } = bookOf(row);
      books.set(row.id, { ...card, copiesAvailable });
      // Do not cache what was read before a change.
      if (generation === this.generation) this.known.set(row.id, card);
    }
  }
}

function bookOf(row: z.output<typeof cardRow>): BookListItem {
  const { authors, genres, publisher, photoUrl, ...plain } = row;
  return {
    ...plain,
    publicationDate: plain.published === null ? null : firstDay(plain.published),
    authors: authors.map(([id, firstname, lastname]) => ({ id, firstname, lastname })),
    genres: genres.map(([id, name]) => ({ id, name })),
    publisher: publisher && { id: publisher[0], name: publisher[1] },
    photo: photoUrl === null ? null : { url: photoUrl },
  };
}
