import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '../test-support/event-store-parts.js';
import { streamOf } from '#contracts/event-log/categories.js';
import { createLogger } from '#platform/logging.js';
import { startProduct } from '../test-support/product.js';
import { waitFor } from '../test-support/wait-for.js';
import { atEnd, shared } from '../test-support/shared.js';
import { metadataOf } from '../test-support/event-metadata.js';
import { LetterReactor } from './letters/letter-reactor.js';
import { Projector } from './projector.js';
import { findUndecided, skipEvent } from './skip-event.js';
import { verify } from './verify.js';
import { READ_MODEL } from '#platform/database/read-model.js';

const METADATA = { ...metadataOf(), schemaVersion: 1 };
const returned = (borrowId: string) => ({
  ...{ borrowId, bookIds: [1], returnedTo: randomUUID() },
  returnedAt: '2026-11-20T10:00:00.000Z',
});

/** Events that stop a follower: what was stored, and what is said of it. */
const TROUBLES: {
  name: string;
  type: string;
  data: object;
  metadata?: object;
  says: RegExp;
  code: 'unreadable' | 'out-of-order' | 'damaged';
}[] = [
  {
    name: 'without metadata',
    type: 'BooksReturned',
    data: returned(randomUUID()),
    says: /has no metadata/,
    code: 'damaged',
  },
  {
    ...{ name: 'of an unknown type', type: 'BooksLost', data: { borrowId: randomUUID() } },
    ...{ metadata: METADATA, says: /its type is unknown/, code: 'unreadable' },
  },
  {
    ...{ name: 'of a newer version', type: 'BorrowExpired', data: { when: 1 } },
    ...{ metadata: { ...METADATA, schemaVersion: 7 }, says: /knows versions up to/, code: 'unreadable' },
  },
  {
    ...{ name: 'with bad data', type: 'BorrowExpired', data: { borrowId: 'x' } },
    ...{ metadata: METADATA, says: /these fields do not hold: borrowId/, code: 'damaged' },
  },
  {
    ...{ name: 'without its rent', type: 'BooksReturned', data: returned(randomUUID()) },
    ...{ metadata: METADATA, says: /has no BooksRented or LoanTakenOver before it/, code: 'out-of-order' },
  },
];

