import pg from 'pg';
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
    const words = 'DATABASE_URL: this is no address, such as postgres://user:password@host:5432/library.';
    return { error: new StartupError(words) };
  }
  try {
    await probe.connect();
    return {};
  } catch (error) {
    const cause = error as pg.DatabaseError;
    return {
      error: new StartupError(`DATABASE_URL: ${reasonOf(cause, probe)}`),
      silent: cause.code === undefined,
    };
  } finally {
    await probe.end();
  }
}

function reasonOf(error: pg.DatabaseError, { host, port, database }: pg.Client): string {
  const { code, message } = error;
  const failure = databaseFailure(error);
  if (failure === 'absent')
    return `nothing listens at ${host}:${port}. Start PostgreSQL there, or set another address.`;
  if (failure === 'unknown-host') return `the host ${host} is not known.`;
  if (failure === 'denied') return `PostgreSQL at ${host}:${port} refuses this user or password.`;
  switch (code) {
    case '3D000':
      return `PostgreSQL at ${host}:${port} has no database ${database}. Create it first.`;
    case '57P03':
      return `PostgreSQL at ${host}:${port} is just starting or ending. Try again in a moment.`;
    case undefined:
      // The client's own time limit has no code.
      return `PostgreSQL at ${host}:${port} does not answer (${message}).`;
    default:
      return `PostgreSQL at ${host}:${port} cannot be used (${code}: ${message}).`;
  }
}
