import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import type { ResolvedSettings } from '#platform/settings.js';
import type { MailboxMessage } from '../../embedded/mailbox/message.js';
import { caller, type Caller } from './caller.js';
import type { SignedInAccount } from '../host/accounts.js';
import type { HostedProduct, ProductOptions, StartedServer } from '../host/hosted-product.js';
import type { HostCalls } from '../host/product-host.js';
import { lettersTo, noteMailbox } from '../mail/mailed.js';
import { makeBook } from './make-book.js';
import { TestClock } from '../test-clock.js';

declare global {
  /** Asks the process in which this worker's products run (`product-environment.mjs`). */
  var callHost: <Call extends keyof HostCalls>(
    call: Call,
    args: Parameters<HostCalls[Call]>,
  ) => Promise<Awaited<ReturnType<HostCalls[Call]>>>;
}

/** Somebody who is signed in. */
export type TestAccount = SignedInAccount & Caller;

/** A server of a product. */
export interface TestServer extends Omit<StartedServer, 'key'> {
  close: () => Promise<void>;
}

/** What the process of the product does for a test as it stands there. */
const HOSTED_CALLS = [
  'change',
  'closeProjections',
  'closedHistory',
  'differences',
  'handlers',
  'jobsIn',
  'letterState',
  'pauseQueue',
  'projectionOperations',
  'projectionState',
  'rebuild',
  'removeEndedSessions',
  'resumeQueue',
  'retryJob',
  'runJob',
  'setVariable',
  'startProjections',
  'startWorker',
  'stopEventStore',
  'storeHistory',
  'storedEvents',
] as const satisfies (keyof HostedProduct)[];

/** A method in another process: what it gives comes later. */
type Promised<Method> = Method extends (...args: never[]) => Promise<unknown>
  ? Method
  : Method extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never;

type HostedCalls = { [Name in (typeof HOSTED_CALLS)[number]]: Promised<HostedProduct[Name]> };

