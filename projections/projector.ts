import type pg from 'pg';
import { LOCKS } from '#platform/database/locks.js';
import { CHANNELS, type ReadModelChange } from '#platform/database/notifications.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { borrowEventsIn } from '#platform/event-log/borrow-events-in.js';
import type { LogPosition, StoredEvent } from '#platform/event-log/event-log.js';
import { foldBatch } from './borrowing/borrow-batch.js';
import { applyToCopies, rowsBefore, writeBatch } from './borrowing/borrow.projection.js';
import { Follower, type FollowerServices, type FollowerTiming } from './follower.js';

/** Most events that one transaction applies. */
const MAX_EVENTS = 2000;
/** Beyond this many borrows in one batch the screens are told to ask again. */
const MAX_NAMED = 150;

/** Keeps the read model up to the event log. */
export class Projector extends Follower {
  constructor(services: FollowerServices, timing?: Partial<FollowerTiming>) {
    super(
      {
        name: 'projection',
        schema: READ_MODEL,
        categories: ['borrows'],
        lock: LOCKS.projections,
        // Rows and checkpoint are one transaction: if PostgreSQL loses its last moments, both are gone and the
        // events are applied again. So a commit need not wait for the disk.
        options: '-c synchronous_commit=off',
        maxEvents: MAX_EVENTS,
      },
      services,
      timing,
    );
  }

  /** Rows, copies and the word to the screens. */
  protected override async apply(
    connection: pg.Client,
    events: readonly StoredEvent[],
    last: LogPosition,
  ): Promise<() => Promise<unknown>> {
    const borrowed = borrowEventsIn(events);
    const [before, books] = await Promise.all([
      rowsBefore(connection, READ_MODEL, borrowed),
      applyToCopies(connection, borrowed),
    ]);
    return () => {
      const batch = foldBatch(borrowed, before);
      // Of the events and not of the rows: a rent that was given up has no row, and its reader's history grew.
      const named = new Map(borrowed.map(({ event, key }) => [event.data.borrowId, key]));
      const rented = [...batch.rows.values()].flatMap((row) => row.books.map((b) => b.bookId));
      const change: ReadModelChange = {
        position: last.commit.toString(),
        ...(named.size <= MAX_NAMED && {
          borrows: [...named],
          books: [...new Set([...books, ...rented])],
        }),
      };
      return Promise.all([writeBatch(connection, READ_MODEL, batch), notify(connection, change)]);
    };
  }
}

/** PostgreSQL's limit of a notification's payload, in bytes. */
const MAX_PAYLOAD = 7900;

async function notify(connection: pg.Client, change: ReadModelChange): Promise<void> {
  let payload = JSON.stringify(change);
  if (payload.length > MAX_PAYLOAD)
    payload = JSON.stringify({ position: change.position } satisfies ReadModelChange);
  await connection.query({
    name: 'notify',
    text: 'select pg_notify($1, $2)',
    values: [CHANNELS.readModels, payload],
  });
}
