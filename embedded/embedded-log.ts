import pg from 'pg';
import { z } from 'zod';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { LOG_STREAM } from '#platform/event-log/log-record.js';
import type { Logger } from '#platform/logging.js';
import { makeDataFolder } from './data-folder.js';
import { rotateStoreSecret } from './stored-secrets.js';
import type { RunningEventStore } from './event-store/event-store-server.js';
import { startEventStoreThread } from './event-store/event-store-thread.js';

const SCHEMA = 'eventstore';

/**
 * The embedded event store of a library whose log is elsewhere, to move the log into it. A log that was moved away from
 * here is kept as it is under another name: the new one begins anew.
 * @param folder of its secret
 */
export async function openEmbeddedLog(
  databaseUrl: string,
  folder: string,
  logger: Logger,
  onExit: (reason: Error) => void,
): Promise<RunningEventStore> {
  await keepMovedLog(databaseUrl);
  makeDataFolder(folder);
  return startEventStoreThread({
    databaseUrl,
    secretFile: rotateStoreSecret(folder, 'refused'),
    onExit,
    log: (level, message, facts) => logger[level]({ ...facts, part: 'event store' }, message),
  });
}

/** Lets PostgreSQL know how large the table has become: it would only find out by itself in its next round. */
export async function measureEmbeddedLog(databaseUrl: string): Promise<void> {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  try {
    await connection.query(`analyze ${SCHEMA}.event`);
  } finally {
    await connection.end();
  }
}

const nameRow = z.object({ name: z.string() });

async function keepMovedLog(databaseUrl: string): Promise<void> {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  try {
    const schemas = await queryRows(
      connection,
      nameRow,
      `select nspname as name from pg_namespace where nspname ~ '^eventstore(_moved_[0-9]+)?$'`,
    );
    if (!schemas.some(({ name }) => name === SCHEMA)) return;
    const last = await queryRow(
      connection,
      z.object({ type: z.string() }),
      `select type from ${SCHEMA}.event where stream = $1 order by revision desc limit 1`,
      [LOG_STREAM],
    );
    if (last?.type !== 'LogMoved') return;
    await connection.query(`alter schema ${SCHEMA} rename to ${SCHEMA}_moved_${schemas.length}`);
  } finally {
    await connection.end();
  }
}
