import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import { CatalogueCache } from '../catalogue-cache.js';
import { readIndex, type Watermark } from './index-reader.js';
import { WordIndex } from './word-index.js';

/** Milliseconds that a search waits for the index to take in changes; then it asks the database. */
const LONGEST_WAIT = 150;
/** Milliseconds between two takings-in that no search waits for. */
const IDLE_INTERVAL = 500;
/** Above this it would take more memory than a library's server should be asked for. */
const MAX_BOOKS = 5_000_000;

/**
 * The words of the catalogue in this process's memory, kept as new as the database. While it is being read, and
 * whenever it cannot keep up, there is none, and searches ask the database.
 */
@Injectable()
export class SearchIndex implements OnModuleInit, OnModuleDestroy {
  private index: WordIndex | undefined;
  private watermark: Watermark | undefined;
  private stale = true;
  private reading: Promise<void> | undefined;
  private closed = false;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    cache: CatalogueCache,
  ) {
    cache.onInvalidated(() => {
      this.stale = true;
      this.idle ??= setTimeout(() => {
        this.idle = undefined;
        void this.takeIn();
      }, IDLE_INTERVAL).unref();
    });
  }

  onModuleInit(): void {
    void this.takeIn();
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    clearTimeout(this.idle);
    await this.reading;
  }

  /** The index with everything that was committed before this call, or undefined: then the database is to be asked. */
  async current(): Promise<WordIndex | undefined> {
    if (!this.stale && !this.reading) return this.index;
    const isThere = this.index !== undefined;
    const taken = this.takeIn();
    if (!isThere) return undefined;
    await Promise.race([taken, sleep(LONGEST_WAIT, undefined, { ref: false })]);
    return this.stale || this.reading ? undefined : this.index;
  }

  private async takeIn(): Promise<void> {
    // What is under way may have begun before the change: another one has to follow it.
    while (this.stale && !this.closed) {
      this.reading ??= this.read().finally(() => (this.reading = undefined));
      const failed = await this.reading.then(
        () => false,
        (error: unknown) => {
          if (!this.closed) this.logger.warn({ error }, 'the search index could not be brought up to date');
          return true;
        },
      );
      if (failed) return;
    }
  }

  private async read(): Promise<void> {
    this.stale = false;
    const isNew = this.index === undefined || this.index.dead > this.index.size / 2 + 1000;
    const index = isNew || !this.index ? new WordIndex() : this.index;
    if (isNew) this.index = undefined;
    try {
      const read = await readIndex(
        this.database,
        index,
        isNew ? undefined : this.watermark,
        () => this.closed || index.size > MAX_BOOKS,
      );
      this.index = read && index;
      this.watermark = read?.watermark;
      if (!read && index.size <= MAX_BOOKS) this.stale = true;
    } catch (error) {
      this.stale = true;
      this.index = undefined;
      throw error;
    }
  }
}
