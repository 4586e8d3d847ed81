import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { JobType } from 'bullmq';
import { z } from 'zod';
import { PROJECTED } from '#contracts/event-log/categories.js';
import { decide, type BorrowCommand } from '#circulation/borrow/borrow.decider.js';
import { borrowRules } from '#circulation/rules/borrow.policy.js';
import type { Clock } from '#platform/clock.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { READ_MODEL_RELEASE, readModelSchema } from '#platform/database/read-model.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import type { JobData, JobName, QueueName } from '#platform/jobs/job-map.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { queueBackend } from '#platform/jobs/queue-backend.js';
import { createLogger, type Logger } from '#platform/logging.js';
import type { RunningOperations } from '#platform/operations/operations-port.js';
import { readSettings, type ResolvedSettings } from '#platform/settings.js';
import type { EventStoreOptions } from '../../embedded/event-store/event-store-server.js';
import { startMailbox } from '../../embedded/mailbox/mailbox.js';
import { rebuild } from '../../projections/rebuild.js';
import { startProjections, type RunningProjections } from '../../projections/start-projections.js';
import { verify } from '../../projections/verify.js';
import { removeEndedSessions, type IdleSettings } from '../../server/accounts/sessions/session-idle.js';
import { ReaderStreams } from '../../server/borrowing/streams/reader-streams.js';
import { startServer, type RunningServer, type ServerOptions } from '../../server/create-server.js';
import { closedHistory, storeHistory } from '../../bench/borrow-histories.js';
import { WorkerOperations } from '../../server/operations/worker-operations.js';
import { WorkerModule } from '../../server/worker.module.js';
import { createTestDatabase, type TestDatabase } from '../database/database.js';
import type { StoreOfOwn } from '../event-store/event-store-command.js';
import { runJob } from '../product/run-job.js';
import { startTestStore } from '../event-store/test-store.js';
import { Accounts, type Account, type SignedInAccount } from './accounts.js';

/** Milliseconds that `copies` waits for the rows at most; in vain where no projection runs. */
const ROWS_WITHIN = 1_000;

type ServerChanges = Pick<ServerOptions, 'jobs' | 'answeredWithin' | 'setUpCode'>;

/** How a product differs from the usual one. Data alone, as it is sent to another process. */
export interface ProductOptions extends ServerChanges {
  /** Further settings, as environment variables. */
  environment?: Record<string, string | undefined>;
  /** Whether it has the demo's catalogue and accounts. */
  demo?: boolean;
  /** Of the embedded event store. */
  eventStore?: Pick<EventStoreOptions, 'tls' | 'credentials' | 'mayDelete'>;
  /** Another version of the read model than this release's. */
  readModel?: ResolvedSettings['readModel'];
  /** Whether there is one; the mailbox, unless the environment names another. */
  mailServer?: boolean;
  /** A migrated database for all but the events, rather than one that is made for this product. */
  databaseUrl?: string;
  /** Milliseconds between two looks at the parts. */
  heartbeatMs?: number;
}

/** A job in a queue. */
export interface QueuedJob {
  id: string;
  name: string;
  data: unknown;
  attemptsMade: number;
  failedReason: string;
}

/** A server of a product. */
export interface StartedServer {
  /** By which it is closed. */
  key: string;
  url: string;
  sip2Port: number | undefined;
}

/** A database and an event store, for a product that is yet to start. */
export interface HostedStore {
  database: TestDatabase;
  store: StoreOfOwn;
}

