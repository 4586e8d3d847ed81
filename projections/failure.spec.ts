import { convertToCommandError } from '@eventstore/db-client/dist/utils/CommandError.js';
import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import pg from 'pg';
import { DomainError } from '#contracts/domain-error.js';
import { WrongLog } from '#platform/event-log/log-proof.js';
import { DeadlineExceeded } from '#platform/event-log/retry-with-deadline.js';
import { UnreadableEvent } from '#platform/event-log/upcast.js';
import { CheckpointMoved, ConnectionLost, failureKind, failureName } from './failure.js';

/** As grpc-js gives it. */
function call(code: status, details: string, metadata: Record<string, string> = {}): ServiceError {
  const all = new Metadata();
  for (const [key, value] of Object.entries(metadata)) all.set(key, value);
  return Object.assign(new Error(`${code} ${status[code]}: ${details}`), { code, details, metadata: all });
}
/** As the official client gives it. */
const typed = (...of: Parameters<typeof call>) => convertToCommandError(call(...of));
const sql = (code: string) => Object.assign(new pg.DatabaseError('no', 2, 'error'), { code });
const socket = (code: string) => Object.assign(new Error(`connect ${code} 127.0.0.1:5432`), { code });

describe('what a follower failed at', () => {
  it.each<[string, unknown]>([
    ...[status.UNAVAILABLE, status.ABORTED, status.CANCELLED, status.DEADLINE_EXCEEDED].flatMap(
      (code): [string, unknown][] => [
        [`gRPC ${status[code]}`, call(code, 'gone')],
        [`the client's error of ${status[code]}`, typed(code, 'gone')],
      ],
    ),
    [
      'another node that leads',
      typed(status.NOT_FOUND, 'leader', {
        exception: 'not-leader',
        'leader-endpoint-host': 'b',
        'leader-endpoint-port': '2113',
      }),
    ],
    [
      'a call that its connection took along',
      typed(
        status.INTERNAL,
        'Received RST_STREAM with code 2 triggered by internal client error: write EPIPE',
      ),
    ],
    // All that says so of a database: `database-failure.spec.ts`.
    ['a lock of the database', sql('40001')],
    ['a database that is not there', socket('ECONNREFUSED')],
    ['a position beyond the end of the log', typed(status.UNKNOWN, 'Exception was thrown by handler.')],
    ['a link that ended', new ConnectionLost('the subscription ended')],
    ['a checkpoint that moved', new CheckpointMoved('moved')],
    ['an answer too late', new DeadlineExceeded()],
    [
      'the cause of a refusal',
      Object.assign(new DomainError('EventStoreUnavailable', 'away'), { cause: new DeadlineExceeded() }),
    ],
  ])('may pass by itself where it is %s', (_what, error) => {
    expect(failureKind(error)).toBe('passing');
  });

  it.each<[string, unknown]>([
    ['a TypeError', new TypeError('x is not a function')],
    [
      'a TypeError behind a refusal',
      Object.assign(new DomainError('Unexpected', 'x'), { cause: new TypeError('x') }),
    ],
    ...['42P01', '25006'].map((code): [string, unknown] => [`SQLSTATE ${code}`, sql(code)]),
    ['a call that is not served', typed(status.UNIMPLEMENTED, 'no')],
    ['a defect of the store', typed(status.INTERNAL, 'no')],
    ['an unreadable event', new UnreadableEvent('BooksLost', 1, 'its type is unknown')],
    ['a file that is not there', socket('ENOENT')],
    ['no error at all', 'gone'],
  ])('is final where it is %s', (_what, error) => {
    expect(failureKind(error)).toBe('final');
  });

  it.each<[string, unknown]>([
    ['the event store lets nobody in', typed(status.UNAUTHENTICATED, 'Access Denied')],
    ['it says so by name', typed(status.UNKNOWN, 'no', { exception: 'access-denied' })],
    ['PostgreSQL does not take the password', sql('28P01')],
    ['another log is there', new WrongLog('another', 'This is another event log')],
    [
      'another log refused a read',
      Object.assign(new DomainError('WrongEventLog', 'no'), { cause: new WrongLog('moved', 'It was moved') }),
    ],
  ])('is denied where %s', (_what, error) => {
    expect(failureKind(error)).toBe('denied');
  });

  it('has the name of the error, and never its words', () => {
    expect(failureName(typed(status.UNAVAILABLE, 'connect 10.0.0.3'))).toBe('UnavailableError 14');
    expect(failureName(sql('57P01'))).toBe('DatabaseError 57P01');
    expect(failureName(socket('ECONNREFUSED'))).toBe('Error ECONNREFUSED');
    expect(failureName(new TypeError('x'))).toBe('TypeError');
    expect(failureName(new ConnectionLost('x'))).toBe('ConnectionLost');
  });
});
