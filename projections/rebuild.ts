import pg from 'pg';
import { LOCKS, tryLock } from '#platform/database/locks.js';
import { CHANNELS, type ReadModelChange } from '#platform/database/notifications.js';
import {
  READ_MODEL,
  READ_MODEL_SHADOW,
  readModelIndexes,
  readModelTables,
} from '#platform/database/read-model.js';
import { borrowEventsIn } from '#platform/event-log/borrow-events-in.js';
import type { EventLog, LogPosition, StoredEvent } from '#platform/event-log/event-log.js';
import { beginLettersAt, followAlone, settleCopies } from './adopt-log.js';
import { batches } from './batches.js';
import { rowsBefore, writeBatch } from './borrowing/borrow.projection.js';
import { moveCheckpoint, readCheckpoint } from './checkpoint.js';
import { DecidedLater, Decisions, storedAmong, type LeftOut } from './decisions.js';
import { foldDecided } from './fold-decided.js';

const MAX_EVENTS = 5000;
/** When the shadow is this near, the rest is done with the present model held still. */
const NEAR_EVENTS = 500n;

export interface RebuildReport {
  events: number;
  seconds: number;
}

/**
 * Builds the read model anew from the log, in a shadow schema while the present one serves, then swaps.
 *
 * It never reads beyond the present model's checkpoint. So at the swap, made while that checkpoint is held
 * still, both are at the same event, and the effects on held copies, which belong to the live projection
 * alone, are neither lost nor doubled.
 * @param progress told how many events are done
 * @param adopted the identity of a log that takes the place of the one that the present rows were made of. Then it is
 * read to its end, and the copies of books are made to fit
 * @param decisions what is known already of events that are set aside
 */
export async function rebuild(
  databaseUrl: string,
  log: EventLog,
  progress: (events: number) => void = () => undefined,
  adopted?: string,
  decisions = new Decisions(log),
): Promise<RebuildReport> {
  const started = performance.now();
  const connection = new pg.Client({
    connectionString: databaseUrl,
    options: '-c synchronous_commit=off',
    pipeline: true,
  });
  await connection.connect();
  const aborting = new AbortController();
  let done = 0;
  let position: LogPosition | undefined;
  let isAgain = false;

  /** Brings the shadow up to a checkpoint of the present model. */
  const catchUp = async (until: bigint, inOpenTransaction: boolean) => {
    for await (const events of batches(decisions.read(position, until, aborting.signal), MAX_EVENTS)) {
      decisions.learn(events);
      position = await applyToShadow(connection, position, events, decisions, inOpenTransaction);
      done += events.length;
      progress(done);
    }
  };

  try {
    if (!(await tryLock(connection, LOCKS.rebuild))) throw new Error('A rebuild is already under way.');
    await connection.query(`drop schema if exists ${READ_MODEL_SHADOW} cascade`);
    await connection.query(readModelTables(READ_MODEL_SHADOW));
    await connection.query(
      `update ${READ_MODEL_SHADOW}.checkpoint
       set log_id = coalesce($1::uuid, (select (to_jsonb(c) ->> 'log_id')::uuid from ${READ_MODEL}.checkpoint c))`,
      [adopted],
    );
    if (adopted !== undefined) {
      await followAlone(connection, [LOCKS.projections]);
      await catchUp((await log.last())?.commit ?? -1n, false);
    }

    while (adopted === undefined) {
      const present = await readCheckpoint(connection, READ_MODEL);
      await catchUp(present.position?.commit ?? -1n, false);
      const { events } = await readCheckpoint(connection, READ_MODEL);
      if (events - BigInt(done) <= NEAR_EVENTS) break;
    }
    await connection.query(readModelIndexes(READ_MODEL_SHADOW));
    await connection.query(`analyze ${READ_MODEL_SHADOW}.borrow`);

    await connection.query('begin');
    // The live projection waits at its checkpoint; readers go on reading.
    // A lock on the table, not on its row: who waits for it looks the name up again and finds the new table.
    await connection.query(`lock table ${READ_MODEL}.checkpoint in access exclusive mode`);
    if (adopted === undefined) {
      const still = await readCheckpoint(connection, READ_MODEL);
      await catchUp(still.position?.commit ?? -1n, true);
    } else {
      await settleCopies(connection, READ_MODEL_SHADOW);
      await beginLettersAt(connection, await log.end());
    }
    await swap(connection, position?.commit ?? -1n);
    await connection.query('commit');
    await connection.query(`drop schema if exists ${OLD} cascade`);
  } catch (error) {
    await connection.query('rollback').catch(() => undefined);
    if (!(error instanceof DecidedLater)) throw error;
    isAgain = true;
  } finally {
    aborting.abort();
    await connection.end();
  }
  if (isAgain) return rebuild(databaseUrl, log, progress, adopted, decisions);
  return { events: done, seconds: (performance.now() - started) / 1000 };
}

const OLD = 'read_model_old';

async function applyToShadow(
  connection: pg.Client,
  from: LogPosition | undefined,
  events: readonly (StoredEvent | LeftOut)[],
  decisions: Decisions,
  inOpenTransaction: boolean,
): Promise<LogPosition | undefined> {
  const borrowed = borrowEventsIn(storedAmong(events));
  const last = events.at(-1)?.position ?? from;
  if (!last) return from;
  const [, moved, before] = await Promise.all([
    inOpenTransaction ? undefined : connection.query('begin'),
    moveCheckpoint(connection, READ_MODEL_SHADOW, from, last, events.length),
    rowsBefore(connection, READ_MODEL_SHADOW, borrowed),
  ]);
  if (!moved) throw new Error('The shadow was changed by somebody else.');
  await writeBatch(connection, READ_MODEL_SHADOW, await foldDecided(borrowed, before, decisions));
  if (!inOpenTransaction) await connection.query('commit');
  return last;
}

async function swap(connection: pg.Client, position: bigint): Promise<void> {
  await connection.query(`drop schema if exists ${OLD} cascade`);
  await connection.query(`alter schema ${READ_MODEL} rename to ${OLD}`);
  await connection.query(`alter schema ${READ_MODEL_SHADOW} rename to ${READ_MODEL}`);
  const change: ReadModelChange = { position: position.toString() };
  await connection.query('select pg_notify($1, $2)', [CHANNELS.readModels, JSON.stringify(change)]);
}