export async function openStore({ demo, eventStore }: ProductOptions): Promise<HostedStore> {
  const database = await createTestDatabase(demo ? 'demo' : 'migrated');
  try {
    return { database, store: await startTestStore({ databaseUrl: database.url, ...eventStore }) };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

export async function dropStore({ store, database }: HostedStore): Promise<void> {
  await store.stop();
  await database.drop();
}

/** Ids of no book: nothing that is stored for a long history looks at the catalogue. */
const NO_BOOKS = Array.from({ length: 10 }, (_, index) => 900_000 + index);

/**
 * The whole product on a database and an event store of its own, as one process runs it, and what tests do to it beside
 * what a client can. Takes and gives plain data: each method is called from another process.
 */
export class HostedProduct {
  /** What the product and its servers logged, down to `info`. */
  readonly lines: string[] = [];
  readonly client;
  readonly log: EventLog;
  private readonly database: Database;
  private readonly accounts: Accounts;
  private readonly logger: Logger;
  private readonly servers = new Map<string, RunningServer>();
  private readonly projections: RunningProjections[] = [];
  private readonly workers: { close(): Promise<void> }[] = [];
  private readonly ports: RunningOperations[] = [];
  private queues: Jobs | undefined;
  private storeStopped: Promise<void> | undefined;
  /** As they were before this product changed them. */
  private readonly variables = new Map<string, string | undefined>();

  private constructor(
    private readonly owned: HostedStore,
    private readonly mailbox: Awaited<ReturnType<typeof startMailbox>>,
    readonly settings: ResolvedSettings & { TIME_ZONE: string },
    private readonly clock: Clock,
  ) {
    const shown = process.env['TEST_LOG_LEVEL'];
    const write = (line: string) => {
      this.lines.push(line);
      if (shown !== undefined) process.stderr.write(line);
    };
    this.logger = createLogger(shown ?? 'info', { write });
    this.database = openDatabase(settings.DATABASE_URL, 4, this.logger);
    this.accounts = new Accounts(this.database, settings.JWT_SECRET);
    this.client = eventStoreClient(settings.EVENTSTORE_URL, ANY_LOG);
    this.log = new EventLog(this.client);
  }

  /** @param eventStoreUrl by which the product finds the store */
  static async start(
    owned: HostedStore,
    eventStoreUrl: string,
    clock: Clock,
    {
      environment = {},
      demo: _inItsDatabase,
      eventStore: _ofItsStore,
      readModel,
      mailServer = true,
      databaseUrl,
      heartbeatMs,
      ...changes
    }: ProductOptions,
  ): Promise<{ product: HostedProduct; server: StartedServer; mailboxToken: string }> {
    const mailbox = await startMailbox();
    const settings: HostedProduct['settings'] = {
      ...readSettings({
        NODE_ENV: 'test',
        PORT: '0',
        // Tests put the clock forward by hours, and go on as who they were.
        SESSION_IDLE_MINUTES: '480',
        STAFF_SESSION_IDLE_MINUTES: '480',
        ...environment,
      }),
      TIME_ZONE: environment['TIME_ZONE'] ?? zoneAtNoon(clock.now()),
      DATABASE_URL: databaseUrl ?? owned.database.url,
      EVENTSTORE_URL: eventStoreUrl,
      SMTP_URL: mailServer ? (environment['SMTP_URL'] ?? mailbox.smtpUrl) : undefined,
      JWT_SECRET: randomBytes(32).toString('hex'),
      ...(readModel && { readModel }),
      ...(heartbeatMs !== undefined && { heartbeatMs }),
    };
    const product = new HostedProduct(owned, mailbox, settings, clock);
    try {
      await product.startProjections();
      const started = await product.listen(settings, { ...changes, pages: mailbox.router });
      // Links in letters lead there.
      settings.PORT = Number(new URL(started.url).port);
      return { product, server: started, mailboxToken: mailbox.token };
    } catch (error) {
      await product.close().catch(() => undefined);
      throw error;
    }
  }

  private async listen(settings: ResolvedSettings, options: Partial<ServerOptions>): Promise<StartedServer> {
    const server = await startServer(settings, { clock: this.clock, ...options, logger: this.logger });
    const key = randomUUID();
    this.servers.set(key, server);
    return { key, url: server.url, sip2Port: server.sip2Port };
  }

  /** Starts another server on the same database and log. */
  startServer(settings: Partial<ResolvedSettings> = {}, changes: ServerChanges = {}): Promise<StartedServer> {
    return this.listen({ ...this.settings, PORT: 0, ...settings }, changes);
  }

  /** The handlers of its requests by name, each with the call that it serves. */
  handlers(): { name: string; call: string | undefined }[] {
    const [server] = this.servers.values();
    return (server?.handlers ?? []).map(({ controller, name, call }) => ({
      name: `${controller.name}.${name}`,
      call: call && `${call.method} ${call.path}`,
    }));
  }

  async closeServer(key: string): Promise<void> {
    await this.servers.get(key)?.close();
  }

  /** Starts a worker alone. Gives the address of its health. */
  async startWorker(): Promise<string> {
    const worker = await NestFactory.createApplicationContext(WorkerModule.with(this.settings, this.logger), {
      logger: false,
      abortOnError: false,
    });
    this.workers.push(worker);
    const port = await worker.get(WorkerOperations).open('127.0.0.1', 0);
    this.ports.push(port);
    return port.url;
  }

  /** Starts further projections, which stand by. Gives their number. */
  async startProjections(): Promise<number> {
    return this.projections.push(await startProjections(this.settings, this.logger)) - 1;
  }

  projectionState(which = 0): ReturnType<RunningProjections['state']> | undefined {
    return this.projections[which]?.state();
  }

  letterState(which = 0): ReturnType<RunningProjections['letters']> | undefined {
    return this.projections[which]?.letters();
  }

  async closeProjections(which = 0): Promise<void> {
    await this.projections[which]?.close();
  }

  /** Opens the port of the projections' health, and gives its address. */
  async projectionOperations(which = 0): Promise<string> {
    const port = await this.projections[which]?.operations('127.0.0.1', 0);
    if (port) this.ports.push(port);
    return port?.url ?? '';
  }

  /** @param idle for how long sessions last that nobody uses */
  removeEndedSessions(idle: IdleSettings): Promise<void> {
    return removeEndedSessions(this.database, idle, this.clock.now());
  }

  account(roles: string[]): Promise<SignedInAccount> {
    return this.accounts.add(roles, this.clock.now());
  }

  signIn(account: Account): Promise<SignedInAccount> {
    return this.accounts.signIn(account, this.clock.now());
  }

  /** Waits until the rows have what the log has, as whoever reads does. */
  async rowsSettled(): Promise<void> {
    // Of a log or of rows that are not there, nothing comes.
    const last = await this.log.last(PROJECTED).catch(() => undefined);
    const schema = readModelSchema(this.settings.readModel?.version ?? READ_MODEL_RELEASE.version);
    const checkpoint = z.object({ position: z.string() });
    for (let waited = 0; last && waited < ROWS_WITHIN; waited += 10) {
      const row = await queryRow(
        this.database,
        checkpoint,
        `select commit_position as position from ${schema}.checkpoint`,
      ).catch(() => undefined);
      if (BigInt(row?.position ?? -1) >= last.commit) return;
      await sleep(10);
    }
  }

  /** Stores what a command to a reader's borrow decides by the first rules, as the product's own handlers do. */
  async change(readerId: string, command: BorrowCommand): Promise<void> {
    const id = randomUUID();
    const context = {
      actor: readerId,
      correlationId: id,
      ...commandIdentity(id, 'test', command.type, {}),
    };
    await new ReaderStreams(this.log).execute(readerId, context, (state) =>
      decide(state, command, borrowRules(this.settings.TIME_ZONE)),
    );
  }

  /** Gives a reader a history of so many events over many years, as the decider makes them. */
  async storeHistory(readerId: string, count: number): Promise<ReturnType<typeof storeHistory>> {
    const client = eventStoreClient(this.settings.EVENTSTORE_URL, ANY_LOG, { batched: true });
    try {
      return await storeHistory(client, readerId, count, NO_BOOKS);
    } finally {
      await client.dispose();
    }
  }

  /** The events of a reader who has brought everything back, with their ids, at least so many; nothing is stored. */
  closedHistory(readerId: string, count: number): ReturnType<typeof closedHistory> {
    return closedHistory(readerId, count, NO_BOOKS);
  }

  /** All that is in the log, of whatever stream. */
  async storedEvents(): Promise<{ streamId: string; type: string; data: unknown; metadata: unknown }[]> {
    const stored = [];
    for await (const { event } of this.client.readAll()) {
      if (!event) continue;
      const { streamId, type, data, metadata } = event;
      stored.push({ streamId, type, data: data as unknown, metadata: metadata as unknown });
    }
    return stored;
  }

  /**
   * Has a job done, through its queue.
   * @returns what the job gave
   * @throws an Error when it failed for good
   */
  runJob<Queue extends QueueName, Job extends JobName<Queue>>(
    queue: Queue,
    name: Job,
    data: JobData<Queue, Job>,
  ): Promise<unknown> {
    return runJob(this.jobs(), queue, name, data);
  }

  async pauseQueue(queue: QueueName): Promise<void> {
    await this.jobs().queue(queue).pause();
  }

  async resumeQueue(queue: QueueName): Promise<void> {
    await this.jobs().queue(queue).resume();
  }

  /** @param states all, if none is named */
  async jobsIn(queue: QueueName, ...states: JobType[]): Promise<QueuedJob[]> {
    const jobs = await this.jobs().queue(queue).getJobs(states);
    return jobs.map(({ id = '', name, data, attemptsMade, failedReason }) => ({
      ...{ id, name, data: data as unknown, attemptsMade, failedReason },
    }));
  }

  /** Puts a job that has failed for good back into its queue. */
  async retryJob(queue: QueueName, id: string): Promise<void> {
    await (await this.jobs().queue(queue).getJob(id))?.retry('failed');
  }

  private jobs(): Jobs {
    return (this.queues ??= new Jobs(queueBackend(this.settings), this.logger));
  }

  /** What `verify` finds: nothing, unless something is wrong. */
  async differences(): Promise<string[]> {
    return (await verify(this.settings.DATABASE_URL, this.log)).differences;
  }

  /** Builds the read model anew from the log. */
  rebuild(): ReturnType<typeof rebuild> {
    return rebuild(this.settings.DATABASE_URL, this.log);
  }

  /** Takes the event log away for good, as a server that is unplugged. */
  stopEventStore(): Promise<void> {
    return (this.storeStopped ??= this.owned.store.stop());
  }

  /** Changes the environment of this process until the product is closed. @param value none to take the variable away */
  setVariable(name: string, value?: string): void {
    if (!this.variables.has(name)) this.variables.set(name, process.env[name]);
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }

  async close(): Promise<void> {
    for (const each of [...this.servers.values(), ...this.workers]) await each.close();
    for (const [name, value] of this.variables) this.setVariable(name, value);
    await Promise.all(this.ports.map((each) => each.close()));
    await Promise.all(this.projections.map((each) => each.close()));
    await this.queues?.close();
    await this.client.dispose();
    await this.database.end();
    await this.stopEventStore();
    await this.mailbox.stop();
    await this.owned.database.drop();
  }
}

/** Where it is noon: there no day begins while a test runs, and none is changed by summer. */
function zoneAtNoon(now: Date): string {
  const ahead = 12 - now.getUTCHours();
  // The signs are as POSIX has them.
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
