import { types } from 'node:util';
import { ErrorType } from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { databaseFailure } from '#platform/database/database-failure.js';
import { WrongLog } from '#platform/event-log/log-proof.js';
import { DeadlineExceeded } from '#platform/event-log/retry-with-deadline.js';

/** The connection to the database or the event log ended without an error of its own. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Another process moved the checkpoint: the follower restarts from there. */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

/**
 * - `passing`: a connection, a server or a lock; a retry may succeed.
 * - `denied`: wrong credentials or rights, or another log. Nothing goes on, but the cause is elsewhere and needs no restart here.
 * - `final`: a defect of an event or of the product; a retry would fail too.
 */
export type FailureKind = 'passing' | 'denied' | 'final';

/** gRPC: the store is unavailable, changes its leader, ends slow subscriptions again and again, or times out. */
const PASSING_CALLS = new Set<unknown>([
  ...[status.CANCELLED, status.DEADLINE_EXCEEDED, status.ABORTED, status.UNAVAILABLE],
  // The same as the official client types them.
  ...[ErrorType.CANCELLED, ErrorType.DEADLINE_EXCEEDED, ErrorType.TIMEOUT, ErrorType.UNAVAILABLE],
  ErrorType.NOT_LEADER,
]);
const DENIED_CALLS = new Set<unknown>([
  ...[status.UNAUTHENTICATED, status.PERMISSION_DENIED],
  ErrorType.ACCESS_DENIED,
]);
/** grpc-js's error for a call whose connection broke. */
const BROKEN_CALL = /RST_STREAM|internal client error: (?:read|write) E/;

/** Whether a follower's failure is transient. Searches an error's causes. */
export function failureKind(error: unknown): FailureKind {
  if (!types.isNativeError(error)) return 'final';
  const own = ownKind(error);
  return own === 'final' && error.cause !== undefined ? failureKind(error.cause) : own;
}

function ownKind(error: Error): FailureKind {
  const { code, type } = error as { code?: unknown; type?: unknown };
  if (error instanceof WrongLog) return 'denied';
  if (PASSING_CALLS.has(type) || PASSING_CALLS.has(code)) return 'passing';
  // The store fails at something that it has no words for, as one does that is just ending.
  if (type === ErrorType.UNKNOWN && code === status.UNKNOWN) return 'passing';
  if (DENIED_CALLS.has(type) || DENIED_CALLS.has(code)) return 'denied';
  if (code === status.INTERNAL) return BROKEN_CALL.test(error.message) ? 'passing' : 'final';
  if ([ConnectionLost, CheckpointMoved, DeadlineExceeded].some((known) => error instanceof known))
    return 'passing';
  const database = databaseFailure(error);
  // A database that stays read-only needs its operator: a follower that waited for it would look well.
  if (database === undefined || database === 'read-only') return 'final';
  return database === 'denied' ? 'denied' : 'passing';
}

/** The error's class, and its protocol's code if it has one. Never its message. */
export function failureName(error: unknown): string {
  if (!types.isNativeError(error)) return typeof error;
  const { code } = error as { code?: unknown };
  const name = error.constructor.name === 'Error' ? error.name : error.constructor.name;
  return typeof code === 'string' || typeof code === 'number' ? `${name} ${code}` : name;
}
