import pg from 'pg';
import { databaseFailure, isDatabaseAway, type DatabaseFailure } from './database-failure.js';
import { DatabaseTimeout } from './timed-pool.js';

const sql = (code: string) => Object.assign(new pg.DatabaseError('no', 2, 'error'), { code });
const socket = (code: string, syscall = 'connect') =>
  Object.assign(new Error(`${syscall} ${code} 127.0.0.1:5432`), { code, syscall });

describe('why the database could not be used', () => {
  it.each<[DatabaseFailure, unknown[]]>([
    ['absent', [socket('ECONNREFUSED'), socket('ENOENT')]],
    ['unknown-host', [socket('ENOTFOUND', 'getaddrinfo'), socket('EAI_AGAIN', 'getaddrinfo')]],
    [
      'lost',
      [
        ...[
          'ECONNRESET',
          'ECONNABORTED',
          'EPIPE',
          'ETIMEDOUT',
          'EHOSTUNREACH',
          'ENETUNREACH',
          'ENETDOWN',
        ].map((code) => socket(code, 'read')),
        ...['08006', '08P01'].map(sql),
        ...[
          'Connection terminated unexpectedly',
          'timeout expired',
          'timeout exceeded when trying to connect',
          'Client was closed and is not queryable',
          'Client has encountered a connection error and is not queryable',
        ].map((message) => new Error(message)),
        new DatabaseTimeout(),
      ],
    ],
    ['unavailable', ['53100', '53300', '57P01', '57P03'].map(sql)],
    ['read-only', [sql('25006')]],
    ['interrupted', ['40001', '40P01', '57014', '58030'].map(sql)],
    ['denied', ['28000', '28P01'].map(sql)],
  ])('is %s', (failure, errors) => {
    const isAway = failure !== 'interrupted' && failure !== 'denied';
    for (const error of errors) {
      expect([error, databaseFailure(error)]).toEqual([error, failure]);
      expect([error, isDatabaseAway(error)]).toEqual([error, isAway]);
    }
  });

  it.each<[string, unknown]>([
    ...['42703', '42P01', '23505', '22P02', '3D000', 'XX000'].map((code): [string, unknown] => [
      code,
      sql(code),
    ]),
    ['a file that is not there', socket('ENOENT', 'open')],
    ['a mail server that is not there', socket('ECONNECTION', 'CONN')],
    [
      'a call of another server that is not there',
      Object.assign(new Error('Connection terminated'), { code: 14 }),
    ],
    ['a defect', new TypeError('x is not a function')],
    ['no error at all', undefined],
  ])('is not said by %s', (_what, error) => {
    expect(databaseFailure(error)).toBeUndefined();
    expect(isDatabaseAway(error)).toBe(false);
  });
});
