import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { DataSource } from 'typeorm';
import { PROJECTED } from '#contracts/event-log/categories.js';
import { SystemClock, type Clock } from '#platform/clock.js';
import { openDataSource } from '#platform/database/data-source.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { BookEntity } from '#platform/database/entities/catalogue.entity.js';
import { queryRow } from '#platform/database/query-rows.js';
import { READ_MODEL_RELEASE, readModelSchema } from '#platform/database/read-model.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { SigningKeys } from '#platform/signing-keys.js';
import { createLogger } from '#platform/logging.js';
import { readSettings, type ResolvedSettings } from '#platform/settings.js';
import type { EventStoreOptions } from '../embedded/event-store/event-store-server.js';
import { startMailbox } from '../embedded/mailbox/mailbox.js';
import { rebuild } from '../projections/rebuild.js';
import type { MailboxMessage } from '../embedded/mailbox/message.js';
import { startProjections, type RunningProjections } from '../projections/start-projections.js';
import { verify } from '../projections/verify.js';
import { beginSession, type ProvenAccount } from '../server/accounts/sessions/begin-session.js';
import { createAccount } from '../server/accounts/registration/create-account.js';
import { startServer, type RunningServer, type ServerOptions } from '../server/create-server.js';
import type { ApiRoute } from '../server/http/api-routes.js';
import { createTestDatabase } from './database.js';
import { startStoreUnderTest } from './event-store-under-test.js';
import { withToken } from './mailbox.js';

/** An answer of the API. */
// oxlint-disable-next-line typescript/no-explicit-any
export interface Answer<Body = any> {
  status: number;
  body: Body;
}

/** Somebody who is signed in. */
export interface TestAccount {
  id: string;
  /** What the log calls the person. */
  pseudonym: string;
  /** The id of the session. */
  sid: string;
  token: string;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown): Promise<Answer>;
  delete(path: string, body?: unknown): Promise<Answer>;
  /** Sends a multipart form. */
  send(method: 'POST' | 'PUT', path: string, form: FormData): Promise<Answer>;
}

/** The whole product on a database and an event store of its own, as one process runs it. */
export interface TestProduct {
  url: string;
  /** The calls that it answers. */
  routes: readonly ApiRoute[];
  settings: ResolvedSettings & { TIME_ZONE: string };
  database: Database;
  /** Entities over the same connections. */
  dataSource: DataSource;
  log: EventLog;
  server: RunningServer;
  projections: RunningProjections;
  account(...roles: string[]): Promise<TestAccount>;
  /** The same account with a new session, for a test that moved the time beyond the old one's end. */
  signIn(account: TestAccount): Promise<TestAccount>;
  book(copies: number, title?: string): Promise<number>;
  copies(bookId: number): Promise<number>;
  /** What an address was written, the newest first. */
  letters(email: string): Promise<MailboxMessage[]>;
  /** What `verify` finds: nothing, unless something is wrong. */
  differences(): Promise<string[]>;
  /** Takes the event log away for good, as a server that is unplugged. */
  stopEventStore(): Promise<void>;
  /** Builds the read model anew from the log. */
  rebuild(): Promise<void>;
  close(): Promise<void>;
}

export interface ProductOptions {
  /** Further settings, as environment variables. */
  environment?: NodeJS.ProcessEnv;
  /** Gets every line that is logged, down to `info`. */
  log?: string[];
  jobPolicies?: ServerOptions['jobPolicies'];
  answeredWithin?: ServerOptions['answeredWithin'];
  /** Of the embedded event store. */
  eventStore?: Pick<EventStoreOptions, 'tls' | 'credentials' | 'mayDelete'>;
  /** Puts something before the event store, and gives the address by which the product finds it. */
  before?: (eventStoreUrl: string) => Promise<string>;
  /** Another version of the read model than this release's. */
  readModel?: ResolvedSettings['readModel'];
  /** Whether there is one; the mailbox, unless the environment names another. */
  mailServer?: boolean;
  /** A migrated database for all but the events, rather than one that is made for this product. */
  databaseUrl?: string;
  /** Milliseconds between two looks at the parts. */
  heartbeatMs?: number;
}

