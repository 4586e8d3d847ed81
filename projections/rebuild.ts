import pg from 'pg';
import * as m from '#words/messages.js';
import { PROJECTED } from '#contracts/event-log/categories.js';
import { LOCKS, projectionLock, tryLock } from '#platform/database/locks.js';
import { CHANNELS, type ReadModelChange } from '#platform/database/notifications.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import {
  READ_MODEL_RELEASE,
  readModelIndexes,
  readModelSchema,
  readModelTables,
  shadowSchemaOf,
  type ReadModelRelease,
} from '#platform/database/read-model.js';
import { borrowEventsIn, holdEventsIn, type StoredHoldEvent } from '#platform/event-log/reader-events-in.js';
import type { EventLog, LogPosition, StoredEvent } from '#platform/event-log/event-log.js';
import { followAlone, forgetRevisions, settleCopies, type Adoption } from './adopt-log.js';
import { batches } from './batches.js';
import { rowsBefore, writeBatch } from './borrowing/borrow.projection.js';
import { foldCopies, settleCopyRows, type LoggedCopy } from './copies/copy.projection.js';
import { moveCheckpoint, readCheckpoint } from './checkpoint.js';
import {
  SkippedLater,
  Decisions,
  withoutSkippedEvents,
  type EventReference,
  foldWithoutSkipped,
} from './decisions.js';
import { replayHolds } from './holds/hold.projection.js';

const MAX_EVENTS = 5000;
/** When the shadow is within this many events, its indexes are made. */
const NEAR_EVENTS = 500n;
/** When it is within this many events after that, the rest is applied while the live projection is blocked. */
const LEFT_FOR_SWAP = 50n;
/** Where events come as fast as they are applied, the swap takes what is left after so many attempts. */
const MAX_ATTEMPTS = 20;

export interface RebuildReport {
  events: number;
  seconds: number;
}

export interface RebuildOptions {
  /**
   * A log that replaces the one that the present rows were made of. Then it is read to its end, and the copies of books are
   * made to fit.
   */
  adopted?: Adoption;
  release?: ReadModelRelease;
  /** Wait for a running rebuild, and do nothing if this release's rows exist. */
  onlyIfMissing?: boolean;
  /** Decisions known already. */
  decisions?: Decisions;
}

/**
 * Rebuilds the read model from the log, in a shadow schema while the present one serves, then swaps.
 *
 * It never reads beyond the present model's checkpoint. So at the swap, while that checkpoint is locked, both are at the
 * same event, and the effects on allocations, which belong to the live projection alone, are neither lost nor doubled.
 *
 * If this release's version does not exist yet, it is built beside that of the previous release, whose servers may go on
 * using theirs. The next rebuild after that removes older versions.
 * @param progress called with the number of events applied
 */