describe('an event that cannot be applied', () => {
  let followers: { projection: Projector; letters: LetterReactor };
  const lines: string[] = [];

  const product = shared(() => startProduct());
  const client = shared(() => EventStoreDBClient.connectionString(product.settings.EVENTSTORE_URL));
  const admin = shared(() => product.account('Admin'));
  const auditor = shared(() => product.account('Reader', 'Auditor'));
  beforeAll(async () => {
    await product.closeProjections();
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const { database, log } = product;
    const services = { databaseUrl: product.settings.DATABASE_URL, database, log, logger };
    const timing = { recheck: 100, held: 300 };
    followers = {
      projection: new Projector(services, timing),
      letters: new LetterReactor(services, timing),
    };
    await Promise.all([followers.projection.start(), followers.letters.start()]);
  });
  atEnd(() => Promise.all([followers.projection.stop(), followers.letters.stop()]));

  const report = () => verify(product.settings.DATABASE_URL, product.log);

  it.each(TROUBLES)('stops, is named, and is left out once it is skipped: one $name', async (trouble) => {
    const reader = await product.account();
    const rent = async () => reader.post('Borrow/rent-books', { bookIds: [await product.book(1)] });
    expect((await rent()).status).toBe(200);
    const stored = { id: randomUUID(), type: trouble.type, data: trouble.data as Record<string, unknown> };
    // Everybody else's events behind it have to wait, and none is lost.
    await client.appendToStream(
      streamOf('borrows', reader.pseudonym),
      jsonEvent({ ...stored, ...(trouble.metadata && { metadata: trouble.metadata }) }),
    );
    const [recorded] = await product.log.readRecorded('borrows', reader.pseudonym, 1n, 1);
    const stream = streamOf('borrows', reader.pseudonym);
    const { projection, letters } = followers;
    await waitFor(() => projection.state.kind === 'stopped');
    expect(projection.state).toMatchObject({
      reason: expect.stringMatching(trouble.says),
      event: { ...{ stream, revision: 1n, type: trouble.type }, position: recorded?.position },
    });
    // Letters follow every readable event: only what cannot be read stops them.
    if (trouble.code !== 'out-of-order') await waitFor(() => letters.state.kind === 'stopped');
    const place = {
      ...{ stream, revision: '1', type: trouble.type },
      position: String(recorded?.position.commit),
    };
    const named = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(named.filter(({ level }) => level === 60).at(-1)).toMatchObject({ event: place });
    const told = await waitFor(async () => {
      const body = (await admin.get('Dashboard/followers')).body as { name: string }[];
      return body.find(({ name }) => name === 'projection');
    });
    expect(told).toMatchObject({
      state: 'stopped',
      reason: expect.stringMatching(trouble.says),
      event: place,
    });
    const ready = await (await fetch(`${product.url}/readyz`)).json();
    expect(ready).toMatchObject({
      status: 'degraded',
      checks: { projection: { ok: false, state: 'stopped' } },
    });
    const before = await report();
    expect(before.differences).toEqual([]);
    expect(before.troubles.find(({ name }) => name === 'projection')).toMatchObject({
      event: { stream, revision: 1n },
    });
    expect((await rent()).body.code).toBe('HistoryUnreadable');

    const found = await findUndecided(product.log, stream, 1n);
    expect(found.why).toMatch(trouble.says);
    const decision = {
      code: trouble.code,
      reason: 'It came from a script.',
      by: admin.pseudonym,
      at: new Date(),
    };
    await skipEvent(product.log, product.database, found, decision);
    await waitFor(() => projection.state.kind === 'leading' && letters.state.kind === 'leading');
    await waitFor(async () => (await rent()).status === 200);
    await waitFor(async () => (await report()).differences.length === 0);
    const after = await waitFor(async () => {
      const now = await report();
      return now.troubles.length === 0 ? now : undefined;
    });
    expect(after.skipped.find((each) => each.stream === stream)).toMatchObject({
      ...{ revision: 1, code: trouble.code, by: admin.pseudonym, reason: 'It came from a script.' },
    });
    expect((await reader.get('Borrow/history')).body).toHaveLength(2);

    await product.rebuild();
    expect(await product.differences()).toEqual([]);
    expect((await reader.get('Borrow/history')).body).toHaveLength(2);

    // Auditors see what happened, and who decided.
    const { items } = (await auditor.get(`Audit/readers/${reader.id}/events`)).body;
    expect(items).toMatchObject([
      { type: 'BooksRented' },
      { type: trouble.type, id: stored.id },
      {
        ...{ type: 'EventSkipped', actor: { id: admin.id }, note: 'It came from a script.' },
        data: { code: trouble.code, eventId: stored.id },
      },
      { type: 'BooksRented' },
    ]);
    expect(items.filter((each: object) => 'note' in each)).toHaveLength(1);
    const one = await auditor.get(`Audit/readers/${reader.id}/events/2`);
    expect(one.body.note).toBe('It came from a script.');
    const state = await auditor.get(`Audit/readers/${reader.id}/state?revision=3`);
    expect(state).toMatchObject({ status: 200, body: { totalCount: 2 } });
    const exported = await fetch(`${product.url}/api/Audit/readers/${reader.id}/export?format=jsonl`, {
      headers: { authorization: `Bearer ${auditor.token}` },
    });
    expect(exported.status).toBe(200);
    expect(await exported.text()).toContain('"EventSkipped"');
  });

  it('is refused where there is none: no stream, no such event, one that can be applied, one decided of already', async () => {
    const reader = await product.account();
    expect((await reader.post('Borrow/rent-books', { bookIds: [await product.book(1)] })).status).toBe(200);
    const stream = streamOf('borrows', reader.pseudonym);
    await expect(findUndecided(product.log, 'cats-1', 0n)).rejects.toThrow(/no stream of this library/);
    await expect(findUndecided(product.log, streamOf('borrows', randomUUID()), 0n)).rejects.toThrow(
      /There is no stream/,
    );
    await expect(findUndecided(product.log, stream, 5n)).rejects.toThrow(/has no revision 5/);
    await expect(findUndecided(product.log, stream, 0n)).rejects.toThrow(/can be applied/);

    await client.appendToStream(stream, jsonEvent({ type: 'BooksLost', data: {}, metadata: METADATA }));
    const found = await findUndecided(product.log, stream, 1n);
    const decision = { code: 'other', reason: 'x', by: null, at: new Date() } as const;
    await skipEvent(product.log, product.database, found, decision);
    await expect(skipEvent(product.log, product.database, found, decision)).rejects.toThrow(/look again/);
    const { rows } = await product.database.query("select from event_note where note = 'x'");
    expect(rows).toHaveLength(1);
    await expect(findUndecided(product.log, stream, 1n)).rejects.toThrow(/skipped already/);
    await expect(findUndecided(product.log, stream, 2n)).rejects.toThrow(/can be applied/);
    await waitFor(async () => (await report()).troubles.length === 0);
  });

  it.each(['reader', 'decider'] as const)('keeps the reason in words until the %s is erased', async (who) => {
    const people = { reader: await product.account(), decider: await product.account('Admin') };
    const { reader, decider } = people;
    const stream = streamOf('borrows', reader.pseudonym);
    await client.appendToStream(stream, jsonEvent({ type: 'BooksLost', data: {}, metadata: METADATA }));
    const found = await findUndecided(product.log, stream, 0n);
    const decision = { code: 'other', reason: `Of ${who}.`, by: decider.pseudonym, at: new Date() } as const;
    await skipEvent(product.log, product.database, found, decision);
    const told = async () => (await report()).skipped.find((each) => each.stream === stream);
    await waitFor(async () => (await report()).troubles.length === 0);
    expect(await told()).toMatchObject({ by: decider.pseudonym, reason: `Of ${who}.` });

    await product.database.query('delete from account where id = $1', [people[who].id]);
    expect(await told()).toMatchObject({ by: decider.pseudonym, code: 'other', reason: undefined });
  });

  it('stays left out though a release can apply it, in rebuilds and when compared', async () => {
    const reader = await product.account();
    const { body } = await reader.post('Borrow/rent-books', { bookIds: [await product.book(1)] });
    await waitFor(() => followers.projection.state.kind === 'leading');
    const before = await waitFor(async () => {
      const text = `select status from ${READ_MODEL}.borrow where borrow_id = $1`;
      const row = await product.database.query(text, [body.borrowId]);
      return row.rowCount === 1 && row;
    });
    // As a release left it that could not read the event: the decision is there, the row is without it.
    await Promise.all([followers.projection.stop(), followers.letters.stop()]);
    const expired = jsonEvent({
      id: randomUUID(),
      type: 'BorrowExpired',
      data: { borrowId: body.borrowId as string, expiredAt: '2026-11-20T10:00:00.000Z' },
      metadata: METADATA,
    });
    const stream = streamOf('borrows', reader.pseudonym);
    await client.appendToStream(stream, expired);
    const [recorded] = await product.log.readRecorded('borrows', reader.pseudonym, 1n, 1);
    await product.database.query(
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

    const { database, log } = product;
    const logger = createLogger('silent');
    const services = { databaseUrl: product.settings.DATABASE_URL, database, log, logger };
    const next = new Projector(services, { held: 100 });
    await next.start();
    try {
      await waitFor(async () => (await report()).troubles.length === 0);
      await waitFor(async () => (await report()).skipped.some((each) => each.stream === stream));
      const status = async () =>
        (
          await database.query(`select status from ${READ_MODEL}.borrow where borrow_id = $1`, [
            body.borrowId,
          ])
        ).rows;
      expect(await status()).toEqual(before.rows);
      expect((await report()).differences).toEqual([]);
      await product.rebuild();
      expect(await status()).toEqual(before.rows);
      expect((await report()).differences).toEqual([]);
    } finally {
      await next.stop();
    }
  });
});
