import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { STANDING_LISTS, type SharedListBody, type ShownList } from '#contracts/lists/reading-lists.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { OwnedLists, readerWith, titleOf } from './owned-lists.js';
import { ListedBooks } from './listed-books.js';

const shownRow = z.object({
  id: z.uuid(),
  standing: z.enum(STANDING_LISTS).nullable(),
  name: z.string(),
  description: z.string(),
});

/** Links by which readers show a list to others. The database has a digest of their tokens alone. */
@Injectable()
export class SharedLists {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly lists: OwnedLists,
    private readonly books: ListedBooks,
  ) {}

  /**
   * Makes a link to a list; one that was made before ends.
   * @returns its token, which cannot be read again
   * @throws DomainError ListNotFound
   */
  async share(accountId: string, id: string): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.setDigest(accountId, id, digestOf(token));
    return token;
  }

  /** Ends the link, if there is one. @throws DomainError ListNotFound */
  end(accountId: string, id: string): Promise<void> {
    return this.setDigest(accountId, id, null);
  }

  /** What the link shows; undefined where it has ended, or never was one. Nothing says whose list it is. */
  async open({ token, ...page }: SharedListBody): Promise<ShownList | undefined> {
    const list = await queryRow(
      this.database,
      shownRow,
      'select id, standing, name, description from reading_list where share_digest = $1',
      [digestOf(token)],
    );
    if (!list) return undefined;
    const { items, totalCount } = await this.books.page(list.id, page);
    return {
      name: titleOf(list),
      description: list.description,
      items: items.map(({ book }) => book),
      totalCount,
    };
  }

  private setDigest(accountId: string, id: string, digest: Buffer | null): Promise<void> {
    return inTransaction(this.database, async (connection) => {
      await this.lists.lock(connection, readerWith(accountId), id);
      await connection.query('update reading_list set share_digest = $2 where id = $1', [id, digest]);
    });
  }
}

const digestOf = (token: string) => createHash('sha256').update(token).digest();
