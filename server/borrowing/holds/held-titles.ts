import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import {
  Notifications,
  type CatalogueChange,
  type ReadModelChange,
} from '#platform/database/notifications.js';
import { queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';

/** So many titles more than twice as many as there were, and it is read anew which of them are held. */
const SLACK = 1_000;

/**
 * The titles for which somebody waits or has a copy kept, in memory: every return asks for its books, and hardly one is among
 * them. A title stays for a while when its last hold is over.
 */
@Injectable()
export class HeldTitles implements OnModuleInit, OnModuleDestroy {
  private titles: Set<number> | undefined;
  private most = 0;
  /** What is being read, and what changed meanwhile. */
  private reading: { changed: number[]; isStale: boolean } | undefined;
  private readonly onChange = ({ borrows, holds = [] }: ReadModelChange) =>
    borrows ? this.add(holds) : this.forget();
  /** A book that was merged has the holds of another. */
  private readonly onCatalogue = (change: CatalogueChange) => {
    if (change === 'everything') this.forget();
    else if (typeof change === 'object') this.add(change.books);
  };
  private readonly onGap = () => this.forget();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.notifications.on('readModels', this.onChange);
    this.notifications.on('catalogue', this.onCatalogue);
    this.notifications.on('gap', this.onGap);
  }

  onModuleDestroy(): void {
    this.notifications.off('readModels', this.onChange);
    this.notifications.off('catalogue', this.onCatalogue);
    this.notifications.off('gap', this.onGap);
  }

  /** Whether one of them may be held, as far as this process has heard. */
  mayInclude(bookIds: readonly number[]): boolean {
    if (this.titles) return bookIds.some((bookId) => this.titles?.has(bookId));
    // Whoever asks meanwhile does without.
    if (!this.reading) void this.read().catch(() => undefined);
    return true;
  }

  private async read(): Promise<void> {
    const reading = { changed: [] as number[], isStale: false };
    this.reading = reading;
    try {
      const rows = await queryRows(
        this.database,
        z.object({ bookId: z.int() }),
        `select distinct book_id as "bookId" from hold where state <> 'over'`,
      );
      if (reading.isStale) return;
      this.titles = new Set([...rows.map(({ bookId }) => bookId), ...reading.changed]);
      this.most = 2 * this.titles.size + SLACK;
    } finally {
      this.reading = undefined;
    }
  }

  private add(bookIds: readonly number[]): void {
    this.reading?.changed.push(...bookIds);
    for (const bookId of bookIds) this.titles?.add(bookId);
    if (this.titles && this.titles.size > this.most) this.forget();
  }

  private forget(): void {
    this.titles = undefined;
    if (this.reading) this.reading.isStale = true;
  }
}
