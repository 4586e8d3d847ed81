import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { BorrowListQuery } from '#contracts/borrowing/borrow-views.js';
import { foldText } from '#contracts/fold-text.js';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import { catchUp, foldedForReaders, readIndex, type IndexState } from './index-reader.js';
import { MAX_WORDS, type QueueIndex, type SearchedWord } from './queue-index.js';

/** How long a page waits for the memory to catch up before it asks the database, in milliseconds. */
const LONGEST_WAIT = 1500;
/** More would need more memory than a library's server should have to spare. */
const MAX_BORROWS = 10_000_000;

/**
 * The queue in the memory of this process, read when somebody first looks at it, and brought up to date before each answer.
 * While it is being read, or cannot keep up, the database is asked instead; `docs/decisions/035-queue-in-memory.md`.
 */
@Injectable()
export class InMemoryQueue implements OnModuleDestroy {
  private known: { index: QueueIndex; state: IndexState } | undefined;
  private schema = '';
  private reading: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private isTooLarge = false;
  private closed = false;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    await this.reading;
  }

  /** Somebody looks at the queue and may search it soon. */
  prepare(schema: string): void {
    const isThere = this.known !== undefined && this.schema === schema;
    if (!isThere && !this.reading && !this.isTooLarge) void this.read(schema);
  }

  /**
   * The borrows of a page in their order, and how many the whole list has.
   * @param words those of the search; none for the whole list
   * @returns nothing if the database has to be asked
   */
  async page(
    schema: string,
    words: readonly string[],
    { SortBy, OrderBy, Direction, pageNumber, pageSize }: BorrowListQuery,
  ): Promise<{ ids: string[]; total: number } | undefined> {
    if (words.length > MAX_WORDS || this.isTooLarge) return undefined;
    const isThere = this.known !== undefined && this.schema === schema;
    const caughtUp = this.upToDate(schema);
    if (!isThere) return undefined;
    const [isInTime, folded] = await Promise.all([
      Promise.race([caughtUp.then(() => true), sleep(LONGEST_WAIT, false, { ref: false })]),
      foldedForReaders(this.database, words),
    ]);
    if (!isInTime || !this.known) return undefined;
    const { index } = this.known;
    const searched = words.map((word, at): SearchedWord => ({
      inTitles: foldText(word),
      inReaders: folded[at] ?? '',
    }));
    const found = index.found(searched, SortBy);
    const from = (pageNumber - 1) * pageSize;
    return {
      ids: index.page(found, OrderBy, Direction === 'Ascending', from, from + pageSize),
      total: found.length,
    };
  }

  /** Everything that was committed before the call is in memory when it ends; if not, there is no memory. */
  private upToDate(schema: string): Promise<void> {
    // What is being read now may have been begun before the change: all who come meanwhile wait for one more.
    if (this.reading) {
      return (this.next ??= this.reading.then(() => {
        this.next = undefined;
        return this.reading ?? this.read(schema);
      }));
    }
    return this.read(schema);
  }

  private read(schema: string): Promise<void> {
    this.reading = this.follow(schema)
      .catch((error: unknown) => {
        this.known = undefined;
        if (!this.closed) this.logger.warn({ error }, 'the queue in memory could not be brought up to date');
      })
      .finally(() => {
        this.reading = undefined;
      });
    return this.reading;
  }

  private async follow(schema: string): Promise<void> {
    const { known } = this;
    if (this.closed) return;
    if (known && this.schema === schema) {
      const state = await catchUp(this.database, schema, known.index, known.state);
      if (state) {
        this.known = { index: known.index, state };
        return;
      }
    }
    this.known = undefined;
    this.schema = schema;
    this.known = await readIndex(this.database, schema, ({ size }) => {
      this.isTooLarge = size > MAX_BORROWS;
      return this.closed || this.isTooLarge;
    });
  }
}
