import type { EventStoreDBClient } from '@eventstore/db-client';
import type pg from 'pg';
import { ANY_LOG, WrongLog } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { LogIdentity } from '#platform/event-log/log-identity.js';
import { LogRecord } from '#platform/event-log/log-record.js';
import type { Database } from '#platform/database/database.js';
import { startEventStore, type RunningEventStore } from './event-store/event-store-server.js';
import { createTestDatabase } from '../test-support/database/database.js';
import { startProduct, type TestAccount, type TestProduct } from '../test-support/product/product.js';
import { startRelay } from '../test-support/installation/relay.js';
import { waitFor } from '../test-support/wait-for.js';
import { beginLettersAt } from '../projections/adopt-log.js';
import { rebuild } from '../projections/rebuild.js';
import { verify } from '../projections/verify.js';
import { READ_MODEL } from '#platform/database/read-model.js';

describe('the rows and their event log', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  /** An event store with nothing in it. */
  async function emptyStore(): Promise<{
    store: RunningEventStore;
    client: ReturnType<typeof eventStoreClient>;
  }> {
    const database = await createTestDatabase();
    const store = await startEventStore({ databaseUrl: database.url });
    const client = eventStoreClient(store.connectionString, ANY_LOG);
    closers.push(async () => {
      await client.dispose();
      await store.stop();
      await database.drop();
    });
    return { store, client };
  }

  async function library(): Promise<{ product: TestProduct; reader: TestAccount; admin: TestAccount }> {
    const product = await startProduct();
    closers.push(() => product.close());
    return { product, reader: await product.account(), admin: await product.account('Admin') };
  }

  async function rent(
    product: TestProduct,
    reader: TestAccount,
  ): Promise<{ borrowId: string; bookId: number }> {
    const bookId = await product.book(2);
    const { status, body } = await reader.post('Borrow/rent-books', { bookIds: [bookId] });
    expect(status).toBe(200);
    return { borrowId: body.borrowId as string, bookId };
  }

  const stamp = async (product: TestProduct) => {
    const { rows } = await product.database.query<{ log_id: string | null }>(
      `select log_id from ${READ_MODEL}.checkpoint`,
    );
    return rows[0]?.log_id ?? null;
  };
  const refusal = async (store: EventStoreDBClient, database: Database): Promise<WrongLog> => {
    const proving = new LogIdentity(database).prove(store, undefined);
    const thrown: unknown = await proving.catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(WrongLog);
    const { message } = thrown as WrongLog;
    expect(message).not.toContain('\n');
    expect(message).toContain('npm run rebuild -- --adopt-log');
    return thrown as WrongLog;
  };
  const client = (product: TestProduct) => {
    const opened = eventStoreClient(product.settings.EVENTSTORE_URL, ANY_LOG);
    closers.push(() => opened.dispose());
    return opened;
  };

  it('belong together from the first event on, and are told apart from any other log', async () => {
    const { product, reader } = await library();
    await rent(product, reader);
    const stamped = await stamp(product);
    expect(stamped).toMatch(/^[0-9a-f-]{36}$/);
    await new LogIdentity(product.database).prove(client(product), undefined);

    const empty = await emptyStore();
    expect((await refusal(empty.client, product.database)).kind).toBe('another');
    // One with a name of its own.
    await new LogRecord(empty.client).logId();
    const other = await refusal(empty.client, product.database);
    expect([other.kind, other.message]).toEqual(['another', expect.stringContaining(stamped ?? '-')]);
    expect(await stamp(product)).toBe(stamped);
  });

  it('are refused with a log that has lost its end', async () => {
    const { product, reader } = await library();
    await rent(product, reader);
    await product.database.query(
      `update ${READ_MODEL}.checkpoint set commit_position = commit_position + 1000`,
    );
    const short = await refusal(client(product), product.database);
    expect(short.kind).toBe('shorter');
  });

  it('are refused with a log that ends before what letters were made of, or what was acknowledged', async () => {
    const { product, reader } = await library();
    await rent(product, reader);
    const store = client(product);
    const logId = await stamp(product);
    const end = await product.log.end();
    const far = { commit: `${(end?.commit ?? 0n) + 1000n}`, prepare: '0', event: null };
    const { prove } = new LogIdentity(product.database);
    expect(await prove(store, { logId: logId ?? '-', ...far, commit: `${end?.commit}` })).toBe(logId);
    await expect(prove(store, { logId: logId ?? '-', ...far })).rejects.toMatchObject({ kind: 'shorter' });
    // Of a log before this one.
    expect(await prove(store, { logId: crypto.randomUUID(), ...far })).toBe(logId);

    const letters = (position: string) =>
      product.database.query('update letters.checkpoint set commit_position = $1 where log_id = $2', [
        position,
        logId,
      ]);
    expect((await letters(far.commit)).rowCount).toBe(1);
    expect((await refusal(store, product.database)).kind).toBe('shorter');
  });

  it('are refused with a log that has another event where they end', async () => {
    const { product, reader } = await library();
    await rent(product, reader);
    const stored = (await product.log.readStream('borrows', reader.pseudonym)).at(-1);
    const lastEvent = async () => {
      const { rows } = await product.database.query<{ last_event: string | null }>(
        `select last_event from ${READ_MODEL}.checkpoint`,
      );
      return rows[0]?.last_event;
    };
    expect(await lastEvent()).toBe(stored?.id);
    await product.rebuild();
    expect(await lastEvent()).toBe(stored?.id);
    await new LogIdentity(product.database).prove(client(product), undefined);
    await product.database.query(`update ${READ_MODEL}.checkpoint set last_event = gen_random_uuid()`);
    expect((await refusal(client(product), product.database)).kind).toBe('diverged');
  });

  it('that are new are stamped with a log that others have written to', async () => {
    const { product, reader } = await library();
    await rent(product, reader);
    const database = await createTestDatabase('migrated');
    closers.push(() => database.drop());
    const second = await startProduct(undefined, {
      databaseUrl: database.url,
      before: async () => product.settings.EVENTSTORE_URL,
    });
    closers.push(() => second.close());
    await waitFor(
      async () => (await second.database.query(`select from ${READ_MODEL}.borrow`)).rowCount === 1,
    );
    expect(await stamp(second)).toBe(await stamp(product));
  });

  it('are compared when the log is there, where it was away at the start: nothing is appended or followed before', async () => {
    const { product, reader } = await library();
    await rent(product, reader);
    const empty = await emptyStore();
    // Nobody listens on port 1.
    const relay = await startRelay(1);
    closers.push(() => relay.close());
    const second = await startProduct(undefined, {
      databaseUrl: product.settings.DATABASE_URL,
      before: async () => `esdb://127.0.0.1:${relay.port}?tls=false`,
    });
    closers.push(() => second.close());
    await product.closeProjections();
    const there = await second.account();
    const bookId = await second.book(1);
    const asked = { bookIds: [bookId] };
    expect(await there.post('Borrow/rent-books', asked)).toMatchObject({
      status: 503,
      body: { code: 'EventStoreUnavailable' },
    });
    relay.leadTo(empty.store.port);
    await waitFor(async () => (await second.projectionState())?.kind === 'stopped');
    expect(await second.projectionState()).toMatchObject({
      reason: expect.stringMatching(/This is another event log/),
    });
    const refused = await there.post('Borrow/rent-books', asked);
    expect([refused.status, refused.body.code]).toEqual([503, 'WrongEventLog']);
    expect(await second.copies(bookId)).toBe(1);
    const events = [];
    for await (const { event } of empty.client.readAll()) events.push(event?.type);
    expect(events).toEqual([]);
  });

  it('are made of the log at hand where that is adopted: rows, copies and letters fit it', async () => {
    const { product, reader, admin } = await library();
    const kept = await rent(product, reader);
    const desk = `borrowId=${kept.borrowId}&userId=${reader.id}`;
    expect((await admin.post(`Borrow/issue-books?${desk}`, { bookIds: [kept.bookId] })).status).toBe(200);
    const events = await product.log.readStream('borrows', reader.pseudonym);
    expect((await admin.post(`Borrow/return-books?${desk}`, { bookIds: [kept.bookId] })).status).toBe(200);
    const lost = await rent(product, reader);

    // An older backup of the log: the book is still issued, and the second rent was never made.
    const empty = await emptyStore();
    const log = new EventLog(empty.client);
    await log.append('borrows', reader.pseudonym, events, -1n);
    await product.server.close();
    const url = product.settings.DATABASE_URL;
    const logId = await new LogRecord(empty.client).logId();
    const settle = async (connection: pg.Client) => beginLettersAt(connection, await log.end());
    const adopted = { logId, settle };
    await expect(rebuild(url, log, undefined, { adopted })).rejects.toThrow(/Lectern is running/);
    await product.closeProjections();
    expect((await rebuild(url, log, undefined, { adopted })).events).toBe(2);

    expect(await stamp(product)).toBe(logId);
    expect([await product.copies(kept.bookId), await product.copies(lost.bookId)]).toEqual([1, 2]);
    expect((await verify(url, log)).differences).toEqual([]);
    expect(await new LogIdentity(product.database).prove(empty.client, undefined)).toBe(logId);
    const { rows } = await product.database.query<{ at: string }>(
      'select commit_position::text as at from letters.checkpoint',
    );
    expect(rows).toEqual([{ at: (await log.end())?.commit.toString() }]);
  });
});
