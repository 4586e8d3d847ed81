import fc from 'fast-check';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { BorrowDetails } from '#contracts/borrowing/borrow-details.js';
import type { HoldView } from '#contracts/holds/hold-views.js';
import type { Copy, CopyView, Whereabouts } from '#contracts/copies/copy-views.js';
import type { Answer } from '../../../test-support/product/caller.js';
import { refusal } from '../../../test-support/product/caller.js';
import { startProduct, type TestAccount } from '../../../test-support/product/product.js';
import { waitFor } from '../../../test-support/wait-for.js';
import { atEnd, shared } from '../../../test-support/shared.js';
import { forAllInTime } from '../../../test-support/arbitraries/for-all.js';

describe('the copies of a book', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin'));

  const code = (bookId: number, copy: number) => copyCode({ bookId, copy });
  const copiesOf = async (bookId: number) =>
    (await admin.get(`Book/${bookId}/copies`)).body.items as CopyView[];
  const states = async (bookId: number) => (await copiesOf(bookId)).map(({ state }) => state);
  const book = async (id: number) => (await admin.get(`Book/${id}`)).body;
  const rent = async (reader: TestAccount, bookId: number) =>
    reader.post('Borrow/rent-books', { bookIds: [bookId] });
  const desk = (call: string, reader: TestAccount, borrowId: string, bookId: number) =>
    admin.post(`Borrow/${call}?borrowId=${borrowId}&userId=${reader.id}`, { bookIds: [bookId] });
  /** At the desk, by what is scanned there: titles, or the codes of copies. */
  const scan = (call: string, reader: TestAccount, borrowId: string, copies: string[]) =>
    admin.post(`Borrow/${call}?borrowId=${borrowId}&userId=${reader.id}`, { copies });
  const rented = async (bookId: number, reader?: TestAccount) => {
    const by = reader ?? (await product.account());
    return { by, id: (await rent(by, bookId)).body.borrowId as string };
  };
  const undo = async (reader: TestAccount, borrowId: string, what: string, more: object = {}) => {
    const { borrow } = (await admin.get(`Borrow/details?borrowId=${borrowId}`)).body as BorrowDetails;
    const revision = borrow.undo.find((offer) => offer.what === what)?.revision;
    return admin.post(`Borrow/undo?borrowId=${borrowId}&userId=${reader.id}`, { revision, ...more });
  };
  const mark = (bookId: number, copy: number, call: string) =>
    admin.post(`Copy/${code(bookId, copy)}/${call}`);
  /** A borrow of a copy that somebody scanned, and one of a copy that is presumed. */
  const seen = ({ id }: { id: string }) => `${id}, seen`;
  const presumed = ({ id }: { id: string }) => `${id}, presumed`;
  /** Who has each copy. */
  const whose = async (bookId: number) =>
    (await copiesOf(bookId)).map(({ borrow }) => borrow && (borrow.isScanned ? seen : presumed)(borrow));
  const eventsOf = async (bookId: number, copy: number) =>
    (await product.log.readStream('copies', code(bookId, copy))).map(({ event }) => event.type);

  /** What the log says, the rows say. */
  const inOrder = async () => expect(await product.differences()).toEqual([]);
  atEnd(inOrder);

  /** Every copy is in one state, and the counters are as many as there are. */
  async function expectToAddUp(bookId: number): Promise<CopyView[]> {
    const [copies, { copiesTotal, copiesAvailable }] = [await copiesOf(bookId), await book(bookId)];
    const count = (...of: CopyView['state'][]) => copies.filter(({ state }) => of.includes(state)).length;
    expect(copies.map(({ copy }) => copy)).toEqual(copies.map((_, n) => n + 1));
    expect(count('on-shelf')).toBe(copiesAvailable);
    expect(count('on-shelf', 'rented', 'lent')).toBe(copiesTotal);
    return copies;
  }

  it('are there without an event, numbered as on their labels, until something happens to one', async () => {
    const bookId = await product.book(2, 'Lalka');
    expect(await copiesOf(bookId)).toEqual(
      [1, 2].map((copy) => ({
        ...{ code: code(bookId, copy), bookId, copy, state: 'on-shelf' },
        ...{ label: null, shelfMark: null, note: null, borrow: null },
      })),
    );
    const rows = await product.rows('select from copy where book_id = $1', bookId);
    expect(rows).toEqual([]);
    expect((await admin.get(`Copy/${code(bookId, 2)}`)).body).toMatchObject({
      ...{ copy: 2, state: 'on-shelf', history: [] },
      book: { id: bookId, title: 'Lalka' },
    });
  });

  it('have a place, a note that stays out of the log, and a history', async () => {
    const bookId = await product.book(1);
    const id = code(bookId, 1);
    const written = { shelfMark: 'A 3 POL/12', note: 'Signed by the author' };
    expect((await admin.put(`Copy/${id}`, written)).body).toMatchObject(written);
    await admin.post(`Copy/${id}/lost`);
    const { body } = (await admin.post(`Copy/${id}/found`)) as Answer<Copy>;
    expect(body).toMatchObject({ state: 'on-shelf', ...written });
    expect(body.history.map(({ type, shelfMark }) => [type, shelfMark])).toEqual([
      ['CopyMoved', 'A 3 POL/12'],
      ['CopyLost', null],
      ['CopyFound', null],
    ]);
    expect(body.history[0]?.by).toContain('Zofia');
    const recorded = await product.log.readRecorded('copies', id, 0n);
    expect(JSON.stringify(recorded.map(({ data, metadata }) => [data, metadata]))).not.toContain('Signed');
    // A code may be typed with blanks, and a slip in it is found.
    expect((await admin.get(`Copy/${encodeURIComponent(` ${id.replaceAll('-', ' - ')} `)}`)).status).toBe(
      200,
    );
    expect(await admin.get(`Copy/${bookId}-1-${(Number(id.at(-1)) + 1) % 10}`)).toMatchObject(
      refusal(404, 'CopyNotFound', expect.stringContaining('is not the code of a copy')),
    );
    expect((await admin.get(`Copy/${code(bookId, 2)}`)).body.code).toBe('CopyNotFound');
    expect(
      (await admin.put(`Copy/${id}`, { shelfMark: 'By the window, as Anna wants it!' })).body.errors,
    ).toEqual({
      shelfMark: [expect.stringContaining('at most 40')],
    });
  });

  it('are shown to everybody with their places and days, and with nothing of who has them', async () => {
    const bookId = await product.book(4);
    const whereabouts = async (id = bookId) => {
      const response = await fetch(`${product.url}/api/Book/${id}/whereabouts`);
      return { status: response.status, text: await response.text() };
    };
    await admin.put(`Copy/${code(bookId, 1)}`, { shelfMark: 'A 3 POL/12', note: 'Signed by the author' });
    await mark(bookId, 2, 'lost');
    const kept = await rented(bookId);
    const lent = await rented(bookId);
    await desk('issue-books', lent.by, lent.id, bookId);
    const copies = await copiesOf(bookId);
    const ofBorrow = (id: string) => copies.find(({ borrow }) => borrow?.id === id);
    const { text } = await whereabouts();
    const shown = JSON.parse(text) as Whereabouts;
    const [there, one, other] = shown;
    expect(shown).toHaveLength(3);
    expect(there).toMatchObject({ state: 'on-shelf', dueDate: null });
    expect(one).toMatchObject({ state: 'kept', copy: ofBorrow(kept.id)?.copy, dueDate: null });
    expect(other).toMatchObject({
      ...{ state: 'lent', copy: ofBorrow(lent.id)?.copy },
      dueDate: ofBorrow(lent.id)?.borrow?.dueDate,
    });
    expect(shown.find(({ copy }) => copy === 1)?.shelfMark).toBe('A 3 POL/12');
    for (const secret of [kept.by.id, lent.by.id, kept.id, lent.id, 'Signed', 'fullname'])
      expect(text).not.toContain(secret);

    const none = await product.book(1);
    await mark(none, 1, 'withdraw');
    expect(await whereabouts(none)).toEqual({ status: 200, text: '[]' });
    expect((await whereabouts(999_999)).status).toBe(404);
  });

  it('leave the count when they are lost, damaged or withdrawn, and come back to it', async () => {
    const bookId = await product.book(3);
    await mark(bookId, 1, 'lost');
    await mark(bookId, 2, 'damaged');
    await mark(bookId, 3, 'withdraw');
    expect(await states(bookId)).toEqual(['lost', 'damaged', 'withdrawn']);
    expect(await book(bookId)).toMatchObject({ copiesTotal: 0, copiesAvailable: 0 });
    expect((await rent(await product.account(), bookId)).body.code).toBe('CopiesUnavailable');
    await mark(bookId, 2, 'found');
    await mark(bookId, 2, 'found');
    expect(await expectToAddUp(bookId)).toMatchObject([{}, { state: 'on-shelf' }, {}]);
    // The one that is there is the one that is rented.
    expect((await rent(await product.account(), bookId)).status).toBe(200);
    expect(await states(bookId)).toEqual(['lost', 'rented', 'withdrawn']);
  });

  it('are added one by one; the same call again is the same copy', async () => {
    const bookId = await product.book(1);
    const body = { bookId, shelfMark: 'C 1', note: 'A gift' };
    const headers = { 'idempotency-key': 'add-one-copy-of-it' };
    const [first, again] = await Promise.all([1, 2].map(() => admin.post('Copy', body, headers)));
    expect(first).toMatchObject({
      status: 201,
      body: { code: code(bookId, 2), shelfMark: 'C 1', note: 'A gift' },
    });
    expect(again?.body.code).toBe(first?.body.code);
    expect((await admin.post('Copy', { ...body, note: 'Another' }, headers)).body.code).toBe(
      'IdempotencyKeyReused',
    );
    expect(await eventsOf(bookId, 2)).toEqual(['CopyAdded']);
    await expectToAddUp(bookId);
    await mark(bookId, 2, 'withdraw');
    // A number is never given twice: its label may still be about.
    expect((await admin.post('Copy', { bookId })).body.code).toBe(code(bookId, 3));
  });

  it('that are lent or kept for a reader stay theirs; another one stands in for a copy that is at hand', async () => {
    const bookId = await product.book(2);
    const [one, other] = [await product.account(), await product.account()];
    const { body: first } = await rent(one, bookId);
    await desk('issue-books', one, first.borrowId, bookId);
    expect(await copiesOf(bookId)).toMatchObject([
      { state: 'lent', borrow: { id: first.borrowId, user: { id: one.id }, isScanned: false } },
      { state: 'on-shelf', borrow: null },
    ]);
    // Nobody scanned what was handed over. Copy 1 is damaged here, so they have copy 2.
    expect((await mark(bookId, 1, 'damaged')).body.state).toBe('damaged');
    expect(await states(bookId)).toEqual(['damaged', 'lent']);
    expect(await mark(bookId, 2, 'lost')).toMatchObject(
      refusal(409, 'CopyNotOnShelf', expect.stringContaining('is lent to a reader')),
    );
    await mark(bookId, 1, 'found');
    await rent(other, bookId);
    expect(await mark(bookId, 1, 'withdraw')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('kept for a reader who has rented it') },
    });
    await desk('return-books', one, first.borrowId, bookId);
    expect((await expectToAddUp(bookId)).map(({ state }) => state)).toEqual(['rented', 'on-shelf']);
  });

  it('are lent or kept each by itself where a part of a borrow was handed over', async () => {
    const [here, there] = [await product.book(1), await product.book(1)];
    const reader = await product.account();
    const { body } = await reader.post('Borrow/rent-books', { bookIds: [here, there] });
    expect((await desk('issue-books', reader, body.borrowId, here)).status).toBe(200);
    expect(await copiesOf(here)).toMatchObject([{ state: 'lent', borrow: { dueDate: expect.any(String) } }]);
    expect(await copiesOf(there)).toMatchObject([{ state: 'rented', borrow: { dueDate: null } }]);
  });

  it('are the ones that were scanned when they were handed over, and stay so', async () => {
    const bookId = await product.book(3, 'Ferdydurke');
    const [one, other] = [await rented(bookId), await rented(bookId)];
    // The second one gets the copy that was presumed to be the first one's.
    expect(await whose(bookId)).toEqual([presumed(one), presumed(other), null]);
    expect((await scan('issue-books', other.by, other.id, [code(bookId, 1)])).status).toBe(200);
    expect(await whose(bookId)).toEqual([seen(other), presumed(one), null]);
    expect((await admin.get(`Borrow/details?borrowId=${other.id}`)).body.borrow.books).toMatchObject([
      { bookId, state: 'lent', copy: code(bookId, 1) },
    ]);
    // It is not exchanged for another one on the shelf, and nobody else gets it.
    expect((await mark(bookId, 1, 'damaged')).body.code).toBe('CopyNotOnShelf');
    expect(await scan('issue-books', one.by, one.id, [code(bookId, 1)])).toMatchObject(
      refusal(409, 'CopyNotOnShelf', expect.stringContaining('lent to another reader')),
    );
    await mark(bookId, 3, 'lost');
    expect(await scan('issue-books', one.by, one.id, [code(bookId, 3)])).toMatchObject(
      refusal(409, 'CopyOutOfService', expect.stringContaining('Mark it found first.')),
    );
    for (const wrong of [code(bookId, 4), `${bookId}-1-x`]) {
      expect((await scan('issue-books', one.by, one.id, [wrong])).body.code).toBe('CopyNotFound');
    }
    expect((await scan('issue-books', one.by, one.id, [])).body.errors).toHaveProperty('bookIds');
    const elsewhere = await product.book(1);
    expect((await scan('issue-books', one.by, one.id, [code(elsewhere, 1)])).body.code).toBe(
      'BooksDoNotMatch',
    );
    expect((await scan('issue-books', one.by, one.id, [code(bookId, 2)])).status).toBe(200);
    expect(await whose(bookId)).toEqual([seen(other), seen(one), null]);
    await expectToAddUp(bookId);
  });

  it('are corrected by the next scan of another copy, and are known when they come back', async () => {
    const bookId = await product.book(3, 'Kosmos');
    const { by, id } = await rented(bookId);
    await desk('issue-books', by, id, bookId);
    expect(await whose(bookId)).toEqual([presumed({ id }), null, null]);
    const rebound = await scan('rebind-copies', by, id, [code(bookId, 2)]);
    expect(rebound.status).toBe(200);
    expect(await whose(bookId)).toEqual([null, seen({ id }), null]);
    // Said again, nothing happens.
    expect((await scan('rebind-copies', by, id, [code(bookId, 2)])).body.position).toBe(
      rebound.body.position,
    );
    expect((await scan('take-back-books', by, id, [code(bookId, 3)])).status).toBe(200);
    expect(await whose(bookId)).toEqual([null, null, null]);
    const events = await product.log.readStream('borrows', by.pseudonym);
    expect(events.map(({ event: { type, data } }) => [type, 'copy' in data ? data.copy : null])).toEqual([
      ['BooksRented', null],
      ['BooksIssued', null],
      ['CopyRebound', 2],
      ['CopyRebound', 3],
      ['BooksReturned', null],
    ]);
    const told = async (copy: number) => (await admin.get(`Copy/${code(bookId, copy)}`)).body.borrows;
    const dates = { issueDate: expect.any(String), returnDate: expect.any(String) };
    expect(await told(3)).toMatchObject([{ borrowId: id, user: { id: by.id }, ...dates }]);
    expect(await told(2)).toEqual([]);
    // Undone, they have the copy that came back, though somebody else was presumed to have it meanwhile.
    const [next, another, last] = [await rented(bookId), await rented(bookId), await rented(bookId)];
    expect((await undo(by, id, 'return')).body.code).toBe('UndoBlocked');
    await scan('issue-books', another.by, another.id, [code(bookId, 1)]);
    expect(await whose(bookId)).toEqual([seen(another), presumed(next), presumed(last)]);
    await admin.post(`Borrow/cancel-rent?borrowId=${next.id}&userId=${next.by.id}`);
    expect((await undo(by, id, 'return')).status).toBe(200);
    expect(await whose(bookId)).toEqual([seen(another), presumed(last), seen({ id })]);
    await expectToAddUp(bookId);
  });

  it('are lent on the spot by their labels, or not at all', async () => {
    const bookId = await product.book(3);
    const [one, other] = [await product.account(), await product.account()];
    const lend = (reader: TestAccount, copies: string[]) =>
      admin.post(`Borrow/lend?userId=${reader.id}`, { copies });
    const { body } = await lend(one, [code(bookId, 2)]);
    expect(await whose(bookId)).toEqual([null, seen(body), null]);
    expect((await lend(other, [code(bookId, 2)])).body.code).toBe('CopyNotOnShelf');
    expect((await lend(other, [code(bookId, 4)])).body.code).toBe('CopyNotFound');
    const two = [1, 3].map((copy) => code(bookId, copy));
    expect((await lend(other, two)).body.errors).toHaveProperty('copies');
    expect(await whose(bookId)).toEqual([null, seen(body), null]);
    await expectToAddUp(bookId);
    await inOrder();
    expect((await undo(one, body.id, 'issue')).status).toBe(200);
    expect(await whose(bookId)).toEqual([null, null, null]);
    const { by, id } = await rented(bookId);
    await scan('issue-books', by, id, [code(bookId, 2)]);
    expect((await undo(by, id, 'issue')).status).toBe(200);
    expect(await whose(bookId)).toEqual([null, presumed({ id }), null]);
    expect((await lend(other, [code(bookId, 1)])).status).toBe(200);
    await expectToAddUp(bookId);
  });

  it('are the later desk’s where two scan one at once, and verify and rebuild agree', async () => {
    const bookId = await product.book(2);
    const both = [await rented(bookId), await rented(bookId)];
    const answers = await Promise.all(
      both.map(({ by, id }) => scan('issue-books', by, id, [code(bookId, 1)])),
    );
    for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe('CopyNotOnShelf');
    const open = (await whose(bookId)).filter((borrow) => borrow !== null);
    expect(open.filter((borrow) => borrow.endsWith('seen'))).toHaveLength(1);
    await expectToAddUp(bookId);
    await inOrder();
    await product.rebuild();
    await inOrder();
    const turnScanned = 'update copy_allocation set scanned = not scanned where book_id = $1 and copy = 1';
    await product.rows(turnScanned, bookId);
    expect(await product.differences()).toEqual([
      expect.stringContaining(`it has no copy of book ${bookId}, the log says copy ${code(bookId, 1)}`),
    ]);
    await product.rows(turnScanned, bookId);
  });

  it('are no longer said to be with one reader once another brings them', async () => {
    const bookId = await product.book(2);
    const [said, brought] = [await rented(bookId), await rented(bookId)];
    await scan('issue-books', said.by, said.id, [code(bookId, 1)]);
    await desk('issue-books', brought.by, brought.id, bookId);
    // Two events of one batch: the copy is named, and comes back.
    await scan('take-back-books', brought.by, brought.id, [code(bookId, 1)]);
    expect(await whose(bookId)).toEqual([null, presumed(said)]);
    await inOrder();
    for (const what of ['return', 'loss'] as const) {
      if (what === 'return') await desk('take-back-books', said.by, said.id, bookId);
      else
        await admin.post(`Borrow/mark-lost?borrowId=${said.id}&userId=${said.by.id}`, { bookId, as: 'lost' });
      expect((await undo(said.by, said.id, what)).status).toBe(200);
      expect(await whose(bookId)).toEqual([null, presumed(said)]);
      await inOrder();
    }
    expect((await undo(brought.by, brought.id, 'return')).status).toBe(200);
    expect(await whose(bookId)).toEqual([seen(brought), presumed(said)]);
    await expectToAddUp(bookId);
    await product.rebuild();
  });

  it('go back to the reader whose return is undone, also where another one was kept for a hold', async () => {
    const bookId = await product.book(3);
    const [first, second, third] = [await rented(bookId), await rented(bookId), await rented(bookId)];
    const evenIfHeld = () => undo(first.by, first.id, 'return', { evenIfHeld: true });
    const keptFor = async (by: TestAccount, bringing: typeof first) => {
      await desk('take-back-books', bringing.by, bringing.id, bookId);
      const hold = await waitFor(async () => {
        const [mine] = (await by.get('Hold/mine')).body as HoldView[];
        return mine?.state === 'Ready' && mine;
      });
      return { by, id: hold.borrowId ?? '' };
    };
    await scan('issue-books', first.by, first.id, [code(bookId, 1)]);
    for (const { by, id } of [second, third]) await desk('issue-books', by, id, bookId);
    const [next, last] = [await product.account(), await product.account()];
    for (const waiting of [next, last]) await waiting.post('Hold', { bookId });
    const [one, other] = [await keptFor(next, first), await keptFor(last, third)];
    await scan('issue-books', one.by, one.id, [code(bookId, 2)]);
    expect(await whose(bookId)).toEqual([presumed(second), seen(one), presumed(other)]);
    expect((await evenIfHeld()).status).toBe(200);
    expect(await whose(bookId)).toEqual([seen(first), seen(one), presumed(second)]);
    await inOrder();
    // Somebody else has the copy for certain: it cannot be with who brought it.
    await keptFor(last, first);
    await scan('rebind-copies', second.by, second.id, [code(bookId, 1)]);
    expect((await evenIfHeld()).status).toBe(409);
    expect((await whose(bookId)).slice(0, 2)).toEqual([seen(second), seen(one)]);
  });

  it('add up whatever happens to them, in any order, and some of it at once', async () => {
    const readers = await Promise.all(Array.from({ length: 3 }, () => product.account()));
    type Step = (bookId: number) => Promise<unknown>;
    const open = new Map<number, { reader: TestAccount; borrowId: string }[]>();
    const onCopy = (call: string) =>
      fc.integer({ min: 1, max: 5 }).map(
        (copy): Step =>
          (bookId) =>
            mark(bookId, copy, call),
      );
    const step = fc.oneof(
      fc.constant<Step>((bookId) => admin.post('Copy', { bookId })),
      ...['lost', 'found', 'damaged', 'withdraw', 'found'].map(onCopy),
      fc.nat({ max: 2 }).map((n): Step => async (bookId) => {
        const reader = readers[n];
        const answer = reader && (await rent(reader, bookId));
        if (reader && answer?.status === 200) {
          open.set(bookId, [
            ...(open.get(bookId) ?? []),
            { reader, borrowId: answer.body.borrowId as string },
          ]);
        }
      }),
      fc
        .record({
          isWhole: fc.boolean(),
          handedOver: fc.integer({ min: 0, max: 5 }),
          brought: fc.integer({ min: 0, max: 5 }),
          undone: fc.constantFrom(undefined, 'issue', 'return'),
        })
        .map(({ isWhole, handedOver, brought, undone }): Step => async (bookId) => {
          const borrow = open.get(bookId)?.shift();
          if (!borrow) return;
          const { reader, borrowId } = borrow;
          const at = (call: string, copy: number) =>
            copy === 0
              ? desk(call, reader, borrowId, bookId)
              : scan(call, reader, borrowId, [code(bookId, copy)]);
          await at('issue-books', handedOver);
          if (isWhole) await at('take-back-books', brought);
          else if (brought > 0) await at('rebind-copies', brought);
          if (undone) await undo(reader, borrowId, undone);
          open.set(bookId, [...(open.get(bookId) ?? []), borrow]);
        }),
    );
    await forAllInTime(
      [fc.nat({ max: 3 }), fc.array(fc.tuple(step, step), { maxLength: 6 })],
      { numRuns: 12, quick: 3 },
      async (owned, pairs) => {
        const bookId = await product.book(owned);
        for (const both of pairs) {
          const answers = await Promise.all(both.map((each) => each(bookId)));
          for (const answer of answers as (Answer | undefined)[]) {
            if (answer) expect([200, 201, 404, 409]).toContain(answer.status);
          }
          await expectToAddUp(bookId);
        }
      },
    );
  });

  it('reach the log even if the process that changed them did not put it there, and once', async () => {
    const bookId = await product.book(2);
    await mark(bookId, 1, 'lost');
    const [stored] = await product.log.readStream('copies', code(bookId, 1));
    const rows = await product.rows(
      `select c.pending is null as "isThere" from copy c where book_id = $1 and copy = 1`,
      bookId,
    );
    expect(rows).toEqual([{ isThere: true }]);
    // As if it had died after the commit: once before it was appended, once after.
    const pending = (id: string, copy: number) => ({
      id,
      event: { ...stored?.event, data: { ...stored?.event.data, copy } },
      metadata: stored?.metadata,
    });
    const changed = await product.rows(
      `insert into copy (book_id, copy, condition, revision, changed_at, pending)
       select $1, g.copy, 'lost', 0, now() - interval '1 minute', g.pending
       from jsonb_to_recordset($2::jsonb) as g (copy integer, pending jsonb)
       on conflict (book_id, copy) do update set pending = excluded.pending, changed_at = excluded.changed_at
       returning copy`,
      bookId,
      JSON.stringify([
        { copy: 1, pending: pending(stored?.id ?? '', 1) },
        { copy: 2, pending: pending('5f8f3c1a-2b30-4d0e-9d5e-0b54c0de7f2a', 2) },
      ]),
    );
    expect(changed).toHaveLength(2);
    await product.rows('update book set copies_total = 0, copies_available = 0 where id = $1', bookId);
    await waitFor(async () => {
      const left = await product.rows('select from copy where pending is not null');
      return left.length === 0;
    });
    expect([await eventsOf(bookId, 1), await eventsOf(bookId, 2)]).toEqual([['CopyLost'], ['CopyLost']]);
    await waitFor(async () => (await product.differences()).length === 0);
  });

  it('are as the log says after a rebuild, which verify asks for', async () => {
    const bookId = await product.book(3);
    await admin.put(`Copy/${code(bookId, 1)}`, { shelfMark: 'D 4', note: 'Stays' });
    await mark(bookId, 2, 'withdraw');
    await admin.post('Copy', { bookId });
    await waitFor(async () => (await product.differences()).length === 0);
    const counted = await book(bookId);
    await product.rows(`update copy set shelf_mark = 'Z 9' where book_id = $1 and copy = 1`, bookId);
    await product.rows(`update copy set condition = 'present' where book_id = $1 and copy = 2`, bookId);
    await product.rows(
      'update book set copies_total = copies_total + 1, copies_available = copies_available + 1 where id = $1',
      bookId,
    );
    expect(await product.differences()).toEqual([
      `copy ${code(bookId, 1)}: its shelf mark is Z 9, the log says D 4`,
      `copy ${code(bookId, 2)}: it is present, the log says withdrawn`,
    ]);
    await product.rebuild();
    await inOrder();
    expect(await book(bookId)).toMatchObject({
      copiesTotal: counted.copiesTotal,
      copiesAvailable: counted.copiesAvailable,
    });
    expect((await copiesOf(bookId))[0]).toMatchObject({ shelfMark: 'D 4', note: 'Stays' });
    // A row that is lost altogether: of an added copy, and of one that came with the book.
    await product.rows('delete from copy where book_id = $1 and copy in (2, 4)', bookId);
    expect((await product.differences()).join('\n')).toContain(
      `copy ${code(bookId, 2)} is in the log and not in the rows`,
    );
    await product.rebuild();
    await inOrder();
    expect(await states(bookId)).toEqual(['on-shelf', 'withdrawn', 'on-shelf', 'on-shelf']);
  });
});
