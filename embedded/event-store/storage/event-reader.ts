import pg from 'pg';
import { z } from 'zod';
import { queryRows } from '#platform/database/query-rows.js';
import { COPIED_COLUMNS, copiedEvents, copyOut } from './copy-out.js';
import type { EventFilter } from './event-filter.js';
import { lastPosition } from './event-rows.js';
import { NO_EVENT, isMetastream, type RecordedEvent } from './recorded-event.js';
import { databaseFailure } from './store-error.js';
import {
  METASTREAM_METADATA,
  firstReadableRevision,
  type StreamMetadata,
  lastRevision,
  loadStreamStates,
} from './stream-state.js';

export type Direction = 'forwards' | 'backwards';

/** The part of a stream that can be read at this moment. */
export interface StreamWindow {
  /** The last revision; `NO_EVENT` for an empty one, `TOMBSTONE` for a deleted one. */
  last: bigint;
  /** The lowest revision that its metadata allows to read. */
  first: bigint;
  softDeleted: boolean;
  /** Milliseconds since 1970: older events have expired. */
  notBefore: number;
}

/** A part of the whole log. */
export interface LogPage {
  events: RecordedEvent[];
  /** Forwards: everything up to this position was examined. Backwards: everything from it on. */
  examined: bigint;
}

// How many events one query examines by name if no index fits the filter.
const SCAN_WINDOW = 4096n;
const nameRow = z.object({ position: z.string(), stream: z.string(), type: z.string() });

/** Reads events from the table, a page at a time, each page by a key and never by an offset. */
export class EventReader {
  readonly #database: pg.Pool;

  constructor(database: pg.Pool) {
    this.#database = database;
  }

  /** The position of the last event. @throws StoreError */
  async lastPosition(): Promise<bigint> {
    return this.#guard(() => lastPosition(this.#database));
  }

  /** @throws StoreError */
  async streamWindow(stream: string): Promise<StreamWindow> {
    const states = await this.#guard(() => loadStreamStates(this.#database, [stream]));
    const [state] = [...states.values()];
    if (!state) return { last: NO_EVENT, first: 0n, softDeleted: false, notBefore: 0 };
    const metadata: StreamMetadata = isMetastream(stream) ? METASTREAM_METADATA : state.metadata;
    const last = lastRevision(state, stream);
    return {
      last,
      first: firstReadableRevision(metadata, last),
      softDeleted: metadata.softDeleted,
      notBefore: metadata.maxAge === undefined ? 0 : Date.now() - metadata.maxAge * 1000,
    };
  }

  /**
   * Events of one stream with revisions from `low` to `high`, both included.
   * @throws StoreError
   */
  async streamPage(
    stream: string,
    direction: Direction,
    low: bigint,
    high: bigint,
    notBefore: number,
    limit: number,
    afterPosition = 0n,
  ): Promise<RecordedEvent[]> {
    if (low > high) return [];
    const since = notBefore > 0 ? `and created >= '${new Date(notBefore).toISOString()}'` : '';
    return this.#events(
      `stream = ${pg.escapeLiteral(stream)} and revision between ${low} and ${high}
       ${since} and position > ${afterPosition} order by revision ${sqlOrder(direction)} limit ${limit}`,
    );
  }

  /**
   * Events of the whole log, forwards: positions after `after` and up to `lruLimit`.
   * @throws StoreError
   */
  async logForwards(
    after: bigint,
    upTo: bigint,
    filter: EventFilter | undefined,
    limit: number,
  ): Promise<LogPage> {
    return this.#logPage('forwards', after + 1n, upTo, filter, limit);
  }

  /**
   * Events of the whole log, backwards: positions before `before`.
   * @throws StoreError
   */
  async logBackwards(before: bigint, filter: EventFilter | undefined, limit: number): Promise<LogPage> {
    return this.#logPage('backwards', 1n, before - 1n, filter, limit);
  }

  async #logPage(
    direction: Direction,
    low: bigint,
    high: bigint,
    filter: EventFilter | undefined,
    limit: number,
  ): Promise<LogPage> {
    if (low > high) return { events: [], examined: direction === 'forwards' ? high : low };
    if (!filter) return this.#wholePage(direction, low, high, limit);
    if (filter.categories) return this.#categoryPage(direction, low, high, filter, filter.categories, limit);
    return this.#scannedPage(direction, low, high, filter, limit);
  }

  async #wholePage(direction: Direction, low: bigint, high: bigint, limit: number): Promise<LogPage> {
    const events = await this.#events(
      `position between ${low} and ${high} order by position ${sqlOrder(direction)} limit ${limit}`,
    );
    return { events, examined: examinedTo(direction, low, high, events, limit) };
  }

  /** One index range for each category. */
  async #categoryPage(
    direction: Direction,
    low: bigint,
    high: bigint,
    filter: EventFilter,
    categories: readonly string[],
    limit: number,
  ): Promise<LogPage> {
    const pages = await Promise.all(
      categories.map((category) =>
        this.#events(
          `split_part(stream, '-', 1) = ${pg.escapeLiteral(category)} and position between ${low} and ${high}
           order by position ${sqlOrder(direction)} limit ${limit}`,
        ),
      ),
    );
    const sign = direction === 'forwards' ? 1 : -1;
    const events = pages
      .flat()
      .sort((a, b) => (a.position < b.position ? -sign : sign))
      .slice(0, limit);
    return {
      events: events.filter((event) => filter.matches(event)),
      examined: examinedTo(direction, low, high, events, limit),
    };
  }

  /** Examines the names in a window of the log, then fetches the matches. */
  async #scannedPage(
    direction: Direction,
    low: bigint,
    high: bigint,
    filter: EventFilter,
    limit: number,
  ): Promise<LogPage> {
    const forwards = direction === 'forwards';
    const from = forwards || high - low < SCAN_WINDOW ? low : high - SCAN_WINDOW + 1n;
    const to = forwards && high - low >= SCAN_WINDOW ? low + SCAN_WINDOW - 1n : high;
    const rows = await this.#guard(() =>
      queryRows(
        this.#database,
        nameRow,
        `select position, stream, type from eventstore.event where position between $1 and $2
         order by position ${sqlOrder(direction)}`,
        [from, to],
      ),
    );
    const positions = rows
      .filter((row) => filter.matches(row))
      .slice(0, limit)
      .map(({ position }) => position);
    if (positions.length === 0) return { events: [], examined: forwards ? to : from };
    const events = await this.#events(
      `position = any('{${positions.join()}}') order by position ${sqlOrder(direction)}`,
    );
    return { events, examined: examinedTo(direction, from, to, events, limit) };
  }

  /** @param where a condition, and what comes after it: numbers, and escaped texts */
  async #events(where: string): Promise<RecordedEvent[]> {
    const select = `select ${COPIED_COLUMNS} from eventstore.event where ${where}`;
    return copiedEvents(await this.#guard(() => copyOut(this.#database, select)));
  }

  async #guard<T>(query: () => Promise<T>): Promise<T> {
    try {
      return await query();
    } catch (error) {
      throw databaseFailure(error);
    }
  }
}

function sqlOrder(direction: Direction): string {
  return direction === 'forwards' ? 'asc' : 'desc';
}

/** A full page ends at its last event; one that is not full has seen the whole range. */
function examinedTo(
  direction: Direction,
  low: bigint,
  high: bigint,
  events: readonly RecordedEvent[],
  limit: number,
): bigint {
  const last = events.at(-1);
  if (last && events.length >= limit) return last.position;
  return direction === 'forwards' ? high : low;
}