export async function rebuild(
  databaseUrl: string,
  log: EventLog,
  progress: (events: number) => void = () => undefined,
  {
    adopted,
    release = READ_MODEL_RELEASE,
    onlyIfMissing = false,
    decisions = new Decisions(log),
  }: RebuildOptions = {},
): Promise<RebuildReport> {
  const started = performance.now();
  const connection = new pg.Client({
    connectionString: databaseUrl,
    options: '-c synchronous_commit=off',
    pipeline: true,
  });
  await connection.connect();
  const aborting = new AbortController();
  const schemas = new ReadModelSchema(connection, release);
  const target = schemas.own;
  const shadow = shadowSchemaOf(target);
  let done = 0;
  let position: LogPosition | undefined;
  let isAgain = false;
  /** The copies that the log speaks of: few, as those that came with their books have no events. */
  const copies = new Map<string, LoggedCopy>();
  /** The events of holds: their table is made anew from them. */
  const held: StoredHoldEvent[] = [];

  /** Catches the shadow up to a checkpoint of the present model. */
  const catchUp = async (until: bigint, inOpenTransaction: boolean) => {
    for await (const events of batches(decisions.read(position, until, aborting.signal), MAX_EVENTS)) {
      decisions.learn(events);
      foldCopies(withoutSkippedEvents(events), copies);
      held.push(...holdEventsIn(withoutSkippedEvents(events)));
      position = await applyToShadow(connection, shadow, position, events, decisions, inOpenTransaction);
      done += events.length;
      progress(done);
    }
  };

  /** Catches the shadow up to the present model, which moves on meanwhile. */
  const comeNear = async (present: string, near: bigint, attempts = Infinity) => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const reached = await readCheckpoint(connection, present);
      if (reached.events - BigInt(done) <= near) return;
      await catchUp(reached.position?.commit ?? -1n, false);
    }
  };

  try {
    if (onlyIfMissing) await connection.query('select pg_advisory_lock($1)', [LOCKS.rebuild]);
    else if (!(await tryLock(connection, LOCKS.rebuild))) throw new Error(m.cli_rebuild_under_way());
    const present = await schemas.present();
    const isThere = present === target;
    if (isThere && onlyIfMissing) return { events: 0, seconds: 0 };
    // The present rows may get their stamp by it, which the new ones take over. Later they are locked.
    await log.confirmIdentity();
    await connection.query(`drop schema if exists ${shadow} cascade`);
    await connection.query(readModelTables(shadow));
    await connection.query(
      `update ${shadow}.checkpoint
       set log_id = coalesce($1::uuid, (select log_id from ${present}.checkpoint))`,
      [adopted?.logId],
    );
    if (adopted !== undefined) {
      await followAlone(connection, (await schemas.versions()).map(projectionLock));
      await catchUp((await log.last(PROJECTED))?.commit ?? -1n, false);
    }

    if (adopted === undefined) await comeNear(present, NEAR_EVENTS);
    await connection.query(readModelIndexes(shadow));
    await connection.query(`analyze ${shadow}.borrow`);
    // Meanwhile events came. What is left for the swap keeps commands waiting.
    if (adopted === undefined) await comeNear(present, LEFT_FOR_SWAP, MAX_ATTEMPTS);

    await adopted?.beforeSwap?.();
    await connection.query('begin');
    // The live projection waits for its checkpoint; readers go on reading.
    // A lock on the table, not on its row: whoever waits for it then resolves the name again, to the new table.
    await connection.query(`lock table ${present}.checkpoint in access exclusive mode`);
    if (adopted === undefined) {
      const still = await readCheckpoint(connection, present);
      await catchUp(still.position?.commit ?? -1n, true);
      await settleCopyRows(connection, copies.values());
      await replayHolds(connection, held, decisions);
    } else {
      await forgetRevisions(connection);
      await settleCopyRows(connection, copies.values());
      await settleCopies(connection, shadow);
      await replayHolds(connection, held, decisions);
      await adopted.settle(connection);
      await connection.query('update letters.checkpoint set log_id = $1', [adopted.logId]);
    }
    await swap(connection, target, isThere, position?.commit ?? -1n);
    await connection.query('commit');
    await connection.query(`drop schema if exists ${oldOf(target)} cascade`);
    if (isThere || adopted !== undefined) await dropOlder(connection, schemas);
  } catch (error) {
    await connection.query('rollback').catch(() => undefined);
    if (!(error instanceof SkippedLater)) throw error;
    isAgain = true;
  } finally {
    aborting.abort();
    await connection.end();
  }
  if (isAgain)
    return rebuild(databaseUrl, log, progress, {
      release,
      onlyIfMissing,
      decisions,
      ...(adopted !== undefined && { adopted }),
    });
  return { events: done, seconds: (performance.now() - started) / 1000 };
}

const oldOf = (schema: string) => `${schema}_old`;

/** The rows of earlier releases: none of their servers runs any more. */
async function dropOlder(connection: pg.Client, schemas: ReadModelSchema): Promise<void> {
  for (const version of await schemas.versions()) {
    if (version >= schemas.release.version) continue;
    await connection.query(`drop schema ${readModelSchema(version)} cascade`);
  }
}

async function applyToShadow(
  connection: pg.Client,
  shadow: string,
  from: LogPosition | undefined,
  events: readonly (StoredEvent | EventReference)[],
  decisions: Decisions,
  inOpenTransaction: boolean,
): Promise<LogPosition | undefined> {
  const borrowed = borrowEventsIn(withoutSkippedEvents(events));
  const to = events.at(-1);
  if (!to) return from;
  const [, moved, before] = await Promise.all([
    inOpenTransaction ? undefined : connection.query('begin'),
    moveCheckpoint(connection, shadow, { from, to, events: events.length, logId: undefined }),
    rowsBefore(connection, shadow, borrowed),
  ]);
  if (!moved) throw new Error('The shadow was changed by somebody else.');
  await writeBatch(connection, shadow, await foldWithoutSkipped(borrowed, before, decisions));
  if (!inOpenTransaction) await connection.query('commit');
  return to.position;
}

async function swap(
  connection: pg.Client,
  target: string,
  isThere: boolean,
  position: bigint,
): Promise<void> {
  await connection.query(`drop schema if exists ${oldOf(target)} cascade`);
  if (isThere) await connection.query(`alter schema ${target} rename to ${oldOf(target)}`);
  await connection.query(`alter schema ${shadowSchemaOf(target)} rename to ${target}`);
  const change: ReadModelChange = {
    position: position.toString(),
    ...(target !== readModelSchema(1) && { schema: target }),
  };
  await connection.query('select pg_notify($1, $2)', [CHANNELS.readModels, JSON.stringify(change)]);
}
