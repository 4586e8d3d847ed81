import { randomUUID } from 'node:crypto';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import {
  ANY_LOG,
  EventLog,
  eventStoreClient,
  EventStoreCluster,
  startEventStore,
} from '../../test-support/event-store/event-store-parts.js';
import { createTestDatabase } from '../../test-support/database/database.js';
import { startEmbeddedStore } from '../../test-support/event-store/event-store-under-test.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';
import { metadataOf } from '../../test-support/event-store/event-metadata.js';

const event: BorrowEvent = {
  type: 'BorrowExpired',
  data: { borrowId: randomUUID(), bookIds: [1], expiredAt: '2026-01-31T10:00:00.000Z' },
};
const metadata = metadataOf();

const database = shared(() => createTestDatabase());
const store = shared(() => startEventStore({ databaseUrl: database.url }));
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function open(url: string, batched = true): EventLog {
  const client = eventStoreClient(url, ANY_LOG, { batched });
  closers.push(() => client.dispose());
  return new EventLog(client);
}
const append = (log: EventLog, readerId: string = randomUUID(), expected = -1n, id: string = randomUUID()) =>
  log.append('borrows', readerId, [{ id, event, metadata }], expected);

describe.each([true, false])('the client of a cluster of event stores (appends batched: %s)', (batched) => {
  let cluster: Awaited<ReturnType<typeof EventStoreCluster.start>>;
  beforeEach(async () => {
    cluster = await EventStoreCluster.start(store.connectionString);
    closers.push(() => cluster.stop());
  });
  const openCluster = (hosts = cluster.hosts, more = '') => open(`esdb://${hosts}?tls=false${more}`, batched);

  it('appends once a cluster is there of which no node was to be found before', async () => {
    await cluster.killAll();
    const log = openCluster(cluster.hosts, '&maxDiscoverAttempts=1');
    // Several at once: the failure of one must not be what the next one, or the process, is left with.
    for (const outcome of await Promise.allSettled([append(log), append(log), log.end()])) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'EventStoreUnavailable' } });
    }
    for (const index of [0, 1, 2]) await cluster.revive(index);
    cluster.elect(1);
    await waitFor(() => append(log).catch(() => undefined));
  });

  it('goes from the node that it was given to the one that leads, and stores an append once', async () => {
    const log = openCluster(cluster.hosts.split(',')[0]);
    const [readerId, id] = [randomUUID(), randomUUID()];
    const first = await append(log, readerId, -1n, id);
    cluster.elect(2);
    expect(await append(log, readerId, -1n, id)).toEqual(first);
    expect(await append(log, readerId, 0n)).toMatchObject({ revision: 1n });
    expect(cluster.refusals).toBe(1);
    cluster.elect(1);
    expect(await log.lastRevision('borrows', readerId)).toBe(1n);
    expect(cluster.refusals).toBe(2);
  });

  it('leaves a leader that hangs for the one that the others have, with the appends under way and the subscriptions', async () => {
    const log = openCluster();
    const [readerId, id] = [randomUUID(), randomUUID()];
    await append(log, readerId);
    const ending = new AbortController();
    closers.push(async () => ending.abort());
    let isOpen = false;
    const followed = (async () => {
      const events = log.followRecorded(['borrows'], undefined, ending.signal, () => (isOpen = true));
      while (!(await events.next()).done);
    })();
    followed.catch(() => undefined);
    await waitFor(() => isOpen);

    cluster.pause(0);
    cluster.elect(1);
    // Within the time of the call itself: it asks anew who leads, and is carried out once.
    expect(await append(log, readerId, 0n, id)).toMatchObject({ revision: 1n });
    await expect(followed).rejects.toMatchObject({ type: 'unavailable' });
    cluster.resume(0);
    expect(await append(log, readerId, 0n, id)).toMatchObject({ revision: 1n });
    expect(await log.lastRevision('borrows', readerId)).toBe(1n);
  });

  it('waits for the next leader where a node has lost the lead and knows of no other', async () => {
    const log = openCluster();
    const [readerId, id] = [randomUUID(), randomUUID()];
    await append(log, readerId);
    cluster.elect(undefined);
    const later = append(log, readerId, 0n, id);
    later.catch(() => undefined);
    await waitFor(() => cluster.refusals > 0);
    cluster.elect(2);
    expect(await later).toMatchObject({ revision: 1n });
    expect(await log.lastRevision('borrows', readerId)).toBe(1n);
  });
});

