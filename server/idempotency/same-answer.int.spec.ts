import { randomUUID } from 'node:crypto';
import { createLogger } from '#platform/logging.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { chanceOf } from '../../test-support/chance.js';
import { lateBorrow } from '../../test-support/late-borrow.js';
import {
  caller,
  startProduct,
  type Answer,
  type TestAccount,
  type TestProduct,
} from '../../test-support/product.js';
import { TestClock } from '../../test-support/test-clock.js';
import { withoutRounds } from '../../test-support/without-rounds.js';
import { waitFor } from '../../test-support/wait-for.js';
import { startServer, type RunningServer } from '../create-server.js';

const HOUR = 3_600_000;

/** Two servers of one library: each has caches and queues of its own. */
describe('a command that is sent again with its key', () => {
  const clock = new TestClock();
  let product: TestProduct;
  let second: RunningServer;
  let admin: TestAccount;

  const startSecond = () => startServer(product.settings, { logger: createLogger('silent'), clock });

  beforeAll(async () => {
    withoutRounds();
    product = await startProduct(clock);
    second = await startSecond();
    admin = await product.account('Reader', 'Admin');
  });
  afterAll(async () => {
    await second.close();
    await product.close();
  });

  const newKey = () => ({ 'idempotency-key': randomUUID() });
  type Key = ReturnType<typeof newKey>;
  const elsewhere = ({ token }: TestAccount) => caller(second.url, token);
  const rent = (who: Pick<TestAccount, 'post'>, bookIds: number[], key: Key) =>
    who.post('Borrow/rent-books', { bookIds }, key);
  const atDesk = (call: 'issue' | 'return', reader: TestAccount, borrowId: string) =>
    `Borrow/${call}-books?borrowId=${borrowId}&userId=${reader.id}`;
  /** An answer without what is another for each call: whom to ask about it, and how far the lists were. */
  const toldBy = ({ status, body }: Answer) => {
    const { correlationId: _call, ...told } = body as Record<string, unknown>;
    return { status, ...told };
  };
  const rowsOf = async ({ pseudonym }: TestAccount, key: Key) => {
    const { commandId } = commandIdentity(key['idempotency-key'], pseudonym, '', {});
    const { rows } = await product.database.query('select code from refused_command where command_id = $1', [
      commandId,
    ]);
    return rows as { code: string | null }[];
  };

  it('gets the refusal it got, from every server and whatever has changed; a new key is decided anew', async () => {
    const [one, other] = [await product.account(), await product.account()];
    const book = await product.book(1, 'The Only Copy');
    const had = await rent(other, [book], newKey());
    const key = newKey();
    const refused = await rent(one, [book], key);
    expect(toldBy(refused)).toEqual({
      status: 409,
      code: 'CopiesUnavailable',
      title: 'Copies Unavailable',
      detail: 'No copy is left of “The Only Copy”. Nothing was rented.',
    });

    const { borrowId } = had.body;
    await admin.post(atDesk('issue', other, borrowId), { bookIds: [book] });
    await admin.post(atDesk('return', other, borrowId), { bookIds: [book] });
    expect(await product.copies(book)).toBe(1);
    for (const who of [one, elsewhere(one), one]) {
      expect(toldBy(await rent(who, [book], key))).toEqual(toldBy(refused));
    }
    expect(await product.copies(book)).toBe(1);
    for (const who of [one, elsewhere(one)]) {
      expect(await rent(who, [book, book + 1], key)).toMatchObject({
        status: 422,
        body: { code: 'IdempotencyKeyReused' },
      });
    }
    expect((await rent(elsewhere(one), [book], newKey())).status).toBe(200);
    expect(await product.differences()).toEqual([]);
  });

  it('gets it where a rule refused after the copies were taken: they are free again, and the words are the same', async () => {
    const one = await product.account();
    const book = await product.book(3, 'Twice');
    const first = await rent(one, [book], newKey());
    const key = newKey();
    const refused = await rent(one, [book], key);
    expect(toldBy(refused)).toMatchObject({
      code: 'BookAlreadyBorrowed',
      detail: 'You already have “Twice”.',
    });
    expect(await product.copies(book)).toBe(2);
    await admin.post(atDesk('issue', one, first.body.borrowId), { bookIds: [book] });
    await admin.post(atDesk('return', one, first.body.borrowId), { bookIds: [book] });
    for (const who of [one, elsewhere(one)]) {
      expect(toldBy(await rent(who, [book], key))).toEqual(toldBy(refused));
    }
    expect(await product.copies(book)).toBe(3);
    expect(await product.differences()).toEqual([]);
  });

  it('gets it at the desk too, after a restart, and never gets one that was not of a rule', async () => {
    const { reader, borrowId, takeBack, bookIds } = await lateBorrow(product, clock);
    const librarian = await product.signIn(admin);
    const [returning, paying] = [newKey(), newKey()];
    const back = (who: Pick<TestAccount, 'post'>) =>
      who.post(atDesk('return', reader, borrowId), { bookIds }, returning);
    const pay = (who: Pick<TestAccount, 'post'>, amount: number, key = paying) =>
      who.post(`Payment/desk?borrowId=${borrowId}`, { amount }, key);
    const [notBack, notPaid] = [await back(librarian), await pay(librarian, 50)];
    expect([toldBy(notBack), toldBy(notPaid)]).toMatchObject([
      { status: 409, code: 'FeeNotPaid' },
      { status: 409, code: 'FeeChanged', detail: 'The fee is now 1.00 PLN. Nothing was recorded.' },
    ]);
    const paid = newKey();
    const payment = await pay(librarian, 100, paid);
    expect(payment.status).toBe(200);

    await second.close();
    second = await startSecond();
    for (const who of [elsewhere(librarian), librarian]) {
      expect(toldBy(await back(who))).toEqual(toldBy(notBack));
      expect(toldBy(await pay(who, 50))).toEqual(toldBy(notPaid));
      expect(toldBy(await pay(who, 100, paid))).toEqual(toldBy(payment));
      expect((await pay(who, 100)).body.code).toBe('IdempotencyKeyReused');
    }
    expect((await takeBack()).status).toBe(200);

    const key = newKey();
    expect((await rent(reader, [], key)).status).toBe(400);
    expect((await reader.post(atDesk('issue', reader, borrowId), { bookIds }, key)).status).toBe(403);
    expect((await caller(product.url, 'nobody').post('Borrow/rent-books', { bookIds }, key)).status).toBe(
      401,
    );
    expect(await rowsOf(reader, key)).toEqual([]);
    expect((await rent(reader, bookIds, key)).status).toBe(200);
    expect(await product.differences()).toEqual([]);
  });

  it('is one renewal where the same due date is named, on both servers, with keys of its own or with none', async () => {
    let one = await product.account();
    const book = await product.book(1);
    const { borrowId } = (await rent(one, [book], newKey())).body;
    await (await product.signIn(admin)).post(atDesk('issue', one, borrowId), { bookIds: [book] });
    for (const renewals of [1, 2]) {
      await clock.forward(24 * HOUR);
      one = await product.signIn(one);
      const [{ dueDate }] = (await one.get('Borrow/history')).body as [{ dueDate: string }];
      const named = `Borrow/renew?borrowId=${borrowId}&dueDate=${dueDate}`;
      const answers = await Promise.all(
        [one, elsewhere(one)].flatMap((who) => [
          who.post(named),
          who.post(named, {}, newKey()),
          who.post(named),
        ]),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(toldBy(answer)))).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
      expect((await one.get('Borrow/history')).body).toMatchObject([{ renewals }]);
    }
  });

  it('is decided anew after a day, when the refusal is forgotten', async () => {
    let one = await product.account();
    const book = await product.book(2);
    const { body } = await rent(one, [book], newKey());
    const [key, late] = [newKey(), newKey()];
    expect((await rent(one, [book], key)).body.code).toBe('BookAlreadyBorrowed');
    await clock.forward(HOUR);
    expect((await rent(one, [book, 99_999_999], late)).body.code).toBe('BookNotFound');
    await clock.forward(22 * HOUR);
    one = await product.signIn(one);
    const librarian = await product.signIn(admin);
    await librarian.post(atDesk('issue', one, body.borrowId), { bookIds: [book] });
    await librarian.post(atDesk('return', one, body.borrowId), { bookIds: [book] });
    expect((await rent(elsewhere(one), [book], key)).body.code).toBe('BookAlreadyBorrowed');
    await clock.forward(HOUR);
    await product.runJob('upkeep', 'forget-refusals', {});
    expect([await rowsOf(one, key), await rowsOf(one, late)]).toEqual([[], [{ code: 'BookNotFound' }]]);
    expect((await rent(elsewhere(one), [book], key)).status).toBe(200);
    expect((await rent(one, [book], key)).status).toBe(200);
    // Past its time, whether or not the job was there before.
    await clock.forward(HOUR);
    expect((await rent(one, [book], late)).body.code).toBe('BookAlreadyBorrowed');
    expect(await product.differences()).toEqual([]);
  });

  it('is decided on the newest state where the process died before its refusal was recorded', async () => {
    const one = await product.account();
    const book = await product.book(1);
    const key = newKey();
    const { commandId } = commandIdentity(key['idempotency-key'], one.pseudonym, '', {});
    await product.database.query('select announce_refusal($1, $2, $3, $3)', [
      commandId,
      randomUUID(),
      clock.now(),
    ]);
    expect((await rent(one, [book], key)).status).toBe(200);
    expect(await rowsOf(one, key)).toEqual([]);
  });

  it('gets one answer from both servers at once, hundreds of times over', async () => {
    const chance = chanceOf('pairs of sends');
    const readers = await Promise.all(Array.from({ length: 6 }, () => product.account()));
    const librarian = await product.signIn(admin);
    const books = await Promise.all([1, 1, 2, 2, 3, 1].map((copies) => product.book(copies)));
    /** What was rented and by whom; some of it is given back by now. */
    const borrows: { reader: TestAccount; borrowId: string; bookIds: number[] }[] = [];
    const seen = new Map<string, number>();
    const answerOf = (answer: Answer) => JSON.stringify(toldBy(answer));

    const step = async () => {
      const reader = chance.pick(readers);
      const some = [chance.pick(books), ...(chance.chance(0.3) ? [chance.pick(books)] : [])];
      const borrow = borrows.length > 0 && chance.chance(0.6) ? chance.pick(borrows) : undefined;
      const call = chance.pick(['issue', 'return', 'renew'] as const);
      const key = newKey();
      const sendOnce = (who: (account: TestAccount) => Pick<TestAccount, 'post'>) => {
        if (!borrow) return rent(who(reader), some, key);
        if (call === 'renew')
          return who(borrow.reader).post(`Borrow/renew?borrowId=${borrow.borrowId}`, {}, key);
        const { bookIds } = borrow;
        return who(librarian).post(atDesk(call, borrow.reader, borrow.borrowId), { bookIds }, key);
      };
      // Who is told to come again does: nothing was decided yet.
      const send = (who: Parameters<typeof sendOnce>[0]) =>
        waitFor(async () => {
          const answer = await sendOnce(who);
          return answer.status !== 503 && answer;
        });
      const here = (account: TestAccount) => account;
      const pair = chance.chance(0.7) ? [here, elsewhere] : [here, here];
      const answers = await Promise.all([...pair, ...(chance.chance(0.2) ? [elsewhere] : [])].map(send));
      answers.push(await send(chance.chance(0.5) ? here : elsewhere));
      expect([...new Set(answers.map(answerOf))]).toEqual([answerOf(answers[0] as Answer)]);
      const [{ status, body } = { status: 0, body: {} }] = answers;
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
        'issue done',
        'return done',
        'CopiesUnavailable',
        'BorrowNotIssued',
      ]),
    );
    expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(150);
    process.stdout.write(`${JSON.stringify(Object.fromEntries(seen))}\n`);
    expect(await product.differences()).toEqual([]);
  });

  it('is not refused for good while the event log is away', async () => {
    const one = await product.account();
    const key = newKey();
    await product.stopEventStore();
    expect((await rent(one, [await product.book(1)], key)).status).toBe(503);
    expect(await rowsOf(one, key)).toEqual([]);
  });
});
