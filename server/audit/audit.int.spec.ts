import { randomUUID } from 'node:crypto';
import { auditEventsSchema, type AuditEvents } from '#contracts/audit/audit-events.js';
import { pastBorrowsSchema, type PastBorrows } from '#contracts/audit/as-of.js';
import { feeExplanationSchema } from '#contracts/audit/fee-explanation.js';
import { accessLogPageSchema, type AccessLogEntry } from '#contracts/audit/access-log.js';
import { TIMELINE_EVENTS, timelineEvent, timelineSchema } from '#contracts/audit/timeline.js';
import { borrowStream } from '#contracts/borrowing/borrow-events.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { doAtDesk, historyOf, rent } from '../../test-support/product/borrow-steps.js';
import { metadataOf } from '../../test-support/event-store/event-metadata.js';
import { storeForeign } from '../../test-support/event-store/foreign-events.js';
import { refusal, invalid } from '../../test-support/product/caller.js';
import { startProduct } from '../../test-support/product/product.js';
import { shared } from '../../test-support/shared.js';
import { TestClock } from '../../test-support/test-clock.js';
import { untilServed } from '../../test-support/wait-for.js';

const DAY = 86_400_000;

describe('auditing over HTTP', () => {
  const clock = new TestClock();
  const product = shared(() =>
    startProduct(clock, {
      staySignedIn: true,
      eventStore: { mayDelete: true },
      environment: { JOBS: 'off' },
    }),
  );
  const auditor = shared(() => product.account('Reader', 'Auditor'));
  const admin = shared(() => product.account('Reader', 'Admin'));

  /** A reader who rented, got, renewed and brought back two books; what their own list said after each of it. */
  async function history() {
    const reader = await product.account();
    const live: { at: string; rows: BorrowView[] }[] = [];
    const then = async () => {
      live.push({ at: clock.now().toISOString(), rows: await historyOf(reader) });
      await clock.forward(60_000);
    };
    const borrow = await rent(product, reader, ['Solaris', 'Eden']);
    await then();
    await doAtDesk(admin, 'issue-books', borrow);
    await then();
    // On the day of its issue a borrow gains nothing by a renewal.
    await clock.forward(DAY);
    await reader.post(`Borrow/renew?borrowId=${borrow.borrowId}`);
    await then();
    await doAtDesk(admin, 'return-books', borrow);
    await then();
    return { reader, borrowId: borrow.borrowId, live, base: `Audit/readers/${reader.id}` };
  }
  /** What shows something of one reader, each a look at them. */
  const pathsOf = ({ borrowId, base }: { borrowId: string; base: string }) => [
    ...[`${base}/state`, `${base}/events`, `${base}/events/0`, `${base}/timeline`, `${base}/export`],
    ...[`Audit/borrows/${borrowId}`, `Audit/borrows/${borrowId}/fee`],
  ];

  const looks = async (readerId: string) =>
    (await auditor.get(`Audit/looks?readerId=${readerId}&pageSize=100`)).body as {
      items: AccessLogEntry[];
      totalCount: number;
    };

  it('finds readers by folded name, username, email and id, with counts', async () => {
    const { reader } = await history();
    const { body: profile } = await reader.get('User/profile');
    const find = async (term: string) => {
      const { body } = await auditor.get(`Audit/readers?SearchTerm=${encodeURIComponent(term)}&pageSize=100`);
      return (body.items as { id: string }[]).find(({ id }) => id === reader.id);
    };
    const { fullname, userName, email, lastname } = profile;
    const found = { id: reader.id, fullname, userName, email, borrows: 1, events: 4 };
    for (const term of [lastname.replace('Łę', 'LE'), userName.toUpperCase(), email, reader.id, '']) {
      expect(await find(term)).toEqual(found);
    }
    expect(await find('nobody of this name')).toBeUndefined();
    expect((await auditor.get('Audit/readers?SearchTerm=%25%25')).body).toEqual({ items: [], totalCount: 0 });
    const page = (await auditor.get('Audit/readers?pageSize=1&pageNumber=2')).body;
    expect(page.items).toHaveLength(1);
    expect(page.totalCount).toBeGreaterThan(2);
    expect((await auditor.get(`Audit/readers?SearchTerm=${randomUUID()}`)).body.totalCount).toBe(0);
  });

  it('delivers every event, paged by revision and filtered, with actors by name', async () => {
    const { reader, borrowId, base } = await history();
    const { body: me } = await reader.get('User/profile');
    const { body: librarian } = await admin.get('User/profile');
    const all = auditEventsSchema.parse((await auditor.get(`${base}/events`)).body);
    expect(all).toMatchObject({ totalCount: 4, matchingCount: 4, lastRevision: 3, nextAfter: null });
    expect(all.items.map(({ revision, type, actor }) => [revision, type, actor.name, actor.kind])).toEqual([
      [0, 'BooksRented', me.fullname, 'account'],
      [1, 'BooksIssued', librarian.fullname, 'account'],
      [2, 'BorrowRenewed', me.fullname, 'account'],
      [3, 'BooksReturned', librarian.fullname, 'account'],
    ]);
    const timeline = timelineSchema.parse((await auditor.get(`${base}/timeline`)).body);
    const due = (at: number) => Date.parse(String(all.items[at]?.data['dueDate']));
    expect(timeline.rows.map((row) => timelineEvent(timeline, row).dueAt)).toEqual([
      null,
      due(1),
      due(2),
      null,
    ]);
    const [stored] = await product.log.readStream('borrows', reader.pseudonym);
    expect(all.items[0]).toMatchObject({
      id: stored?.id,
      position: stored?.position.commit.toString(),
      recordedAt: stored?.created.toISOString(),
      borrowId,
      correlationId: stored?.metadata.$correlationId,
      causationId: stored?.metadata.$causationId,
      schemaVersion: 1,
      policyVersion: 1,
      data: stored?.event.data,
      metadata: stored?.metadata,
    });
    const events = async (query: string) => (await admin.get(`${base}/events?${query}`)).body as AuditEvents;
    const first = await events('limit=3');
    expect([first.items.length, first.nextAfter]).toEqual([3, 2]);
    const second = await events(`limit=3&after=${first.nextAfter}`);
    expect([...first.items, ...second.items]).toEqual(all.items);
    expect(second.nextAfter).toBeNull();
    const issued = await events(`kind=BooksIssued&borrowId=${borrowId}`);
    expect(issued).toMatchObject({ matchingCount: 1, totalCount: 4, items: [{ revision: 1 }] });
    expect((await events(`borrowId=${randomUUID()}`)).items).toEqual([]);
    expect((await auditor.get(`${base}/events/2`)).body).toEqual(all.items[2]);
    expect((await auditor.get(`${base}/events/4`)).status).toBe(404);
  });

  it('gives the past as it was shown when it was the present, by instant and by revision', async () => {
    const { reader, borrowId, live, base } = await history();
    const asItWas = (rows: BorrowView[]) => rows.map((row) => ({ ...row, availableActions: [], undo: [] }));
    for (const [revision, { at, rows }] of live.entries()) {
      for (const query of [`at=${at}`, `at=${revision}`]) {
        const own = (await reader.get(`Borrow/history?${query}`)).body as PastBorrows;
        expect(own.items).toEqual(asItWas(rows));
        expect(own.asOf.revision).toBe(revision);
        const seen = pastBorrowsSchema.parse((await auditor.get(`${base}/state?${query}`)).body);
        expect(seen).toEqual(own);
        const one = await auditor.get(`Audit/borrows/${borrowId}?${query}`);
        expect(one.body).toEqual({ asOf: own.asOf, borrow: asItWas(rows)[0] });
      }
      expect((await reader.get(`Borrow/history?at=${at}`)).body.asOf.at).toBe(at);
    }
    const [first] = live;
    const before = new Date(Date.parse(first?.at ?? '') - DAY).toISOString();
    expect((await auditor.get(`${base}/state?at=${before}`)).body).toMatchObject({
      asOf: { revision: -1, at: before },
      totals: { borrows: 0, due: 0 },
      items: [],
      totalCount: 0,
    });
    expect((await auditor.get(`Audit/borrows/${borrowId}?at=-1`)).body).toEqual({
      asOf: { revision: -1, at: null },
      borrow: null,
    });
    expect((await auditor.get(`${base}/state`)).body).toMatchObject({
      asOf: { revision: 3 },
      totals: { borrows: 1, byStatus: { Returned: 1, Issued: 0 } },
    });
    // +01:00 in a URL is a space and 01:00 unless it is escaped.
    const elsewhere = encodeURIComponent((live[1]?.at ?? '').replace('Z', '+00:00'));
    expect((await auditor.get(`${base}/state?at=${elsewhere}`)).body.asOf.revision).toBe(1);
    expect(await reader.get('Borrow/history')).toMatchObject({ body: [{ id: borrowId }] });
  });

  it('pages a state, and sees what was added since it was last asked', async () => {
    const reader = await product.account();
    await product.storeHistory(reader.pseudonym, 60);
    const state = async (query: string) =>
      (await auditor.get(`Audit/readers/${reader.id}/state?${query}`)).body as PastBorrows;
    const whole = await state('pageSize=100');
    const paged = [await state('pageSize=7'), await state('pageSize=7&pageNumber=2')];
    expect(paged.flatMap(({ items }) => items)).toEqual(whole.items.slice(0, 14));
    expect(paged[1]?.totalCount).toBe(whole.items.length);
    // Who has late books cannot rent, and is charged when they try.
    const refused = await reader.post('Borrow/rent-books', { bookIds: [await product.book(1)] });
    expect(refused).toMatchObject(refusal(409, 'FeeNotPaid'));
    const grown = await state('pageSize=100');
    expect(grown.asOf.revision).toBeGreaterThanOrEqual(60);
    expect(grown.items.map(({ id }) => id)).toEqual(whole.items.map(({ id }) => id));
    expect(grown.totals).not.toEqual(whole.totals);
    expect((await state('pageSize=100&at=59')).items).toEqual(whole.items);
  });

  it('refuses a moment that is none, naming the field', async () => {
    const reader = await product.account();
    const paths = [`Audit/readers/${reader.id}/state`, `Audit/borrows/${randomUUID()}`, 'Borrow/history'];
    for (const at of ['yesterday', '2026-02-30T10:00:00Z', '2026-03-01', '-2', '1.5'])
      for (const path of paths)
        expect(await auditor.get(`${path}?at=${encodeURIComponent(at)}`)).toMatchObject(
          invalid({ at: [expect.stringContaining('Give a time')] }),
        );
  });

  it('explains a fee to its owner and to staff, and to nobody else', async () => {
    const reader = await product.account();
    const other = await product.account();
    await product.storeHistory(reader.pseudonym, 40);
    const fine = (await auditor.get(`Audit/readers/${reader.id}/events?kind=FineCharged`))
      .body as AuditEvents;
    const borrowId = fine.items[0]?.borrowId ?? '';
    const own = feeExplanationSchema.parse((await reader.get(`Borrow/fee?borrowId=${borrowId}`)).body);
    expect(own.charges).toMatchObject([
      { revision: fine.items[0]?.revision, policyVersion: 1, addsUp: true },
    ]);
    expect(own.sentences[0]).toMatch(/^Your 2 books were due on \d{4}-\d\d-\d\d and were \d+ days late/);
    const staff = feeExplanationSchema.parse((await admin.get(`Audit/borrows/${borrowId}/fee`)).body);
    expect(staff.sentences[0]).toMatch(/^The 2 books were due/);
    expect({ ...staff.charges[0], sentence: '' }).toEqual({ ...own.charges[0], sentence: '' });
    expect((await other.get(`Borrow/fee?borrowId=${borrowId}`)).body.code).toBe('BorrowNotFound');
    expect((await auditor.get(`Audit/borrows/${randomUUID()}/fee`)).status).toBe(404);
  });

  it('records every look before it is answered: once in ten minutes for each kind, and each export', async () => {
    const { reader, borrowId, base } = await history();
    const states = [0, 1, 2].map((at) => `${base}/state?at=${at}`);
    const borrow = [`Audit/borrows/${borrowId}?at=1`, `Audit/borrows/${borrowId}/fee`];
    for (const path of [...states, `${base}/events`, `${base}/timeline`, ...borrow])
      expect((await auditor.get(path)).status).toBe(200);
    const first = accessLogPageSchema.parse(await looks(reader.id));
    expect(first.items.map(({ what }) => what).sort()).toEqual(['borrow', 'fee', 'history', 'state']);
    const { body: who } = await auditor.get('User/profile');
    const { body: whom } = await reader.get('User/profile');
    expect(first.items.find(({ what }) => what === 'state')).toMatchObject({
      who: { id: auditor.id, fullname: who.fullname },
      whom: { id: reader.id, fullname: whom.fullname },
      parameters: { at: 0 },
    });
    expect(first.items.find(({ what }) => what === 'fee')?.parameters).toEqual({ borrowId });

    await admin.get(`${base}/state`);
    await clock.forward(10 * 60_000);
    await auditor.get(`${base}/state`);
    const second = await looks(reader.id);
    expect(second.items.filter(({ what }) => what === 'state')).toHaveLength(3);
    expect(second.totalCount).toBe(6);
    expect(second.items[0]).toMatchObject({ what: 'state', who: { id: auditor.id } });
    expect(
      (await auditor.get(`Audit/looks?readerId=${reader.id}&pageSize=4&pageNumber=2`)).body.items,
    ).toEqual(second.items.slice(4));

    // One's own history is no look at somebody else's, and neither are the looks themselves.
    await auditor.get(`Audit/readers/${auditor.id}/state`);
    expect((await looks(auditor.id)).totalCount).toBe(0);
    expect((await auditor.get(`Audit/readers/${randomUUID()}/state`)).status).toBe(404);
  });

  it('shows nothing where the look cannot be recorded', async () => {
    const shown = await history();
    await product.database.query('alter table audit_look rename to audit_look_away');
    try {
      for (const path of pathsOf(shown)) {
        const answer = await auditor.get(path);
        expect(answer).toMatchObject(refusal(503, 'LookNotRecorded'));
        expect(JSON.stringify(answer.body)).not.toContain('Solaris');
      }
    } finally {
      await product.database.query('alter table audit_look_away rename to audit_look');
    }
    expect((await auditor.get(`${shown.base}/state`)).status).toBe(200);
  });

  it('lets nobody change, remove or empty the record of looks, not even by SQL', async () => {
    const { reader, base } = await history();
    await auditor.get(`${base}/state`);
    for (const sql of [
      'update audit_look set auditor_id = reader_id',
      'delete from audit_look',
      'truncate audit_look',
    ])
      await expect(product.database.query(sql)).rejects.toThrow(/audit_look is only ever added to/);
    expect((await looks(reader.id)).totalCount).toBe(1);
  });

  it('is no look where readers look at what is their own', async () => {
    const { reader, borrowId } = await history();
    for (const path of ['Borrow/history?at=0', `Borrow/fee?borrowId=${borrowId}`])
      expect((await reader.get(path)).status).toBe(200);
    expect((await looks(reader.id)).totalCount).toBe(0);
  });

  it('refuses bad requests, naming the fields', async () => {
    expect(await auditor.get('Audit/readers/x/events')).toMatchObject(invalid('readerId'));
    const path = `Audit/readers/${auditor.id}/events?limit=1001&kind=Lost&after=x`;
    expect(await auditor.get(path)).toMatchObject(
      invalid({ limit: expect.any(Array), kind: expect.any(Array), after: expect.any(Array) }),
    );
  });

  it('forgets a history that was removed from the log', async () => {
    const reader = await product.account();
    await product.storeHistory(reader.pseudonym, 12);
    const state = async () => (await auditor.get(`Audit/readers/${reader.id}/state`)).body as PastBorrows;
    expect((await state()).asOf.revision).toBe(11);
    await product.eventStore.deleteStream(borrowStream(reader.pseudonym));
    expect(await state()).toMatchObject({ asOf: { revision: -1 }, items: [] });
  });

  it('keeps the history of an account that is gone', async () => {
    const readerId = randomUUID();
    await product.storeHistory(readerId, 20);
    const found = (await auditor.get(`Audit/readers?SearchTerm=${readerId}`)).body;
    expect(found).toMatchObject({ totalCount: 1, items: [{ fullname: '(account removed)', events: 20 }] });
    const { body } = await auditor.get(`Audit/readers/${readerId}/timeline`);
    expect(body.reader.fullname).toBe('(account removed)');
    expect(body.actors).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'removed account' })]),
    );
  });

  // The last one, as it stops the projection: an event that cannot be read is never skipped.
  it('shows an event of a newer release as it is stored, and says why it cannot be folded', async () => {
    const reader = await product.account();
    await product.storeHistory(reader.pseudonym, 3);
    await storeForeign(product, reader.pseudonym, {
      ...{ type: 'BooksRecalled', data: { why: 'damaged' } },
      metadata: { ...metadataOf(reader.id), schemaVersion: 4 },
    });
    expect(await auditor.get(`Audit/readers/${reader.id}/state`)).toMatchObject({
      status: 500,
      body: {
        detail: expect.stringContaining(
          'The event BooksRecalled, version 4, cannot be read: its type is unknown',
        ),
      },
    });
    expect((await auditor.get(`Audit/readers/${reader.id}/events/3`)).body).toMatchObject({
      type: 'BooksRecalled',
      schemaVersion: 4,
      occurredAt: null,
      borrowId: null,
      data: { why: 'damaged' },
    });
  });

  it('delivers thousands of events in one small answer, and a thousand whole ones', async () => {
    const reader = await product.account();
    const count = TIMELINE_EVENTS + 400;
    await product.storeHistory(reader.pseudonym, count);
    const answered = async (path: string) =>
      (await untilServed(() => auditor.get(`Audit/readers/${reader.id}/${path}`))).body;
    const body = await answered('timeline?after=299');
    expect(JSON.stringify(body).length).toBeLessThan(400_000);
    const timeline = timelineSchema.parse(body);
    expect(timeline).toMatchObject({ totalCount: count, lastRevision: count - 1 });
    expect(timeline.rows).toHaveLength(TIMELINE_EVENTS);
    const page: AuditEvents = await answered('events?limit=1000&after=1299');
    expect(page.items).toHaveLength(1000);
    for (const [index, item] of page.items.entries()) {
      const row = timeline.rows[1000 + index];
      const event = row && timelineEvent(timeline, row);
      expect(event).toMatchObject({ revision: 1300 + index, type: item.type, borrowId: item.borrowId });
      expect(new Date(event?.occurredAt ?? 0).toISOString()).toBe(item.occurredAt);
      expect(event?.actor).toEqual(item.actor);
    }
    const few: AuditEvents = await answered('events?limit=20&kind=FineCharged');
    expect(few.matchingCount).toBeGreaterThan(20);
    expect(few.items.map(({ type }) => type)).toEqual(Array.from({ length: 20 }, () => 'FineCharged'));
    expect((await answered(`timeline?after=${count - 3}`)).rows).toHaveLength(2);
  });
});
