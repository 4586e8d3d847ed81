import { randomUUID } from 'node:crypto';
import { v5 as uuidFromName } from 'uuid';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import {
  atDesk,
  doAtDesk,
  historyOf,
  rent,
  type TestBorrow,
} from '../../test-support/product/borrow-steps.js';
import { caller, keyed, refusal, type Answer, type Caller } from '../../test-support/product/caller.js';
import { chanceOf } from '../../test-support/arbitraries/chance.js';
import { lateBorrow } from '../../test-support/product/late-borrow.js';
import { startProduct, type TestAccount, type TestServer } from '../../test-support/product/product.js';
import { shared } from '../../test-support/shared.js';
import { TestClock } from '../../test-support/test-clock.js';
import { untilServed } from '../../test-support/wait-for.js';

const HOUR = 3_600_000;

/** Two servers of one library: each has caches and queues of its own. */
describe('a command that is sent again with its key', () => {
  const clock = new TestClock();
  const jobs = { rounds: false };
  const product = shared(() => startProduct(clock, { staySignedIn: true, jobs }));
  const admin = shared(() => product.account('Reader', 'Admin'));
  let second: TestServer;
  const startSecond = async () => {
    second = await product.startServer({}, { jobs });
  };
  beforeAll(startSecond);

  type Key = ReturnType<typeof keyed>;
  const elsewhere = (who: Caller) => who.at(second.url);
  const post = (who: Pick<Caller, 'post'>, bookIds: number[], key: Key) =>
    who.post('Borrow/rent-books', { bookIds }, key);
  /** An answer without what is another for each call: whom to ask about it, and how far the lists were. */
  const toldBy = ({ status, body }: Answer) => {
    const { correlationId: _call, ...told } = body as Record<string, unknown>;
    return { status, ...told };
  };
  const identityOf = ({ pseudonym }: TestAccount, key: Key) =>
    commandIdentity(key['idempotency-key'], pseudonym, '', {});
  const rowsOf = async (who: TestAccount, key: Key) => {
    const { rows } = await product.database.query<{ code: string | null }>(
      'select code from refused_command where command_id = $1',
      [identityOf(who, key).commandId],
    );
    return rows;
  };
  const lendAndTakeBack = async (borrow: TestBorrow) => {
    for (const call of ['issue-books', 'return-books'])
      expect((await doAtDesk(admin, call, borrow)).status).toBe(200);
  };

  it('gets the refusal it got, from every server and whatever has changed; a new key is decided anew', async () => {
    const [one, other] = [await product.account(), await product.account()];
    const had = await rent(product, other, ['The Only Copy']);
    const [book = 0] = had.bookIds;
    const key = keyed();
    const refused = await post(one, [book], key);
    expect(toldBy(refused)).toEqual({
      status: 409,
      code: 'CopiesUnavailable',
      title: 'Copies Unavailable',
      detail: 'No copy is left of “The Only Copy”. Nothing was rented.',
    });

    await lendAndTakeBack(had);
    expect(await product.copies(book)).toBe(1);
    for (const who of [one, elsewhere(one), one]) {
      expect(toldBy(await post(who, [book], key))).toEqual(toldBy(refused));
    }
    expect(await product.copies(book)).toBe(1);
    for (const who of [one, elsewhere(one)]) {
      expect(await post(who, [book, book + 1], key)).toMatchObject(refusal(422, 'IdempotencyKeyReused'));
    }
    expect((await post(elsewhere(one), [book], keyed())).status).toBe(200);
    expect(await product.differences()).toEqual([]);
  });

  it('gets it where a rule refused after the copies were taken: they are free again, and the words are the same', async () => {
    const one = await product.account();
    const book = await product.book(3, 'Twice');
    const first = await rent(product, one, [book]);
    const key = keyed();
    const refused = await post(one, [book], key);
    expect(toldBy(refused)).toMatchObject({
      code: 'BookAlreadyBorrowed',
      detail: 'You already have “Twice”.',
    });
    expect(await product.copies(book)).toBe(2);
    await lendAndTakeBack(first);
    for (const who of [one, elsewhere(one)]) {
      expect(toldBy(await post(who, [book], key))).toEqual(toldBy(refused));
    }
    expect(await product.copies(book)).toBe(3);
    expect(await product.differences()).toEqual([]);
  });

  it('gets it at the desk too, after a restart, and never gets one that was not of a rule', async () => {
    const borrow = await lateBorrow(product, clock);
    const { reader, borrowId, takeBack, bookIds } = borrow;
    const [returning, paying] = [keyed(), keyed()];
    const back = (who: Caller) => who.post(atDesk('return-books', borrow), { bookIds }, returning);
    const pay = (who: Caller, amount: number, key = paying) =>
      who.post(`Payment/desk?borrowId=${borrowId}`, { amount }, key);
    const [notBack, notPaid] = [await back(admin), await pay(admin, 50)];
    expect([toldBy(notBack), toldBy(notPaid)]).toMatchObject([
      { status: 409, code: 'FeeNotPaid' },
      { status: 409, code: 'FeeChanged', detail: 'The fee is now 1.00 PLN. Nothing was recorded.' },
    ]);
    const paid = keyed();
    const payment = await pay(admin, 100, paid);
    expect(payment.status).toBe(200);

    await second.close();
    await startSecond();
    for (const who of [elsewhere(admin), admin]) {
      expect(toldBy(await back(who))).toEqual(toldBy(notBack));
      expect(toldBy(await pay(who, 50))).toEqual(toldBy(notPaid));
      expect(toldBy(await pay(who, 100, paid))).toEqual(toldBy(payment));
      expect((await pay(who, 100)).body.code).toBe('IdempotencyKeyReused');
    }
    expect((await takeBack()).status).toBe(200);

    const key = keyed();
    expect((await post(reader, [], key)).status).toBe(400);
    expect((await reader.post(atDesk('issue-books', borrow), { bookIds }, key)).status).toBe(403);
    expect((await caller(product.url, 'nobody').post('Borrow/rent-books', { bookIds }, key)).status).toBe(
      401,
    );
    expect(await rowsOf(reader, key)).toEqual([]);
    expect((await post(reader, bookIds, key)).status).toBe(200);
    expect(await product.differences()).toEqual([]);
  });

  it('is one renewal where the same due date is named, on both servers, with keys of its own or with none', async () => {
    const one = await product.account();
    const borrow = await rent(product, one);
    await doAtDesk(admin, 'issue-books', borrow);
    for (const renewals of [1, 2]) {
      await clock.forward(24 * HOUR);
      const dueDate = (await historyOf(one))[0]?.dueDate;
      const named = `Borrow/renew?borrowId=${borrow.borrowId}&dueDate=${dueDate}`;
      const answers = await Promise.all(
        [one, elsewhere(one)].flatMap((who) => [
          who.post(named),
          who.post(named, {}, keyed()),
          who.post(named),
        ]),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(toldBy(answer)))).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
      expect(await historyOf(one)).toMatchObject([{ renewals }]);
    }
  });

  it('is decided anew after a day, when the refusal is forgotten', async () => {
    const one = await product.account();
    const book = await product.book(2);
    const borrow = await rent(product, one, [book]);
    const [key, late] = [keyed(), keyed()];
    expect((await post(one, [book], key)).body.code).toBe('BookAlreadyBorrowed');
    await clock.forward(HOUR);
    expect((await post(one, [book, 99_999_999], late)).body.code).toBe('BookNotFound');
    await clock.forward(22 * HOUR);
    await lendAndTakeBack(borrow);
    expect((await post(elsewhere(one), [book], key)).body.code).toBe('BookAlreadyBorrowed');
    await clock.forward(HOUR);
    await product.runJob('upkeep', 'forget-refusals', {});
    expect([await rowsOf(one, key), await rowsOf(one, late)]).toEqual([[], [{ code: 'BookNotFound' }]]);
    expect((await post(elsewhere(one), [book], key)).status).toBe(200);
    expect((await post(one, [book], key)).status).toBe(200);
    // Past its time, whether or not the job was there before.
    await clock.forward(HOUR);
    expect((await post(one, [book], late)).body.code).toBe('BookAlreadyBorrowed');
    expect(await product.differences()).toEqual([]);
  });

  it('is decided on the newest state where the process died before its refusal was recorded', async () => {
    const one = await product.account();
    const book = await product.book(1);
    const key = keyed();
    const { commandId } = identityOf(one, key);
    await product.database.query('select announce_refusal($1, $2, $3, $3)', [
      commandId,
      randomUUID(),
      clock.now(),
    ]);
    expect((await post(one, [book], key)).status).toBe(200);
    expect(await rowsOf(one, key)).toEqual([]);
  });

  it('goes on with the copies that it took where the process died before the event was stored', async () => {
    const one = await product.account();
    const book = await product.book(1);
    const key = keyed();
    const { commandId } = identityOf(one, key);
    const taken = uuidFromName('borrow', commandId);
    await product.database.query('select take_copies($1, $2, $3, null, null)', [
      taken,
      one.pseudonym,
      [book],
    ]);
    expect(await product.copies(book)).toBe(0);
    expect((await post(elsewhere(one), [book], key)).body).toMatchObject({ borrowId: taken });
    expect((await post(one, [book], key)).body).toMatchObject({ borrowId: taken });
    expect(await product.copies(book)).toBe(0);
    expect(await product.differences()).toEqual([]);
  });

  it('gets one answer from both servers at once, hundreds of times over', async () => {
    const chance = chanceOf('pairs of sends');
    const readers = await Promise.all(Array.from({ length: 6 }, () => product.account()));
    const books = await Promise.all([1, 1, 2, 2, 3, 1].map((copies) => product.book(copies)));
    /** What was rented and by whom; some of it is given back by now. */
    const borrows: TestBorrow[] = [];
    const seen = new Map<string, number>();
    const answerOf = (answer: Answer) => JSON.stringify(toldBy(answer));

    const step = async () => {
      const reader = chance.pick(readers);
      const some = [chance.pick(books), ...(chance.chance(0.3) ? [chance.pick(books)] : [])];
      const borrow = borrows.length > 0 && chance.chance(0.6) ? chance.pick(borrows) : undefined;
      const call = chance.pick(['issue-books', 'return-books', 'renew'] as const);
      const key = keyed();
      const sendOnce = (who: (account: Caller) => Caller) => {
        if (!borrow) return post(who(reader), some, key);
        const { borrowId, bookIds } = borrow;
        if (call === 'renew') return who(borrow.reader).post(`Borrow/renew?borrowId=${borrowId}`, {}, key);
        return who(admin).post(atDesk(call, borrow), { bookIds }, key);
      };
      // Who is told to come again does: nothing was decided yet.
      const send = (who: Parameters<typeof sendOnce>[0]) => untilServed(() => sendOnce(who));
      const here = (account: Caller) => account;
      const pair = chance.chance(0.7) ? [here, elsewhere] : [here, here];
      const answers = await Promise.all([...pair, ...(chance.chance(0.2) ? [elsewhere] : [])].map(send));
      answers.push(await send(chance.chance(0.5) ? here : elsewhere));
      expect([...new Set(answers.map(answerOf))]).toEqual([answerOf(answers[0] as Answer)]);
      const [{ status, body } = { status: 0, body: {} as Answer['body'] }] = answers;
      const what = status === 200 ? `${borrow ? call : 'rent'} done` : (body.code as string);
      seen.set(what, (seen.get(what) ?? 0) + 1);
      if (what === 'rent done') {
        borrows.push({ reader, borrowId: body.borrowId, bookIds: [...new Set(some)] });
      }
    };
    // Several pairs at once, which fight over the same readers and copies.
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        for (let n = 0; n < 30; n += 1) await step();
      }),
    );
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining([
        'rent done',
        'issue-books done',
        'return-books done',
        'CopiesUnavailable',
        'BorrowNotIssued',
      ]),
    );
    expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(150);
    expect(await product.differences()).toEqual([]);
  });

  it('is not refused for good while the event log is away', async () => {
    const [one, book] = [await product.account(), await product.book(1)];
    const key = keyed();
    await product.stopEventStore();
    expect((await post(one, [book], key)).status).toBe(503);
    expect(await rowsOf(one, key)).toEqual([]);
  });
});
