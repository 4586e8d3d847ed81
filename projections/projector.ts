import type pg from 'pg';
import { PROJECTED } from '#contracts/event-log/categories.js';
import { projectionLock } from '#platform/database/locks.js';
import { CHANNELS, type ReadModelChange } from '#platform/database/notifications.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { READ_MODEL_RELEASE, readModelSchema, type ReadModelRelease } from '#platform/database/read-model.js';
import {
  borrowEventsIn,
  type StoredBorrowEvent,
  holdEventsIn,
  type StoredHoldEvent,
} from '#platform/event-log/reader-events-in.js';
import type { LogPosition, StoredEvent } from '#platform/event-log/event-log.js';
import { allocationsSettled, foldBatch, inTurns, type BorrowBatch } from './borrowing/borrow-batch.js';
import { applyToCopies, rowsBefore, writeAtOnce, writeBatch } from './borrowing/borrow.projection.js';
import { RowCache } from './borrowing/row-cache.js';
import { copiesBefore, copyEventsIn, foldCopies, settleCopyRows } from './copies/copy.projection.js';
import { lockTitles, settleHolds } from './holds/hold.projection.js';
import type { CheckpointStep } from './checkpoint.js';
import { Follower, type FollowerServices, type FollowerTiming } from './follower.js';
import { rebuild } from './rebuild.js';
import { v5 as uuidFromName } from 'uuid';
import { borrowEventTime, copyEffect, doneBy, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { Queryable } from '#platform/database/database.js';

/** Batch size: events per transaction, at most. */
const MAX_EVENTS = 2000;
/** With more events, the batch is written in steps: it is catching up. */
const MAX_AT_ONCE = 150;
/**
 * Milliseconds in which events gather: with several, a batch costs little more than one event alone. An event that comes
 * alone never waits. Whoever reads waits for the batch, so they are few.
 */
const GATHER = 8;
/** With more borrows in one batch, clients are told to refetch. */
const MAX_NAMED = 150;

/** Keeps the read model up to date with the event log. */
export class Projector extends Follower {
  private readonly schema: string;
  private readonly known: RowCache;

  constructor(
    services: FollowerServices,
    timing?: Partial<FollowerTiming>,
    private readonly release: ReadModelRelease = READ_MODEL_RELEASE,
  ) {
    const schema = readModelSchema(release.version);
    super(
      {
        name: 'projection',
        schema,
        categories: PROJECTED,
        lock: projectionLock(release.version),
        // Rows and checkpoint are one transaction: if PostgreSQL crashes and loses its last commits, both are gone and the
        // events are applied again. So a commit need not wait for the disk. The few statements of this connection are the same
        // for each batch; to plan them anew each time costs more than to run them.
        options: '-c synchronous_commit=off -c plan_cache_mode=force_generic_plan',
        maxEvents: MAX_EVENTS,
        gather: GATHER,
      },
      services,
      timing,
    );
    this.schema = schema;
    this.known = new RowCache(schema);
  }

  /** Builds the rows of this release's version from the log, while servers of another release use theirs. */
  protected override async prepare(connection: pg.Client): Promise<void> {
    this.known.forget();
    const { databaseUrl, log, logger } = this.services;
    const versions = await new ReadModelSchema(connection, this.release).versions();
    if (versions.includes(this.release.version)) return;
    logger.info({ versions }, 'the lists of this release are being made from the event log');
    const options = { release: this.release, onlyIfMissing: true };
    const report = await rebuild(databaseUrl, log, undefined, options);
    logger.info(report, 'the lists of this release are there');
  }

  /** Writes rows and copies, and notifies the clients. */
  protected override async apply(
    connection: pg.Client,
    events: readonly StoredEvent[],
    last: LogPosition,
  ): Promise<() => Promise<unknown>> {
    const borrowed = borrowEventsIn(events);
    this.known.forgetBorrows(borrowed);
    const held = holdEventsIn(events);
    const [, before, books, copies, waitedFor] = await Promise.all([
      lockTitles(connection, borrowed, held),
      rowsBefore(connection, this.schema, borrowed),
      applyInOrder(connection, borrowed),
      copiesBefore(connection, events),
      settleHolds(connection, held),
    ]);
    return () => {
      const batch = foldBatch(borrowed, before);
      const moved = copyEventsIn(events).map(({ event }) => event.data.bookId);
      const changed = [...books, ...moved, ...waitedFor];
      const change = {
        ...this.changeBy([...borrowed, ...held], batch, changed, last),
        ...(held.length > 0 && { holds: waitedFor, holders: [...new Set(held.map(({ key }) => key))] }),
      };
      return Promise.all([
        writeBatch(connection, this.schema, batch),
        settleCopyRows(connection, foldCopies(events, copies).values()),
        notify(connection, change),
      ]);
    };
  }

  /** The usual way: a few events of borrows whose rows were written last by this process, or are read first. */
  protected override async applyAtOnce(
    connection: pg.Client,
    events: readonly StoredEvent[],
    step: CheckpointStep,
  ): Promise<boolean> {
    const borrowed = borrowEventsIn(events);
    const settled = allocationsSettled(borrowed);
    const isUsual =
      borrowed.length <= MAX_AT_ONCE &&
      // Which copies come back from a rent without a row is known only when they do.
      borrowed.every((each) => each.event.type !== 'RentAbandoned' && !isLossEvent(each)) &&
      // Binding a copy may change the rows of others that have the title, also of those that this batch settles.
      settled.bound.length === 0 &&
      // What happens to copies outside borrows is rare, and was written with its command.
      copyEventsIn(events).length === 0 &&
      holdEventsIn(events).length === 0;
    if (!isUsual) return false;
    const { table, rows } = await this.known.before(connection, borrowed);
    const batch = foldBatch(borrowed, rows);
    const change = this.changeBy(borrowed, batch, [], step.to.position);
    const notification: [string, string] = [CHANNELS.readModels, payloadOf(change)];
    return this.known.writing(batch.rows, () =>
      writeAtOnce(connection, this.schema, { ...step, table }, batch, settled, notification),
    );
  }

  private changeBy(
    stored: readonly (StoredBorrowEvent | StoredHoldEvent)[],
    batch: BorrowBatch,
    books: readonly number[],
    last: LogPosition,
  ): ReadModelChange {
    // From the events, not the rows: an abandoned rent and a hold have no row, and their reader's history grew.
    const named = new Map(
      stored.map(({ event: { data }, key }) => ['holdId' in data ? data.holdId : data.borrowId, key]),
    );
    const rented = [...batch.rows.values()].flatMap((row) => row.books.map((b) => b.bookId));
    return {
      position: last.commit.toString(),
      ...(this.release.version > 1 && { schema: this.schema }),
      ...(named.size <= MAX_NAMED && {
        borrows: [...named],
        books: [...new Set([...books, ...rented])],
      }),
    };
  }
}

/** What an event does to copies depends on those before it: each turn sees what the last one did. */
async function applyInOrder(
  connection: pg.Client,
  borrowed: readonly StoredBorrowEvent[],
): Promise<number[]> {
  const books: number[] = [];
  for (const turn of inTurns(borrowed)) {
    books.push(...(await applyToCopies(connection, turn, borrowed)));
    books.push(...(await settleLosses(connection, turn)));
  }
  return books;
}

/** PostgreSQL's limit of a notification's payload, in bytes. */
const MAX_PAYLOAD = 7900;

function payloadOf(change: ReadModelChange): string {
  const payload = JSON.stringify(change);
  if (payload.length <= MAX_PAYLOAD) return payload;
  const { position, schema } = change;
  return JSON.stringify({ position, ...(schema !== undefined && { schema }) } satisfies ReadModelChange);
}

async function notify(connection: pg.Client, change: ReadModelChange): Promise<void> {
  await connection.query({
    name: 'notify',
    text: 'select pg_notify($1, $2)',
    values: [CHANNELS.readModels, payloadOf(change)],
  });
}

/** What an event says of the copy of a book that was lost or damaged; nothing if it is about no loss. */
function lossOf(event: BorrowEvent) {
  const effect = copyEffect(event);
  if (effect === null || !('loss' in effect)) return undefined;
  const { loss: what, bookId } = effect;
  return { what, borrowId: event.data.borrowId, bookId, by: doneBy(event), at: borrowEventTime(event) };
}

function isLossEvent({ event }: { event: BorrowEvent }): boolean {
  return lossOf(event) !== undefined;
}

/**
 * Takes the copies of lost and damaged books out of their count, and puts back those that were found, in their order: rows, counters, allocations,
 * and the copies' own events, which are left for their outbox. They are part of the transaction that moves the checkpoint, so
 * each has its effect once, whatever process dies. The events' ids follow from those of the borrows' events.
 * @returns the books whose copies are others
 */
async function settleLosses(connection: Queryable, events: readonly StoredBorrowEvent[]): Promise<number[]> {
  const losses = events.flatMap(({ id, event, metadata }) => {
    const loss = lossOf(event);
    if (!loss) return [];
    const { actor, $correlationId, commandId, commandDigest } = metadata;
    return {
      ...loss,
      eventId: uuidFromName('copy', id),
      metadata: { actor, $correlationId, $causationId: id, commandId, commandDigest },
    };
  });
  if (losses.length === 0) return [];
  for (const loss of losses) {
    if (loss.what === 'lost again') await connection.query('select lose_again($1)', [loss]);
    else await connection.query('select settle_losses($1::jsonb)', [JSON.stringify([loss])]);
  }
  return losses.map(({ bookId }) => bookId);
}
