import * as m from '#words/messages.js';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { EntityManager } from 'typeorm';
import { DomainError } from '#contracts/domain-error.js';
import type { Connection } from '#platform/database/database.js';
import { BookEntity } from '#platform/database/entities/catalogue.entity.js';
import { queryRows } from '#platform/database/query-rows.js';
import { CatalogueChanges } from '../catalogue-changes.js';

const MAX_NAMED = 3;
const lentRow = z.object({ title: z.string(), out: z.int() });

@Injectable()
export class DeleteBooksCommand {
  constructor(private readonly changes: CatalogueChanges) {}

  /**
   * Deletes books with their covers: all of them or none. Returns how many.
   * @throws DomainError BookNotFound; InUse while a copy of one is lent or held
   */
  delete(ids: readonly number[]): Promise<number> {
    const distinct = [...new Set(ids)];
    return this.changes.run(
      async (manager, connection) => {
        const books = await lockBooks(manager, distinct);
        if (books.length < distinct.length) throw notThere(distinct.length);
        await refuseLent(connection, distinct);
        await manager.delete(BookEntity, distinct);
        return distinct.length;
      },
      () => ({ books: distinct }),
    );
  }
}

/** Stronger than a rent's lock, in the same order: no rent can begin between the check and the deletion. */
function lockBooks(manager: EntityManager, ids: readonly number[]): Promise<BookEntity[]> {
  return manager
    .createQueryBuilder(BookEntity, 'book')
    .select('book.id')
    .where('book.id = any(:ids::bigint[])', { ids })
    .orderBy('book.id')
    .setLock('pessimistic_write')
    .getMany();
}

function notThere(count: number): DomainError {
  return new DomainError(
    'BookNotFound',
    count === 1 ? m.catalogue_book_gone() : m.catalogue_book_of_many_gone(),
  );
}

async function refuseLent(connection: Connection, ids: readonly number[]): Promise<void> {
  const rows = await queryRows(
    connection,
    lentRow,
    `select b.title, count(*)::integer as out from copy_allocation h join book b on b.id = h.book_id
     where h.book_id = any($1::bigint[]) and h.state <> 'released' group by b.id, b.title order by b.id`,
    [ids],
  );
  if (rows.length === 0) return;
  const named = rows
    .slice(0, MAX_NAMED)
    .map(({ title, out }) => m.catalogue_title_copies({ title, count: out }));
  const others = rows.length - named.length;
  if (others > 0) named.push(m.catalogue_other_books({ count: others }));
  throw new DomainError('InUse', m.catalogue_books_lent({ books: named.join(', ') }));
}
