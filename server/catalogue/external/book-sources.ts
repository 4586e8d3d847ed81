import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  harvestSchema,
  sourcesSchema,
  USUAL_SOURCES,
  type AskedSources,
  type BookSource,
  type BookSources,
  type Harvest,
  type SourceOutcome,
  type TriedSource,
} from '#contracts/catalogue/book-sources.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Database, type Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { millisecondsLeft } from '#platform/deadline.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, LOGGER, SETTINGS } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { ServiceFailed, type Asking, type FoundBook } from './book-service.js';
import { findAtGoogle } from './google-books.js';
import { OpenLibrary } from './open-library.js';
import { findBySru } from './sru.js';

/** Milliseconds below which it makes no sense to begin. */
const LEAST = 100;

const storedRow = z.object({
  version: z.int(),
  sources: sourcesSchema,
  changed_at: z.date().nullable(),
  changed_by: z.string().nullable(),
});
const USUAL = { version: 0, sources: [...USUAL_SOURCES], changed_at: null, changed_by: null };

type LookUp = Exclude<BookSource, { kind: 'oai-pmh' }>;
const isLookUp = (source: BookSource): source is LookUp => source.kind !== 'oai-pmh';

/** The sources that admins have named, in their order: changed here, and asked. */
@Injectable()
export class SourceList {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly clock: Clock,
  ) {}

  async view(): Promise<BookSources> {
    const { version, sources, changed_at, changed_by } = await this.stored();
    return {
      ...{ version, sources, changedAt: changed_at?.toISOString() ?? null, changedBy: changed_by },
      harvests: await this.harvests(),
    };
  }

  /** How each set was followed last; an import that was forgotten is none. */
  async harvests(): Promise<Harvest[]> {
    const rows = await queryRows(
      this.database,
      z.object({ harvest: harvestSchema }),
      `select jsonb_set(harvest, '{importId}', coalesce(to_jsonb(i.id), 'null')) as harvest
       from source_harvest left join marc_import i on i.id::text = harvest ->> 'importId'`,
    );
    return rows.map(({ harvest }) => harvest);
  }

  async stored(database: Queryable = this.database): Promise<z.output<typeof storedRow>> {
    const row = await queryRow(
      database,
      storedRow,
      `select s.version, s.sources, s.changed_at, a.fullname as changed_by
       from book_sources s left join account a on a.id = s.changed_by order by s.version desc limit 1`,
    );
    return row ?? USUAL;
  }

  /**
   * @param edited the version that was edited
   * @throws DomainError ConcurrentChange
   */
  async change(sources: readonly BookSource[], accountId: string, edited: number): Promise<BookSources> {
    await inTransaction(this.database, async (transaction) => {
      await transaction.query('lock table book_sources in share row exclusive mode');
      const { version, sources: before } = await this.stored(transaction);
      if (version !== edited) throw new DomainError('ConcurrentChange', m.library_changed_meanwhile());
      const named = sources.map((source) => ({ ...source, id: source.id ?? randomUUID() }));
      await transaction.query(
        'insert into book_sources (version, sources, changed_at, changed_by) values ($1, $2, $3, $4)',
        [version + 1, JSON.stringify(named), this.clock.now(), accountId],
      );
      // What is another set is followed from its beginning.
      const kept = named.filter((source) => before.some((each) => setOf(each) === setOf(source)));
      await transaction.query('delete from source_harvest where source_id <> all($1::uuid[])', [
        kept.map(({ id }) => id),
      ]);
    });
    return this.view();
  }

  /** Asks one source after the other, until one knows the book. */
  async find(isbn: string): Promise<{ found: FoundBook | undefined; asked: AskedSources }> {
    const { sources } = await this.stored();
    const asked: AskedSources = [];
    for (const source of sources.filter(isLookUp).filter(({ on }) => on)) {
      const { outcome, found } = await this.ask(source, isbn);
      asked.push({ name: source.name, outcome });
      if (found) return { found, asked };
    }
    return { found: undefined, asked };
  }

  /** Asks all at once, to see which of them work. */
  async try(isbn: string): Promise<TriedSource[]> {
    const { sources } = await this.stored();
    return Promise.all(
      sources.filter(isLookUp).map(async (source) => {
        const begun = performance.now();
        const { outcome, found } = await this.ask(source, isbn);
        const milliseconds = Math.round(performance.now() - begun);
        return { id: source.id ?? '', outcome, title: found?.title ?? '', milliseconds };
      }),
    );
  }

  /** How a source is asked: for no longer than its time, and nowhere in the library's own network but where the operator said so. */
  asking({ kind, timeLimit }: BookSource, ...signals: AbortSignal[]): Asking {
    const { PRIVATE_HOSTS, OPEN_LIBRARY_URL, GOOGLE_BOOKS_URL, GOOGLE_BOOKS_API_KEY } = this.settings;
    const set = {
      'open-library': OPEN_LIBRARY_URL,
      'google-books': GOOGLE_BOOKS_URL,
      sru: null,
      'oai-pmh': null,
    }[kind];
    return {
      signal: AbortSignal.any([AbortSignal.timeout(timeLimit), ...signals]),
      isNamed: ({ origin, hostname }) =>
        PRIVATE_HOSTS.includes(hostname) || (set !== null && origin === new URL(set).origin),
      ...(kind === 'google-books' &&
        GOOGLE_BOOKS_API_KEY && { headers: { 'x-goog-api-key': GOOGLE_BOOKS_API_KEY } }),
    };
  }

  private async ask(source: LookUp, isbn: string): Promise<{ outcome: SourceOutcome; found?: FoundBook }> {
    const timeLimit = Math.min(source.timeLimit, Math.floor(millisecondsLeft()));
    if (timeLimit < LEAST) return { outcome: 'skipped' };
    const asking = this.asking({ ...source, timeLimit });
    try {
      const found = await this.findAt(source, isbn, asking);
      return found ? { outcome: 'found', found } : { outcome: 'unknown' };
    } catch (error) {
      if (!(error instanceof ServiceFailed)) throw error;
      this.logger.warn(
        { reason: error.message, source: source.name },
        'a source of books gave no usable answer',
      );
      return { outcome: error.outcome };
    }
  }

  private findAt(source: LookUp, isbn: string, asking: Asking): Promise<FoundBook | undefined> {
    if (source.kind === 'sru') return findBySru(source, isbn, asking);
    if (source.kind === 'google-books') return findAtGoogle(this.settings.GOOGLE_BOOKS_URL, isbn, asking);
    return new OpenLibrary(this.settings.OPEN_LIBRARY_URL, asking).find(isbn);
  }
}

const setOf = (source: BookSource): string =>
  source.kind === 'oai-pmh' ? [source.id, source.address, source.format, source.set].join('\n') : '';