/** Starts it. The caller closes it. */
export async function startProduct(
  clock: Clock = new SystemClock(),
  {
    environment = {},
    log: lines,
    jobPolicies,
    answeredWithin,
    eventStore,
    before,
    databaseUrl,
    readModel,
    mailServer = true,
    heartbeatMs,
  }: ProductOptions = {},
): Promise<TestProduct> {
  const testDatabase = await createTestDatabase('migrated');
  const mailbox = await startMailbox();
  const url = databaseUrl ?? testDatabase.url;
  const store = await startStoreUnderTest({ databaseUrl: testDatabase.url, ...eventStore });
  const settings: TestProduct['settings'] = {
    ...readSettings({
      NODE_ENV: 'test',
      PORT: '0',
      LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'fatal',
      // Tests put the clock forward by hours, and go on as who they were.
      SESSION_IDLE_MINUTES: '480',
      STAFF_SESSION_IDLE_MINUTES: '480',
      ...environment,
    }),
    TIME_ZONE: environment['TIME_ZONE'] ?? zoneAtNoon(clock.now()),
    DATABASE_URL: url,
    EVENTSTORE_URL: before ? await before(store.url) : store.url,
    SMTP_URL: mailServer ? (environment['SMTP_URL'] ?? mailbox.smtpUrl) : undefined,
    JWT_SECRET: randomBytes(32).toString('hex'),
    ...(readModel && { readModel }),
    ...(heartbeatMs !== undefined && { heartbeatMs }),
  };
  const logger = lines
    ? createLogger('info', { write: (line) => void lines.push(line) })
    : createLogger(settings.LOG_LEVEL);
  const database = openDatabase(url, 4, logger);
  const dataSource = await dataSourceOf(database);
  const client = eventStoreClient(settings.EVENTSTORE_URL, ANY_LOG);
  const log = new EventLog(client);
  const projections = await startProjections(settings, logger);
  const server = await startServer(settings, {
    logger,
    clock,
    pages: mailbox.router,
    ...(jobPolicies && { jobPolicies }),
    ...(answeredWithin !== undefined && { answeredWithin }),
  });
  let storeStopped: Promise<void> | undefined;
  const stopEventStore = () => (storeStopped ??= store.stop());

  return {
    url: server.url,
    routes: server.routes,
    settings,
    database,
    dataSource,
    log,
    server,
    projections,
    account: (...roles) => makeAccount(server.url, settings.JWT_SECRET, database, clock, roles),
    signIn: async (account) => signedIn(server.url, settings.JWT_SECRET, clock, database, account),
    book: (copies, title = `Book ${randomBytes(4).toString('hex')}`) => makeBook(database, copies, title),
    copies: async (bookId) => {
      await rowsSettled(database, log, readModelSchema(readModel?.version ?? READ_MODEL_RELEASE.version));
      const book = await dataSource.manager.findOneBy(BookEntity, { id: bookId });
      return book?.copiesAvailable ?? -1;
    },
    letters: async (email) => {
      const address = new URL(`/dev/mail/messages?to=${encodeURIComponent(email)}`, server.url);
      const answer = await fetch(withToken(address, mailbox.token));
      return (await answer.json()) as MailboxMessage[];
    },
    differences: async () => (await verify(url, log)).differences,
    stopEventStore,
    rebuild: async () => void (await rebuild(url, log)),
    close: async () => {
      await server.close();
      await projections.close();
      await client.dispose();
      await database.end();
      await stopEventStore();
      await mailbox.stop();
      await testDatabase.drop();
    },
  };
}

/** Waits until the rows have what the log has, as whoever reads does; in vain where no projection runs. */
async function rowsSettled(database: Database, log: EventLog, schema: string): Promise<void> {
  // Of a log or of rows that are not there, nothing comes.
  const last = await log.last(PROJECTED).catch(() => undefined);
  const checkpoint = z.object({ position: z.string() });
  for (let waited = 0; last && waited < 1_000; waited += 10) {
    const row = await queryRow(
      database,
      checkpoint,
      `select commit_position as position from ${schema}.checkpoint`,
    ).catch(() => undefined);
    if (BigInt(row?.position ?? -1) >= last.commit) return;
    await sleep(10);
  }
}

