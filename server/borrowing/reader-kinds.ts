import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { READER_KINDS, type ReaderKind } from '#contracts/rules/kinds.js';
import type { Database } from '#platform/database/database.js';
import { Notifications } from '#platform/database/notifications.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';

const MAX_READERS = 50_000;
/** How long a change may go unnoticed while notifications are down. */
const LONGEST_AGE_MS = 30_000;

const kindRow = z.object({ kind: z.enum(READER_KINDS) });

/** What readers are to the rules, of those who borrowed lately: so that hardly a command asks the database. */
@Injectable()
export class ReaderKinds implements OnModuleInit, OnModuleDestroy {
  private readonly known = new LRUCache<string, ReaderKind>({ max: MAX_READERS, ttl: LONGEST_AGE_MS });
  private generation = 0;
  private readonly onKind = (pseudonym: string) => {
    this.generation += 1;
    this.known.delete(pseudonym);
  };
  private readonly onGap = () => {
    this.generation += 1;
    this.known.clear();
  };

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.notifications.on('readerKinds', this.onKind);
    this.notifications.on('gap', this.onGap);
  }

  onModuleDestroy(): void {
    this.notifications.off('readerKinds', this.onKind);
    this.notifications.off('gap', this.onGap);
  }

  /**
   * What the reader is now; the first kind where there is no account any more.
   * @param readerId the reader's pseudonym
   */
  async of(readerId: string): Promise<ReaderKind> {
    const known = this.known.get(readerId);
    if (known !== undefined) return known;
    const { generation } = this;
    const row = await queryRow(this.database, kindRow, {
      name: 'kind-of-reader',
      text: 'select kind from account where pseudonym = $1',
      values: [readerId],
    });
    // What was read before a change is not kept.
    if (row && generation === this.generation) this.known.set(readerId, row.kind);
    return row?.kind ?? READER_KINDS[0];
  }
}
