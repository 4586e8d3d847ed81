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
  | { kind: 'missing-required-metadata-property' }
  | { kind: 'consumer-too-slow' }
  | { kind: 'unreadable' }
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
  operation: 'Append' | 'Delete',
  stream: string,
  expected: ExpectedRevision,
  current: bigint,
): StoreError {
  return new StoreError(
    { kind: 'wrong-expected-version', stream, expected, current },
    `${operation} failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expectedNumber(expected)}, Actual version: ${current}`,
  );
}

/** An expected revision as one number, which is how EventStoreDB names it in errors. */
export function expectedNumber(expected: ExpectedRevision): bigint {
  if (expected === 'no-stream') return -1n;
  if (expected === 'any') return -2n;
  return expected === 'stream-exists' ? -4n : expected;
}

export function streamDeleted(stream: string): StoreError {
  return new StoreError({ kind: 'stream-deleted', stream }, `Event stream '${stream}' is deleted.`);
}

export function accessDenied(): StoreError {
  return new StoreError({ kind: 'access-denied' }, 'Access Denied.');
}

/** For what nobody may do here, whoever they are. */
export function notPermitted(reason: string): StoreError {
  return new StoreError({ kind: 'not-permitted' }, reason);
}

export function appendTooLarge(limit: number): StoreError {
  return new StoreError(
    { kind: 'maximum-append-size-exceeded', limit },
    `Maximum Append Size of ${limit} Exceeded.`,
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

export function missingProperty(property: 'type' | 'content-type'): StoreError {
  return new StoreError(
    { kind: 'missing-required-metadata-property' },
    `Required Metadata Property '${property}' is missing`,
  );
}

/** A subscription ends: more waits for its client than is kept. The client subscribes anew. */
export function consumerTooSlow(state: 'live' | 'transitioning to live'): StoreError {
  return new StoreError(
    { kind: 'consumer-too-slow' },
    `Operation timed out: Consumer too slow to handle event while ${state}. Client resubscription required.`,
  );
}

/** A read from a place where there is nothing to be read in this direction. */
export function unreadable(what: 'ReadStreamResult' | 'ReadAllResult'): StoreError {
  return new StoreError({ kind: 'unreadable' }, `Unexpected ${what}: Error`);
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
