import { randomUUID } from 'node:crypto';
import type { ReaderPanel } from '#contracts/accounts/reader-card.js';
import type { Today } from '#contracts/dashboard/today.js';
import {
  listHoldQueues,
  type HoldView,
  type LapsedHold,
  type QueuedHold,
  type ShelfHold,
} from '#contracts/holds/hold-views.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { addDays, localDay } from '#contracts/local-day.js';
import {
  atDesk,
  doAtDesk,
  historyOf,
  lend,
  type TestBorrow,
} from '../../../test-support/product/borrow-steps.js';
import { keyed, refusal } from '../../../test-support/product/caller.js';
import { openLive } from '../../../test-support/product/live-socket.js';
import { startProduct, type TestAccount } from '../../../test-support/product/product.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';
import { atEnd, shared } from '../../../test-support/shared.js';

const ZONE = 'Europe/Warsaw';
const DAY = 24 * 3_600_000;

describe('holds over HTTP', () => {
  const clock = new TestClock();
  const product = shared(() => startProduct(clock, { staySignedIn: true, environment: { TIME_ZONE: ZONE } }));
  const admin = shared(() => product.account('Reader', 'Admin'));
  const [anna, maria, piotr] = [
    shared(() => product.account()),
    shared(() => product.account()),
    shared(() => product.account()),
  ];

  atEnd(async () => expect(await product.differences()).toEqual([]));

  const inDays = (days: number) => addDays(localDay(clock.now().toISOString(), ZONE), days);
  const mine = async (reader: TestAccount) => (await reader.get('Hold/mine')).body as HoldView[];
  const holdOn = async (reader: TestAccount, bookId: number) =>
    (await mine(reader)).find((hold) => hold.bookId === bookId);
  const ready = (reader: TestAccount, bookId: number) =>
    waitFor(async () => {
      const hold = await holdOn(reader, bookId);
      return hold?.state === 'Ready' && hold;
    });
  const place = async (reader: TestAccount, bookId: number, more = {}) => {
    const answer = await reader.post('Hold', { bookId, ...more });
    expect(answer).toMatchObject({ status: 200, body: { position: expect.any(String) } });
    return answer.body as { id: string; place: number | null };
  };
  const bringBack = async (borrow: TestBorrow) =>
    expect((await doAtDesk(admin, 'take-back-books', borrow)).status).toBe(200);
  const queue = async (bookId: number) => (await admin.get(`Hold?bookId=${bookId}`)).body as QueuedHold[];
  /** Until the reader has a letter whose text or subject has these words. */
  const told = async (reader: TestAccount, words: string) => {
    const { email } = (await reader.get('User/profile')).body;
    await waitFor(async () =>
      (await product.letters(email as string)).some(({ subject, text }) =>
        `${subject} ${text}`.includes(words),
      ),
    );
  };
  const figures = async () => ((await admin.get('Dashboard/today')).body as Today).holds;
  const code = async (answer: Promise<{ body: { code: string } }>) => (await answer).body.code;
  const onDay = async (days: number) => {
    await clock.forward(days * DAY);
    // What is due is looked for at once, not within five seconds.
    await product.database.query('select pg_notify($1, $2)', [CHANNELS.holds, '']);
  };

  it('says of a book that is on the shelf that a copy is kept, not that somebody is first in line', async () => {
    const bookId = await product.book(1, 'Pnin');
    const first = await place(maria, bookId);
    expect(first).toMatchObject({ place: null });
    await ready(maria, bookId);
    await maria.delete(`Hold/${first.id}`);
  });

  it('gives a copy that comes back to who waits first, and nobody else can take it', async () => {
    const bookId = await product.book(1, 'Solaris');
    const borrow = await lend(admin, anna, [bookId]);
    expect(await figures()).toEqual({ waiting: 0, onShelf: 0, lastDay: 0, notCollected: 0 });
    expect((await maria.get(`Hold/prospect?bookId=${bookId}`)).body).toEqual({
      waiting: 0,
      place: 1,
      estimateDays: 14,
    });
    expect(await place(maria, bookId)).toMatchObject({ place: 1 });
    expect(await place(piotr, bookId)).toMatchObject({ place: 2 });
    expect((await maria.get(`Book/${bookId}`)).body).toMatchObject({ copiesAvailable: 0, holds: 2 });
    expect(await holdOn(piotr, bookId)).toMatchObject({
      title: 'Solaris',
      place: 2,
      state: 'Waiting',
      collectBy: null,
      estimateDays: 28,
    });

    expect(await figures()).toMatchObject({ waiting: 2, onShelf: 0 });

    await bringBack(borrow);
    expect(await product.copies(bookId)).toBe(0);
    expect(await code(anna.post('Borrow/rent-books', { bookIds: [bookId] }))).toBe('CopiesUnavailable');
    const hers = await ready(maria, bookId);
    expect(hers).toMatchObject({ place: null, borrowId: hers.id, estimateDays: 0 });
    expect(localDay(hers.collectBy ?? '', ZONE)).toBe(inDays(3));
    expect(await figures()).toEqual({ waiting: 1, onShelf: 1, lastDay: 0, notCollected: 0 });
    // The desk sees of their what they see.
    const panel = (await admin.get(`Reader/panel?id=${maria.id}`)).body as ReaderPanel;
    expect(panel.holds).toEqual(await mine(maria));
    const [rent] = await historyOf(maria);
    expect(rent).toMatchObject({ id: hers.id, status: 'Rented', collectBy: hers.collectBy });
    expect(await holdOn(piotr, bookId)).toMatchObject({ place: 1, state: 'Waiting' });
    expect((await admin.get('Hold/shelf')).body as ShelfHold[]).toContainEqual(
      expect.objectContaining({ id: hers.id, user: expect.objectContaining({ id: maria.id }) }),
    );

    // Whoever gives up what waits for them gives it to the next.
    expect((await maria.delete(`Hold/${hers.id}`)).status).toBe(200);
    expect(await product.copies(bookId)).toBe(0);
    const his = await ready(piotr, bookId);
    expect(await holdOn(maria, bookId)).toBeUndefined();
    const hisBorrow = { borrowId: his.borrowId ?? '', reader: piotr, bookIds: [bookId] };
    expect((await doAtDesk(admin, 'issue-books', hisBorrow)).status).toBe(200);
    expect(await mine(piotr)).toEqual([]);
    await bringBack(hisBorrow);
    expect(await product.copies(bookId)).toBe(1);
    expect((await maria.get(`Book/${bookId}`)).body.holds).toBe(0);

    const { body } = await admin.get(`Audit/readers/${piotr.id}/timeline`);
    expect(body.types).toEqual(
      expect.arrayContaining(['HoldPlaced', 'HoldReady', 'BooksRented', 'BooksIssued', 'HoldCollected']),
    );
    expect(Object.values(body.holds)).toEqual(['Solaris', 'Solaris', 'Solaris']);
  });

  it('keeps a copy from the shelf for who wants to fetch it later, at once', async () => {
    const bookId = await product.book(2, 'Lalka');
    await place(maria, bookId);
    expect(await product.copies(bookId)).toBe(1);
    const hers = await ready(maria, bookId);
    await told(maria, 'The book you reserved waits for you until');
    expect((await maria.delete(`Hold/${hers.id}`)).status).toBe(200);
    expect(await product.copies(bookId)).toBe(2);
  });

  it('refuses what the rules do not allow, and says why', async () => {
    const bookId = await product.book(1, 'Ferdydurke');
    const borrow = await lend(admin, anna, [bookId]);
    const key = keyed();
    const first = await maria.post('Hold', { bookId }, key);
    expect(await maria.post('Hold', { bookId }, key)).toEqual(first);
    expect(await code(maria.post('Hold', { bookId }))).toBe('AlreadyOnHold');
    expect(await code(anna.post('Hold', { bookId }))).toBe('BookAlreadyBorrowed');
    expect(await code(maria.post('Hold', { bookId: 2_000_000_000 }))).toBe('BookNotFound');
    expect(await code(maria.post('Hold', { bookId: await product.book(1), neededUntil: inDays(-1) }))).toBe(
      'DayPassed',
    );
    expect(await code(piotr.post(`Hold?userId=${maria.id}`, { bookId }))).toBe('NotAllowed');
    const { id } = first.body as { id: string };
    expect(await code(piotr.delete(`Hold/${id}`))).toBe('HoldNotFound');
    expect(await code(maria.post(`Hold/${id}/pause`, { until: inDays(0) }))).toBe('DayPassed');
    expect(await code(maria.post(`Hold/${id}/resume`))).toBe('HoldNotPaused');
    expect(await code(admin.post(`Hold/${id}/move`, { before: randomUUID(), reason: 'urgent' }))).toBe(
      'MoveImpossible',
    );
    await onDay(1);
    // A title that is waited for is not renewed.
    expect(await anna.post(`Borrow/renew?borrowId=${borrow.borrowId}`)).toMatchObject(
      refusal(409, 'SomebodyWaits', expect.stringContaining('“Ferdydurke”')),
    );
    expect((await maria.delete(`Hold/${id}`)).status).toBe(200);
    expect((await anna.post(`Borrow/renew?borrowId=${borrow.borrowId}`)).status).toBe(200);

    const others = await Promise.all(Array.from({ length: 10 }, () => product.book(0)));
    for (const other of others) await place(maria, other);
    expect(await maria.post('Hold', { bookId })).toMatchObject(
      refusal(409, 'TooManyHolds', expect.stringContaining('10')),
    );
    for (const hold of await mine(maria)) await maria.delete(`Hold/${hold.id}`);
  });

  it('passes by who pauses, ends what is needed no longer, and moves by hand', async () => {
    const bookId = await product.book(1, 'Kosmos');
    const borrow = await lend(admin, anna, [bookId]);
    const ewa = await product.account();
    const first = await place(maria, bookId);
    const second = await place(piotr, bookId, { neededUntil: inDays(1) });
    // The desk reserves for a reader.
    const third = (await admin.post(`Hold?userId=${ewa.id}`, { bookId })).body as { id: string };
    expect((await maria.post(`Hold/${first.id}/pause`, { until: inDays(3) })).body.place).toBe(1);
    expect(await holdOn(maria, bookId)).toMatchObject({ state: 'Paused', pausedUntil: inDays(3), place: 1 });
    const moved = await admin.post(`Hold/${third.id}/move`, {
      before: second.id,
      reason: 'study',
      note: 'An exam on Friday.',
    });
    expect(moved.body.place).toBe(2);
    expect(await queue(bookId)).toMatchObject([
      { id: first.id, user: { id: maria.id }, moved: null },
      {
        id: third.id,
        place: 2,
        moved: { reason: 'study', note: 'An exam on Friday.', by: { id: admin.id } },
      },
      { id: second.id, place: 3, neededUntil: inDays(1) },
    ]);
    await onDay(2);
    await waitFor(async () => (await holdOn(piotr, bookId)) === undefined);
    await told(piotr, `You named ${inDays(-1)} as the last day on which you need the following book`);

    await bringBack(borrow);
    await ready(ewa, bookId);
    expect(await holdOn(maria, bookId)).toMatchObject({ state: 'Paused', place: 1 });
    await onDay(1);
    await waitFor(async () => (await holdOn(maria, bookId))?.state === 'Waiting');

    // Not collected: the next one.
    await onDay(2);
    expect(await figures()).toMatchObject({ onShelf: 1, lastDay: 1, notCollected: 0 });
    await onDay(2);
    await product.runJob('upkeep', 'sweep-borrows', {});
    const hers = await ready(maria, bookId);
    expect((await admin.get('Hold/lapsed')).body as LapsedHold[]).toMatchObject([
      { id: third.id, user: { id: ewa.id }, title: 'Kosmos' },
    ]);
    expect(await figures()).toMatchObject({ onShelf: 1, notCollected: 1 });
    expect(await product.copies(bookId)).toBe(0);
    expect((await maria.delete(`Hold/${hers.id}`)).status).toBe(200);
  });

  it('lends a copy that is kept for somebody, and undoes its return, only where the librarian says so', async () => {
    const bookId = await product.book(1, 'Quo Vadis');
    const borrow = await lend(admin, anna, [bookId]);
    await place(maria, bookId);
    const back = await doAtDesk(admin, 'take-back-books', borrow);
    expect(back.body.keptFor).toMatchObject([{ bookId, user: { id: maria.id }, copy: { shelfMark: null } }]);
    await ready(maria, bookId);
    await told(maria, '- Quo Vadis');
    const revision = (await historyOf(anna))[0]?.undo[0]?.revision;
    const undo = (more: object) => admin.post(atDesk('undo', borrow), { revision, ...more });
    expect(await code(undo({}))).toBe('ReturnedCopyHeld');
    expect((await undo({ evenIfHeld: true })).status).toBe(200);
    expect(await holdOn(maria, bookId)).toMatchObject({ state: 'Waiting', place: 1, borrowId: null });
    expect((await historyOf(anna))[0]).toMatchObject({ id: borrow.borrowId, status: 'Issued' });
    await told(maria, 'You are back in your place in line');

    await bringBack(borrow);
    const again = await ready(maria, bookId);
    expect(again.borrowId).not.toBe(again.id);
    await told(maria, 'Another copy of the book you reserved is here');
    const lending = (more: object) =>
      admin.post(`Borrow/lend?userId=${piotr.id}`, { bookIds: [bookId], ...more });
    expect(await code(lending({}))).toBe('CopyHeldForOther');
    const taken = await lending({ evenIfHeld: true });
    expect(taken.status).toBe(200);
    expect(await holdOn(maria, bookId)).toMatchObject({ state: 'Waiting', place: 1 });
    // The specification's own call says for whom it is, too.
    const his = { borrowId: taken.body.borrowId as string, reader: piotr, bookIds: [bookId] };
    const returned = await doAtDesk(admin, 'return-books', his);
    expect(returned).toMatchObject({ status: 200, body: { keptFor: [{ bookId, user: { id: maria.id } }] } });
    const third = await ready(maria, bookId);
    // Of two letters that the log would have for this, the one that says who did it.
    expect((await admin.delete(`Hold/${third.id}`)).status).toBe(200);
    expect(await product.copies(bookId)).toBe(1);
    await told(maria, 'The library cancelled your reservation of a book');
  });

  it('gives copies that are added or found to who waits, and is the same after a rebuild', async () => {
    const bookId = await product.book(1, 'Pan Tadeusz');
    const borrow = await lend(admin, anna, [bookId]);
    const first = await place(maria, bookId);
    const second = await place(piotr, bookId);
    await admin.post(`Hold/${second.id}/move`, { before: first.id, reason: 'library-error' });
    const socket = await openLive(product.url, (await product.signIn(anna)).token);
    const heard: string[] = [];
    socket.on('holds', ({ books }) => heard.push(JSON.stringify(books)));
    expect((await admin.post('Copy', { bookId })).status).toBeLessThan(300);
    await ready(piotr, bookId);
    await waitFor(() => heard.includes(JSON.stringify([{ bookId, holds: 1 }])));
    expect(await product.copies(bookId)).toBe(0);
    expect(await holdOn(maria, bookId)).toMatchObject({ state: 'Waiting', place: 1 });
    const rows = async () => (await product.database.query('select * from hold order by hold_id')).rows;
    const before = await rows();
    await product.rebuild();
    expect(await rows()).toEqual(before);
    await bringBack(borrow);
    await ready(maria, bookId);
  });

  it('lists all queues: how many wait, since when, who is first, and when a copy may come', async () => {
    const holder = await product.account();
    const [first, second] = [await product.account(), await product.account()];
    const [dune, emma] = [await product.book(1, 'Diuna kolejkowa'), await product.book(1, 'Emma kolejkowa')];
    const borrow = await lend(admin, holder, [dune]);
    await lend(admin, holder, [emma]);
    const placed = await place(first, dune);
    await clock.forward(1_000);
    await place(second, dune);
    await clock.forward(1_000);
    await place(second, emma);
    const queues = async (more: string) =>
      listHoldQueues.answer.parse((await admin.get(`Hold/queues?SearchTerm=kolejkowa&${more}`)).body);
    const titles = async (more: string) => (await queues(more)).items.map(({ bookId }) => bookId);
    expect(await queues('')).toMatchObject({
      totalCount: 2,
      items: [
        {
          ...{ bookId: dune, title: 'Diuna kolejkowa', copies: 1, waiting: 2, estimateDays: 14 },
          first: { id: first.id },
        },
        { bookId: emma, waiting: 1, first: { id: second.id } },
      ],
    });
    expect(await titles('SortBy=Since')).toEqual([dune, emma]);
    expect(await titles('SortBy=Title&pageSize=1&pageNumber=2')).toEqual([emma]);
    expect(await queues('pageNumber=9')).toEqual({ items: [], totalCount: 2 });
    expect(await titles('Only=MoreThanCopies')).toEqual([dune]);
    expect(await titles('Only=NoCopy')).toEqual([]);
    await product.database.query(`update account set lastname = 'Kolejkowy' where id = $1`, [first.id]);
    const found = await admin.get('Hold/queues?SearchTerm=KOLEJKOWY');
    expect(found.body.items.map(({ bookId }: { bookId: number }) => bookId)).toEqual([dune]);
    // Who pauses is passed by, and what is over waits no more.
    await first.post(`Hold/${placed.id}/pause`, { until: inDays(3) });
    expect((await queues('')).items[0]).toMatchObject({ waiting: 2, first: { id: second.id } });
    expect(await code(holder.get('Hold/queues') as never)).toBe('NotAllowed');
    for (const reader of [first, second]) {
      for (const { id, bookId } of await mine(reader))
        if (bookId === dune || bookId === emma) await reader.delete(`Hold/${id}`);
    }
    expect((await queues('')).totalCount).toBe(0);
    await bringBack(borrow);
  });
});