/** The whole product on a database and an event store of its own, in the process of this worker that products run in. */
export interface TestProduct extends HostedCalls {
  url: string;
  settings: ResolvedSettings & { TIME_ZONE: string };
  /** Of the process. */
  pid: number;
  /** Its tables, over connections of the test's own. */
  database: Database;
  /** The rows that a statement on them gives. */
  // oxlint-disable-next-line typescript/no-explicit-any
  rows<Row extends object = any>(sql: string, ...values: unknown[]): Promise<Row[]>;
  log: Pick<
    EventLog,
    'append' | 'readStream' | 'readRecorded' | 'lastRevision' | 'last' | 'end' | 'firstAfter'
  >;
  /** Writes what the product itself never would. */
  eventStore: Pick<
    EventStoreDBClient,
    'appendToStream' | 'deleteStream' | 'tombstoneStream' | 'setStreamMetadata'
  >;
  server: TestServer;
  /** Starts another server on the same database and log. */
  startServer: (...args: Parameters<HostedProduct['startServer']>) => Promise<TestServer>;
  account: (...roles: string[]) => Promise<TestAccount>;
  /** The same account with a new session, for a test that moved the time beyond the old one's end. */
  signIn: (account: Pick<TestAccount, 'id' | 'pseudonym'>) => Promise<TestAccount>;
  /** Writes a book with so many copies on the shelf. */
  book: (copies: number, title?: string) => Promise<number>;
  /** Copies on the shelf, once the rows have what the log has. */
  copies: (bookId: number) => Promise<number>;
  /** What an address was written, the newest first. */
  letters: (email: string) => Promise<MailboxMessage[]>;
  /** What was logged until now, down to `info`. */
  lines: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** Milliseconds, by the product's clock, after which an account that stays signed in begins another session. */
const SESSION_AGE = 4 * 60_000;

interface StartOptions extends ProductOptions {
  /** Accounts keep a young session however far the clock is put forward; `token` and `sid` stay those of the first one. */
  staySignedIn?: boolean;
  /** Puts something before the event store, and gives the address by which the product finds it. */
  before?: (eventStoreUrl: string) => Promise<string>;
}

/**
 * Starts it. The caller closes it.
 * @throws an Error with what the product said, where it does not start
 */
export async function startProduct(
  clock = new TestClock(),
  { before, staySignedIn = false, ...options }: StartOptions = {},
): Promise<TestProduct> {
  const key = randomUUID();
  const clockKey = randomUUID();
  await clock.lead((state) => callHost('setClock', [clockKey, state]));
  const storeUrl = await callHost('openStore', [key, options]);
  try {
    const eventStoreUrl = before ? await before(storeUrl) : storeUrl;
    const started = await callHost('startProduct', [key, eventStoreUrl, clockKey, options]);
    return productOf(key, started, staySignedIn ? clock : undefined);
  } catch (error) {
    await callHost('closeProduct', [key]);
    throw error;
  }
}

/** Where a product is that runs elsewhere, and what its accounts are made with. */
export interface Site {
  url: string;
  databaseUrl: string;
  /** That signs its tokens. */
  secret: string;
}

/** Writes an account of a product that runs elsewhere, and begins a session of it. */
export async function makeAccount(
  { url, databaseUrl, secret }: Site,
  roles: string[] = [],
  now = new Date(),
): Promise<TestAccount> {
  const account = await callHost('addAccount', [databaseUrl, secret, roles, now]);
  return { ...account, ...caller(url, account.token) };
}

/** @param sessionClock by which accounts keep a young session; without it they keep the one that they have */
function productOf(
  key: string,
  started: Awaited<ReturnType<HostCalls['startProduct']>>,
  sessionClock?: Clock,
): TestProduct {
  const { settings, pid, mailboxToken } = started;
  const onProduct = (path: string, ...args: unknown[]) => callHost('onProduct', [key, path, args]);
  const database = new pg.Pool({ connectionString: settings.DATABASE_URL, max: 4 });
  // A connection that breaks is told by the next statement on it.
  database.on('error', () => undefined);
  const serverOf = ({ key: server, ...rest }: StartedServer): TestServer => ({
    ...rest,
    close: async () => void (await onProduct('closeServer', server)),
  });
  const youngToken = ({ id, pseudonym, token }: SignedInAccount, clock: Clock) => {
    let session = { token, begun: clock.now().getTime() };
    return async () => {
      const now = clock.now().getTime();
      if (now - session.begun > SESSION_AGE) {
        const begun = (await onProduct('signIn', { id, pseudonym })) as SignedInAccount;
        session = { token: begun.token, begun: now };
      }
      return session.token;
    };
  };
  const signedIn = async (path: string, argument: unknown): Promise<TestAccount> => {
    const account = (await onProduct(path, argument)) as SignedInAccount;
    const token = sessionClock ? youngToken(account, sessionClock) : account.token;
    return { ...account, ...caller(started.server.url, token) };
  };
  noteMailbox(started.server.url, mailboxToken);
  const calls = HOSTED_CALLS.map((name) => [name, (...args: unknown[]) => onProduct(name, ...args)]);
  return {
    ...(Object.fromEntries(calls) as HostedCalls),
    ...{ settings, pid, database, url: started.server.url, server: serverOf(started.server) },
    rows: async <Row extends object>(sql: string, ...values: unknown[]) =>
      (await database.query<Row>(sql, values)).rows,
    log: remote((method, args) => onProduct(`log.${method}`, ...args)),
    eventStore: remote((method, args) => onProduct(`client.${method}`, ...args)),
    startServer: async (...args) => serverOf((await onProduct('startServer', ...args)) as StartedServer),
    account: (...roles) => signedIn('account', roles),
    signIn: ({ id, pseudonym }) => signedIn('signIn', { id, pseudonym }),
    book: (copies, title = `Book ${randomBytes(4).toString('hex')}`) => makeBook(database, copies, title),
    copies: async (bookId) => {
      await onProduct('rowsSettled');
      const { rows } = await database.query<{ free: number }>(
        'select copies_available as free from book where id = $1',
        [bookId],
      );
      return rows[0]?.free ?? -1;
    },
    letters: (email) => lettersTo(started.server.url, email),
    lines: async () => (await onProduct('lines')) as string[],
    close: async () => {
      await database.end();
      await callHost('closeProduct', [key]);
    },
  };
}

/** Stands for an object of the other process: each of its methods is a call. */
function remote<Owner extends object>(call: (method: string, args: unknown[]) => Promise<unknown>): Owner {
  return new Proxy({} as Owner, {
    get:
      (_target, method) =>
      (...args: unknown[]) =>
        call(String(method), args),
  });
}
