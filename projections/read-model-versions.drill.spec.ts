import pg from 'pg';
import { LOCKS } from '#platform/database/locks.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import {
  READ_MODEL,
  READ_MODEL_RELEASE,
  readModelSchema,
  shadowSchemaOf,
} from '#platform/database/read-model.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { createLogger } from '#platform/logging.js';
import { prepareData } from '#platform/prepare-data.js';
import { StartupError } from '#platform/startup-error.js';
import { startProduct, type TestAccount, type TestProduct } from '../test-support/product/product.js';
import { waitFor } from '../test-support/wait-for.js';
import { rebuild } from './rebuild.js';
import { verify } from './verify.js';

/** A release after this one: its lists are of another version, and it cannot read those of this one. */
const PRESENT = READ_MODEL_RELEASE.version;
const NEXT = { version: PRESENT + 1, reads: [] };
const NEXT_SCHEMA = readModelSchema(NEXT.version);

describe('a release with another version of the read model', () => {
  const closers: (() => Promise<void>)[] = [];
  let present: TestProduct;
  let reader: TestAccount;
  let log: EventLog;
  beforeEach(async () => {
    present = await startProduct();
    closers.push(() => present.close());
    reader = await present.account();
    const client = eventStoreClient(present.settings.EVENTSTORE_URL, ANY_LOG);
    closers.push(() => client.dispose());
    log = new EventLog(client);
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  /** Starts the next release beside the present one. */
  async function startNext(readModel: { version: number; reads: number[] }): Promise<TestProduct> {
    const next = await startProduct(undefined, {
      databaseUrl: present.settings.DATABASE_URL,
      before: async () => present.settings.EVENTSTORE_URL,
      readModel,
    });
    closers.push(() => next.close());
    return next;
  }

  /** Keeps new lists from being made, until told to let them. */
  async function holdBuilding(): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: present.settings.DATABASE_URL });
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [LOCKS.rebuild]);
    let released: Promise<void> | undefined;
    const release = () => (released ??= client.end());
    closers.push(release);
    return release;
  }

  async function rent(as: TestAccount): Promise<{ borrowId: string; bookId: number; isListed: boolean }> {
    const bookId = await present.book(1);
    const { status, body } = await as.post('Borrow/rent-books', { bookIds: [bookId] });
    expect(status).toBe(200);
    const listed = (await as.get('Borrow/history')).body as { id: string }[];
    const borrowId = body.borrowId as string;
    return { borrowId, bookId, isListed: listed.some(({ id }) => id === borrowId) };
  }

  /** What a page of borrows has for a librarian. */
  async function list(product: TestProduct): Promise<{ status: number; ids: string[]; body: never }> {
    const admin = await product.account('Admin');
    const { status, body } = await admin.get('Borrow?pageNumber=1&pageSize=20');
    const ids = ((body.items ?? []) as { id: string }[]).map(({ id }) => id).sort();
    return { status, ids, body: body as never };
  }
  const versions = (product: TestProduct) => new ReadModelSchema(product.database, NEXT).versions();
  const differences = async (product: TestProduct, schema: string) =>
    (await verify(product.settings.DATABASE_URL, log, undefined, undefined, undefined, schema)).differences;

  it('makes lists of its own beside the present ones; servers of both go on with theirs', async () => {
    const before = [await rent(reader), await rent(reader)];
    const next = await startNext(NEXT);
    await waitFor(async () => (await versions(next)).includes(NEXT.version));
    const there = await next.account();
    const librarian = await next.account('Admin');
    const after = [await rent(reader), await rent(there)];
    expect(after.map(({ isListed }) => isListed)).toEqual([true, true]);
    const given = before[0];
    const desk = `borrowId=${given?.borrowId}&userId=${reader.id}`;
    for (const call of ['issue-books', 'return-books']) {
      const answer = await librarian.post(`Borrow/${call}?${desk}`, { bookIds: [given?.bookId] });
      expect(answer.status).toBe(200);
    }
    // Both projections have given the copy back, and it is back once.
    await waitFor(async () => (await differences(next, READ_MODEL)).length === 0);
    await waitFor(async () => (await differences(next, NEXT_SCHEMA)).length === 0);
    expect(await next.copies(given?.bookId ?? 0)).toBe(1);
    const all = [...before, ...after].map(({ borrowId }) => borrowId).sort();
    expect((await list(present)).ids).toEqual(all);
    expect((await list(next)).ids).toEqual(all);
    const { rows } = await next.database.query(
      `select (select log_id from ${READ_MODEL}.checkpoint) = (select log_id from ${NEXT_SCHEMA}.checkpoint) as same`,
    );
    expect(rows).toEqual([{ same: true }]);
    for (const each of [present, next])
      expect(await each.projectionState()).toMatchObject({ kind: 'leading' });
  });

  it('answers 503 with how far it is where it cannot read the present ones, and refuses commands by name', async () => {
    const { borrowId } = await rent(reader);
    const release = await holdBuilding();
    const next = await startNext(NEXT);
    const there = await next.account();
    const bookId = await next.book(1);
    const refused = {
      status: 503,
      body: { code: 'ListsBeingBuilt', detail: expect.stringMatching(/0 of 1 events/) },
    };
    expect(await list(next)).toMatchObject(refused);
    expect(await there.get('Borrow/history')).toMatchObject(refused);
    expect(await there.post('Borrow/rent-books', { bookIds: [bookId] })).toMatchObject(refused);
    expect(await next.copies(bookId)).toBe(1);
    const raw = await fetch(`${next.url}/api/Borrow/history`, {
      headers: { authorization: `Bearer ${there.token}` },
    });
    expect([raw.status, raw.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await there.get('Book?pageNumber=1&pageSize=5')).status).toBe(200);
    // The present release goes on meanwhile.
    const second = await rent(reader);
    expect(second.isListed).toBe(true);

    await release();
    await waitFor(async () => (await list(next)).status === 200);
    expect((await list(next)).ids).toEqual([borrowId, second.borrowId].sort());
    expect((await rent(there)).isListed).toBe(true);
    expect(await differences(next, NEXT_SCHEMA)).toEqual([]);
  });

  it('reads its own where they become complete while it is counted how far they are', async () => {
    const shadow = shadowSchemaOf(NEXT_SCHEMA);
    await present.database.query(
      `create schema ${shadow}; create table ${shadow}.checkpoint (events bigint)`,
    );
    let isSwapped = false;
    const swapping = {
      query: async (...statement: Parameters<typeof present.database.query>) => {
        if (!isSwapped && String(statement[0]).includes(`${shadow}.checkpoint`)) {
          isSwapped = true;
          await present.database.query(`alter schema ${shadow} rename to ${NEXT_SCHEMA}`);
        }
        return present.database.query(...statement);
      },
    };
    const schema = new ReadModelSchema(swapping as typeof present.database, NEXT);
    await expect(schema.toRead()).resolves.toBe(NEXT_SCHEMA);
    expect(isSwapped).toBe(true);
  });

  it('reads the present ones meanwhile where it can; what happened in that time is in its own', async () => {
    const { borrowId, bookId } = await rent(reader);
    await present.closeProjections();
    const release = await holdBuilding();
    const next = await startNext({ ...NEXT, reads: [PRESENT] });
    expect((await list(next)).ids).toEqual([borrowId]);
    const librarian = await next.account('Admin');
    const desk = `borrowId=${borrowId}&userId=${reader.id}`;
    for (const call of ['issue-books', 'return-books']) {
      const { status } = await librarian.post(`Borrow/${call}?${desk}`, { bookIds: [bookId] });
      expect(status).toBe(200);
    }
    expect(await next.copies(bookId)).toBe(0);
    await release();
    await waitFor(async () => (await next.copies(bookId)) === 1);
    const history = (await (await next.signIn(reader)).get('Borrow/history')).body as { status: string }[];
    expect(history).toMatchObject([{ status: 'Returned' }]);
    expect((await rent(await next.account())).isListed).toBe(true);
    expect(await differences(next, NEXT_SCHEMA)).toEqual([]);
  });

  it('removes the old ones with its next rebuild; an older release is refused by name', async () => {
    await rent(reader);
    const next = await startNext(NEXT);
    await waitFor(async () => (await versions(next)).includes(NEXT.version));
    const older = await prepareData(present.settings, createLogger('silent')).catch(
      (error: unknown) => error,
    );
    expect(older).toBeInstanceOf(StartupError);
    expect((older as Error).message).toMatch(/^The lists in this database are of a newer release .*$/);
    expect(await versions(next)).toEqual([PRESENT, NEXT.version]);
    await present.server.close();
    await present.closeProjections();
    await rebuild(next.settings.DATABASE_URL, log, undefined, { release: NEXT });
    expect(await versions(next)).toEqual([NEXT.version]);
    expect(await differences(next, NEXT_SCHEMA)).toEqual([]);
    expect((await rent(await next.account())).isListed).toBe(true);
  });
});
