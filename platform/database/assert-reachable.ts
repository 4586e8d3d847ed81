import pg from 'pg';
import * as m from '#words/messages.js';
import { StartupError } from '../startup-error.js';
import { databaseFailure } from './database-failure.js';

/** Milliseconds that a database may take to answer a start, and then once more. */
const TIMEOUT = 5_000;
const SECOND_LOOK = 1_000;

/**
 * Connects once, so that a start says what is wrong with the address and not only that something is.
 * @param patience milliseconds that it may take to answer
 * @throws StartupError that names DATABASE_URL; it says host, port and database, and neither user nor password
 */
export async function assertReachable(url: string, patience = TIMEOUT): Promise<void> {
  const { error, silent } = await attempt(url, patience);
  // A process that was itself held up has run out of time before it came to read an answer that is there.
  const refusal = silent ? (await attempt(url, SECOND_LOOK)).error : error;
  if (refusal) throw refusal;
}

async function attempt(url: string, patience: number): Promise<{ error?: StartupError; silent?: boolean }> {
  let probe: pg.Client;
  try {
    probe = new pg.Client({ connectionString: url, connectionTimeoutMillis: patience });
  } catch {
    return { error: new StartupError(m.start_database_no_address()) };
  }
  try {
    await probe.connect();
    return {};
  } catch (error) {
    const cause = error as pg.DatabaseError;
    return {
      error: new StartupError(wordsOf(cause, probe)),
      silent: cause.code === undefined,
    };
  } finally {
    await probe.end();
  }
}

function wordsOf(error: pg.DatabaseError, { host, port, database }: pg.Client): string {
  const { code, message } = error;
  const failure = databaseFailure(error);
  const place = `${host}:${port}`;
  if (failure === 'absent') return m.start_database_absent({ place });
  if (failure === 'unknown-host') return m.start_database_unknown_host({ host });
  if (failure === 'denied') return m.start_database_denied({ place });
  switch (code) {
    case '3D000':
      return m.start_database_missing({ place, database: String(database) });
    case '57P03':
      return m.start_database_starting({ place });
    case undefined:
      // The client's own time limit has no code.
      return m.start_database_silent({ place, reason: message });
    default:
      return m.start_database_unusable({ place, code, reason: message });
  }
}