/** Where it is noon: there no day begins while a test runs, and none is changed by summer. */
function zoneAtNoon(now: Date): string {
  const ahead = 12 - now.getUTCHours();
  // The signs are as POSIX has them.
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

/** A hash whose password nobody knows. */
const NO_PASSWORD =
  '$argon2id$v=19$m=19456,t=2,p=1$XOtOi7AbuR9fiHd0gtz5Qg$V9U2WKk23xn2P2LN51cdPOgFEMKFTTUU5PZTwFnusfU';

const TEST_ORIGIN = { device: 'Jest on Node', network: 'this machine' };

const dataSources = new WeakMap<Database, Promise<DataSource>>();

/** The same one at each call: opening it is dearer than all that an account needs. */
function dataSourceOf(database: Database): Promise<DataSource> {
  const known = dataSources.get(database);
  if (known) return known;
  const opening = openDataSource(database);
  dataSources.set(database, opening);
  // Where the database was away, the next account tries again.
  opening.catch(() => dataSources.delete(database));
  return opening;
}

/** Writes an account and begins a session of it. */
export async function makeAccount(
  url: string,
  secret: string,
  database: Database,
  clock: Clock,
  roles: string[],
): Promise<TestAccount> {
  const name = `reader-${randomBytes(5).toString('hex')}`;
  const { manager } = await dataSourceOf(database);
  const { id, pseudonym } = await createAccount(
    manager,
    {
      username: name,
      email: `${name}@lectern.example`,
      passwordHash: NO_PASSWORD,
      firstname: 'Zofia',
      lastname: `Łęcka ${name.slice(-4)}`,
      dateOfBirth: '1990-01-31',
      gender: 'Female',
      country: 'Poland',
      city: 'Łódź',
      adress: 'ul. Piotrkowska 1',
      postalCode: '90-001',
      roles: roles.length === 0 ? ['Reader'] : roles,
      emailConfirmed: true,
    },
    clock.now(),
  );
  return signedIn(url, secret, clock, database, { id, pseudonym });
}

/** A session of eight hours for an account. The server takes name and roles from the account itself. */
async function signedIn(
  url: string,
  secret: string,
  clock: Clock,
  database: Database,
  { id, pseudonym }: Pick<TestAccount, 'id' | 'pseudonym'>,
): Promise<TestAccount> {
  const { rows } = await database.query<ProvenAccount>(
    'select id, username, roles, session, password_hash as "passwordHash" from account where id = $1',
    [id],
  );
  const keys = new SigningKeys({ JWT_SECRET: secret });
  const [account] = rows;
  const begun = account && (await beginSession(database, keys, account, TEST_ORIGIN, clock.now()));
  if (!begun) throw new Error('There is no such account.');
  const { sid, token } = begun;
  // As one who has just proved who they are: most tests are not about being asked again.
  await database.query('update session set confirmed_at = $2 where id = $1', [sid, clock.now()]);
  return { id, pseudonym, sid, token, ...caller(url, token) };
}

/** Calls of the API with a token. */
export type Caller = Omit<TestAccount, 'id' | 'pseudonym' | 'sid' | 'token'>;

/** @param token empty for somebody who has none @param cookie of a device */
export function caller(url: string, token: string, cookie?: string): Caller {
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        // A multipart form names its own type, with its boundary.
        ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...(cookie !== undefined && { cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) } as Answer;
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body = {}, headers = {}) => call('POST', path, body, headers),
    put: (path, body = {}) => call('PUT', path, body),
    delete: (path, body) => call('DELETE', path, body),
    send: (method, path, form) => call(method, path, form),
  };
}

/** Writes a book with so many copies on the shelf. */
export async function makeBook(database: Database, copies: number, title: string): Promise<number> {
  const book = await queryRow(
    database,
    z.object({ id: z.int() }),
    `with p as (
       insert into publisher (name) values ('Test Press') on conflict (name) do update set name = excluded.name returning id
     )
     insert into book (isbn, title, publisher_id, published, copies_total, copies_available)
     select $1, $2, p.id, '2001-01-01', $3, $3 from p returning id`,
    [`test-${randomUUID()}`, title, copies],
  );
  return book?.id ?? -1;
}
