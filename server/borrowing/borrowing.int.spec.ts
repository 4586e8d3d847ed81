import { randomUUID } from 'node:crypto';
import type { Copy } from '#contracts/copies/copy-views.js';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { DashboardStats } from '#contracts/dashboard/stats.js';
import { addDays, localDay } from '#contracts/local-day.js';
import { atDesk, doAtDesk, historyOf, lend, rent } from '../../test-support/product/borrow-steps.js';
import { invalid, keyed, refusal } from '../../test-support/product/caller.js';
import { metadataOf } from '../../test-support/event-store/event-metadata.js';
import { startProduct, type TestAccount } from '../../test-support/product/product.js';
import { TestClock } from '../../test-support/test-clock.js';
import { untilServed, waitFor } from '../../test-support/wait-for.js';
import { atEnd, shared } from '../../test-support/shared.js';

const ZONE = 'Europe/Warsaw';
const DAY = 24 * 3_600_000;

describe('borrowing over HTTP', () => {
  const clock = new TestClock();
  const product = shared(() => startProduct(clock, { staySignedIn: true, environment: { TIME_ZONE: ZONE } }));
  const reader = shared(() => product.account());
  const admin = shared(() => product.account('Reader', 'Admin'));
  const expectClean = async () => expect(await product.differences()).toEqual([]);
  atEnd(expectClean);

  /** The reader's last borrow, as their list has it. */
  const lastOf = async (account: TestAccount) => (await historyOf(account))[0];
  const copies = (...bookIds: number[]) => Promise.all(bookIds.map((id) => product.copies(id)));
  const renewedUntil = (dueDate: string | null | undefined) =>
    new Date(Date.parse(dueDate ?? '') + DAY).toISOString();

  // spec 3.6, 7.15
  it('rents, issues and takes back, and everybody sees their own change in the next answer', async () => {
    const [first, second] = [await product.book(2, 'Solaris'), await product.book(1, 'Łódź Stories')];
    const borrow = await rent(product, reader, [first, second]);
    const { borrowId } = borrow;
    expect(await copies(first, second)).toEqual([1, 0]);

    const row = await lastOf(reader);
    expect(row).toMatchObject({
      id: borrowId,
      status: 'Rented',
      borrowedBooks: [
        { bookId: first, title: 'Solaris' },
        { bookId: second, title: 'Łódź Stories' },
      ],
      issueDate: null,
      fineAmount: 0,
      availableActions: ['issue', 'cancel'],
    });

    const page = async (query: string) => (await reader.get(`Borrow/history?${query}`)).body as object;
    expect(await page('pageNumber=1')).toEqual({ items: [row], totalCount: 1 });
    expect(await page('pageNumber=2&SearchTerm=stories+solaris&OrderBy=DueDate')).toEqual({
      items: [],
      totalCount: 1,
    });
    expect(await page('pageNumber=1&SearchTerm=wool')).toEqual({ items: [], totalCount: 0 });
    expect((await reader.get('Borrow/history?pageNumber=0')).status).toBe(400);

    expect((await doAtDesk(admin, 'issue-books', borrow)).status).toBe(200);
    expect(await lastOf(reader)).toMatchObject({
      status: 'Issued',
      availableActions: ['return', 'take-back', 'mark-lost'],
    });
    // On the first day a renewal gives no day more: it is offered from the next one.
    await clock.forward(DAY);
    const lent = await lastOf(reader);
    expect(lent?.availableActions).toEqual(['return', 'renew', 'take-back', 'mark-lost']);
    const renew = `Borrow/renew?borrowId=${borrowId}`;
    const dueDate = lent?.dueDate;
    const renewed = await reader.post(renew);
    expect(renewed.status).toBe(200);
    // Called again without a word of what is meant, it is the same renewal; so is one that names the same due date.
    const naming = (date: string | null | undefined) => `${renew}&dueDate=${encodeURIComponent(date ?? '')}`;
    for (const again of [
      await reader.post(renew),
      ...(await Promise.all([reader.post(naming(dueDate)), reader.post(naming(dueDate), {}, keyed())])),
    ]) {
      expect(again).toEqual(renewed);
    }
    await clock.forward(DAY);
    const once = await lastOf(reader);
    const next = once?.dueDate;
    expect([once?.renewals, next]).toEqual([1, renewedUntil(dueDate)]);
    // A librarian renews for the reader, and the reader for nobody else.
    const forHim = `${naming(next)}&userId=${reader.id}`;
    const other = await product.account();
    expect(await other.post(forHim)).toMatchObject(refusal(403, 'NotAllowed'));
    expect((await lastOf(reader))?.renewals).toBe(1);
    const byLibrarian = await admin.post(forHim);
    const twice = [byLibrarian, ...(await Promise.all([1, 2, 3].map(() => reader.post(naming(next)))))];
    expect(new Set(twice.map(({ status, body }) => `${status} ${body.position}`)).size).toBe(1);
    expect(twice[0]?.status).toBe(200);
    expect((await lastOf(reader))?.renewals).toBe(2);
    expect(await reader.post(naming(dueDate))).toEqual(renewed);
    expect((await reader.post(naming('2026-01-01T00:00:00Z'))).body.code).toBe('DueDateUnknown');
    expect(await reader.post(naming('tomorrow'))).toMatchObject(
      invalid({ dueDate: [expect.stringContaining('as the list does')] }),
    );
    expect((await doAtDesk(admin, 'return-books', borrow)).status).toBe(200);
    expect(await lastOf(reader)).toMatchObject({ status: 'Returned', availableActions: [] });
    expect(await copies(first, second)).toEqual([2, 1]);
  });

  it('tells the desk who has a borrow and what happened to it, and of no other', async () => {
    const borrow = await rent(product, reader, ['Ferdydurke']);
    const { borrowId, bookIds } = borrow;
    await rent(product, reader);
    await doAtDesk(admin, 'issue-books', borrow);
    const { status, body } = await admin.get(`Borrow/details?borrowId=${borrowId}`);
    expect(status).toBe(200);
    const { userName, email, fullname } = (await reader.get('User/profile')).body;
    expect(body).toMatchObject({
      borrow: { id: borrowId, status: 'Issued', availableActions: ['return', 'take-back', 'mark-lost'] },
      reader: { userName, email },
      steps: [
        { type: 'BooksRented', by: fullname, byPerson: true, amount: null, dueDate: null },
        { type: 'BooksIssued', byPerson: true, dueDate: body.borrow.dueDate },
      ],
    });
    expect(body.steps).toHaveLength(2);
    expect((await admin.get(`Borrow/details?borrowId=${randomUUID()}`)).status).toBe(404);
    expect((await admin.get('Borrow/details?borrowId=x')).body.errors).toHaveProperty('borrowId');
    const covers = await admin.get(`Book/covers?ids=${bookIds[0]},999999`);
    expect(covers.body).toMatchObject([{ id: bookIds[0], title: 'Ferdydurke', photo: null }]);
    expect((await admin.get('Book/covers?ids=all')).body.errors).toHaveProperty('ids');
    await doAtDesk(admin, 'return-books', borrow);
  });

  it('issues and takes back in parts: each book is its own, and the borrow is issued until its last is back', async () => {
    const one = await product.account();
    const borrow = await rent(product, one, ['Solaris', 'Lalka', 'Eden']);
    const { borrowId, bookIds } = borrow;
    const [a = 0, b = 0, c = 0] = bookIds;
    const desk = async (call: string, ids: number[]) =>
      (await doAtDesk(admin, call, { ...borrow, bookIds: ids })).status;
    const now = async () => {
      const view = await lastOf(one);
      return [view?.status, ...(view?.books.map(({ state }) => state) ?? [])].join(' ');
    };
    expect(await desk('issue-books', [a])).toBe(200);
    expect(await now()).toBe('Issued lent reserved reserved');
    expect(await desk('issue-books', [999_999])).toBe(409);
    expect(await desk('issue-books', [a, b])).toBe(200);
    expect(await desk('return-books', [b])).toBe(200);
    expect(await now()).toBe('Issued lent returned reserved');
    expect(await copies(a, b, c)).toEqual([0, 1, 0]);
    expect(await desk('return-books', [b])).toBe(409);
    await expectClean();
    // The reader gives up what they have not collected; the rest goes on.
    expect((await one.post(`Borrow/cancel-rent?borrowId=${borrowId}`)).status).toBe(200);
    expect(await now()).toBe('Issued lent returned cancelled');
    expect(await product.copies(c)).toBe(1);
    expect(await desk('return-books', bookIds)).toBe(200);
    expect(await now()).toBe('Returned returned returned cancelled');
  });

  it('lends at the desk in one: rented and issued, refused in words for the desk, and undone as a whole', async () => {
    const one = await product.account();
    const [book, scanned, last] = [await product.book(1), await product.book(2), await product.book(1)];
    const key = keyed();
    const body = { bookIds: [book], copies: [copyCode({ bookId: scanned, copy: 2 })] };
    const path = `Borrow/lend?userId=${one.id}`;
    const lent = await admin.post(path, body, key);
    expect(lent).toMatchObject({ status: 200, body: { id: expect.any(String) } });
    expect(await admin.post(path, body, key)).toEqual(lent);
    expect(await admin.post(path, { bookIds: [last] }, key)).toMatchObject({ status: 422 });
    expect(await lastOf(one)).toMatchObject({
      id: lent.body.id,
      status: 'Issued',
      books: [
        { bookId: book, state: 'lent' },
        { bookId: scanned, state: 'lent', copy: body.copies[0] },
      ],
      undo: [{ what: 'issue' }],
    });
    expect(await copies(book, scanned)).toEqual([0, 1]);
    const events = await product.log.readStream('borrows', one.pseudonym);
    expect(events.map(({ event }) => event.type)).toEqual(['BooksRented', 'BooksIssued']);

    const refused = async (asked: object, userId = one.id) =>
      (await admin.post(`Borrow/lend?userId=${userId}`, asked)).body;
    expect(await refused({ bookIds: [scanned] })).toMatchObject({ code: 'BookAlreadyBorrowed' });
    expect(await refused({ bookIds: [book] })).toMatchObject({ code: 'CopiesUnavailable' });
    expect(await refused({ copies: ['4711-2-0'] })).toMatchObject({ code: 'CopyNotFound' });
    expect(await refused({ bookIds: [] })).toMatchObject({
      errors: { bookIds: ['Choose at least one book.'] },
    });
    const twice = [1, 2].map((copy) => copyCode({ bookId: scanned, copy }));
    expect(await refused({ copies: twice })).toMatchObject({ errors: { copies: [expect.any(String)] } });
    expect(await refused({ bookIds: [last] }, randomUUID())).toMatchObject({ code: 'NotFound' });
    expect(await product.copies(last)).toBe(1);

    const { revision } = (await lastOf(one))?.undo[0] ?? {};
    const undo = atDesk('undo', { borrowId: lent.body.id as string, reader: one });
    expect((await admin.post(undo, { revision })).status).toBe(200);
    expect(await lastOf(one)).toMatchObject({
      status: 'Expired',
      books: [{ state: 'undone' }, { state: 'undone' }],
    });
    expect(await copies(book, scanned)).toEqual([1, 2]);
  });

  it('goes beyond limits with the reason of a librarian alone, which is kept; never beyond what is so', async () => {
    const [one, other] = [await product.account(), await product.account()];
    const [book, elsewhere] = [await product.book(1), await product.book(1)];
    const lending = (by: TestAccount, bookId: number, more: object = {}, to = one) =>
      by.post(`Borrow/lend?userId=${to.id}`, { bookIds: [bookId], ...more });
    const reason = { beyondLimit: 'study' };
    const borrow = await lend(admin, one, [book]);
    const renew = (more = '') => admin.post(`${atDesk('renew', borrow)}${more}`);
    for (let n = 0; n < 3; n += 1) {
      await clock.forward(DAY);
      expect((await renew()).body.code).toBe(n < 2 ? undefined : 'RenewalsUsedUp');
    }
    expect((await lastOf(one))?.availableActions).toContain('renew-beyond');
    // Readers cannot, for themselves or others, nor can staff for themselves.
    const own = `Borrow/renew?borrowId=${borrow.borrowId}&beyondLimit=study`;
    for (const refused of [
      await one.post(own),
      await one.post(`${own}&userId=${one.id}`),
      await other.post(`${own}&userId=${one.id}`),
      await lending(one, elsewhere, reason),
      await admin.post(own),
      await lending(admin, elsewhere, reason, admin),
    ]) {
      expect(refused).toMatchObject(refusal(403, 'NotAllowed'));
    }
    expect((await renew('&beyondLimit=whim')).body.errors).toHaveProperty('beyondLimit');
    expect((await renew('&beyondLimit=study')).status).toBe(200);
    expect((await lastOf(one))?.renewals).toBe(3);

    // A blocked reader, and a copy that somebody else has.
    await admin.put(`Reader/notice?id=${one.id}`, { message: 'Please see us.', blocks: true });
    await waitFor(async () => (await lending(admin, book)).body.code === 'ReaderBlocked');
    await lend(admin, other, [elsewhere]);
    expect((await lending(admin, elsewhere, reason)).body.code).toBe('CopiesUnavailable');
    expect((await lending(admin, book, reason)).body.code).toBe('CopiesUnavailable');
    const { body: beyond } = await lending(admin, await product.book(1), reason);
    const { body } = await admin.get(`Borrow/details?borrowId=${beyond.borrowId}`);
    expect(body.steps).toMatchObject([
      { type: 'BooksRented', beyond: null },
      { type: 'BooksIssued', beyond: { limits: ['block'], reason: 'study' } },
    ]);
    const events = await product.log.readStream('borrows', one.pseudonym);
    expect(events.flatMap(({ event: { data } }) => ('beyond' in data ? [data.beyond] : []))).toEqual([
      { limits: ['renewals'], reason: 'study' },
      { limits: ['block'], reason: 'study' },
    ]);
    expect(JSON.stringify(await historyOf(one))).not.toContain('study');
  });

  it('charges for a lost book, whose copy leaves the count, and takes all that back where it was undone or found', async () => {
    const one = await product.account();
    const [priced, other] = [await product.book(2, 'Pan Tadeusz'), await product.book(1)];
    await product.database.query('update book set price = 3990 where id = $1', [priced]);
    // Scanned: the copy is known, and is the one that is counted out.
    const label = copyCode({ bookId: priced, copy: 2 });
    const lent = await admin.post(`Borrow/lend?userId=${one.id}`, {
      copies: [label, copyCode({ bookId: other, copy: 1 })],
    });
    const borrowId = lent.body.id as string;
    const borrow = { borrowId, reader: one };
    const view = () => lastOf(one);
    const mark = (bookId: number, as: string, key = keyed()) =>
      admin.post(atDesk('mark-lost', borrow), { bookId, as }, key);
    const copy = async () => (await admin.get(`Copy/${label}`)).body as Copy;
    const copiesOf = async (bookId: number) => {
      const { rows } = await product.database.query<{ copies: string }>(
        `select copies_total || ' ' || copies_available as copies from book where id = $1`,
        [bookId],
      );
      return rows[0]?.copies;
    };
    expect((await admin.get(`Borrow/details?borrowId=${borrowId}`)).body.lossCharges).toEqual([
      { bookId: priced, amount: 49.9 },
      { bookId: other, amount: 50 },
    ]);
    const before = await view();

    const key = keyed();
    const lost = await mark(priced, 'lost', key);
    expect(lost).toMatchObject({ status: 200, body: { borrowId } });
    expect(await mark(priced, 'lost', key)).toEqual(lost);
    expect((await mark(priced, 'damaged')).body.code).toBe('BorrowNotIssued');
    expect((await mark(999_999, 'lost')).body.code).toBe('BorrowNotIssued');
    expect((await mark(priced, 'eaten')).body.errors).toHaveProperty('as');
    expect(await view()).toMatchObject({
      status: 'Not_Paid',
      books: [{ state: 'lost', charged: 49.9 }, { state: 'lent' }],
      ...{ fineAmount: 49.9, lossAmount: 49.9, finePaid: 0, fineDue: 49.9, refundDue: 0 },
      undo: [{ what: 'loss' }],
    });
    expect(await copiesOf(priced)).toBe('1 1');
    expect(await copy()).toMatchObject({ state: 'lost', history: [{ type: 'CopyLost' }] });
    await expectClean();

    const { revision } = (await view())?.undo[0] ?? {};
    expect((await admin.post(atDesk('undo', borrow), { revision })).status).toBe(200);
    expect({ ...(await view()), position: '' }).toEqual({ ...before, position: '' });
    expect(await copiesOf(priced)).toBe('2 1');
    expect(await copy()).toMatchObject({
      state: 'lent',
      history: [{ type: 'CopyLost' }, { type: 'CopyFound' }],
    });
    await expectClean();

    // Paid, and found again at the desk.
    await mark(priced, 'lost');
    expect((await admin.post(`Payment/desk?borrowId=${borrowId}`, { amount: 4990 })).status).toBe(200);
    const found = () => admin.post(atDesk('mark-found', borrow), { bookId: priced });
    expect((await found()).status).toBe(200);
    expect(await view()).toMatchObject({
      status: 'Issued',
      books: [{ state: 'returned' }, { state: 'lent' }],
      ...{ fineAmount: 0, finePaid: 49.9, fineDue: 0, refundDue: 49.9 },
    });
    expect((await found()).body.code).toBe('BookNotLost');
    expect(await copiesOf(priced)).toBe('2 2');
    expect((await copy()).state).toBe('on-shelf');
    const { sentences } = (await one.get(`Borrow/fee?borrowId=${borrowId}`)).body;
    expect(sentences).toEqual([
      expect.stringContaining(
        '“Pan Tadeusz” was marked lost: 49.90 PLN was charged, by its price of 39.90 PLN and a fee of 10.00 PLN',
      ),
      expect.stringContaining('it was undone that “Pan Tadeusz” is gone'),
      expect.stringContaining('was marked lost'),
      expect.stringContaining('You paid 49.90 PLN at the desk'),
      expect.stringContaining('“Pan Tadeusz” was found'),
      '49.90 PLN paid by you is to be refunded.',
      'Nothing is left to pay.',
    ]);

    // A damaged one stays charged, whatever becomes of its copy.
    expect((await mark(other, 'damaged')).status).toBe(200);
    expect(await copiesOf(other)).toBe('0 0');
    const repaired = await admin.post(`Copy/${copyCode({ bookId: other, copy: 1 })}/found`);
    expect(repaired.body).toMatchObject({
      state: 'on-shelf',
      history: [{ type: 'CopyDamaged' }, { type: 'CopyRepaired' }],
    });
    expect(await view()).toMatchObject({
      status: 'Not_Paid',
      books: [{ state: 'returned' }, { state: 'damaged' }],
      fineDue: 0.1,
    });
  });

  it('counts a copy out and in by the log alone: whoever dies in between, and wherever a lost one is found', async () => {
    const one = await product.account();
    const book = await product.book(1);
    const borrow = await lend(admin, one, [book]);
    // As by a process that dies when it has stored the loss.
    const loss: BorrowEvent = {
      type: 'BookLost',
      data: {
        ...{ borrowId: borrow.borrowId, bookId: book, price: null, amount: 5000, policyVersion: 1 },
        ...{ reportedBy: admin.pseudonym, reportedAt: clock.now().toISOString() },
      },
    };
    const stored = { id: randomUUID(), event: loss, metadata: metadataOf(admin.pseudonym) };
    await product.log.append('borrows', one.pseudonym, [stored], 1n);
    await waitFor(async () => (await lastOf(one))?.books[0]?.state === 'lost');
    expect(await lastOf(one)).toMatchObject({ status: 'Not_Paid', fineDue: 50 });
    await expectClean();

    const { revision } = (await lastOf(one))?.undo[0] ?? {};
    const found = await admin.post(`Copy/${copyCode({ bookId: book, copy: 1 })}/found`);
    expect(found.body).toMatchObject({
      state: 'on-shelf',
      history: [{ type: 'CopyLost' }, { type: 'CopyFound' }],
    });
    const undone = await admin.post(atDesk('undo', borrow), { revision });
    expect(['UndoBlocked', 'NothingToUndo']).toContain(undone.body.code);
    await waitFor(async () => (await lastOf(one))?.fineDue === 0);
    expect(await lastOf(one)).toMatchObject({ status: 'Returned', books: [{ state: 'returned' }] });
    expect(await product.copies(book)).toBe(1);
  });

  it('lets a reader cancel their own rent, and a librarian anybody’s; others not', async () => {
    const [one, other] = [await product.account(), await product.account()];
    const [mine, his] = [await rent(product, one), await rent(product, one, ['Eden'])];
    const cancel = (by: TestAccount, { borrowId }: { borrowId: string }, more = '', key = keyed()) =>
      by.post(`Borrow/cancel-rent?borrowId=${borrowId}${more}`, {}, key);
    expect((await cancel(other, mine)).body.code).toBe('BorrowNotFound');
    expect((await cancel(other, mine, `&userId=${one.id}`)).status).toBe(403);
    const key = keyed();
    const cancelled = await cancel(one, mine, '', key);
    expect(cancelled).toMatchObject({ status: 200, body: { position: expect.any(String) } });
    expect(await copies(...mine.bookIds)).toEqual([1]);
    expect((await historyOf(one)).find(({ id }) => id === mine.borrowId)).toMatchObject({
      status: 'Expired',
      availableActions: [],
      books: [{ state: 'cancelled' }],
    });
    expect(await cancel(one, mine, '', key)).toEqual(cancelled);
    expect((await cancel(one, mine)).body.code).toBe('BorrowNotRented');
    expect((await cancel(admin, his, `&userId=${one.id}`)).status).toBe(200);
  });

  it('undoes an issue and a return, the copies included, once and for ten minutes', async () => {
    const one = await product.account();
    const borrow = await rent(product, one);
    const { borrowId, bookIds } = borrow;
    const view = () => lastOf(one);
    const undo = (revision: number | undefined, key = keyed()) =>
      admin.post(atDesk('undo', borrow), { revision }, key);
    const waiting = await view();

    await doAtDesk(admin, 'issue-books', borrow);
    const issued = await view();
    expect(issued?.undo).toMatchObject([{ what: 'issue' }]);
    const key = keyed();
    const undone = await undo(issued?.undo[0]?.revision, key);
    expect(undone).toMatchObject({ status: 200, body: { borrowId } });
    expect({ ...(await view()), position: '' }).toEqual({ ...waiting, position: '' });
    expect(await undo(issued?.undo[0]?.revision, key)).toEqual(undone);
    expect((await undo(issued?.undo[0]?.revision)).body.code).toBe('NothingToUndo');
    expect(await copies(...bookIds)).toEqual([0]);

    await doAtDesk(admin, 'issue-books', borrow);
    const lent = await view();
    await doAtDesk(admin, 'return-books', borrow);
    const [offer] = (await view())?.undo ?? [];
    expect(offer).toMatchObject({ what: 'return' });
    expect(await copies(...bookIds)).toEqual([1]);
    expect((await undo(offer?.revision)).status).toBe(200);
    expect({ ...(await view()), position: '' }).toEqual({ ...lent, position: '' });
    expect(await copies(...bookIds)).toEqual([0]);
    await expectClean();

    // The copy goes on to another reader: it cannot be given back to this one.
    await doAtDesk(admin, 'return-books', borrow);
    const [gone] = (await view())?.undo ?? [];
    const other = await product.account();
    const others = await rent(product, other, bookIds);
    const refusal = {
      status: 409,
      body: { code: 'UndoBlocked', detail: expect.stringContaining('has since been used again') },
    };
    const same = keyed();
    expect(await undo(gone?.revision, same)).toMatchObject(refusal);
    await other.post(`Borrow/cancel-rent?borrowId=${others.borrowId}`);
    // A refusal is the answer to its key; another try finds the copy there.
    expect(await undo(gone?.revision, same)).toMatchObject(refusal);
    await clock.forward(11 * 60_000);
    expect((await view())?.undo).toEqual([]);
    expect((await undo(gone?.revision)).body.code).toBe('NothingToUndo');
  });

  it('lets exactly one of many attempts at the same undoing do it', async () => {
    const one = await product.account();
    const borrow = await rent(product, one);
    for (const call of ['issue-books', 'return-books']) await doAtDesk(admin, call, borrow);
    const { revision } = (await lastOf(one))?.undo[0] ?? {};
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => admin.post(atDesk('undo', borrow), { revision })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await copies(...borrow.bookIds)).toEqual([0]);
    expect(await lastOf(one)).toMatchObject({ status: 'Issued', books: [{ state: 'lent' }] });
  });

  it('lets exactly one of 20 readers have the last copy', async () => {
    const book = await product.book(1, 'The Last Copy');
    const readers = await Promise.all(Array.from({ length: 20 }, () => product.account()));
    const answers = await Promise.all(
      readers.map((one) => {
        const key = keyed();
        // On a machine that does much else an answer may take too long: who hears of it asks again.
        return untilServed(() => one.post('Borrow/rent-books', { bookIds: [book] }, key));
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(19);
    for (const { body } of refused) {
      expect(body).toMatchObject({
        code: 'CopiesUnavailable',
        detail: 'No copy is left of “The Last Copy”. Nothing was rented.',
      });
    }
    expect(await product.copies(book)).toBe(0);
  });

  it('lets only one of two librarians act on a borrow', async () => {
    const borrow = await rent(product, await product.account());
    const second = await product.account('Admin');
    const answers = await Promise.all([admin, second].map((who) => doAtDesk(who, 'issue-books', borrow)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('changes nothing when one of several books is gone or unknown', async () => {
    const one = await product.account();
    const [there, gone] = [await product.book(1), await product.book(0, 'Gone')];
    expect(await one.post('Borrow/rent-books', { bookIds: [there, gone] })).toMatchObject(
      refusal(409, 'CopiesUnavailable', expect.stringContaining('“Gone”')),
    );
    expect(await one.post('Borrow/rent-books', { bookIds: [there, 99_999_999] })).toMatchObject(
      refusal(404, 'BookNotFound'),
    );
    expect(await product.copies(there)).toBe(1);
    expect(await historyOf(one)).toEqual([]);
  });

  it('refuses bad requests naming the field, and borrows that nobody knows', async () => {
    const rents = (bookIds: number[]) => reader.post('Borrow/rent-books', { bookIds });
    const unstorable = 'This text contains a character that cannot be stored.';
    for (const [answer, errors] of [
      [await rents([]), { bookIds: ['Choose at least one book.'] }],
      [await rents([99_999_999_999]), { 'bookIds.0': expect.any(Array) }],
      [
        await admin.post('Borrow/issue-books?borrowId=x&userId=y', { bookIds: [1] }),
        { borrowId: expect.any(Array), userId: expect.any(Array) },
      ],
      [await admin.get('Borrow?SortBy=Lost'), { SortBy: expect.any(Array) }],
      [await admin.get('Borrow?pageSize=1000'), { pageSize: expect.any(Array) }],
      [await admin.get('Borrow?SearchTerm=%00'), { SearchTerm: [unstorable] }],
    ] as const)
      expect(answer).toMatchObject({ status: 400, body: { code: 'ValidationFailed', errors } });
    expect((await reader.post('Borrow/rent-books', { bookIds: [1] }, keyed('short'))).status).toBe(400);
    const unknown = { borrowId: randomUUID(), reader, bookIds: [1] };
    expect((await doAtDesk(admin, 'issue-books', unknown)).body.code).toBe('BorrowNotFound');
  });

  // spec 2.39, 4.17, 7.16, 9.7
  it('lists the queue by status, name, title and date, in every order', async () => {
    const one = await product.account();
    const { borrowId } = await rent(product, one, ['Źdźbło i inne opowieści']);
    const { body: names } = await one.get('User/profile');
    const find = async (query: string) =>
      (await admin.get(`Borrow?${query}`)).body as { items: BorrowView[]; totalCount: number };
    const ids = async (query: string) => (await find(query)).items.map(({ id }) => id);

    for (const term of ['zdzblo', names.lastname as string])
      expect(await ids(`SearchTerm=${encodeURIComponent(term)}`)).toEqual([borrowId]);
    const today = localDay(clock.now().getTime(), ZONE);
    for (const query of [`SearchTerm=${today}&SortBy=Rented`, 'SearchTerm=zofia+LECKA&pageSize=100'])
      expect(await ids(query)).toContain(borrowId);
    for (const term of ['1999-01-01', '2026-13-01', '%25'])
      expect(await ids(`SearchTerm=${term}`)).toEqual([]);
    expect(await ids('SortBy=Expired')).not.toContain(borrowId);
    const all = await find('SortBy=All&pageSize=3');
    expect(all.items).toHaveLength(3);
    expect(all.totalCount).toBe((await find('pageSize=100')).items.length);
    for (const order of ['RentDate', 'BorrowDate', 'DueDate', 'ReturnDate'] as const) {
      const up = await ids(`OrderBy=${order}&Direction=Ascending&pageSize=100`);
      const down = await ids(`OrderBy=${order}&Direction=Descending&pageSize=100`);
      expect(down).toEqual([...up].reverse());
    }
  });

  it('finds a rent after midnight by the day that the library has, and an issue by its own', async () => {
    const now = clock.now().getTime();
    await clock.forward(Date.parse(`${new Date(now + DAY).toISOString().slice(0, 10)}T23:20:00Z`) - now);
    const rentDay = localDay(clock.now().getTime(), ZONE);
    const dayOfUtc = addDays(rentDay, -1);
    const one = await product.account();
    const librarian = await product.account('Admin');
    const lentLately = async () =>
      ((await librarian.get('Dashboard/stats')).body as DashboardStats).booksBorrowedLastMonth;
    const before = await lentLately();
    const borrow = await rent(product, one, ['After Midnight']);
    const isFoundBy = async (term: string) => {
      const { body } = await librarian.get(`Borrow?pageSize=100&SearchTerm=${term}`);
      return (body.items as BorrowView[]).some(({ id }) => id === borrow.borrowId);
    };
    expect([await isFoundBy(rentDay), await isFoundBy(dayOfUtc)]).toEqual([true, false]);
    expect(await isFoundBy(rentDay.slice(0, 7))).toBe(true);

    await clock.forward(2 * DAY);
    await doAtDesk(librarian, 'issue-books', borrow);
    const issueDay = addDays(rentDay, 2);
    const days = [rentDay, addDays(rentDay, 1), issueDay, addDays(issueDay, 1)];
    expect(await Promise.all(days.map(isFoundBy))).toEqual([true, false, true, false]);

    // The last of thirty days, and the one after it; the others of this file are a day older at the least.
    expect(await lentLately()).toBe(before + 1);
    await clock.forward(27 * DAY);
    expect(await lentLately()).toBe(1);
    await clock.forward(DAY);
    expect(await lentLately()).toBe(0);
  });
});
