import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import { CatalogueCache } from '../../catalogue-cache.js';
import type { CatalogueIndex } from './catalogue-index.js';
import { catchUp, readIndex, type IndexState } from './index-reader.js';

/**
 * How long a search waits for the index to catch up before it asks the database, in milliseconds. Catching up is one small statement: where
 * that is slow, a search of a large catalogue by the database is worse, and many of them keep it slow.
 */
const LONGEST_WAIT = 1500;
/** Delay before the index catches up although no search waits for it, in milliseconds. */
const IDLE_INTERVAL = 500;
/** A larger index would need more memory than a library's server should have to spare. */
const MAX_BOOKS = 10_000_000;

/**
 * The words and orders of the catalogue in the memory of this process, kept up to date with the database. While it loads, and
 * whenever it cannot keep up, there is no index, and searches ask the database.
 */
@Injectable()
export class SearchIndex implements OnModuleInit, OnModuleDestroy {
  private index: CatalogueIndex | undefined;
  private state: IndexState | undefined;
  private stale = true;
  private reading: Promise<void> | undefined;
  private closed = false;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly cache: CatalogueCache,
  ) {
    cache.onChanged((change) => {
      // Names that books have are told with their books.
      if (typeof change === 'string' && change !== 'everything') return;
      this.stale = true;
      this.idle ??= setTimeout(() => {
        this.idle = undefined;
        void this.catchUp();
      }, IDLE_INTERVAL).unref();
    });
  }

  onModuleInit(): void {
    void this.catchUp();
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    clearTimeout(this.idle);
    await this.reading;
  }

  /**
   * The index with everything that was committed before this call; undefined if the database has to be asked instead.
   * @param loadingWait how long to wait for an index that is being loaded, in milliseconds; not at all without it
   */
  async current(loadingWait = 0): Promise<CatalogueIndex | undefined> {
    if (!this.stale && !this.reading) return this.index;
    const wait = this.index === undefined ? loadingWait : Math.max(LONGEST_WAIT, loadingWait);
    const caughtUp = this.catchUp();
    if (wait === 0) return undefined;
    await Promise.race([caughtUp, sleep(wait, undefined, { ref: false })]);
    return this.stale || this.reading ? undefined : this.index;
  }

  /** Whether there will be an index, and is none yet. */
  isLoading(): boolean {
    return this.index === undefined && this.reading !== undefined;
  }

  private async catchUp(): Promise<void> {
    // A read that is under way may have started before the change: read again after it.
    while ((this.stale || this.reading) && !this.closed) {
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
    try {
      if (this.index && this.state && this.index.words.dead <= this.index.words.size / 2 + 1000) {
        await this.follow(this.index, this.state);
      } else {
        await this.load();
      }
    } catch (error) {
      this.stale = true;
      this.index = undefined;
      throw error;
    }
  }

  private async follow(index: CatalogueIndex, state: IndexState): Promise<void> {
    const { vocabulary } = index.words;
    this.state = await catchUp(this.database, index, state);
    if (!this.state) {
      this.index = undefined;
      this.stale = true;
    }
    if (index.words.vocabulary !== vocabulary) this.cache.forget('words');
  }

  private async load(): Promise<void> {
    this.index = undefined;
    const read = await readIndex(this.database, ({ words }) => this.closed || words.size > MAX_BOOKS);
    this.index = read?.index;
    this.state = read?.state;
    this.cache.forget('words');
  }
}
