import type { ExpectedRevision } from './recorded-event.js';

/** Every reason for which the store rejects a call, in the protocol's terms. */
export type Refusal =
  | { kind: 'wrong-expected-version'; stream: string; expected: ExpectedRevision; current: bigint }
  | { kind: 'stream-deleted'; stream: string }
  | { kind: 'access-denied' }
  | { kind: 'not-permitted' }
  | { kind: 'maximum-append-size-exceeded'; limit: number }
  | { kind: 'timeout' }
  | { kind: 'unavailable' }
  | { kind: 'invalid-argument' }
  | { kind: 'internal' };

/** A rejected call. Its message goes to the client, so it never contains a payload. */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  constructor(
    readonly refusal: Refusal,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function wrongExpectedVersion(
  stream: string,
  expected: ExpectedRevision,
  current: bigint,
): StoreError {
  return new StoreError(
    { kind: 'wrong-expected-version', stream, expected, current },
    `Append failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expected}, Actual version: ${current}`,
  );
}

export function streamDeleted(stream: string): StoreError {
  return new StoreError({ kind: 'stream-deleted', stream }, `Event stream '${stream}' is deleted.`);
}

export function accessDenied(): StoreError {
  return new StoreError({ kind: 'access-denied' }, 'Access Denied.');
}

/** For what nobody may do here, whoever he is. */
export function notPermitted(reason: string): StoreError {
  return new StoreError({ kind: 'not-permitted' }, reason);
}

export function appendTooLarge(limit: number): StoreError {
  return new StoreError(
    { kind: 'maximum-append-size-exceeded', limit },
    `Maximum Append Size of ${limit} bytes exceeded.`,
  );
}

export function timedOut(): StoreError {
  return new StoreError({ kind: 'timeout' }, 'The deadline passed before the append was committed.');
}

export function unavailable(reason: string, cause?: unknown): StoreError {
  return new StoreError({ kind: 'unavailable' }, reason, { cause });
}

export function invalidArgument(reason: string): StoreError {
  return new StoreError({ kind: 'invalid-argument' }, reason);
}

/**
 * Translates a failure of PostgreSQL for the client. A lost or refusing server is "unavailable"; anything else
 * is a defect of the store, and its text is not sent.
 */
export function databaseFailure(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return isConnectionFailure(error)
    ? unavailable('The database of the event store is not available.', error)
    : new StoreError({ kind: 'internal' }, 'The event store failed to carry out the call.', { cause: error });
}

// SQLSTATE classes that concern the server, not the statement.
const SERVER_TROUBLE = new Set(['08', '53', '57', '58', 'XX']);

/** Whether the connection (or its server) is at fault, so that the outcome of a statement is unknown. */
export function isConnectionFailure(error: unknown): boolean {
  // A defect of the store, before anything was sent.
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return false;
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  if (typeof code !== 'string' || severity === undefined) return true;
  return severity === 'FATAL' || severity === 'PANIC' || SERVER_TROUBLE.has(code.slice(0, 2));
}
