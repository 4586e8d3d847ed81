import { randomUUID } from 'node:crypto';
import { binaryEvent, jsonEvent } from '@eventstore/db-client';
import { BORROW_EVENTS, isOfVisit, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { createLogger } from '#platform/logging.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { LogRecord } from '#platform/event-log/log-record.js';
import { SharedLogLock } from '#platform/event-log/log-lock.js';
import { ANY_LOG, WrongLog } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { prepareData } from '#platform/prepare-data.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { startProjections } from '../projections/start-projections.js';
import { moveLog, type Move, type MoveReport } from '../projections/move-log/move-log.js';
import { readLog } from '../projections/move-log/read-log.js';
import type { VerbatimEvent } from '../projections/move-log/verbatim-event.js';
import { findUndecided, skipEvent } from '../projections/skip-event.js';
import { verify } from '../projections/verify.js';
import { checkExport } from '../server/audit/check-export.js';
import { recordedPart } from '../server/audit/recorded-part.js';
import { createTestDatabase } from '../test-support/database/database.js';
import { lateBorrow } from '../test-support/product/late-borrow.js';
import { startProduct, type TestAccount, type TestProduct } from '../test-support/product/product.js';
import { TestClock } from '../test-support/test-clock.js';
import { startTestStore } from '../test-support/event-store/test-store.js';
import { waitFor } from '../test-support/wait-for.js';

describe('moving the event log', () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function emptyStore(): Promise<string> {
    const database = await createTestDatabase();
    const store = await startTestStore({ databaseUrl: database.url });
    closers.push(async () => {
      await store.stop();
      await database.drop();
    });
    return store.url;
  }

  const clientOf = (url: string) => {
    const client = eventStoreClient(url, ANY_LOG);
    closers.push(() => client.dispose());
    return client;
  };

  const eventsOf = async (url: string) => {
    const events: VerbatimEvent[] = [];
    for await (const event of readLog(clientOf(url), undefined, new AbortController().signal))
      events.push(event);
    return events;
  };
  const isSaidOfItself = ({ type }: VerbatimEvent) => type === 'LogContinued' || type === 'LogMoved';
  const withoutPlace = ({ position: _position, created: _created, ...event }: VerbatimEvent) => event;

  /** Runs a move between two event stores. */
  const move = (
    databaseUrl: string,
    from: string,
    to: string,
    options: Partial<Move> = {},
  ): Promise<MoveReport> =>
    moveLog({
      databaseUrl,
      source: clientOf(from),
      target: clientOf(to),
      to: 'store.lectern.example:2113',
      grace: 0,
      progress: () => undefined,
      signal: new AbortController().signal,
      ...options,
    });

  /** A library with a bit of everything; server and projections are closed. */
  async function stoppedLibrary(): Promise<{
    product: TestProduct;
    clock: TestClock;
    reader: TestAccount;
    exported: string[];
    pending: string[];
  }> {
    const clock = new TestClock();
    const product = await startProduct(clock);
    closers.push(() => product.close());
    const late = await lateBorrow(product, clock);
    const librarian = await product.account('Admin');
    const paid = await librarian.post(
      `Payment/desk?borrowId=${late.borrowId}`,
      { amount: 100 },
      { 'Idempotency-Key': randomUUID() },
    );
    expect(paid.status).toBe(200);
    expect((await late.takeBack()).status).toBe(200);
    const { reader } = late;
    await product.storeHistory(randomUUID(), 700);

    // One that no release can read, skipped, in a stream that goes on; and bytes that no JSON parser would give back.
    const client = clientOf(product.settings.EVENTSTORE_URL);
    await product.closeProjections();
    await client.appendToStream(`borrows-${reader.pseudonym}`, [
      binaryEvent({
        type: 'BooksLost',
        data: Buffer.from('{"n": 12345678901234567890, "n":1.0}'),
        metadata: Buffer.from([0, 255, 1]),
      }),
    ]);
    const log = new EventLog(client);
    const last = await log.lastRevision('borrows', reader.pseudonym);
    const found = await findUndecided(log, `borrows-${reader.pseudonym}`, last);
    await skipEvent(log, product.database, found, {
      code: 'unreadable',
      reason: 'a test',
      by: null,
      at: new Date(),
    });
    await client.appendToStream('elsewhere', [
      jsonEvent({ type: 'Noted', data: { text: 'x'.repeat(700_000) }, metadata: { 2: 'b', 1: 'a' } }),
      binaryEvent({ type: 'Noted', data: Buffer.from([0, 159, 146, 150]) }),
    ]);

    const auditor = await product.account('Auditor');
    const download = await fetch(`${product.url}/api/Audit/readers/${reader.id}/export?format=jsonl`, {
      headers: { authorization: `Bearer ${auditor.token}` },
    });
    const exported = (await download.text()).trimEnd().split('\n');
    // Rents whose letters nobody has asked for yet.
    const pending: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const rented = await reader.post('Borrow/rent-books', { bookIds: [await product.book(1)] });
      expect(rented.status).toBe(200);
      pending.push(rented.body.borrowId as string);
    }
    await product.server.close();
    return { product, clock, reader, exported, pending };
  }

  const lettersOf = async (product: TestProduct) =>
    // Those of visits begin with whatever was done first.
    (
      await product.database.query<{ cause: string }>(
        `select cause from letters.letter where kind <> 'visit' order by cause`,
      )
    ).rows.map(({ cause }) => cause);

  /** The event up to which letters were asked for. */
  const lettersAt = async (product: TestProduct, events: readonly VerbatimEvent[]) => {
    const { rows } = await product.database.query<{ at: string }>(
      'select commit_position::text as at from letters.checkpoint',
    );
    return events.find(({ position }) => position.commit.toString() === rows[0]?.at)?.id;
  };

  it('takes everything along: events, times, lists, exports and letters; the old log is closed', async () => {
    const { product, reader, exported, pending } = await stoppedLibrary();
    const { DATABASE_URL, EVENTSTORE_URL } = product.settings;
    const target = await emptyStore();
    const before = await eventsOf(EVENTSTORE_URL);
    const lettersBefore = await lettersOf(product);
    const lastLetter = await lettersAt(product, before);
    expect(lastLetter).toBeDefined();

    const report = await move(DATABASE_URL, EVENTSTORE_URL, target);
    expect(report).toMatchObject({ wasDone: false, events: before.length, copied: before.length });
    expect(report.verified?.differences).toEqual([]);

    expect(await lettersAt(product, await eventsOf(target))).toBe(lastLetter);
    const [old, copy] = [await eventsOf(EVENTSTORE_URL), await eventsOf(target)];
    expect(copy.filter((event) => !isSaidOfItself(event)).map(withoutPlace)).toEqual(
      before.map(withoutPlace),
    );
    expect(old.slice(0, -1)).toEqual(before);
    expect(old.at(-1)?.type).toBe('LogMoved');
    expect(await new LogRecord(clientOf(target)).read()).toMatchObject({
      logId: report.logId,
      continued: { events: before.length, chain: report.chain },
    });

    // The library goes on there, as if nothing had happened.
    const moved: ResolvedSettings = { ...product.settings, EVENTSTORE_URL: target };
    const logger = createLogger('fatal');
    await prepareData(moved, logger);
    const log = new EventLog(clientOf(target));
    const check = await checkExport(
      async function* () {
        yield* exported;
      },
      {
        events: (readerId, from, to) => recordedPart(log, readerId, from, to),
        lastRevision: async (readerId) => Number(await log.lastRevision('borrows', readerId)),
      },
    );
    expect(check).toMatchObject({ ok: true, since: pending.length });
    const projections = await startProjections(moved, logger);
    closers.push(() => projections.close());
    const causes = before
      .filter(({ type, data, metadata, stream }) => {
        if (!BORROW_EVENTS[type as BorrowEvent['type']]?.letter) return false;
        const event = { type, data: JSON.parse(data.toString()) as unknown } as BorrowEvent;
        const { actor } = JSON.parse(metadata.toString()) as { actor: string };
        return !isOfVisit(event, stream.slice('borrows-'.length), actor);
      })
      .map(({ id }) => id);
    expect(causes.length).toBeGreaterThanOrEqual(lettersBefore.length + pending.length);
    await waitFor(async () => (await lettersOf(product)).length >= causes.length);
    expect(await lettersOf(product)).toEqual(causes.toSorted());
    const payments = await product.database.query<{ at: string }>(
      `select log_position::text as at from payment_transaction where status = 'paid'`,
    );
    const [payment] = (await log.readStream('borrows', reader.pseudonym)).filter(
      ({ event }) => event.type === 'FinePaid',
    );
    expect(payments.rows).toEqual([{ at: payment?.position.commit.toString() }]);
    await projections.close();
    expect((await verify(DATABASE_URL, log)).differences).toEqual([]);

    const refused: unknown = await prepareData(product.settings, logger).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WrongLog);
    expect((refused as WrongLog).message).toMatch(
      /^This event log was moved to store\.lectern\.example:2113 on \d{4}-\d\d-\d\d at \d\d:\d\d UTC and is closed\. Set EVENTSTORE_URL/,
    );
    expect(await move(DATABASE_URL, EVENTSTORE_URL, target)).toMatchObject({ wasDone: true, copied: 0 });
    const third = await emptyStore();
    await expect(move(DATABASE_URL, EVENTSTORE_URL, third)).rejects.toThrow(
      /moved to store\.lectern\.example:2113/,
    );

    // A second move keeps the time that was first recorded.
    const again = await move(DATABASE_URL, target, third);
    expect(again.events).toBe(before.length + 1);
    const twice = (await eventsOf(third)).filter((event) => !isSaidOfItself(event));
    expect(twice.map(withoutPlace)).toEqual(before.map(withoutPlace));
  });

  it('is refused while a process runs, and no process opens or appends meanwhile', async () => {
    const product = await startProduct();
    closers.push(() => product.close());
    const { DATABASE_URL, EVENTSTORE_URL } = product.settings;
    const target = await emptyStore();
    await expect(move(DATABASE_URL, EVENTSTORE_URL, target)).rejects.toThrow(
      /^Lectern is running on this database/,
    );
    await product.closeProjections();
    await product.server.close();
    expect(await eventsOf(target)).toEqual([]);

    let regained = 0;
    const use = new SharedLogLock(DATABASE_URL, () => (regained += 1));
    closers.push(() => use.release());
    await use.begin();
    // Its connection is cut off, as by a restart of the database, and the move begins.
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'lectern share in the event log' and datname = current_database()`;
    await product.database.query(cut);
    const seen: unknown[] = [];
    await move(DATABASE_URL, EVENTSTORE_URL, target, {
      progress: (stage) => {
        if (stage === 'copied' && seen.length === 0)
          seen.push(use.confirm().catch((error: unknown) => (error as Error).message));
      },
    });
    expect(await seen[0]).toMatch(/^The event log is being moved/);
    expect(regained).toBe(0);
    await use.confirm();
    expect(regained).toBe(1);
  });

  it('writes nothing where there is something else, and goes on where it was broken off', async () => {
    const { product } = await stoppedLibrary();
    const { DATABASE_URL, EVENTSTORE_URL } = product.settings;
    const before = await eventsOf(EVENTSTORE_URL);
    const other = await emptyStore();
    await clientOf(other).appendToStream('borrows-x', jsonEvent({ type: 'Noted', data: {} }));
    await expect(move(DATABASE_URL, EVENTSTORE_URL, other)).rejects.toThrow(
      /something else .* nothing was written: the new log has Noted, revision 0 of borrows-x/,
    );
    expect(await eventsOf(other)).toHaveLength(1);
    await expect(move(DATABASE_URL, EVENTSTORE_URL, EVENTSTORE_URL)).rejects.toThrow(
      /the very same event log/,
    );

    const target = await emptyStore();
    const stop = new AbortController();
    const broken = move(DATABASE_URL, EVENTSTORE_URL, target, {
      signal: stop.signal,
      progress: (stage, events) => stage === 'copied' && events > 20 && stop.abort(new Error('Stopped.')),
    });
    await expect(broken).rejects.toThrow('Stopped.');
    expect(await eventsOf(EVENTSTORE_URL)).toEqual(before);
    const part = (await eventsOf(target)).length;
    expect(part).toBeGreaterThan(20);
    // The library is used again meanwhile.
    await product.log.append('borrows', randomUUID(), [], -1n).catch(() => undefined);
    const report = await move(DATABASE_URL, EVENTSTORE_URL, target);
    expect(report).toMatchObject({ events: before.length, copied: before.length - part });
    expect(report.verified?.differences).toEqual([]);
  });
});
