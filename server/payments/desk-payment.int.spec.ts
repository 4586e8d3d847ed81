import { randomUUID } from 'node:crypto';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { createLogger } from '#platform/logging.js';
import * as m from '#words/messages.js';
import { breakingOff, type BrokenOffAt } from '../../test-support/broken-off.js';
import { localDay } from '#contracts/local-day.js';
import { lateBorrow, type LateBorrow } from '../../test-support/late-borrow.js';
import { caller, startProduct, type TestAccount, type TestProduct } from '../../test-support/product.js';
import { settleElsewhere } from '../../test-support/settle-elsewhere.js';
import { TestClock } from '../../test-support/test-clock.js';
import { withoutRounds } from '../../test-support/without-rounds.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { startServer, type RunningServer } from '../create-server.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('paying a fee at the desk', () => {
  const clock = new TestClock();
  let product: TestProduct;
  let second: RunningServer;
  let admin: TestAccount;
  let brokenOffAt: BrokenOffAt;

  beforeAll(async () => {
    withoutRounds();
    product = await startProduct(clock);
    second = await startServer(product.settings, { logger: createLogger('silent'), clock });
    admin = await product.account('Admin');
    brokenOffAt = await breakingOff(product.database);
  });
  afterEach(async () => expect(await product.differences()).toEqual([]));
  afterAll(async () => {
    await second.close();
    await product.close();
  });

  const late = () => lateBorrow(product, clock);
  const keyed = (key: string) => ({ 'idempotency-key': key });
  /** A librarian with a session of now is given money. */
  const pay = async (borrowId: string, amount: unknown, key: string = randomUUID(), librarian = admin) =>
    (await product.signIn(librarian)).post(`Payment/desk?borrowId=${borrowId}`, { amount }, keyed(key));
  const part = async (borrowId: string, amount: unknown, due: number, key: string = randomUUID()) =>
    (await product.signIn(admin)).post(`Payment/desk?borrowId=${borrowId}`, { amount, due }, keyed(key));
  const reconcile = () => product.runJob('upkeep', 'reconcile-payments', {});
  const ledger = async (borrowId: string) => {
    const { rows } = await product.database.query<Record<string, unknown>>(
      `select id, kind, amount, provider, received_by, status, log_position is not null as stored
       from payment_transaction where borrow_id = $1 order by created, id`,
      [borrowId],
    );
    return rows;
  };
  const away = { status: 503, body: { code: 'DatabaseUnavailable' } };

  it('charges what is late, records it once with the librarian as actor, and lets the books come back', async () => {
    const { reader, borrowId, takeBack, events } = await late();
    // Nobody has charged it yet. The desk is told what it is by now, and by asking nothing is charged.
    const asked = async () => (await product.signIn(admin)).get(`Payment/desk?borrowId=${borrowId}`);
    expect(await asked()).toEqual({ status: 200, body: { due: 100, refund: 0, daysLate: 1 } });
    expect(await events('FineCharged')).toEqual([]);
    expect(await pay(borrowId, 50)).toMatchObject({
      status: 409,
      body: { code: 'FeeChanged', detail: 'The fee is now 1.00 PLN. Nothing was recorded.' },
    });
    expect(await events('FineCharged')).toMatchObject([{ amount: 100, daysLate: 1 }]);
    expect(await ledger(borrowId)).toEqual([]);
    expect(await takeBack()).toMatchObject({ status: 409, body: { code: 'FeeNotPaid' } });

    const paid = await pay(borrowId, 100);
    expect(paid).toMatchObject({ status: 200, body: { borrowId } });
    const { transactionId } = paid.body as { transactionId: string };
    expect(await events('FinePaid')).toMatchObject([
      { borrowId, amount: 100, transactionId, provider: 'desk' },
    ]);
    const stored = (await product.log.readStream('borrows', reader.pseudonym)).find(
      ({ event }) => event.type === 'FinePaid',
    );
    expect(stored?.metadata.actor).toBe(admin.pseudonym);
    expect(stored?.position.commit.toString()).toBe(paid.body.position);
    expect(await ledger(borrowId)).toEqual([
      {
        id: transactionId,
        kind: 'fee',
        amount: 100,
        provider: 'desk',
        received_by: admin.pseudonym,
        status: 'paid',
        stored: true,
      },
    ]);
    // The answer waited for the rows.
    expect((await reader.get('Borrow/history')).body).toMatchObject([{ status: 'Paid', fineDue: 0 }]);
    expect((await takeBack()).status).toBe(200);
    expect((await asked()).body).toEqual({ due: 0, refund: 0, daysLate: 0 });
  });

  it('is in the report of the till of its day, by whom it was taken, until it is undone', async () => {
    const auditor = await product.account('Auditor');
    const other = await product.account('Admin');
    const [first, second] = [await late(), await late()];
    const day = localDay(clock.now().getTime(), product.settings.TIME_ZONE);
    const till = async () =>
      (await product.signIn(auditor).then((each) => each.get(`Payment/till?day=${day}`))).body;
    const before = await till();
    const take = async ({ borrowId }: LateBorrow): Promise<number> => {
      // The first asking charges the late days.
      await pay(borrowId, 1, randomUUID(), other);
      const { body } = await (await product.signIn(admin)).get(`Payment/desk?borrowId=${borrowId}`);
      expect((await pay(borrowId, body.due, randomUUID(), other)).status).toBe(200);
      return body.due;
    };
    const [one, two] = [await take(first), await take(second)];
    const sum = one + two;
    const after = await till();
    expect(after.sum).toBe(before.sum + sum);
    expect(after.lines).toContainEqual({
      byId: other.id,
      by: expect.any(String),
      kind: 'fee',
      times: 2,
      amount: sum,
    });
    const noDay = await (await product.signIn(auditor)).get('Payment/till?day=5.11.2026');
    expect(noDay).toMatchObject({ status: 400, body: { errors: { day: [m.common_not_a_day()] } } });
    const file = await fetch(`${product.url}/api/Payment/till/file?day=${day}`, {
      headers: { authorization: `Bearer ${(await product.signIn(auditor)).token}` },
    });
    expect([file.status, await file.text()]).toEqual([
      200,
      expect.stringContaining(`,fee,2,${(sum / 100).toFixed(2)}\r\n`),
    ]);
    const { body } = await (await product.signIn(admin)).get(`Borrow/details?borrowId=${first.borrowId}`);
    const undo = { revision: body.borrow.undo[0].revision };
    const desk = `borrowId=${first.borrowId}&userId=${first.reader.id}`;
    expect((await (await product.signIn(admin)).post(`Borrow/undo?${desk}`, undo)).status).toBe(200);
    expect((await till()).sum).toBe(before.sum + two);
    expect(
      (await product.signIn(first.reader).then((each) => each.get(`Payment/till?day=${day}`))).status,
    ).toBe(403);
  });

  it('is told to the reader as paid at the desk, and to auditors with who received it', async () => {
    const { reader, borrowId } = await late();
    await reader.post(`Payment/create?borrowId=${borrowId}`);
    await pay(borrowId, 100);
    const own = (await reader.get(`Borrow/fee?borrowId=${borrowId}`)).body;
    expect(own.payments).toMatchObject([{ amount: 1, provider: 'desk' }]);
    expect(own.payments[0].sentence).toMatch(/^You paid 1\.00 PLN at the desk on [-\d]+\.$/);
    const auditor = await product.account('Auditor');
    const { rows } = await product.database.query<{ fullname: string }>(
      'select fullname from account where id = $1',
      [admin.id],
    );
    const name = rows[0]?.fullname ?? '';
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

  const desk = async (call: string, { borrowId, reader }: LateBorrow, body: unknown, who = admin) =>
    (await product.signIn(who)).post(`Borrow/${call}?borrowId=${borrowId}&userId=${reader.id}`, body);
  const view = async ({ reader }: LateBorrow) =>
    ((await reader.get('Borrow/history')).body as BorrowView[])[0];

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
    borrow.reader = await product.signIn(reader);
    // Two books for a day, one of them for another.
    expect(await view(borrow)).toMatchObject({
      status: 'Not_Paid',
      fineAmount: 1.5,
      returnDate: expect.any(String),
    });
    expect((await borrow.reader.post('Borrow/rent-books', { bookIds })).body.code).toBe('FeeNotPaid');
    expect((await pay(borrowId, 150)).status).toBe(200);
    expect(await view(borrow)).toMatchObject({ status: 'Returned', fineDue: 0 });
    const { charges, sentences } = (await borrow.reader.get(`Borrow/fee?borrowId=${borrowId}`)).body;
    expect(charges.map(({ addsUp }: { addsUp: boolean }) => addsUp)).toEqual([true, true]);
    expect(sentences.join(' ')).toContain('(2 days × 1 book + 1 day × 1 book) × 0.50 PLN = 1.50 PLN');
  });

  it('is undone with its row in the ledger, whoever dies in between, and can be taken anew', async () => {
    const borrow = await late();
    const { borrowId, bookIds, events } = borrow;
    const first = randomUUID();
    const paid = await pay(borrowId, 100, first);
    const before = await view(borrow);
    const [offer] = before?.undo ?? [];
    expect(offer).toMatchObject({ what: 'payment' });
    const undo = (key: string) =>
      product
        .signIn(admin)
        .then((who) =>
          who.post(
            `Borrow/undo?borrowId=${borrowId}&userId=${borrow.reader.id}`,
            { revision: offer?.revision },
            keyed(key),
          ),
        );
    const key = randomUUID();
    expect(await brokenOffAt('UPDATE undone', () => undo(key))).toMatchObject(away);
    // The event is stored: that is the answer to the key.
    const again = await undo(key);
    expect(again.status).toBe(200);
    expect((await ledger(borrowId)).map(({ status }) => status)).toEqual(['undoing']);
    await clock.forward(2 * MINUTE);
    await reconcile();
    expect((await ledger(borrowId)).map(({ status }) => status)).toEqual(['undone']);
    expect(await events('PaymentUndone')).toMatchObject([{ amount: 100, revision: offer?.revision }]);
    expect(await view(borrow)).toMatchObject({ status: 'Not_Paid', fineDue: 1, undo: [] });
    // The first answer stays that of its key.
    expect((await pay(borrowId, 100, first)).body).toEqual(paid.body);
    expect((await pay(borrowId, 100)).status).toBe(200);
    expect((await desk('return-books', borrow, { bookIds })).status).toBe(200);
    const [last] = (await view(borrow))?.undo ?? [];
    expect(last).toMatchObject({ what: 'return' });
    expect((await desk('undo', borrow, { revision: offer?.revision })).body.code).toBe('NothingToUndo');
  });

  it('is not needed where the fee is waived; the audit shows who did and why, and it can be undone', async () => {
    const borrow = await late();
    const { borrowId, bookIds, reader, takeBack } = borrow;
    await takeBack();
    const waive = (amount: number, who = admin) =>
      desk('waive-fee', borrow, { amount, reason: 'illness', note: 'Was in hospital.' }, who);
    expect((await waive(101)).body.code).toBe('WrongAmount');
    expect(await desk('waive-fee', borrow, { amount: 100 })).toMatchObject({
      status: 400,
      body: { errors: { reason: expect.any(Array) } },
    });
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

    const auditor = await product.account('Auditor');
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
    const both = await product.account('Admin');
    expect(
      (
        await both.post(`Borrow/waive-fee?borrowId=${borrowId}&userId=${both.id}`, {
          amount: 1,
          reason: 'other',
        })
      ).body.code,
    ).toBe('BorrowNotFound');
    const { rowCount } = await product.database.query(`delete from account where id = $1`, [reader.id]);
    expect(rowCount).toBe(1);
    const notes = await product.database.query(`select from event_note where note = 'Was in hospital.'`);
    expect(notes.rowCount).toBe(0);
  });

  const lost = async () => {
    const reader = await product.account();
    const bookId = await product.book(1, 'Eden');
    const lent = await (
      await product.signIn(admin)
    ).post(`Borrow/lend?userId=${reader.id}`, { bookIds: [bookId] });
    const borrowId = lent.body.id as string;
    const borrow = { borrowId, reader } as unknown as LateBorrow;
    await desk('mark-lost', borrow, { bookId, as: 'lost' });
    return { ...borrow, bookId };
  };
  /** A book was lost, paid for online, and found. */
  const foundAgain = async () => {
    const borrow = await lost();
    const { borrowId, reader, bookId } = borrow;
    const { transactionId, redirectUrl } = (await reader.post(`Payment/create?borrowId=${borrowId}`)).body;
    await fetch(`${redirectUrl}/pay`, { method: 'POST', redirect: 'manual' });
    expect((await reader.post(`Payment/confirm?transactionId=${transactionId}`)).status).toBe(200);
    expect((await desk('mark-found', borrow, { bookId })).status).toBe(200);
    return borrow;
  };
  const giveBack = async (borrowId: string, amount: unknown, key: string = randomUUID(), librarian = admin) =>
    (await product.signIn(librarian)).post(`Payment/refund?borrowId=${borrowId}`, { amount }, keyed(key));
  /** What the till has of a borrow, in grosze. */
  const till = async (borrowId: string) => {
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
    const asked = await (await product.signIn(admin)).get(`Payment/desk?borrowId=${borrowId}`);
    expect(asked.body).toEqual({ due: 0, refund: 5000, daysLate: 0 });
    expect((await giveBack(borrowId, 4000)).body).toMatchObject({
      ...{ code: 'FeeChanged', detail: '50.00 PLN is now owed to the reader. Nothing was recorded.' },
    });
    const key = randomUUID();
    const answers = await Promise.all([giveBack(borrowId, 5000, key), giveBack(borrowId, 5000, key)]);
    expect(answers[0]).toMatchObject({ status: 200, body: { borrowId } });
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect((await giveBack(borrowId, 5000)).body.code).toBe('NothingToRefund');
    expect((await pay(borrowId, 5000, key)).body.code).toBe('IdempotencyKeyReused');
    expect(await ledger(borrowId)).toMatchObject([
      { kind: 'fee', provider: 'sandbox', status: 'paid' },
      { kind: 'refund', provider: 'desk', amount: 5000, received_by: admin.pseudonym, status: 'paid' },
    ]);
    expect(await till(borrowId)).toBe(-5000);
    expect(await view(borrow)).toMatchObject({ refundDue: 0, fineDue: 0, status: 'Returned' });

    const own = (await reader.get(`Borrow/fee?borrowId=${borrowId}`)).body;
    expect(own).toMatchObject({ paid: 0, refund: 0, refunds: [{ amount: 50 }] });
    expect(own.sentences.join(' ')).toMatch(/50\.00 PLN was refunded to you at the desk on [-\d]+\./);
    const auditor = await product.account('Auditor');
    const page = (await auditor.get(`Audit/readers/${reader.id}/events?kind=RefundPaid`)).body;
    expect(page.items).toMatchObject([{ actor: { id: admin.id }, data: { amount: 5000, provider: 'desk' } }]);
  });

  it('takes a part of what a lost book costs, and gives back that part alone where it is found', async () => {
    const borrow = await lost();
    const { borrowId, bookId } = borrow;
    expect((await part(borrowId, 2000, 5000)).status).toBe(200);
    expect(await view(borrow)).toMatchObject({ status: 'Not_Paid', finePaid: 20, fineDue: 30, refundDue: 0 });
    expect((await desk('mark-found', borrow, { bookId })).status).toBe(200);
    expect(await view(borrow)).toMatchObject({ fineDue: 0, refundDue: 20 });
    expect((await giveBack(borrowId, 5000)).body.code).toBe('FeeChanged');
    expect((await giveBack(borrowId, 2000)).status).toBe(200);
    expect(await till(borrowId)).toBe(0);
  });

  it('takes a giving back back: the ledger and the reader’s due are as before, whoever dies in between', async () => {
    const borrow = await foundAgain();
    const { borrowId } = borrow;
    const before = await view(borrow);
    expect(await brokenOffAt('UPDATE paid', () => giveBack(borrowId, 5000))).toMatchObject(away);
    await clock.forward(2 * MINUTE);
    await reconcile();
    expect(await ledger(borrowId)).toMatchObject([{ status: 'paid' }, { kind: 'refund', status: 'paid' }]);
    const [offer] = (await view(borrow))?.undo ?? [];
    expect(offer).toMatchObject({ what: 'refund', bookIds: [] });
    const undo = () => desk('undo', borrow, { revision: offer?.revision });
    expect(await brokenOffAt('UPDATE undone', undo)).toMatchObject(away);
    await clock.forward(2 * MINUTE);
    await reconcile();
    expect(await ledger(borrowId)).toMatchObject([{ status: 'paid' }, { kind: 'refund', status: 'undone' }]);
    expect(await till(borrowId)).toBe(0);
    expect(await borrow.reader.get('Borrow/history')).toMatchObject({
      body: [{ refundDue: 50, status: before?.status }],
    });
    expect((await giveBack(borrowId, 5000)).status).toBe(200);
    // Not the finding either: the money is with the reader.
    const finding = before?.undo.find(({ what }) => what === 'finding');
    expect((await desk('undo', borrow, { revision: finding?.revision })).body.code).toBe('UndoBlocked');
  });

  it('is another librarian’s to take, to give back and to undo where the fee is one’s own', async () => {
    const librarian = await product.account('Admin');
    const bookId = await product.book(1, 'Eden');
    const who = await product.signIn(admin);
    const lent = await who.post(`Borrow/lend?userId=${librarian.id}`, { bookIds: [bookId] });
    const borrow = { borrowId: lent.body.id as string, reader: librarian } as unknown as LateBorrow;
    await desk('mark-lost', borrow, { bookId, as: 'lost' });
    const own = { status: 409, body: { code: 'OwnFee' } };
    const [loss] = (await view(borrow))?.undo ?? [];
    expect(await desk('undo', borrow, { revision: loss?.revision }, librarian)).toMatchObject(own);
    expect(await pay(borrow.borrowId, 5000, randomUUID(), librarian)).toMatchObject(own);
    expect(await desk('mark-found', borrow, { bookId }, librarian)).toMatchObject(own);
    const found = () => librarian.post(`Copy/${copyCode({ bookId, copy: 1 })}/found`);
    expect(await found()).toMatchObject(own);
    expect((await pay(borrow.borrowId, 5000)).status).toBe(200);
    expect((await desk('mark-found', borrow, { bookId })).status).toBe(200);
    expect(await giveBack(borrow.borrowId, 5000, randomUUID(), librarian)).toMatchObject(own);
    expect(await ledger(borrow.borrowId)).toHaveLength(1);
    expect((await giveBack(borrow.borrowId, 5000)).status).toBe(200);
    const [refund] = (await view(borrow))?.undo ?? [];
    expect(await desk('undo', borrow, { revision: refund?.revision }, librarian)).toMatchObject(own);
    expect(await till(borrow.borrowId)).toBe(0);
  });

  it('takes a part where the librarian saw all that is due: the rest stays due, and is due again when a part is undone', async () => {
    const { borrowId, reader, takeBack, events } = await late();
    await pay(borrowId, 1);
    const who = await product.signIn(admin);
    for (const amount of [0, -1, 30.125, '30', '0,30', 101]) {
      const refused = await part(borrowId, amount, 100);
      expect(refused).toMatchObject({ status: 400, body: { errors: { amount: expect.any(Array) } } });
    }
    expect((await part(borrowId, 50, 200)).body.code).toBe('FeeChanged');
    const key = randomUUID();
    const first = await part(borrowId, 30, 100, key);
    expect(first.status).toBe(200);
    expect((await part(borrowId, 30, 100, key)).body).toEqual(first.body);
    // The key is of that part of that sum.
    for (const [amount, due] of [
      [40, 100],
      [30, 70],
    ] as const)
      expect((await part(borrowId, amount, due, key)).body.code).toBe('IdempotencyKeyReused');
    // Of what was seen before the first part, nothing more is taken.
    expect((await part(borrowId, 30, 100)).body.code).toBe('FeeChanged');
    const own = async () => (await reader.get('Borrow/history')).body;
    expect(await own()).toMatchObject([{ status: 'Not_Paid', finePaid: 0.3, fineDue: 0.7 }]);
    expect((await takeBack()).body.code).toBe('FeeNotPaid');
    expect((await part(borrowId, 20, 70)).status).toBe(200);
    const { body } = await who.get(`Borrow/details?borrowId=${borrowId}`);
    const undo = { revision: body.borrow.undo[0].revision };
    expect((await who.post(`Borrow/undo?borrowId=${borrowId}&userId=${reader.id}`, undo)).status).toBe(200);
    expect(await own()).toMatchObject([{ status: 'Not_Paid', finePaid: 0.3, fineDue: 0.7 }]);
    expect((await part(borrowId, 70, 70)).status).toBe(200);
    expect(await own()).toMatchObject([{ status: 'Paid', finePaid: 1, fineDue: 0 }]);
    expect((await events('FinePaid')).map(({ amount }) => amount)).toEqual([30, 20, 70]);
    expect(await ledger(borrowId)).toMatchObject([
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
    const { borrowId, events } = await late();
    await pay(borrowId, 1);
    for (const amount of [50, 99, 101, 200, 3_000_000_000]) {
      expect(await pay(borrowId, amount)).toMatchObject({ status: 409, body: { code: 'FeeChanged' } });
    }
    await clock.forward(DAY);
    expect((await pay(borrowId, 100)).body.detail).toContain('The fee is now 2.00 PLN.');
    for (const amount of [0, -100, 99.5, '100', null, undefined]) {
      expect(await pay(borrowId, amount)).toMatchObject({
        status: 400,
        body: { errors: { amount: expect.any(Array) } },
      });
    }
    expect(await events('FinePaid')).toEqual([]);
    expect(await ledger(borrowId)).toEqual([]);
    expect((await pay(borrowId, 200)).status).toBe(200);
  });

  it('refuses where there is no fee, no borrow, or nobody who may', async () => {
    const notLate = await product.account();
    const book = await product.book(1);
    const { borrowId } = (await notLate.post('Borrow/rent-books', { bookIds: [book] })).body;
    const nothing = { status: 409, body: { code: 'NothingToPay' } };
    expect(await pay(borrowId, 50)).toMatchObject(nothing);
    expect(await (await product.signIn(admin)).get(`Payment/desk?borrowId=${randomUUID()}`)).toMatchObject({
      status: 404,
    });
    expect(await pay(randomUUID(), 50)).toMatchObject({ status: 404, body: { code: 'BorrowNotFound' } });
    expect(await pay('x', 50)).toMatchObject({
      status: 400,
      body: { errors: { borrowId: [expect.any(String)] } },
    });
    const owing = await late();
    expect((await pay(owing.borrowId, 100)).status).toBe(200);
    expect(await pay(owing.borrowId, 100)).toMatchObject(nothing);
    const unpaid = await late();
    for (const someone of [unpaid.reader, await product.account('Auditor')]) {
      expect(await pay(unpaid.borrowId, 100, randomUUID(), someone)).toMatchObject({ status: 403 });
    }
    expect(await unpaid.events('FinePaid')).toEqual([]);
  });

  it('does the same key once, however often and of whatever process it is asked, also the next day', async () => {
    const { borrowId, events } = await late();
    const key = randomUUID();
    await pay(borrowId, 1);
    const { token } = await product.signIn(admin);
    const post = (url: string) =>
      caller(url, token).post(`Payment/desk?borrowId=${borrowId}`, { amount: 100 }, keyed(key));
    const answers = await Promise.all([1, 2, 3].flatMap(() => [post(product.url), post(second.url)]));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map(({ body }) => `${body.transactionId} ${body.position}`)).size).toBe(1);
    await clock.forward(DAY);
    const { transactionId, position } = answers[0]?.body ?? {};
    expect((await pay(borrowId, 100, key)).body).toMatchObject({ transactionId, position });
    expect(await events('FinePaid')).toHaveLength(1);
    expect(await ledger(borrowId)).toHaveLength(1);
    const reused = { status: 422, body: { code: 'IdempotencyKeyReused' } };
    expect(await pay(borrowId, 200, key)).toMatchObject(reused);
    expect(await pay((await late()).borrowId, 100, key)).toMatchObject(reused);
  });

  it.each([
    ['all', 100],
    ['a part', 40],
  ])('is taken by one librarian where several take %s, and the others are told', async (_what, amount) => {
    const { borrowId, events } = await late();
    await pay(borrowId, 1);
    const librarians = await Promise.all([1, 2, 3, 4].map(() => product.account('Admin')));
    const answers = await Promise.all(
      librarians.map(({ token }, n) =>
        caller(n % 2 === 0 ? product.url : second.url, token).post(`Payment/desk?borrowId=${borrowId}`, {
          amount,
          due: 100,
        }),
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
    expect((await ledger(borrowId)).filter(({ status }) => status === 'paid')).toHaveLength(1);
  });

  it('gives back what is paid online for a fee that was paid at the desk meanwhile', async () => {
    const { reader, borrowId, events } = await late();
    const { transactionId, redirectUrl } = (await reader.post(`Payment/create?borrowId=${borrowId}`)).body;
    expect((await pay(borrowId, 100)).status).toBe(200);
    await fetch(`${redirectUrl}/pay`, { method: 'POST', redirect: 'manual' });
    await clock.forward(2 * MINUTE);
    await reconcile();
    const { rows } = await product.database.query(
      'select status, refunded_at is not null as refunded from sandbox_payment where transaction_id = $1',
      [transactionId],
    );
    expect(rows).toEqual([{ status: 'paid', refunded: true }]);
    expect((await reader.post(`Payment/confirm?transactionId=${transactionId}`)).body.detail).toMatch(
      /was refunded/,
    );
    expect(await events('FinePaid')).toMatchObject([{ provider: 'desk', amount: 100 }]);
  });

  it.each(['the same key', 'the reconciler', 'the reconciler, though another librarian came first'])(
    'is recorded once though a process died after the event was stored; %s finishes the ledger',
    async (who) => {
      const { borrowId, events } = await late();
      await pay(borrowId, 1);
      const key = randomUUID();
      expect(await brokenOffAt('UPDATE paid', () => pay(borrowId, 100, key))).toMatchObject(away);
      expect(await events('FinePaid')).toHaveLength(1);
      expect(await ledger(borrowId)).toMatchObject([{ status: 'open', stored: false }]);
      await clock.forward(2 * MINUTE);
      if (who === 'the same key') expect((await pay(borrowId, 100, key)).status).toBe(200);
      else if (who === 'the reconciler') await reconcile();
      else {
        expect((await pay(borrowId, 100)).body.code).toBe('NothingToPay');
        await reconcile();
      }
      expect(await ledger(borrowId)).toMatchObject([{ status: 'paid', stored: true, amount: 100 }]);
      expect(await events('FinePaid')).toHaveLength(1);
    },
  );

  it('is begun anew where a process died before it was written down', async () => {
    const { borrowId, events } = await late();
    await pay(borrowId, 1);
    const key = randomUUID();
    expect(await brokenOffAt('INSERT open', () => pay(borrowId, 100, key))).toMatchObject(away);
    expect(await ledger(borrowId)).toEqual([]);
    expect((await pay(borrowId, 100, key)).status).toBe(200);
    expect(await events('FinePaid')).toHaveLength(1);
  });

  /** As a process leaves it that died after the row, before the event. */
  const cutOff = async (
    borrowId: string,
    readerId: string,
    amount = 100,
    id: string = randomUUID(),
    at = clock.now(),
  ) => {
    await product.database.query(
      `insert into payment_transaction (id, borrow_id, reader_id, amount, due, currency, provider, received_by, status, created, updated)
       values ($1, $2, $3, $4, 100, 'PLN', 'desk', $5, 'open', $6, $6)`,
      [id, borrowId, readerId, amount, admin.pseudonym, at],
    );
  };

  it('is recorded by the reconciler, as a part where the fee has grown, though nobody asks again', async () => {
    const { reader, borrowId, events } = await late();
    await pay(borrowId, 1);
    await cutOff(borrowId, reader.pseudonym);
    await clock.forward(2 * MINUTE);
    await clock.forward(DAY);
    await product.runJob('upkeep', 'sweep-borrows', {});
    await reconcile();
    expect(await events('FinePaid')).toMatchObject([{ amount: 100, provider: 'desk' }]);
    const paid = (await product.log.readStream('borrows', reader.pseudonym)).find(
      ({ event }) => event.type === 'FinePaid',
    );
    expect(paid?.metadata.actor).toBe(admin.pseudonym);
    expect((await (await product.signIn(reader)).get(`fine/${borrowId}`)).body).toMatchObject({ due: 1 });
    expect((await pay(borrowId, 100)).status).toBe(200);
  });

  it('ends as refused where the fee was settled otherwise, and keeps nobody waiting', async () => {
    const { reader, borrowId, events } = await late();
    await pay(borrowId, 1);
    const other = await settleElsewhere(product, reader.pseudonym, borrowId, 100, clock.now());
    await cutOff(borrowId, reader.pseudonym);
    await clock.forward(2 * MINUTE);
    await reconcile();
    expect(await events('FinePaid')).toMatchObject([{ transactionId: other }]);
    expect(await ledger(borrowId)).toMatchObject([{ status: 'refused', stored: false }]);
  });

  it.each([
    ['FeeChanged', 'has grown', 100],
    ['FeeChanged', 'of which it is a part has grown', 40],
    ['NothingToPay', 'was settled otherwise', 100],
  ])(
    'answers %s, again and again, where one that was cut off is asked for after the fee %s',
    async (code, _what, amount) => {
      const { reader, borrowId, events } = await late();
      await pay(borrowId, 1);
      const key = randomUUID();
      const { commandId } = commandIdentity(key, admin.pseudonym, 'PayAtDesk', {});
      // Too young for the rounds that the reconciler makes by itself.
      await cutOff(borrowId, reader.pseudonym, amount, commandId, new Date(clock.now().getTime() + 2 * DAY));
      if (code === 'FeeChanged') await clock.forward(DAY);
      else await settleElsewhere(product, reader.pseudonym, borrowId, 100, clock.now());
      for (let time = 1; time <= 2; time += 1) {
        const again = await part(borrowId, amount, 100, key);
        expect(again).toMatchObject({ status: 409, body: { code } });
        expect(await ledger(borrowId)).toMatchObject([{ status: 'refused', stored: false }]);
      }
      const atDesk = (await events('FinePaid')).filter(({ provider }) => provider === 'desk');
      expect(atDesk).toEqual([]);
    },
  );
});
