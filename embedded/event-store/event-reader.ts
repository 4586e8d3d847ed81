import { z } from 'zod';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { EventFilter } from './event-filter.js';
import { EVENT_COLUMNS, eventRow, lastPosition, toRecordedEvent } from './event-rows.js';
import { NO_EVENT, isMetastream, type RecordedEvent } from './recorded-event.js';
import { databaseFailure } from './store-error.js';
import { METASTREAM_METADATA, firstReadableRevision, type StreamMetadata } from './stream-metadata.js';
import { lastRevision, loadStreamStates } from './stream-state.js';

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
  readonly #database: Queryable;

  constructor(database: Queryable) {
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
    return this.#events(
      `select ${EVENT_COLUMNS} from eventstore.event
       where stream = $1 and revision between $2 and $3 and created >= $4 and position > $5
       order by revision ${sqlOrder(direction)} limit $6`,
      [stream, low, high, new Date(notBefore).toISOString(), afterPosition, limit],
    );
  }

  /**
   * Events of the whole log, forwards: positions after `after` and up to `upTo`.
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
      `select ${EVENT_COLUMNS} from eventstore.event where position between $1 and $2
       order by position ${sqlOrder(direction)} limit $3`,
      [low, high, limit],
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
          `select ${EVENT_COLUMNS} from eventstore.event
           where split_part(stream, '-', 1) = $1 and position between $2 and $3
           order by position ${sqlOrder(direction)} limit $4`,
          [category, low, high, limit],
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
      `select ${EVENT_COLUMNS} from eventstore.event where position = any($1::bigint[])
       order by position ${sqlOrder(direction)}`,
      [positions],
    );
    return { events, examined: examinedTo(direction, from, to, events, limit) };
  }

  async #events(text: string, values: unknown[]): Promise<RecordedEvent[]> {
    const rows = await this.#guard(() => queryRows(this.#database, eventRow, text, values));
    return rows.map(toRecordedEvent);
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