describe('the client of the event store', () => {
  it('gets what is committed together as one piece from a store of ours, and later where it is in no hurry', async () => {
    const log = open((await startEmbeddedStore(closers)).connectionString);
    const ending = new AbortController();
    closers.push(async () => ending.abort());
    const follow = async (keepMs: number) => {
      let isOpen = false;
      const pieces: number[] = [];
      const onOpen = () => void (isOpen = true);
      const events = log.followRecorded(['borrows'], undefined, ending.signal, onOpen, undefined, keepMs);
      const followed = (async () => {
        for await (const piece of events) pieces.push(piece.length);
      })();
      followed.catch(() => undefined);
      await waitFor(() => isOpen);
      return pieces;
    };
    const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
    const [prompt, unhurried] = [await follow(0), await follow(900)];
    const events = (count: number) =>
      Array.from({ length: count }, () => ({ id: randomUUID(), event, metadata }));
    await log.append('borrows', randomUUID(), events(20), -1n);
    await waitFor(() => sum(prompt) === 20);
    await log.append('borrows', randomUUID(), events(10), -1n);
    await waitFor(() => sum(prompt) === 30 && sum(unhurried) === 30);
    expect(prompt).toEqual([20, 10]);
    expect(unhurried.length).toBeLessThanOrEqual(2);
  });

  it('reads from the end what counts, also where a decision lies pages after what it skips', async () => {
    const log = open(store.connectionString);
    const readerId = randomUUID();
    const named = { ...metadata, commandId: randomUUID() };
    const events = Array.from({ length: 120 }, () => ({ id: randomUUID(), event, metadata: named }));
    await log.append('borrows', readerId, events, -1n);
    const setAside = {
      type: 'EventSkipped',
      data: { revision: 20, eventId: events[20]?.id ?? '', code: 'other', skippedAt: event.data.expiredAt },
    } as const;
    await log.append('borrows', readerId, [{ id: randomUUID(), event: setAside, metadata: named }], 119n);
    const seen: number[] = [];
    const newest = await log.readNewest('borrows', readerId, (known) => {
      seen.push(known.length);
      return false;
    });
    const all = Array.from({ length: 121 }, (_, revision) => BigInt(revision));
    expect(newest.map(({ revision }) => revision)).toEqual(all.filter((revision) => revision !== 20n));
    expect(newest).toEqual(await log.readStream('borrows', readerId));
    expect(seen).toEqual([32, 64, 96, 120]);
    const few = await log.readNewest('borrows', readerId, (known) => known.length >= 40);
    expect(few.map(({ revision }) => revision)).toEqual(all.slice(-64));
  });

  it('does not lose the appends of one connection with another', async () => {
    const lost = await startEmbeddedStore(closers);
    const [one, other] = [open(lost.connectionString), open(store.connectionString)];
    await append(one);
    const readers = Array.from({ length: 16 }, () => randomUUID());
    let stopped = false;
    const appends = readers.map(async (readerId) => {
      let revision = -1n;
      while (!stopped || revision < 0n) ({ revision } = await append(other, readerId, revision));
    });
    await waitFor(async () => (await other.lastRevision('borrows', readers[0] ?? '')) > 2n);
    await lost.stop();
    await expect(append(one)).rejects.toHaveProperty('constructor.name', 'AppendOutcomeUnknown');
    stopped = true;
    expect((await Promise.allSettled(appends)).filter(({ status }) => status === 'rejected')).toEqual([]);
  });
});
