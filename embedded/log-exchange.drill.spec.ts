import { createLogger } from '#platform/logging.js';
import { queryRow } from '#platform/database/query-rows.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { LogIdentity } from '#platform/event-log/log-identity.js';
import { ANY_LOG, WrongLog } from '#platform/event-log/log-proof.js';
import { LogRecord } from '#platform/event-log/log-record.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { prepareData } from '#platform/prepare-data.js';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { storeHistory } from '../bench/borrow-histories.js';
import { rebuild } from '../projections/rebuild.js';
import { createTestDatabase, type TestDatabase } from '../test-support/database/database.js';
import { freePort } from '../test-support/installation/free-port.js';
import { OwnProcess } from '../test-support/installation/own-process.js';
import { startProduct, type TestAccount, type TestProduct } from '../test-support/product/product.js';
import { waitFor } from '../test-support/wait-for.js';

/** Readers who rent at the same time, again and again, each under a new account. */
const LOAD = 3;
/** Refusals under load after which the next store takes the place of a wrong one. */
const REFUSED = 12;

interface Ready {
  status: string;
  checks: Record<string, { ok: boolean; state?: string }>;
}

describe('an event store that is exchanged while the product runs', () => {
  let port: number;
  let store: OwnProcess | undefined;
  let product: TestProduct;
  let auditor: TestAccount;
  const databases: TestDatabase[] = [];
  /** The event logs that may lie behind the port. */
  const logs = {} as Record<'own' | 'empty' | 'foreign' | 'older' | 'diverged', TestDatabase>;

  /** What was answered to rents under load. */
  const rented: string[] = [];
  let refused = 0;
  const unexpected: unknown[] = [];
  let isOver = false;
  let load: Promise<unknown>;

  beforeAll(async () => {
    port = await freePort();
    const database = async (of?: TestDatabase) => {
      const made = await createTestDatabase(of);
      databases.push(made);
      return made;
    };
    logs.own = await database();
    await open('own');
    const rows = await createTestDatabase('migrated');
    databases.push(rows);
    product = await startProduct(undefined, {
      databaseUrl: rows.url,
      before: async () => url(),
      environment: { HOLD_STALE_SECONDS: '2' },
    });
    auditor = await product.account('Auditor');
    for (let n = 0; n < 3; n += 1) await rent();
    await close();
    // PostgreSQL may not have noticed yet that the one who used it was killed.
    logs.older = await waitFor(() => database(logs.own).catch(() => undefined));
    logs.diverged = await database(logs.older);
    logs.empty = await database();
    logs.foreign = await database();

    // Elsewhere: as long as nothing else was written, the copy is the log itself to the product.
    const elsewhere = await freePort();
    for (const log of ['foreign', 'diverged'] as const) {
      await open(log, elsewhere);
      const client = eventStoreClient(url(elsewhere), ANY_LOG, { batched: true });
      await new LogRecord(client).logId();
      // Longer than the own one becomes under load.
      await storeHistory(client, crypto.randomUUID(), 2_000, [900_000, 900_001]);
      await client.dispose();
      await close();
    }

    await open('own');
    await waitFor(async () => (await rent()) === 200 && (await ready()).status === 'ready');
    await waitFor(async () => (await product.projectionState())?.kind === 'leading');
    load = Promise.all(Array.from({ length: LOAD }, underLoad));
  });
  afterAll(async () => {
    isOver = true;
    await load;
    await product?.close();
    await store?.kill();
    for (const database of databases) await database.drop();
  });

  const url = (at = port) => `esdb://127.0.0.1:${at}?tls=false`;

  async function open(log: keyof typeof logs, at = port): Promise<void> {
    store = OwnProcess.start(log, 'test-support/event-store/event-store-process.mjs', {
      DATABASE_URL: logs[log].url,
      PORT: String(at),
    });
    const opened = store;
    await opened.until(async () => opened.output.includes('esdb://'));
  }

  async function close(): Promise<void> {
    await store?.kill();
  }

  /** Events in a log, without asking the store. */
  async function contents(log: keyof typeof logs): Promise<{ events: number; end: string | null }> {
    const connection = new pg.Client({ connectionString: logs[log].url });
    await connection.connect();
    try {
      const row = await queryRow(
        connection,
        z.object({ events: z.int(), end: z.string().nullable() }),
        'select count(*)::integer as events, max(position)::text as end from eventstore.event',
      );
      return row ?? { events: -1, end: null };
    } finally {
      await connection.end();
    }
  }

  /** A new reader's first rent: of a stream that no log has. Gives the status. */
  async function rent(): Promise<number> {
    const reader = await product.account();
    const bookIds = [await product.book(1)];
    const { status, body } = await reader.post('Borrow/rent-books', { bookIds });
    if (status === 200) rented.push(body.borrowId as string);
    else if (status === 503) refused += 1;
    else unexpected.push({ status, body });
    return status;
  }

  async function underLoad(): Promise<void> {
    while (!isOver) {
      await rent().catch((error: unknown) => unexpected.push(error));
      await sleep(20);
    }
  }

  const ready = async () => (await (await fetch(`${product.url}/readyz`)).json()) as Ready;
  const saying = async (words: string) =>
    (await product.lines()).filter((line) => (JSON.parse(line) as { msg: string }).msg.includes(words))
      .length;

  it.each([
    ['an empty one', 'empty', 'another', 'This is another event log'],
    ["another installation's", 'foreign', 'another', 'This is another event log'],
    ['an older copy of its own', 'older', 'shorter', 'The event log is shorter'],
    ['an older copy that others went on with', 'diverged', 'diverged', 'This is an older copy'],
  ] as const)(
    'gets nothing where it is %s, and work goes on by itself with the right one',
    async (_what, log, kind, words) => {
      const before = log === 'empty' ? { events: 0, end: null } : await contents(log);
      const said = [await saying(words), await saying('the right event log is back')];
      await close();
      await open(log);

      // Under load: the connections break while calls are on their way, and the next ones lead here.
      const from = refused;
      await waitFor(() => refused >= from + REFUSED);
      const reader = await product.account();
      const answer = await fetch(`${product.url}/api/Borrow/rent-books`, {
        method: 'POST',
        headers: { authorization: `Bearer ${reader.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ bookIds: [await product.book(1)] }),
      });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await answer.json()).toMatchObject({ code: 'WrongEventLog' });
      // What is only read is not shown either.
      const history = await auditor.get(`Audit/readers/${reader.id}/events`);
      expect([history.status, history.body.code]).toEqual([503, 'WrongEventLog']);
      await waitFor(async () => (await ready()).checks['eventStore']?.state === `${kind} log`);
      expect(await ready()).toMatchObject({
        status: 'degraded',
        checks: { eventStore: { ok: false, state: `${kind} log` } },
      });
      await waitFor(async () => (await product.projectionState())?.kind === 'stopped');
      await waitFor(async () => (await product.letterState())?.kind === 'stopped');

      // Neither a start nor a rebuild takes it up.
      const silent = createLogger('silent');
      await expect(prepareData(product.settings, silent)).rejects.toThrow(WrongLog);
      const client = eventStoreClient(url(), new LogIdentity(product.database, undefined, false).prove);
      await expect(rebuild(product.settings.DATABASE_URL, new EventLog(client))).rejects.toThrow(WrongLog);
      await client.dispose();

      await close();
      expect(await contents(log)).toEqual(before);
      // The server and the projections, each by its own connection.
      expect((await saying(words)) - (said[0] ?? 0)).toBe(2);

      await open('own');
      const done = rented.length;
      await waitFor(() => rented.length > done + LOAD);
      await waitFor(async () => (await ready()).status === 'ready');
      await waitFor(async () => (await product.projectionState())?.kind === 'leading');
      await waitFor(async () => (await product.letterState())?.kind === 'leading');
      expect((await saying('the right event log is back')) - (said[1] ?? 0)).toBe(2);
      await prepareData(product.settings, silent);
      expect(unexpected).toEqual([]);
    },
  );

  it('has lost nothing that was acknowledged, and no row differs', async () => {
    isOver = true;
    await load;
    await waitFor(async () => {
      const { rowCount } = await product.database.query(
        "select from copy_allocation where state = 'pending'",
      );
      return rowCount === 0;
    });
    await waitFor(async () => (await product.differences()).length === 0);
    const stored = new Set<string>();
    const connection = new pg.Client({ connectionString: logs.own.url });
    await connection.connect();
    const { rows } = await connection.query<{ id: string }>(
      `select convert_from(data, 'UTF8')::jsonb ->> 'borrowId' as id from eventstore.event where type = 'BooksRented'`,
    );
    await connection.end();
    for (const { id } of rows) stored.add(id);
    expect(rows).toHaveLength(stored.size);
    expect(rented.filter((id) => !stored.has(id))).toEqual([]);
  });
});
