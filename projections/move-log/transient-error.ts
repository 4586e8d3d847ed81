import { status, type ServiceError } from '@grpc/grpc-js';

const PASSING: readonly unknown[] = [
  status.UNAVAILABLE,
  status.CANCELLED,
  status.ABORTED,
  status.DEADLINE_EXCEEDED,
  status.INTERNAL,
];

/** Whether a call may succeed if it is made again: the connection was lost, or another node leads. */
export function isTransient(error: unknown): boolean {
  const { code, metadata } = error as Partial<ServiceError>;
  return PASSING.includes(code) || metadata?.get('exception')[0] === 'not-leader';
}
