import { randomUUID } from 'node:crypto';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { localDay } from '#contracts/local-day.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import * as m from '#words/messages.js';
import { atDesk, historyOf, lend, rent, type TestBorrow } from '../../test-support/product/borrow-steps.js';
import { breakingOff, type BrokenOffAt } from '../../test-support/database/broken-off.js';
import { invalid, keyed, refusal, type Caller } from '../../test-support/product/caller.js';
import { lateBorrow } from '../../test-support/product/late-borrow.js';
import { choose, confirm, create, created } from '../../test-support/product/online-payment.js';
import { startProduct } from '../../test-support/product/product.js';
import { settleElsewhere } from '../../test-support/product/settle-elsewhere.js';
import { atEnd, shared } from '../../test-support/shared.js';
import { TestClock } from '../../test-support/test-clock.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('paying a fee at the desk', () => {
  const clock = new TestClock();
  const jobs = { rounds: false };
  const product = shared(() => startProduct(clock, { staySignedIn: true, jobs }));
  const second = shared(() => product.startServer({}, { jobs }));
  const admin = shared(() => product.account('Admin'));
  const auditor = shared(() => product.account('Auditor'));
  let brokenOffAt: BrokenOffAt;
  beforeAll(async () => {
    brokenOffAt = await breakingOff(product.database);
  });
  atEnd(async () => expect(await product.differences()).toEqual([]));

  const late = () => lateBorrow(product, clock);
  type Owed = Pick<TestBorrow, 'borrowId'>;
  /** A librarian is given money. */
  const pay = ({ borrowId }: Owed, amount: unknown, key = keyed(), by: Pick<Caller, 'post'> = admin) =>
    by.post(`Payment/desk?borrowId=${borrowId}`, { amount }, key);
  const part = ({ borrowId }: Owed, amount: unknown, due: number, key = keyed()) =>
    admin.post(`Payment/desk?borrowId=${borrowId}`, { amount, due }, key);
  const dueOf = async ({ borrowId }: Owed) => (await admin.get(`Payment/desk?borrowId=${borrowId}`)).body;
  /** The first asking charges the late days; one grosz is never what is due. */
  const charged = async () => {
    const borrow = await late();
    await pay(borrow, 1);
    return borrow;
  };
  const desk = (call: string, borrow: Pick<TestBorrow, 'borrowId' | 'reader'>, body: object, by = admin) =>
    by.post(atDesk(call, borrow), body);
  const view = async ({ reader }: Pick<TestBorrow, 'reader'>) => (await historyOf(reader))[0];
  const reconcile = () => product.runJob('upkeep', 'reconcile-payments', {});
  const ledger = async ({ borrowId }: Owed) => {
    const { rows } = await product.database.query<Record<string, unknown>>(
      `select id, kind, amount, provider, received_by, status, log_position is not null as stored
       from payment_transaction where borrow_id = $1 order by created, id`,
      [borrowId],
    );
    return rows;
  };
  const away = { status: 503, body: { code: 'DatabaseUnavailable' } };

  it('charges what is late, records it once with the librarian as actor, and lets the books come back', async () => {
    const borrow = await late();
    const { reader, borrowId, takeBack, events } = borrow;
    // Nobody has charged it yet. The desk is told what it is by now, and by asking nothing is charged.
    expect(await dueOf(borrow)).toEqual({ due: 100, refund: 0, daysLate: 1 });
    expect(await events('FineCharged')).toEqual([]);
    expect(await pay(borrow, 50)).toMatchObject(
      refusal(409, 'FeeChanged', 'The fee is now 1.00 PLN. Nothing was recorded.'),
    );
    expect(await events('FineCharged')).toMatchObject([{ amount: 100, daysLate: 1 }]);
    expect(await ledger(borrow)).toEqual([]);
    expect(await takeBack()).toMatchObject(refusal(409, 'FeeNotPaid'));

    const paid = await pay(borrow, 100);
    expect(paid).toMatchObject({ status: 200, body: { borrowId } });
    const { transactionId } = paid.body as { transactionId: string };
    expect(await events('FinePaid')).toMatchObject([
      { borrowId, amount: 100, transactionId, provider: 'desk', actor: admin.pseudonym },
    ]);
    const stored = (await product.log.readStream('borrows', reader.pseudonym)).at(-1);
    expect(stored?.position.commit.toString()).toBe(paid.body.position);
    expect(await ledger(borrow)).toEqual([
      {
        ...{ id: transactionId, kind: 'fee', amount: 100, provider: 'desk' },
        ...{ received_by: admin.pseudonym, status: 'paid', stored: true },
      },
    ]);
    // The answer waited for the rows.
    expect(await historyOf(reader)).toMatchObject([{ status: 'Paid', fineDue: 0 }]);
    expect((await takeBack()).status).toBe(200);
    expect(await dueOf(borrow)).toEqual({ due: 0, refund: 0, daysLate: 0 });
  });

  it('is in the report of the till of its day, by whom it was taken, until it is undone', async () => {
    const other = await product.account('Admin');
    const [first, second] = [await charged(), await charged()];
    const day = localDay(clock.now().getTime(), product.settings.TIME_ZONE);
    const till = async () => (await auditor.get(`Payment/till?day=${day}`)).body;
    const before = await till();
    const take = async (borrow: TestBorrow): Promise<number> => {
      await pay(borrow, 1);
      const { due } = await dueOf(borrow);
      expect((await pay(borrow, due, keyed(), other)).status).toBe(200);
      return due;
    };
    const [one, two] = [await take(first), await take(second)];
    const sum = one + two;
    const after = await till();
    expect(after.sum).toBe(before.sum + sum);
    const line = { byId: other.id, by: expect.any(String), kind: 'fee', times: 2, amount: sum };
    expect(after.lines).toContainEqual(line);
    expect(await auditor.get('Payment/till?day=5.11.2026')).toMatchObject(
      invalid({ day: [m.common_not_a_day()] }),
    );
    const file = await auditor.download(`Payment/till/file?day=${day}`);
    expect([file.status, await file.text()]).toEqual([
      200,
      expect.stringContaining(`,fee,2,${(sum / 100).toFixed(2)}\r\n`),
    ]);
    const revision = (await view(first))?.undo[0]?.revision;
    expect((await desk('undo', first, { revision })).status).toBe(200);
    expect((await till()).sum).toBe(before.sum + two);
  });

  it('is told to the reader as paid at the desk, and to auditors with who received it', async () => {
    const borrow = await late();
    const { reader, borrowId } = borrow;
    await create(borrow);
    await pay(borrow, 100);
    const own = (await reader.get(`Borrow/fee?borrowId=${borrowId}`)).body;
    expect(own.payments).toMatchObject([{ amount: 1, provider: 'desk' }]);
    expect(own.payments[0].sentence).toMatch(/^You paid 1\.00 PLN at the desk on [-\d]+\.$/);
    const name = (await admin.get('User/profile')).body.fullname as string;
    const staff = (await auditor.get(`Audit/borrows/${borrowId}/fee`)).body;
    expect(staff.payments[0].sentence).toContain(`at the desk on `);
    expect(staff.payments[0].sentence).toContain(`, received by ${name}.`);
    const page = (await auditor.get(`Audit/readers/${reader.id}/events`)).body;
    expect(page.items.at(-1)).toMatchObject({
      type: 'FinePaid',
      actor: { id: admin.id, name },
      data: { provider: 'desk' },
    });
  });

  it('is left to be paid where the desk takes back what is late: the books are back at once, the fee grows no more', async () => {
    const borrow = await late();
    const { borrowId, bookIds, reader } = borrow;
    expect((await desk('return-books', borrow, { bookIds })).body.code).toBe('FeeNotPaid');
    const [first = 0, second = 0] = bookIds;
    expect((await desk('take-back-books', borrow, { bookIds: [first] })).status).toBe(200);
    expect(await view(borrow)).toMatchObject({
      status: 'Not_Paid',
      fineAmount: 1,
      books: [{ state: 'returned' }, { state: 'lent' }],
    });
    expect([await product.copies(first), await product.copies(second)]).toEqual([1, 0]);
    await clock.forward(DAY);
    expect((await desk('take-back-books', borrow, { bookIds })).status).toBe(200);
    expect(await product.copies(second)).toBe(1);
    await clock.forward(5 * DAY);
    await product.runJob('upkeep', 'sweep-borrows', {});
    // Two books for a day, one of them for another.
    expect(await view(borrow)).toMatchObject({
      status: 'Not_Paid',
      fineAmount: 1.5,
      returnDate: expect.any(String),
    });
    expect((await reader.post('Borrow/rent-books', { bookIds })).body.code).toBe('FeeNotPaid');
    expect((await pay(borrow, 150)).status).toBe(200);
    expect(await view(borrow)).toMatchObject({ status: 'Returned', fineDue: 0 });
    const { charges, sentences } = (await reader.get(`Borrow/fee?borrowId=${borrowId}`)).body;
    expect(charges.map(({ addsUp }: { addsUp: boolean }) => addsUp)).toEqual([true, true]);
    expect(sentences.join(' ')).toContain('(2 days × 1 book + 1 day × 1 book) × 0.50 PLN = 1.50 PLN');
  });

  it('is undone with its row in the ledger, whoever dies in between, and can be taken anew', async () => {
    const borrow = await late();
    const { bookIds, events } = borrow;
    const first = keyed();
    const paid = await pay(borrow, 100, first);
    const [offer] = (await view(borrow))?.undo ?? [];
    expect(offer).toMatchObject({ what: 'payment' });
    const key = keyed();
    const undo = () => admin.post(atDesk('undo', borrow), { revision: offer?.revision }, key);
    expect(await brokenOffAt('UPDATE undone', undo)).toMatchObject(away);
    // The event is stored: that is the answer to the key.
    expect((await undo()).status).toBe(200);
    expect((await ledger(borrow)).map(({ status }) => status)).toEqual(['undoing']);
    await clock.forward(2 * MINUTE);
    await reconcile();
    expect((await ledger(borrow)).map(({ status }) => status)).toEqual(['undone']);
    expect(await events('PaymentUndone')).toMatchObject([{ amount: 100, revision: offer?.revision }]);
    expect(await view(borrow)).toMatchObject({ status: 'Not_Paid', fineDue: 1, undo: [] });
    // The first answer stays that of its key.
    expect((await pay(borrow, 100, first)).body).toEqual(paid.body);
    expect((await pay(borrow, 100)).status).toBe(200);
    expect((await desk('return-books', borrow, { bookIds })).status).toBe(200);
    const [last] = (await view(borrow))?.undo ?? [];
    expect(last).toMatchObject({ what: 'return' });
    expect((await desk('undo', borrow, { revision: offer?.revision })).body.code).toBe('NothingToUndo');
  });

  it('is not needed where the fee is waived; the audit shows who did and why, and it can be undone', async () => {
    const borrow = await late();
    const { borrowId, bookIds, reader, takeBack } = borrow;
    await takeBack();
    const waive = (amount: number) =>
      desk('waive-fee', borrow, { amount, reason: 'illness', note: 'Was in hospital.' });
    expect((await waive(101)).body.code).toBe('WrongAmount');
    expect(await desk('waive-fee', borrow, { amount: 100 })).toMatchObject(invalid('reason'));
    expect((await waive(40)).status).toBe(200);
    expect(await view(borrow)).toMatchObject({ status: 'Not_Paid', fineWaived: 0.4, fineDue: 0.6 });
    expect((await waive(60)).status).toBe(200);
    const [offer] = (await view(borrow))?.undo ?? [];
    expect(offer).toMatchObject({ what: 'waiver' });
    expect((await desk('undo', borrow, { revision: offer?.revision })).status).toBe(200);
    expect((await waive(60)).status).toBe(200);
    expect(await view(borrow)).toMatchObject({ status: 'Paid', fineAmount: 1, fineDue: 0 });
    expect((await takeBack()).status).toBe(200);
    expect((await desk('return-books', borrow, { bookIds })).status).toBe(409);

    const page = (await auditor.get(`Audit/readers/${reader.id}/events?kind=FeeWaived`)).body;
    expect(page.items).toHaveLength(3);
    expect(page.items[0]).toMatchObject({
      actor: { id: admin.id },
      data: { amount: 40, reason: 'illness' },
      note: 'Was in hospital.',
    });
    const fee = (await auditor.get(`Audit/borrows/${borrowId}/fee`)).body;
    expect([fee.charged, fee.waived, fee.paid, fee.due]).toEqual([1, 1, 0, 0]);
    expect(fee.waivers[0].sentence).toMatch(
      /^0\.40 PLN of the fee was waived on .* by .*: because of illness\.$/,
    );
    expect(fee.corrections).toHaveLength(1);

    // No admin waives their own.
    const own = await desk('waive-fee', { borrowId, reader: admin }, { amount: 1, reason: 'other' });
    expect(own.body.code).toBe('BorrowNotFound');
    const { rowCount } = await product.database.query(`delete from account where id = $1`, [reader.id]);
    expect(rowCount).toBe(1);
    const notes = await product.database.query(`select from event_note where note = 'Was in hospital.'`);
    expect(notes.rowCount).toBe(0);
  });

  const lost = async (reader?: TestBorrow['reader']) => {
    const bookId = await product.book(1, 'Eden');
    const borrow = await lend(admin, reader ?? (await product.account()), [bookId]);
    await desk('mark-lost', borrow, { bookId, as: 'lost' });
    return { ...borrow, bookId };
  };
  const found = (borrow: Awaited<ReturnType<typeof lost>>, by = admin) =>
    desk('mark-found', borrow, { bookId: borrow.bookId }, by);
  /** A book was lost, paid for online, and found. */
  const foundAgain = async () => {
    const borrow = await lost();
    const payment = await created(borrow);
    await choose(payment, 'pay');
    expect((await confirm(borrow.reader, payment)).status).toBe(200);
    expect((await found(borrow)).status).toBe(200);
    return borrow;
  };
  const giveBack = ({ borrowId }: Owed, amount: unknown, key = keyed(), by = admin) =>
    by.post(`Payment/refund?borrowId=${borrowId}`, { amount }, key);
  /** What the till has of a borrow, in grosze. */
  const till = async ({ borrowId }: Owed) => {
    const { rows } = await product.database.query<{ sum: number }>(
      `select coalesce(sum(case kind when 'refund' then -amount else amount end), 0)::integer as sum
       from payment_transaction where provider = 'desk' and status = 'paid' and borrow_id = $1`,
      [borrowId],
    );
    return rows[0]?.sum;
  };

  it('gives back what was paid for a book that was found, once, and out of the till', async () => {
    const borrow = await foundAgain();
    const { borrowId, reader } = borrow;
    expect(await view(borrow)).toMatchObject({ refundDue: 50, availableActions: ['refund'] });
    expect(await dueOf(borrow)).toEqual({ due: 0, refund: 5000, daysLate: 0 });
    expect((await giveBack(borrow, 4000)).body).toMatchObject({
      ...{ code: 'FeeChanged', detail: '50.00 PLN is now owed to the reader. Nothing was recorded.' },
    });
    const key = keyed();
    const answers = await Promise.all([giveBack(borrow, 5000, key), giveBack(borrow, 5000, key)]);
    expect(answers[0]).toMatchObject({ status: 200, body: { borrowId } });
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect((await giveBack(borrow, 5000)).body.code).toBe('NothingToRefund');
    expect((await pay(borrow, 5000, key)).body.code).toBe('IdempotencyKeyReused');
    expect(await ledger(borrow)).toMatchObject([
      { kind: 'fee', provider: 'sandbox', status: 'paid' },
      { kind: 'refund', provider: 'desk', amount: 5000, received_by: admin.pseudonym, status: 'paid' },
    ]);
    expect(await till(borrow)).toBe(-5000);
    expect(await view(borrow)).toMatchObject({ refundDue: 0, fineDue: 0, status: 'Returned' });

    const own = (await reader.get(`Borrow/fee?borrowId=${borrowId}`)).body;
    expect(own).toMatchObject({ paid: 0, refund: 0, refunds: [{ amount: 50 }] });
    expect(own.sentences.join(' ')).toMatch(/50\.00 PLN was refunded to you at the desk on [-\d]+\./);
    const page = (await auditor.get(`Audit/readers/${reader.id}/events?kind=RefundPaid`)).body;
    expect(page.items).toMatchObject([{ actor: { id: admin.id }, data: { amount: 5000, provider: 'desk' } }]);
  });

  it('takes a part of what a lost book costs, and gives back that part alone where it is found', async () => {
    const borrow = await lost();
    expect((await part(borrow, 2000, 5000)).status).toBe(200);
    expect(await view(borrow)).toMatchObject({ status: 'Not_Paid', finePaid: 20, fineDue: 30, refundDue: 0 });
    expect((await found(borrow)).status).toBe(200);
    expect(await view(borrow)).toMatchObject({ fineDue: 0, refundDue: 20 });
    expect((await giveBack(borrow, 5000)).body.code).toBe('FeeChanged');
    expect((await giveBack(borrow, 2000)).status).toBe(200);
    expect(await till(borrow)).toBe(0);
  });

  it('takes a giving back back: the ledger and the reader’s due are as before, whoever dies in between', async () => {
    const borrow = await foundAgain();
    const before = await view(borrow);
    expect(await brokenOffAt('UPDATE paid', () => giveBack(borrow, 5000))).toMatchObject(away);
    await clock.forward(2 * MINUTE);
    await reconcile();
    expect(await ledger(borrow)).toMatchObject([{ status: 'paid' }, { kind: 'refund', status: 'paid' }]);
    const [offer] = (await view(borrow))?.undo ?? [];
    expect(offer).toMatchObject({ what: 'refund', bookIds: [] });
    const undo = () => desk('undo', borrow, { revision: offer?.revision });
    expect(await brokenOffAt('UPDATE undone', undo)).toMatchObject(away);
    await clock.forward(2 * MINUTE);
    await reconcile();
    expect(await ledger(borrow)).toMatchObject([{ status: 'paid' }, { kind: 'refund', status: 'undone' }]);
    expect(await till(borrow)).toBe(0);
    expect(await view(borrow)).toMatchObject({ refundDue: 50, status: before?.status });
    expect((await giveBack(borrow, 5000)).status).toBe(200);
    // Not the finding either: the money is with the reader.
    const finding = before?.undo.find(({ what }) => what === 'finding');
    expect((await desk('undo', borrow, { revision: finding?.revision })).body.code).toBe('UndoBlocked');
  });

  it('is another librarian’s to take, to give back and to undo where the fee is one’s own', async () => {
    const librarian = await product.account('Admin');
    const borrow = await lost(librarian);
    const own = { status: 409, body: { code: 'OwnFee' } };
    const undoLast = async () =>
      desk('undo', borrow, { revision: (await view(borrow))?.undo[0]?.revision }, librarian);
    expect(await undoLast()).toMatchObject(own);
    expect(await pay(borrow, 5000, keyed(), librarian)).toMatchObject(own);
    expect(await found(borrow, librarian)).toMatchObject(own);
    const copy = copyCode({ bookId: borrow.bookId, copy: 1 });
    expect(await librarian.post(`Copy/${copy}/found`)).toMatchObject(own);
    expect((await pay(borrow, 5000)).status).toBe(200);
    expect((await found(borrow)).status).toBe(200);
    expect(await giveBack(borrow, 5000, keyed(), librarian)).toMatchObject(own);
    expect(await ledger(borrow)).toHaveLength(1);
    expect((await giveBack(borrow, 5000)).status).toBe(200);
    expect(await undoLast()).toMatchObject(own);
    expect(await till(borrow)).toBe(0);
  });

  it('takes a part where the librarian saw all that is due: the rest stays due, and is due again when a part is undone', async () => {
    const borrow = await charged();
    const { borrowId, reader, takeBack, events } = borrow;
    for (const amount of [0, -1, 30.125, '30', '0,30', 101]) {
      const refused = await part(borrow, amount, 100);
      expect(refused).toMatchObject(invalid('amount'));
    }
    expect((await part(borrow, 50, 200)).body.code).toBe('FeeChanged');
    const key = keyed();
    const first = await part(borrow, 30, 100, key);
    expect(first.status).toBe(200);
    expect((await part(borrow, 30, 100, key)).body).toEqual(first.body);
    // The key is of that part of that sum.
    for (const [amount, due] of [
      [40, 100],
      [30, 70],
    ] as const)
      expect((await part(borrow, amount, due, key)).body.code).toBe('IdempotencyKeyReused');
    // Of what was seen before the first part, nothing more is taken.
    expect((await part(borrow, 30, 100)).body.code).toBe('FeeChanged');
    const rest = { status: 'Not_Paid', finePaid: 0.3, fineDue: 0.7 };
    expect(await view(borrow)).toMatchObject(rest);
    expect((await takeBack()).body.code).toBe('FeeNotPaid');
    expect((await part(borrow, 20, 70)).status).toBe(200);
    const revision = (await view(borrow))?.undo[0]?.revision;
    expect((await desk('undo', borrow, { revision })).status).toBe(200);
    expect(await view(borrow)).toMatchObject(rest);
    expect((await part(borrow, 70, 70)).status).toBe(200);
    expect(await view(borrow)).toMatchObject({ status: 'Paid', finePaid: 1, fineDue: 0 });
    expect((await events('FinePaid')).map(({ amount }) => amount)).toEqual([30, 20, 70]);
    expect(await ledger(borrow)).toMatchObject([
      { amount: 30, status: 'paid' },
      { amount: 20, status: 'undone' },
      { amount: 70, status: 'paid' },
    ]);
    const explained = (await reader.get(`Borrow/fee?borrowId=${borrowId}`)).body;
    expect(explained).toMatchObject({
      paid: 1,
      due: 0,
      payments: [{ amount: 0.3 }, { amount: 0.2 }, { amount: 0.7 }],
    });
    expect((await takeBack()).status).toBe(200);
  });

  it('refuses any other amount, naming the one that is due now, and does nothing further', async () => {
    const borrow = await charged();
    const { events } = borrow;
    for (const amount of [50, 99, 101, 200, 3_000_000_000]) {
      expect(await pay(borrow, amount)).toMatchObject(refusal(409, 'FeeChanged'));
    }
    await clock.forward(DAY);
    expect((await pay(borrow, 100)).body.detail).toContain('The fee is now 2.00 PLN.');
    for (const amount of [0, -100, 99.5, '100', null, undefined]) {
      expect(await pay(borrow, amount)).toMatchObject(invalid('amount'));
    }
    expect(await events('FinePaid')).toEqual([]);
    expect(await ledger(borrow)).toEqual([]);
    expect((await pay(borrow, 200)).status).toBe(200);
  });

  it('refuses where there is no fee, or no borrow', async () => {
    const nothing = { status: 409, body: { code: 'NothingToPay' } };
    expect(await pay(await rent(product, await product.account()), 50)).toMatchObject(nothing);
    const unknown = { borrowId: randomUUID() };
    expect((await admin.get(`Payment/desk?borrowId=${unknown.borrowId}`)).status).toBe(404);
    expect(await pay(unknown, 50)).toMatchObject(refusal(404, 'BorrowNotFound'));
    expect(await pay({ borrowId: 'x' }, 50)).toMatchObject(invalid('borrowId'));
    const owing = await late();
    const { due } = await dueOf(owing);
    expect((await pay(owing, due)).status).toBe(200);
    expect(await pay(owing, due)).toMatchObject(nothing);
  });

  it('does the same key once, however often and of whatever process it is asked, also the next day', async () => {
    const borrow = await charged();
    const { events } = borrow;
    const key = keyed();
    const both = [admin, admin.at(second.url)];
    const answers = await Promise.all([1, 2, 3].flatMap(() => both.map((by) => pay(borrow, 100, key, by))));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map(({ body }) => `${body.transactionId} ${body.position}`)).size).toBe(1);
    await clock.forward(DAY);
    const { transactionId, position } = answers[0]?.body ?? {};
    expect((await pay(borrow, 100, key)).body).toMatchObject({ transactionId, position });
    expect(await events('FinePaid')).toHaveLength(1);
    expect(await ledger(borrow)).toHaveLength(1);
    const reused = { status: 422, body: { code: 'IdempotencyKeyReused' } };
    expect(await pay(borrow, 200, key)).toMatchObject(reused);
    expect(await pay(await late(), 100, key)).toMatchObject(reused);
  });

  it.each([
    ['all', 100],
    ['a part', 40],
  ])('is taken by one librarian where several take %s, and the others are told', async (_what, amount) => {
    const { borrowId, events } = await charged();
    const librarians = await Promise.all([1, 2, 3, 4].map(() => product.account('Admin')));
    const answers = await Promise.all(
      librarians.map((who, n) =>
        who
          .at([product, second][n % 2]?.url ?? '')
          .post(`Payment/desk?borrowId=${borrowId}`, { amount, due: 100 }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    for (const { status, body } of answers) {
      if (status === 409)
        expect([amount === 100 ? 'NothingToPay' : 'FeeChanged', 'ConcurrentChange']).toContain(body.code);
    }
    const paid = await events('FinePaid');
    const won = answers.find(({ status }) => status === 200);
    expect(paid.map(({ transactionId }) => transactionId)).toEqual([won?.body.transactionId]);
    expect((await ledger({ borrowId })).filter(({ status }) => status === 'paid')).toHaveLength(1);
  });

  it('gives back what is paid online for a fee that was paid at the desk meanwhile', async () => {
    const borrow = await late();
    const payment = await created(borrow);
    expect((await pay(borrow, 100)).status).toBe(200);
    await choose(payment, 'pay');
    await clock.forward(2 * MINUTE);
    await reconcile();
    const { rows } = await product.database.query(
      'select status, refunded_at is not null as refunded from sandbox_payment where transaction_id = $1',
      [payment.transactionId],
    );
    expect(rows).toEqual([{ status: 'paid', refunded: true }]);
    expect((await confirm(borrow.reader, payment)).body.detail).toMatch(/was refunded/);
    expect(await borrow.events('FinePaid')).toMatchObject([{ provider: 'desk', amount: 100 }]);
  });

  it.each(['the same key', 'the reconciler', 'the reconciler, though another librarian came first'])(
    'is recorded once though a process died after the event was stored; %s finishes the ledger',
    async (who) => {
      const borrow = await charged();
      const { events } = borrow;
      const key = keyed();
      expect(await brokenOffAt('UPDATE paid', () => pay(borrow, 100, key))).toMatchObject(away);
      expect(await events('FinePaid')).toHaveLength(1);
      expect(await ledger(borrow)).toMatchObject([{ status: 'open', stored: false }]);
      await clock.forward(2 * MINUTE);
      if (who === 'the same key') expect((await pay(borrow, 100, key)).status).toBe(200);
      else if (who === 'the reconciler') await reconcile();
      else {
        expect((await pay(borrow, 100)).body.code).toBe('NothingToPay');
        await reconcile();
      }
      expect(await ledger(borrow)).toMatchObject([{ status: 'paid', stored: true, amount: 100 }]);
      expect(await events('FinePaid')).toHaveLength(1);
    },
  );

  it('is begun anew where a process died before it was written down', async () => {
    const borrow = await charged();
    const { events } = borrow;
    const key = keyed();
    expect(await brokenOffAt('INSERT open', () => pay(borrow, 100, key))).toMatchObject(away);
    expect(await ledger(borrow)).toEqual([]);
    expect((await pay(borrow, 100, key)).status).toBe(200);
    expect(await events('FinePaid')).toHaveLength(1);
  });

  /** As a process leaves it that died after the row, before the event. */
  const cutOff = async (
    { borrowId, reader }: TestBorrow,
    { amount = 100, id = String(randomUUID()), at = clock.now() } = {},
  ) => {
    await product.database.query(
      `insert into payment_transaction (id, borrow_id, reader_id, amount, due, currency, provider, received_by, status, created, updated)
       values ($1, $2, $3, $4, 100, 'PLN', 'desk', $5, 'open', $6, $6)`,
      [id, borrowId, reader.pseudonym, amount, admin.pseudonym, at],
    );
  };

  it('is recorded by the reconciler, as a part where the fee has grown, though nobody asks again', async () => {
    const borrow = await charged();
    await cutOff(borrow);
    await clock.forward(2 * MINUTE + DAY);
    await product.runJob('upkeep', 'sweep-borrows', {});
    await reconcile();
    expect(await borrow.events('FinePaid')).toMatchObject([
      { amount: 100, provider: 'desk', actor: admin.pseudonym },
    ]);
    expect((await borrow.reader.get(`fine/${borrow.borrowId}`)).body).toMatchObject({ due: 1 });
    expect((await pay(borrow, 100)).status).toBe(200);
  });

  it('ends as refused where the fee was settled otherwise, and keeps nobody waiting', async () => {
    const borrow = await charged();
    const other = await settleElsewhere(product, borrow, 100, clock.now());
    await cutOff(borrow);
    await clock.forward(2 * MINUTE);
    await reconcile();
    expect(await borrow.events('FinePaid')).toMatchObject([{ transactionId: other }]);
    expect(await ledger(borrow)).toMatchObject([{ status: 'refused', stored: false }]);
  });

  it('is not recorded by the librarian who comes next, where less is due by now than was seen a moment ago', async () => {
    const borrow = await charged();
    await cutOff(borrow, { amount: 40 });
    await settleElsewhere(product, borrow, 40, clock.now());
    expect((await part(borrow, 60, 60)).status).toBe(200);
    expect((await borrow.events('FinePaid')).map(({ amount }) => amount)).toEqual([40, 60]);
    expect((await ledger(borrow)).map(({ status }) => status).sort()).toEqual(['paid', 'refused']);
  });

  it.each([
    ['FeeChanged', 'has grown', 100],
    ['FeeChanged', 'of which it is a part has grown', 40],
    ['NothingToPay', 'was settled otherwise', 100],
  ])(
    'answers %s, again and again, where one that was cut off is asked for after the fee %s',
    async (code, _what, amount) => {
      const borrow = await charged();
      const key = randomUUID();
      const { commandId } = commandIdentity(key, admin.pseudonym, 'PayAtDesk', {});
      await cutOff(borrow, { amount, id: commandId });
      if (code === 'FeeChanged') await clock.forward(DAY);
      else await settleElsewhere(product, borrow, 100, clock.now());
      for (let time = 1; time <= 2; time += 1) {
        const again = await part(borrow, amount, 100, keyed(key));
        expect(again).toMatchObject({ status: 409, body: { code } });
        expect(await ledger(borrow)).toMatchObject([{ status: 'refused', stored: false }]);
      }
      const paid = await borrow.events('FinePaid');
      expect(paid.filter(({ provider }) => provider === 'desk')).toEqual([]);
    },
  );
});
