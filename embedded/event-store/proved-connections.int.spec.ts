import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { LogProof } from '#platform/event-log/log-proof.js';
import {
  ANY_LOG,
  EventLog,
  eventStoreClient,
  jsonEvent,
  LogRecord,
  proveLog,
  startEventStore,
  status,
  WrongLog,
} from '../../test-support/event-store/event-store-parts.js';
import { createTestDatabase } from '../../test-support/database/database.js';
import { startRelay, type Relay } from '../../test-support/installation/relay.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';
import { metadataOf } from '../../test-support/event-store/event-metadata.js';

/** Appends that are under way at the same time, and how often the store behind the address is exchanged. */
const WRITERS = 16;
const EXCHANGES = 2;

const event: BorrowEvent = {
  type: 'BorrowExpired',
  data: { borrowId: randomUUID(), bookIds: [1], expiredAt: '2026-01-31T10:00:00.000Z' },
};
const metadata = metadataOf();

/** A store, and how many events of ours it keeps. */
function ownStore() {
  const database = shared(() => createTestDatabase());
  const store = shared(() => startEventStore({ databaseUrl: database.url }));
  const looking = shared(() => new pg.Pool({ connectionString: database.url, max: 1 }));
  const count = `select count(*)::integer as n from eventstore.event where stream like 'borrows-%'`;
  const events = async () => (await looking.query<{ n: number }>(count)).rows[0]?.n;
  return { store, events };
}
const [right, other] = [ownStore(), ownStore()];

describe.each([true, false])('a connection to the event store (appends batched: %s)', (batched) => {
  const closers: (() => Promise<unknown>)[] = [];
  let relay: Relay;
  let logId: string;
  beforeEach(async () => {
    relay = await startRelay(right.store.port);
    closers.push(() => relay.close());
    const client = eventStoreClient(right.store.connectionString, ANY_LOG);
    logId = await new LogRecord(client).logId();
    await client.dispose();
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  function open(proof: LogProof) {
    const client = eventStoreClient(`esdb://127.0.0.1:${relay.port}?tls=false`, proof, { batched });
    closers.push(() => client.dispose());
    return { client, log: new EventLog(client) };
  }
  const append = (log: EventLog, readerId: string = randomUUID()) =>
    log.append('borrows', readerId, [{ id: randomUUID(), event, metadata }], -1n);
  const isRight: LogProof = (store) => proveLog(store, { logId, reached: [] });

  it('is never replaced unnoticed: calls on their way into another log do not arrive there', async () => {
    const { log } = open(isRight);
    const stored: string[] = [];
    let refused = 0;
    const unexpected: unknown[] = [];
    let isOver = false;
    const write = async () => {
      while (!isOver) {
        const readerId = randomUUID();
        await append(log, readerId).then(
          () => stored.push(readerId),
          (error: { code?: unknown }) => {
            if (error.code === 'WrongEventLog') refused += 1;
            else if (error.code !== 'EventStoreUnavailable') unexpected.push(error);
          },
        );
        await new Promise((turn) => setTimeout(turn, 5));
      }
    };
    const load = Promise.all(Array.from({ length: WRITERS }, write));
    for (let exchange = 0; exchange < EXCHANGES; exchange += 1) {
      const [done, no] = [stored.length, refused];
      await waitFor(() => stored.length > done + WRITERS);
      relay.leadTo(other.store.port);
      relay.cut();
      await waitFor(() => refused > no + WRITERS);
      relay.leadTo(right.store.port);
    }
    const done = stored.length;
    await waitFor(() => stored.length > done + WRITERS);
    isOver = true;
    await load;
    expect(unexpected).toEqual([]);
    expect(await other.events()).toBe(0);
    const revisions = await Promise.all(stored.map((readerId) => log.lastRevision('borrows', readerId)));
    expect(revisions).toEqual(stored.map(() => 0n));
  });

  it('is proved before the first call, once for many, and again after a call that failed', async () => {
    let proofs = 0;
    const { client, log } = open((...of) => {
      proofs += 1;
      return isRight(...of);
    });
    await Promise.all(Array.from({ length: WRITERS }, () => append(log)));
    expect(proofs).toBe(1);
    // It has an answer, which is no failure.
    await expect(
      log.append('borrows', randomUUID(), [{ id: randomUUID(), event, metadata }], 7n),
    ).rejects.toThrow();
    expect(await log.lastRevision('borrows', randomUUID())).toBe(-1n);
    expect(proofs).toBe(1);

    relay.silence();
    // With credentials it is a call of its own in either case.
    const credentials = { username: 'nobody', password: '-' };
    const failed = client.appendToStream('test', jsonEvent({ type: 'x', data: {} }), {
      deadline: 100,
      credentials,
    });
    await expect(failed).rejects.toMatchObject({ code: status.DEADLINE_EXCEEDED });
    relay.restore();
    await append(log);
    expect(proofs).toBe(2);
    client.doubt();
    await log.end();
    expect(proofs).toBe(3);
  });

  it('is told how far the log was acknowledged to reach', async () => {
    const told: unknown[] = [];
    const { log } = open((store, acknowledged) => {
      told.push(acknowledged);
      return isRight(store, acknowledged);
    });
    const { position } = await append(log);
    relay.cut();
    await waitFor(() => append(log).catch(() => undefined));
    expect(told.slice(0, 2)).toEqual([
      undefined,
      { logId, commit: `${position.commit}`, prepare: `${position.prepare}`, event: null },
    ]);
  });

  it('ends what follows it where another log is found on it', async () => {
    const before = await right.events();
    let isExchanged = false;
    const { client, log } = open(async (...of) => {
      if (isExchanged) throw new WrongLog('another', 'This is another event log');
      return isRight(...of);
    });
    let isOpen = false;
    const follow = async () => {
      const signal = new AbortController().signal;
      for await (const _events of log.followRecorded(['borrows'], undefined, signal, () => (isOpen = true)));
    };
    const followed = follow();
    followed.catch(() => undefined);
    await waitFor(() => isOpen);
    isExchanged = true;
    client.doubt();
    await expect(append(log)).rejects.toMatchObject({ code: 'WrongEventLog' });
    await expect(followed).rejects.toMatchObject({ type: 'unavailable' });
    await expect(follow()).rejects.toThrow(WrongLog);
    expect(await right.events()).toBe(before);
    isExchanged = false;
    await waitFor(() => append(log).catch(() => undefined));
  });
});
