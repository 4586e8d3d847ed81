import { randomUUID } from 'node:crypto';
import {
  ANY_LOG,
  built,
  EventLog,
  eventStoreClient,
  jsonEvent,
} from '../test-support/event-store/event-store-parts.js';
import { streamOf } from '#contracts/event-log/categories.js';
import { createLogger } from '#platform/logging.js';
import { startProduct, type TestAccount } from '../test-support/product/product.js';
import { waitFor } from '../test-support/wait-for.js';
import { shared } from '../test-support/shared.js';
import { metadataOf } from '../test-support/event-store/event-metadata.js';
import { READ_MODEL } from '#platform/database/read-model.js';

const { openDatabase } = await built<typeof import('#platform/database/database.js')>(
  'platform/database/database',
);
const { Projector } = await built<typeof import('./projector.js')>('projections/projector');
const { LetterReactor } = await built<typeof import('./letters/letter-reactor.js')>(
  'projections/letters/letter-reactor',
);
const { findUndecided, skipEvent } = await built<typeof import('./skip-event.js')>('projections/skip-event');
const { verify } = await built<typeof import('./verify.js')>('projections/verify');

const METADATA = { ...metadataOf(), schemaVersion: 1 };
const returned = (borrowId: string) => ({
  ...{ borrowId, bookIds: [1], returnedTo: randomUUID() },
  returnedAt: '2026-11-20T10:00:00.000Z',
});

type Code = 'unreadable' | 'out-of-order' | 'damaged';
const NEWER = { ...METADATA, schemaVersion: 7 };
/** Events that stop a follower: what was stored, and what is said of it. */
const TROUBLES: [
  name: string,
  type: string,
  data: object,
  metadata: object | undefined,
  Code,
  says: RegExp,
][] = [
  ['without metadata', 'BooksReturned', returned(randomUUID()), undefined, 'damaged', /has no metadata/],
  ['of an unknown type', 'BooksLost', {}, METADATA, 'unreadable', /its type is unknown/],
  ['of a newer version', 'BorrowExpired', { when: 1 }, NEWER, 'unreadable', /knows versions up to/],
  ['with bad data', 'BorrowExpired', { borrowId: 'x' }, METADATA, 'damaged', /do not hold: borrowId/],
  [
    ...(['without its rent', 'BooksReturned', returned(randomUUID()), METADATA, 'out-of-order'] as const),
    /has no BooksRented or LoanTakenOver before it/,
  ],
];

