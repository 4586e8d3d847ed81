import pg from 'pg';
import { StartRefused } from '../start-refused.js';

/** Milliseconds that a database may take to answer a start. */
const PATIENCE = 5_000;

/**
 * Connects once, so that a start says what is wrong with the address and not only that something is.
 * @param patience milliseconds that it may take to answer
 * @throws StartRefused that names DATABASE_URL; it says host, port and database, and neither user nor password
 */
export async function refuseUnreachable(url: string, patience = PATIENCE): Promise<void> {
  let probe: pg.Client;
  try {
    probe = new pg.Client({ connectionString: url, connectionTimeoutMillis: patience });
  } catch {
    throw new StartRefused(
      'DATABASE_URL: this is no address, such as postgres://user:password@host:5432/library.',
    );
  }
  try {
    await probe.connect();
  } catch (error) {
    throw new StartRefused(`DATABASE_URL: ${reasonOf(error as pg.DatabaseError, probe)}`);
  } finally {
    await probe.end();
  }
}

function reasonOf({ code, message }: pg.DatabaseError, { host, port, database }: pg.Client): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `nothing listens at ${host}:${port}. Start PostgreSQL there, or set another address.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host ${host} is not known.`;
    case '28P01':
    case '28000':
      return `PostgreSQL at ${host}:${port} refuses this user or password.`;
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
