/**
 * Why the database could not be used:
 * - `absent`: nothing listens at its address; `unknown-host`: nobody has that name
 * - `lost`: the connection broke, or an answer did not come in time
 * - `unavailable`: it is starting or ending, or lacks memory, disk or connections
 * - `read-only`: a standby, or one that was told to be
 * - `interrupted`: the statement lost to another, to an operator or to the disk, and may succeed when it is run again
 * - `denied`: it takes neither user nor password
 *
 * Anything else is an answer to the statement, or no failure of the database.
 */
export type DatabaseFailure =
  | 'absent'
  | 'unknown-host'
  | 'lost'
  | 'unavailable'
  | 'read-only'
  | 'interrupted'
  | 'denied';

/** SQLSTATEs and their classes, and Node's codes of sockets and names. */
const FAILURES: [RegExp, DatabaseFailure][] = [
  [/^ECONNREFUSED$/, 'absent'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'unknown-host'],
  [/^(?:ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|(?:EHOST|ENET)(?:UNREACH|DOWN)|08...)$/, 'lost'],
  [/^(?:53...|57P0.)$/, 'unavailable'],
  [/^25006$/, 'read-only'],
  [/^(?:40|57|58)...$/, 'interrupted'],
  [/^28...$/, 'denied'],
];
/** `pg` errors without a code. */
const LOST_BY_PG =
  /^(?:Connection terminated|timeout expired$|timeout exceeded when trying to connect|Client (?:was closed|has encountered a connection error))/;

/** What of the database an error tells; nothing where it tells of something else. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  const { code, message, syscall } = (error ?? {}) as {
    code?: unknown;
    message?: unknown;
    syscall?: unknown;
  };
  // A Unix socket that is not there: its server is away, as one is whose port refuses a connection.
  if (code === 'ENOENT' && syscall === 'connect') return 'absent';
  if (typeof code === 'string') return FAILURES.find(([codes]) => codes.test(code))?.[1];
  return code === undefined && LOST_BY_PG.test(String(message)) ? 'lost' : undefined;
}

const AWAY = new Set<DatabaseFailure | undefined>([
  ...(['absent', 'unknown-host', 'lost', 'unavailable', 'read-only'] as const),
]);

/** Whether it is the database that does not answer, or takes no change, for the moment. */
export function isDatabaseAway(error: unknown): boolean {
  return AWAY.has(databaseFailure(error));
}
