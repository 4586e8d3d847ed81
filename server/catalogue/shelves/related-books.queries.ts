import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { SHELF_SIZE, type RelatedBooks } from '#contracts/catalogue/shelves.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { BookCards } from '../book-cards.js';

const relatedRow = z.object({
  authorId: z.int().nullable(),
  author: z.string().nullable(),
  byAuthor: z.array(z.int()),
  alsoBorrowed: z.array(z.int()),
});

/** A book of no series is not of the same series as another one. */
const OF_ANOTHER_SERIES = 'lower(other.series) is distinct from lower(book.series) or other.series is null';

const RELATED = `
  select author.id as "authorId", btrim(author.firstname || ' ' || author.lastname) as author,
    array(
      select other.id from book_author ba
      join book other on other.id = ba.book_id join book_search s on s.book_id = other.id
      where ba.author_id = author.id and other.id <> book.id and (${OF_ANOTHER_SERIES})
      order by s.level desc, other.id desc limit ${SHELF_SIZE}) as "byAuthor",
    array(
      select other.id from also_borrowed
      cross join unnest(also_borrowed.others) with ordinality listed (id, place) join book other on other.id = listed.id
      where also_borrowed.book_id = book.id and (${OF_ANOTHER_SERIES})
      order by listed.place limit ${SHELF_SIZE}) as "alsoBorrowed"
  from book left join lateral (
    select a.id, a.firstname, a.lastname from book_author ba join author a on a.id = ba.author_id
    where ba.book_id = book.id order by ba.place, a.id limit 1) author on true
  where book.id = $1::bigint`;

@Injectable()
export class RelatedBooksQueries {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly cards: BookCards,
  ) {}

  /**
   * `GET Book/:id/related`
   * @throws DomainError BookNotFound
   */
  async find(id: number): Promise<RelatedBooks> {
    const row = await queryRow(this.database, relatedRow, {
      name: 'related-books',
      text: RELATED,
      values: [id],
    });
    if (!row) throw new DomainError('BookNotFound', m.catalogue_book_not_there());
    const { authorId, author, byAuthor, alsoBorrowed } = row;
    const all = await this.cards.read([...new Set([...byAuthor, ...alsoBorrowed])]);
    const byId = new Map(all.map((book) => [book.id, book]));
    const there = (ids: readonly number[]): BookListItem[] => ids.flatMap((each) => byId.get(each) ?? []);
    return {
      moreBy: authorId === null ? null : { id: authorId, name: author ?? '', books: there(byAuthor) },
      alsoBorrowed: there(alsoBorrowed),
    };
  }
}
