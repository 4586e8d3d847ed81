import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  EventStoreDBClient,
  NO_STREAM,
  START,
  UnavailableError,
  jsonEvent,
  type AppendResult,
  type ResolvedEvent,
} from '@eventstore/db-client';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test-support/database/database.js';
import {
  collect,
  eventually,
  refusal,
  uniqueStream,
} from '../../test-support/event-store/event-store-under-test.js';
import { startEventStore, type EventStoreOptions, type RunningEventStore } from './event-store-server.js';

const note = (n = 0) => jsonEvent({ type: 'Noted', data: { n } });

describe('the embedded event store over a failure', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  const stores: RunningEventStore[] = [];
  const clients: EventStoreDBClient[] = [];
  beforeEach(async () => {
    database = await createTestDatabase();
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.dispose();
    for (const store of stores.splice(0)) await store.stop();
    await admin.end();
    await database.drop();
  });

  async function start(options: Partial<EventStoreOptions> = {}) {
    const store = await startEventStore({ databaseUrl: database.url, ...options });
    stores.push(store);
    return { store, client: connect(store.connectionString) };
  }
  function connect(connectionString: string) {
    const client = EventStoreDBClient.connectionString(connectionString);
    clients.push(client);
    return client;
  }
  const cutConnections = () =>
    admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
                 where datname = current_database() and application_name like 'lectern event store%'`);

  it('keeps everything over a restart, and goes on with its positions', async () => {
    const stream = uniqueStream();
    const first = await start();
    const before = await first.client.appendToStream(stream, [note(1), note(2)]);
    await first.client.dispose();
    await stores.pop()?.stop();

    const second = await start();
    const after = await second.client.appendToStream(stream, note(3), { expectedRevision: 1n });
    expect(after.position!.commit).toBe(before.position!.commit + 1n);
    expect(await collect(second.client.readStream(stream))).toHaveLength(3);
  });

  it('keeps what it acknowledged when its process is killed', async () => {
    const module = new URL('../../dist/embedded/event-store/event-store-server.js', import.meta.url).href;
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { startEventStore } from ${JSON.stringify(module)};
         const store = await startEventStore({ databaseUrl: process.env.DATABASE });
         process.send(store.connectionString);`,
      ],
      {
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        env: { ...process.env, DATABASE: database.url, NODE_OPTIONS: '' },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    );
    const [connectionString] = (await once(child, 'message')) as [string];
    const client = connect(connectionString);
    const acknowledged: [stream: string, result: AppendResult][] = [];
    let writing = true;
    const writers = Array.from({ length: 8 }, async () => {
      while (writing) {
        const stream = uniqueStream();
        const result = await client.appendToStream(stream, note()).catch(() => undefined);
        if (!result) return;
        acknowledged.push([stream, result]);
      }
    });
    await eventually(() => acknowledged.length > 200);
    child.kill('SIGKILL');
    writing = false;
    await Promise.race([Promise.all(writers), sleep(2000)]);

    const { client: other } = await start();
    const log = new Map(
      (await collect(other.readAll())).map(({ event }) => [event!.streamId, event!.position.commit]),
    );
    for (const [stream, { position }] of acknowledged) expect(log.get(stream)).toBe(position!.commit);
    const next = await other.appendToStream(uniqueStream(), note());
    expect(next.position!.commit).toBe([...log.values()].reduce((a, b) => (a > b ? a : b)) + 1n);
  });

  it('never acknowledges falsely while its connections are cut under load, and recovers', async () => {
    const { client } = await start();
    const follower = follow(client);
    const WRITERS = 16;
    const acknowledged: { stream: string; revision: bigint; position: bigint; n: number }[] = [];
    let writing = true;
    let refused = 0;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      const stream = uniqueStream(`cut${writer}`);
      for (let n = 0; writing; n += 1) {
        const event = note(n);
        const expectedRevision = n === 0 ? NO_STREAM : BigInt(n - 1);
        // As a careful caller does it: the same event again, until it is known to be there.
        for (;;) {
          const result = await within(2000, client.appendToStream(stream, event, { expectedRevision }));
          if (!(result instanceof Error)) {
            acknowledged.push({
              stream,
              n,
              revision: result.nextExpectedRevision,
              position: result.position!.commit,
            });
            break;
          }
          expect(['wrong-expected-version', 'stream-deleted']).not.toContain(
            (result as { type?: string }).type,
          );
          refused += 1;
          await sleep(20);
        }
      }
    });
    for (let cut = 0; cut < 3; cut += 1) {
      const enough = acknowledged.length + 200;
      await eventually(() => acknowledged.length > enough);
      await cutConnections();
    }
    const enough = acknowledged.length + 200;
    await eventually(() => acknowledged.length > enough);
    writing = false;
    await Promise.all(writers);
    expect(refused).toBeGreaterThan(0);

    const log = (await collect(client.readAll())).map(({ event }) => event!);
    expect(log.map(({ position }) => position.commit)).toEqual(log.map((_, n) => BigInt(n + 1)));
    expect(log).toHaveLength(acknowledged.length);
    const byPosition = new Map(log.map((event) => [event.position.commit, event]));
    for (const { stream, revision, position, n } of acknowledged) {
      expect(revision).toBe(BigInt(n));
      expect(byPosition.get(position)).toMatchObject({ streamId: stream, revision, data: { n } });
    }
    // A subscriber that asks again from where it was has missed nothing either.
    await eventually(() => follower.events.length >= log.length);
    expect(follower.events.map(({ event }) => event!.position!.commit)).toEqual(
      log.map(({ position }) => position.commit),
    );
    await follower.stop();
  });

  it('is unavailable while PostgreSQL refuses it, and comes back by itself', async () => {
    const { client } = await start();
    await client.appendToStream(uniqueStream(), note());
    const name = new URL(database.url).pathname.slice(1);
    const other = new pg.Client({ connectionString: process.env['TEST_POSTGRES_URL'] });
    await other.connect();
    await other.query(`alter database ${name} with allow_connections false`);
    await cutConnections();
    await sleep(50);
    const append = () => client.appendToStream(uniqueStream(), note());
    // One append of a batch is refused in words alone.
    expect(await refusal(append())).toMatchObject({ message: expect.stringContaining('cannot write') });
    expect(await refusal(collect(client.readAll()))).toBeInstanceOf(UnavailableError);
    await other.query(`alter database ${name} with allow_connections true`);
    await other.end();
    let back = false;
    const until = Date.now() + 8000;
    while (!back && Date.now() < until) {
      back = !((await within(1000, append())) instanceof Error);
      if (!back) await sleep(50);
    }
    expect(back).toBe(true);
  });

  it('does not start beside another one on the same database, but after it', async () => {
    const { store } = await start();
    const second = startEventStore({ databaseUrl: database.url, lockTimeoutMs: 300 });
    expect(await refusal(second)).toMatchObject({
      name: 'WriterLockHeldError',
      message: expect.stringContaining('Another event store'),
    });
    const waiting = startEventStore({ databaseUrl: database.url, lockTimeoutMs: 5000 });
    await stores.pop()?.stop();
    stores.push(await waiting);
    expect(stores[0]!.port).not.toBe(store.port);
  });

  it('refuses tables of a later version', async () => {
    await start();
    await stores.pop()?.stop();
    await admin.query('insert into eventstore.schema_step (step) values (999)');
    await expect(startEventStore({ databaseUrl: database.url })).rejects.toThrow(/later version/);
  });

  it('says that it is unavailable to those who wait when it stops', async () => {
    const { client } = await start();
    const subscription = client.subscribeToAll();
    const ended = refusal(collect(subscription));
    await new Promise((resolve) => subscription.once('caughtUp', () => resolve(undefined)));
    await stores.pop()?.stop();
    expect(await ended).toBeInstanceOf(UnavailableError);
  });
});

/** A subscriber that asks again after its last event whenever it is cut off. */
function follow(client: EventStoreDBClient) {
  const events: ResolvedEvent[] = [];
  let stopped = false;
  let current: ReturnType<EventStoreDBClient['subscribeToAll']> | undefined;
  const done = (async () => {
    while (!stopped) {
      const fromPosition = events.at(-1)?.event?.position ?? START;
      current = client.subscribeToAll({ fromPosition });
      try {
        for await (const event of current) events.push(event);
      } catch {
        await sleep(20);
      }
    }
  })();
  return {
    events,
    stop: async () => {
      stopped = true;
      await current?.unsubscribe();
      await Promise.race([done, sleep(500)]);
    },
  };
}

/** The result or the error; an error, too, when neither comes in time, as with a client that lost its channel. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | Error> {
  const late = new Promise<Error>((resolve) => setTimeout(() => resolve(new Error('late')), ms).unref());
  return Promise.race([promise.catch((error: unknown) => error as Error), late]);
}