describe('an event that cannot be applied', () => {
  const lines: string[] = [];
  const product = shared(() => startProduct());
  const client = shared(() => eventStoreClient(product.settings.EVENTSTORE_URL, ANY_LOG));
  const log = shared(() => new EventLog(client));
  const admin = shared(() => product.account('Admin'));
  const auditor = shared(() => product.account('Reader', 'Auditor'));
  const database = shared(() => openDatabase(product.settings.DATABASE_URL, 4, createLogger('silent')));
  const timing = { recheck: 100, held: 300 };
  const services = () => ({
    ...{ databaseUrl: product.settings.DATABASE_URL, database, log },
    logger: createLogger('info', { write: (line) => void lines.push(line) }),
  });
  const projection = shared(() => new Projector(services(), timing));
  const letters = shared(() => new LetterReactor(services(), timing));
  beforeAll(async () => {
    await product.closeProjections();
    await Promise.all([projection.start(), letters.start()]);
  });

  const report = () => verify(product.settings.DATABASE_URL, log);
  const rentBy = async (reader: TestAccount) =>
    reader.post('Borrow/rent-books', { bookIds: [await product.book(1)] });
  /** Readers whose events were skipped, and of each the event. */
  const skipped: { reader: TestAccount; id: string; type: string; code: string }[] = [];

  it.each(TROUBLES)('stops, is named, and is left out once it is skipped: one %s', async (...trouble) => {
    const [, type, data, metadata, code, says] = trouble;
    const reader = await product.account();
    const rent = () => rentBy(reader);
    expect((await rent()).status).toBe(200);
    const id = randomUUID();
    const stream = streamOf('borrows', reader.pseudonym);
    // Everybody else's events behind it have to wait, and none is lost.
    await client.appendToStream(
      stream,
      jsonEvent({ id, type, data: data as Record<string, unknown>, ...(metadata && { metadata }) }),
    );
    const [recorded] = await log.readRecorded('borrows', reader.pseudonym, 1n, 1);
    await waitFor(() => projection.state.kind === 'stopped');
    const reason = expect.stringMatching(says);
    expect(projection.state).toMatchObject({
      reason,
      event: { stream, revision: 1n, type, position: recorded?.position },
    });
    // Letters follow every readable event: only what cannot be read stops them.
    if (code !== 'out-of-order') await waitFor(() => letters.state.kind === 'stopped');
    const event = { stream, revision: '1', type, position: String(recorded?.position.commit) };
    const named = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(named.filter(({ level }) => level === 60).at(-1)).toMatchObject({ event });
    const told = await waitFor(async () => {
      const body = (await admin.get('Dashboard/followers')).body as { name: string }[];
      return body.find(({ name }) => name === 'projection');
    });
    expect(told).toMatchObject({ state: 'stopped', reason, event });
    expect(await (await fetch(`${product.url}/readyz`)).json()).toMatchObject({
      status: 'degraded',
      checks: { projection: { ok: false, state: 'stopped' } },
    });
    const before = await report();
    expect(before.differences).toEqual([]);
    expect(before.troubles.find(({ name }) => name === 'projection')).toMatchObject({
      event: { stream, revision: 1n },
    });
    expect((await rent()).body.code).toBe('HistoryUnreadable');

    const found = await findUndecided(log, stream, 1n);
    expect(found.why).toMatch(says);
    const decision = { code, reason: 'It came from a script.', by: admin.pseudonym, at: new Date() };
    await skipEvent(log, database, found, decision);
    await waitFor(() => projection.state.kind === 'leading' && letters.state.kind === 'leading');
    await waitFor(async () => (await rent()).status === 200);
    skipped.push({ reader, id, type, code });
  });

  it('is left out of rebuilds and comparisons, and auditors see what happened, and who decided', async () => {
    await waitFor(async () => (await report()).troubles.length === 0);
    expect((await report()).differences).toEqual([]);
    await product.rebuild();
    const after = await report();
    expect(after.differences).toEqual([]);
    const note = 'It came from a script.';
    expect(after.skipped).toHaveLength(TROUBLES.length);
    for (const { reader, code } of skipped) {
      const stream = streamOf('borrows', reader.pseudonym);
      expect(after.skipped.find((each) => each.stream === stream)).toMatchObject({
        ...{ revision: 1, code, by: admin.pseudonym, reason: note },
      });
      expect((await reader.get('Borrow/history')).body).toHaveLength(2);
    }
    for (const { reader, id, type, code } of skipped.slice(0, 2)) {
      const audited = `Audit/readers/${reader.id}`;
      const { items } = (await auditor.get(`${audited}/events`)).body;
      expect(items).toMatchObject([
        { type: 'BooksRented' },
        { type, id },
        { type: 'EventSkipped', actor: { id: admin.id }, note, data: { code, eventId: id } },
        { type: 'BooksRented' },
      ]);
      expect(items.filter((each: object) => 'note' in each)).toHaveLength(1);
      expect((await auditor.get(`${audited}/events/2`)).body.note).toBe(note);
      const state = await auditor.get(`${audited}/state?revision=3`);
      expect(state).toMatchObject({ status: 200, body: { totalCount: 2 } });
      const exported = await auditor.download(`${audited}/export?format=jsonl`);
      expect([exported.status, await exported.text()]).toEqual([
        200,
        expect.stringContaining('"EventSkipped"'),
      ]);
    }
  });

  it('is refused where there is none: no stream, no such event, one that can be applied, one decided of already', async () => {
    const reader = await product.account();
    expect((await rentBy(reader)).status).toBe(200);
    const stream = streamOf('borrows', reader.pseudonym);
    await expect(findUndecided(log, 'cats-1', 0n)).rejects.toThrow(/no stream of this library/);
    await expect(findUndecided(log, streamOf('borrows', randomUUID()), 0n)).rejects.toThrow(
      /There is no stream/,
    );
    await expect(findUndecided(log, stream, 5n)).rejects.toThrow(/has no revision 5/);
    await expect(findUndecided(log, stream, 0n)).rejects.toThrow(/can be applied/);

    await client.appendToStream(stream, jsonEvent({ type: 'BooksLost', data: {}, metadata: METADATA }));
    const found = await findUndecided(log, stream, 1n);
    const decision = { code: 'other', reason: 'x', by: null, at: new Date() } as const;
    await skipEvent(log, database, found, decision);
    await expect(skipEvent(log, database, found, decision)).rejects.toThrow(/look again/);
    const { rows } = await database.query("select from event_note where note = 'x'");
    expect(rows).toHaveLength(1);
    await expect(findUndecided(log, stream, 1n)).rejects.toThrow(/skipped already/);
    await expect(findUndecided(log, stream, 2n)).rejects.toThrow(/can be applied/);
    await waitFor(async () => (await report()).troubles.length === 0);
  });

  it('keeps the reason in words until the reader, or who decided, is erased', async () => {
    const decider = await product.account('Admin');
    const readers = [await product.account(), await product.account()];
    const streams = readers.map(({ pseudonym }) => streamOf('borrows', pseudonym));
    for (const stream of streams) {
      await client.appendToStream(stream, jsonEvent({ type: 'BooksLost', data: {}, metadata: METADATA }));
      const found = await findUndecided(log, stream, 0n);
      const decision = { code: 'other', reason: 'So.', by: decider.pseudonym, at: new Date() } as const;
      await skipEvent(log, database, found, decision);
    }
    const reasons = async () => {
      const { skipped: all } = await report();
      const told = streams.map((stream) => all.find((each) => each.stream === stream));
      for (const each of told) expect(each).toMatchObject({ by: decider.pseudonym, code: 'other' });
      return told.map((each) => each?.reason);
    };
    await waitFor(async () => (await report()).troubles.length === 0);
    expect(await reasons()).toEqual(['So.', 'So.']);
    await database.query('delete from account where id = $1', [readers[0]?.id]);
    expect(await reasons()).toEqual([undefined, 'So.']);
    await database.query('delete from account where id = $1', [decider.id]);
    expect(await reasons()).toEqual([undefined, undefined]);
  });

  it('stays left out though a release can apply it, in rebuilds and when compared', async () => {
    const reader = await product.account();
    const { body } = await rentBy(reader);
    await waitFor(() => projection.state.kind === 'leading');
    const statuses = async () => {
      const text = `select status from ${READ_MODEL}.borrow where borrow_id = $1`;
      return (await database.query(text, [body.borrowId])).rows;
    };
    const before = await waitFor(async () => {
      const rows = await statuses();
      return rows.length === 1 && rows;
    });
    // As a release left it that could not read the event: the decision is there, the row is without it.
    await Promise.all([projection.stop(), letters.stop()]);
    const expired = jsonEvent({
      id: randomUUID(),
      type: 'BorrowExpired',
      data: { borrowId: body.borrowId as string, expiredAt: '2026-11-20T10:00:00.000Z' },
      metadata: METADATA,
    });
    const stream = streamOf('borrows', reader.pseudonym);
    await client.appendToStream(stream, expired);
    const [recorded] = await log.readRecorded('borrows', reader.pseudonym, 1n, 1);
    await database.query(
      `insert into follower_state (name, state, since, reason, stream, revision, position, type)
       values ('projection', 'stopped', now(), 'unknown', $1, 1, $2, 'BorrowExpired')`,
      [stream, String(recorded?.position.commit)],
    );
    const data = {
      revision: 1,
      eventId: expired.id,
      code: 'unreadable',
      skippedAt: new Date().toISOString(),
    };
    await client.appendToStream(stream, jsonEvent({ type: 'EventSkipped', data, metadata: METADATA }));

    const next = new Projector(services(), { held: 100 });
    await next.start();
    try {
      await waitFor(async () => (await report()).troubles.length === 0);
      await waitFor(async () => (await report()).skipped.some((each) => each.stream === stream));
      expect(await statuses()).toEqual(before);
      expect((await report()).differences).toEqual([]);
      await product.rebuild();
      expect(await statuses()).toEqual(before);
      expect((await report()).differences).toEqual([]);
    } finally {
      await next.stop();
    }
  });
});
