import { createHash } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import type {
  SearchReport,
  SearchReportQuery,
  SearchWithoutResult,
} from '#contracts/catalogue/search-report.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import { forgetSearches, MAX_KEPT } from './forget-searches.js';
import { normalizedSearch } from './normalized-search.js';

/** Milliseconds between two writes of what was counted. */
const WRITTEN_EVERY = 60_000;
/** Minutes after which the same search is another occasion: before that, somebody may be typing it once more. */
const OCCASION = 30;
/** Texts that are counted in memory; further ones wait until those are written. */
const MAX_COUNTED = 2_000;
const DAY = 24 * 3_600_000;

interface Counted {
  times: number;
  corrected: number;
}

const viewRow = z
  .object({ text: z.string(), times: z.int(), corrected: z.int(), last_at: z.date() })
  .transform(({ text, times, corrected, last_at }): SearchWithoutResult => ({
    ...{ text, times, corrected },
    lastAt: last_at.toISOString(),
  }));
const countsRow = z.object({ kept: z.int(), once: z.int() });

const COUNT = `
  insert into search_without_result as present (digest, times, corrected, first_at, last_at)
  select digest, times, corrected, $5, $5
  from unnest($1::text[], $2::text[], $3::integer[], $4::integer[]) as c (digest, text, times, corrected)
  order by digest
  on conflict (digest) do update set times = present.times + excluded.times,
    corrected = present.corrected + excluded.corrected, last_at = greatest(present.last_at, excluded.last_at)`;

/** The text of what was known before, and is searched for once more after a while. */
const NAME = `
  update search_without_result known set text = c.text
  from unnest($1::text[], $2::text[]) as c (digest, text)
  where known.digest = c.digest and known.text is null
    and known.first_at < $3::timestamptz - make_interval(mins => ${OCCASION})`;

/**
 * Counts what is searched for and not found, so that librarians know what is missing. Who searched is not known here. Counting is
 * done in memory; the database hears of it once a minute, and of a text itself only when it is searched for on another occasion.
 */
@Injectable()
export class SearchesWithoutResult implements OnModuleInit, OnApplicationShutdown {
  private counted = new Map<string, Counted>();
  private forgotAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.write().then(() => this.forgetNowAndThen()), WRITTEN_EVERY);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  /** @param corrected whether other spellings of its words found something */
  count(term: string, corrected: boolean): void {
    const text = normalizedSearch(term);
    if (text === undefined) return;
    const known = this.counted.get(text);
    if (!known && this.counted.size >= MAX_COUNTED) return;
    this.counted.set(text, {
      times: (known?.times ?? 0) + 1,
      corrected: (known?.corrected ?? 0) + Number(corrected),
    });
  }

  /** The most frequent first, with what this process has counted until now. */
  async page({ pageNumber, pageSize }: SearchReportQuery): Promise<SearchReport> {
    await this.write();
    const [items, counts] = await Promise.all([
      this.list(pageSize, (pageNumber - 1) * pageSize),
      queryRow(
        this.database,
        countsRow,
        `select count(text)::integer as kept, (count(*) - count(text))::integer as once from search_without_result`,
      ),
    ]);
    return { items, totalCount: counts?.kept ?? 0, once: counts?.once ?? 0 };
  }

  /** All of them, in the same order. */
  async all(): Promise<SearchWithoutResult[]> {
    await this.write();
    return this.list(MAX_KEPT, 0);
  }

  private async forgetNowAndThen(): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - this.forgotAt < DAY) return;
    try {
      await forgetSearches(this.database, new Date(now));
      this.forgotAt = now;
    } catch (error) {
      this.logger.warn({ error }, 'old searches without a result could not be deleted; this is tried again');
    }
  }

  private list(limit: number, offset: number): Promise<SearchWithoutResult[]> {
    return queryRows(
      this.database,
      viewRow,
      `select text, times, corrected, last_at from search_without_result where text is not null
       order by times desc, last_at desc, digest limit $1 offset $2`,
      [limit, offset],
    );
  }

  /** One write after the other; what could not be written is counted on. */
  private write(): Promise<void> {
    this.writing = this.writing.then(() => this.writeCounted());
    return this.writing;
  }

  private async writeCounted(): Promise<void> {
    if (this.counted.size === 0) return;
    const counted = this.counted;
    this.counted = new Map();
    const texts = [...counted.keys()];
    const digests = texts.map(digestOf);
    const now = this.clock.now();
    try {
      await this.database.query(NAME, [digests, texts, now]);
      await this.database.query(COUNT, [
        digests,
        texts,
        [...counted.values()].map(({ times }) => times),
        [...counted.values()].map(({ corrected }) => corrected),
        now,
      ]);
    } catch (error) {
      this.logger.warn({ error }, 'searches without a result could not be counted; this is tried again');
      for (const [text, { times, corrected }] of counted) {
        const since = this.counted.get(text);
        this.counted.set(text, {
          times: times + (since?.times ?? 0),
          corrected: corrected + (since?.corrected ?? 0),
        });
      }
    }
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
