import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { READER_KINDS, type ReaderKind } from '#contracts/rules/kinds.js';
import type { Database } from '#platform/database/database.js';
import { NotifiedCache } from '#platform/database/notified-cache.js';
import { Notifications } from '#platform/database/notifications.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';

const MAX_READERS = 50_000;

const kindRow = z.object({ kind: z.enum(READER_KINDS) });

/** What readers are to the rules, of those who borrowed lately: so that hardly a command asks the database. */
@Injectable()
export class ReaderKinds extends NotifiedCache<ReaderKind> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    notifications: Notifications,
  ) {
    super(notifications, 'readerKinds', MAX_READERS);
  }

  /**
   * What the reader is now; the first kind where there is no account any more.
   * @param readerId the reader's pseudonym
   */
  async of(readerId: string): Promise<ReaderKind> {
    return (await this.get(readerId)) ?? READER_KINDS[0];
  }

  protected async read(readerId: string): Promise<ReaderKind | undefined> {
    const row = await queryRow(this.database, kindRow, {
      name: 'kind-of-reader',
      text: 'select kind from account where pseudonym = $1',
      values: [readerId],
    });
    return row?.kind;
  }
}
