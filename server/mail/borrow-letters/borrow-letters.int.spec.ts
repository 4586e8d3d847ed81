import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { LimitReason } from '#contracts/borrowing/borrow-events.js';
import { localDay } from '#contracts/local-day.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { forgetJobs } from '../../../test-support/product/forget-jobs.js';
import { LetterOffice, QUICK_LETTERS, type WatchedBorrow } from '../../../test-support/mail/letter-office.js';
import { startProduct, type TestAccount } from '../../../test-support/product/product.js';
import {
  REDIS_INSTALLED,
  startTestRedis,
  type RedisServer,
} from '../../../test-support/installation/redis.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';

const DAY = 24 * 3_600_000;
const SITE = 'https://library.example.org';

/**
 * These depend on how jobs are kept and done.
 * @param redis where they are, if not in the database
 */
function suite(redis?: RedisServer) {
  const clock = new TestClock();
  const product = shared(() =>
    startProduct(clock, {
      staySignedIn: true,
      environment: { ...redis?.environment, PUBLIC_URL: SITE },
      jobs: { ...QUICK_LETTERS, rounds: false },
    }),
  );
  const office = new LetterOffice(product, clock);
  const rows = async <Row>(sql: string, ...values: unknown[]) =>
    (await product.database.query(sql, values)).rows as Row[];

  /** The projections that run, by their numbers. */
  const running = [0];
  const closeProjections = async () => {
    for (const each of running.splice(0)) await product.closeProjections(each);
  };
  const startProjections = async () => void running.push(await product.startProjections());

  /** Once so many letters of a borrow, or of a visit of its reader, are in their queue. */
  const asked = (borrow: WatchedBorrow, letters: number) =>
    waitFor(async () => {
      const [row] = await rows<{ letters: number; outbox: number }>(
        `select (select count(*) from letters.letter where borrow_id = $1 or account_id = $2 and kind = 'visit')::integer as letters,
           (select count(*) from outbox)::integer as outbox`,
        ...[borrow.borrowId, borrow.reader.pseudonym],
      );
      return row?.letters === letters && row.outbox === 0;
    });
  /** Rents books while the queue of letters is held. */
  const rentMeanwhile = async () => {
    await product.pauseQueue('letters');
    return office.rent();
  };

  it('follow what was undone or cancelled: a sent one is corrected, another is not sent', async () => {
    const undoIssue = ({ reader }: WatchedBorrow) => {
      const undo = { type: 'Undo' as const, revision: 1, librarianId: randomUUID() };
      return { ...undo, readerId: reader.pseudonym };
    };
    const borrow = await office.rent(['Solaris', 'Eden']);
    await office.issue(borrow);
    await office.settled();
    await office.change(borrow, undoIssue(borrow));
    const [, , undone] = await office.letters(borrow.email);
    expect(undone?.subject).toBe('Correction: your books were not handed over');
    expect(undone?.text).toContain('they still wait for you at the desk');
    await office.change(borrow, { type: 'CancelRent', cancelledBy: borrow.reader.id });
    const [, , , cancelled] = await office.letters(borrow.email);
    expect(cancelled?.subject).toBe('Your rent is cancelled: your books no longer wait for you');

    const held = await rentMeanwhile();
    await office.change(held, { type: 'IssueBooks', bookIds: held.bookIds, librarianId: randomUUID() });
    await office.change(held, undoIssue(held));
    await office.change(held, { type: 'CancelRent', cancelledBy: held.reader.id });
    await asked(held, 3);
    await product.resumeQueue('letters');
    expect(await office.letters(held.email)).toEqual([]);
  });

  it('are not sent again by a repeated job, a rebuild, or a checkpoint that went back', async () => {
    const borrow = await office.rent();
    expect(await office.letters(borrow.email)).toHaveLength(1);
    const [event] = await product.log.readStream('borrows', borrow.reader.pseudonym);
    const data = { cause: event?.id, accountId: borrow.reader.id, borrowId: borrow.borrowId };
    await product.runJob('letters', 'books-rented', data as never);
    expect(await office.letters(borrow.email)).toHaveLength(1);

    await product.rebuild();
    expect(await office.letters(borrow.email)).toHaveLength(1);

    const sent = async () => (await rows(`select from letters.letter where state = 'sent'`)).length;
    const sentBefore = await sent();
    await rows('update letters.checkpoint set commit_position = -1, prepare_position = -1');
    const next = await office.rent();
    expect(await office.letters(next.email)).toHaveLength(1);
    expect(await sent()).toBe(sentBefore + 1);
  });

  it('come once though two processes are at it, and one of them ends', async () => {
    await startProjections();
    await product.startServer({}, { jobs: QUICK_LETTERS });
    const first = await Promise.all(Array.from({ length: 5 }, () => office.rent()));
    await product.closeProjections(running.shift());
    const second = await Promise.all(Array.from({ length: 5 }, () => office.rent()));
    for (const { email } of [...first, ...second]) expect(await office.letters(email)).toHaveLength(1);
    expect((await product.letterState(running[0]))?.kind).toBe('leading');
  });

  it('come once though their queue forgets all that it had, and jobs by whose ids they were known are done', async () => {
    await product.pauseQueue('letters');
    const borrows = await Promise.all(Array.from({ length: 5 }, () => office.rent()));
    const ofThese = 'borrow_id = any($1)';
    const ids = borrows.map(({ borrowId }) => borrowId);
    for (const borrow of borrows) await asked(borrow, 1);
    // As letters that a process had in hand that died: they get jobs of their own.
    const isDue = async (changes: string) => {
      await rows(`update letters.letter set due_at = now(), ${changes} where ${ofThese}`, ids);
      await rows(`select pg_notify('lectern_letters', '')`);
    };
    const inHand = () => rows(`select from letters.letter where ${ofThese} and queued_at is not null`, ids);
    await isDue('claims = 1');
    await waitFor(async () => (await inHand()).length === borrows.length);
    await (redis ? redis.ask('flushall') : forgetJobs(product.database));
    expect(await product.jobsIn('letters', 'waiting')).toEqual([]);
    // A minute later, in which no job has begun with them.
    await isDue('correlation_id = null');
    await product.resumeQueue('letters');
    for (const { email } of borrows) expect(await office.letters(email)).toHaveLength(1);
    const kept = await rows(`select distinct state, rounds from letters.letter where ${ofThese}`, ids);
    expect(kept).toEqual([{ state: 'sent', rounds: 2 }]);
  });

  it('leave ids in the log, the outbox, the ledger and the queue, and neither names nor addresses', async () => {
    const title = `Title ${randomUUID()}`;
    const borrow = await office.rent([title]);
    await office.settled();
    const lines = (await product.lines()).join('');
    expect(lines).toContain('a letter was sent');
    const kept = [await product.jobsIn('letters'), await rows('select * from letters.letter')];
    const everything = lines + JSON.stringify(kept);
    expect(everything).toContain(borrow.borrowId);
    for (const secret of [borrow.email, 'Łęcka', title, 'lectern.example'])
      expect(everything).not.toContain(secret);
  });

  return { clock, product, office, rows, startProjections, closeProjections, asked, rentMeanwhile };
}

describe('letters about borrows, on PostgreSQL', () => {
  const { clock, product, office, rows, startProjections, closeProjections, asked, rentMeanwhile } = suite();

  const sweep = () => product.runJob('upkeep', 'sweep-borrows', {});
  const remind = () => product.runJob('letters', 'find-due', {});
  const inDays = (days: number) => localDay(clock.now().getTime() + days * DAY, product.settings.TIME_ZONE);

  it('come once for each step: rented, issued, due soon, overdue at most weekly, paid', async () => {
    const borrow = await office.rent(['Solaris', 'The <b>Cyberiad</b>\r\nBcc: all@example.org']);
    const { email } = borrow;
    const [rented] = await office.letters(email);
    expect(rented?.subject).toBe(`Your books wait for you until ${inDays(3)}`);
    expect(rented?.text).toContain('Dear Zofia,');
    expect(rented?.text).toContain('- Solaris\n- The <b>Cyberiad</b> Bcc: all@example.org\n');
    expect(rented?.html).toContain('The &lt;b&gt;Cyberiad&lt;/b&gt; Bcc: all@example.org');
    expect(rented?.links).toEqual([`${SITE}/#/profile`]);

    await office.issue(borrow);
    const due = inDays(14);
    expect(await office.subjects(email)).toEqual([rented?.subject, `Your books, due back on ${due}`]);

    await clock.forward(11 * DAY);
    await remind();
    expect(await office.letters(email)).toHaveLength(2);
    await clock.forward(DAY);
    await Promise.all([remind(), remind()]);
    await remind();
    expect((await office.subjects(email)).slice(2)).toEqual([`Your books are due on ${due}`]);

    const fees = async () => (await office.letters(email)).slice(3);
    await clock.forward(3 * DAY);
    for (let n = 1; n <= 7; n += 1) {
      await sweep();
      await office.settled(); // A letter tells of the fee as it is when it goes out.
      await clock.forward(DAY);
    }
    const [first, ...more] = await fees();
    expect(more).toEqual([]);
    expect(first?.subject).toBe(`Your books were due on ${due}: a fee of 1.00 PLN is due`);
    expect(first?.text).toMatch(/Days late: 1\nFee per day: 1\.00 PLN \(2 books\)\nTo pay now: 1\.00 PLN/);
    expect(first?.text).toContain('0.50 PLN a book');
    expect(first?.links).toEqual([`${SITE}/#/profile`]);
    await sweep();
    expect((await fees()).map(({ text }) => /Days late: \d+/.exec(text)?.[0])).toEqual([
      'Days late: 1',
      'Days late: 8',
    ]);

    await office.change(borrow, {
      type: 'RecordPayment',
      amount: 800,
      transactionId: 'tx-4711',
      provider: 'sandbox',
    });
    const receipt = (await fees())[2];
    expect(receipt?.subject).toBe(`Receipt: 8.00 PLN paid on ${inDays(0)}`);
    expect(receipt?.text).toContain('Transaction: tx-4711\nFor: Late fee, 8 days late: 2 books');
    expect(receipt?.text).toContain('Please bring your books back now');
    expect(await office.letters(email)).toHaveLength(6);
  });

  it('tell who did not collect that the copies went back', async () => {
    const borrow = await office.rent();
    await office.settled();
    await clock.forward(4 * DAY);
    await sweep();
    await sweep();
    const [, expired, ...more] = await office.letters(borrow.email);
    expect(more).toEqual([]);
    expect(expired?.subject).toBe('Your book was not collected');
    expect(expired?.links).toEqual([`${SITE}/#/catalog`]);
  });

  it('remind again after a renewal only when the new date nears', async () => {
    const borrow = await office.rent();
    await office.issue(borrow);
    await office.settled();
    await clock.forward(13 * DAY);
    await remind();
    expect(await office.letters(borrow.email)).toHaveLength(3);
    await office.change(borrow, { type: 'RenewBorrow', renewedBy: borrow.reader.pseudonym });
    await remind();
    expect(await office.letters(borrow.email)).toHaveLength(3);
    await clock.forward(13 * DAY);
    await remind();
    await remind();
    const subjects = await office.subjects(borrow.email);
    expect(subjects).toHaveLength(4);
    expect(subjects[3]).toBe(`Your book is due on ${inDays(1)}`);
  });

  it('say what is true when they are sent, and nothing where nothing is', async () => {
    const paid = await office.rent();
    await office.issue(paid);
    expect(await office.letters(paid.email)).toHaveLength(2);
    await clock.forward(15 * DAY);
    const collected = await rentMeanwhile();
    await asked(collected, 1);
    await office.change(collected, {
      type: 'IssueBooks',
      bookIds: collected.bookIds,
      librarianId: randomUUID(),
    });
    await asked(collected, 2);
    await office.change(paid, { type: 'ChargeFine' });
    await asked(paid, 3);
    await office.change(paid, {
      type: 'RecordPayment',
      amount: 50,
      transactionId: 'tx-1',
      provider: 'sandbox',
    });
    await asked(paid, 4);
    await product.resumeQueue('letters');
    expect(await office.subjects(collected.email)).toEqual([
      expect.stringMatching(/^Your book, due back on/),
    ]);
    expect((await office.subjects(paid.email)).slice(2)).toEqual([expect.stringMatching(/^Receipt: 0\.50/)]);
  });

  it('come though the lists do not: they are decided from the history then', async () => {
    const lock = new pg.Client({ connectionString: product.settings.DATABASE_URL });
    await lock.connect();
    await lock.query(`begin; lock table ${READ_MODEL}.checkpoint in share row exclusive mode`);
    const borrow = await office.rent();
    const letters = await waitFor(async () => {
      const got = await product.letters(borrow.email);
      return got.length > 0 && got;
    });
    const listed = await lock.query(`select from ${READ_MODEL}.borrow where borrow_id = $1`, [
      borrow.borrowId,
    ]);
    expect([letters.length, listed.rowCount]).toEqual([1, 0]);
    await lock.query('rollback');
    await lock.end();
    expect(await office.letters(borrow.email)).toHaveLength(1);
  });

  describe('of a visit', () => {
    let reader: TestAccount;
    let admin: TestAccount;
    let email: string;
    beforeEach(async () => {
      reader = await product.account();
      admin = await product.account('Reader', 'Admin');
      email = await office.emailOf(reader);
    });

    const desk = (borrowId: string) => `borrowId=${borrowId}&userId=${reader.id}`;
    const lend = async (titles: string[], beyondLimit?: LimitReason) => {
      const bookIds: number[] = [];
      for (const title of titles) bookIds.push(await product.book(1, title));
      const more = beyondLimit && { beyondLimit };
      const { status, body } = await admin.post(`Borrow/lend?userId=${reader.id}`, { bookIds, ...more });
      expect([status, body.code]).toEqual([200, undefined]);
      return { id: body.id as string, bookIds };
    };
    const done = async (answer: ReturnType<TestAccount['post']>) => expect((await answer).status).toBe(200);
    const undoLast = async (borrowId: string) => {
      const { body } = await admin.get(`Borrow/details?borrowId=${borrowId}`);
      await done(admin.post(`Borrow/undo?${desk(borrowId)}`, { revision: body.borrow.undo[0].revision }));
    };

    it('are one: ten books lent, three back, one renewed and a fee paid, with followers that are killed in between', async () => {
      const late = await lend(['Pharaoh']);
      await clock.forward(10 * DAY);
      const had = await lend(['Lalka', 'Potop', 'Chłopi', 'Quo vadis']);
      expect(await office.letters(email)).toHaveLength(2);
      await clock.forward(6 * DAY);
      await done(admin.post(`Borrow/take-back-books?${desk(late.id)}`, { bookIds: late.bookIds }));
      await done(
        admin.post(`Payment/desk?borrowId=${late.id}`, { amount: 100 }, { 'idempotency-key': randomUUID() }),
      );
      await done(admin.post(`Borrow/return-books?${desk(had.id)}`, { bookIds: had.bookIds.slice(0, 3) }));
      await done(admin.post(`Borrow/renew?${desk(had.id)}`));
      for (let n = 1; n <= 8; n += 1) {
        await lend([`Volume ${n}`]);
        if (n !== 4) continue;
        await closeProjections();
        await startProjections();
        await startProjections();
        // All that was looked through comes once more.
        await rows('update letters.checkpoint set commit_position = -1, prepare_position = -1');
      }
      const mistaken = await lend(['By mistake']);
      await undoLast(mistaken.id);
      await lend(['Volume 9']);
      // The eleventh book of the reader.
      await lend(['Volume 10'], 'study');
      const letters = await office.letters(email);
      expect(letters).toHaveLength(3);
      const [, , letter] = letters;
      expect(letter?.subject).toBe(
        `Your visit on ${localDay(clock.now().getTime(), product.settings.TIME_ZONE)}`,
      );
      expect(letter?.text).toMatch(/\n\nBorrowed\n\n(- Volume \d+\n){10}\nDue back: /);
      expect(letter?.text).toContain('\n\nBrought back\n\n- Pharaoh\n- Lalka\n- Potop\n- Chłopi\n\n');
      expect(letter?.text).toMatch(/\n\nRenewed\n\n- Quo vadis\n\nDue back: /);
      expect(letter?.text).toMatch(/\n\nThank you, your fee is paid\n.*Amount: 1\.00 PLN/s);
      expect(letter?.text).not.toContain('By mistake');
      expect(letter?.html).toContain('Volume 10');
      // Why they have more than the rules let them is for the library alone.
      expect(`${letter?.text}${letter?.html}`).not.toMatch(/beyond|study/i);
      expect(await office.letters(email)).toHaveLength(3);
    });

    it('end with the reader, are corrected by the next, and are none where all was undone', async () => {
      const { id } = await lend(['Solaris']);
      expect((await admin.post(`Desk/visit-over?userId=${reader.id}`)).body).toEqual({ ended: true });
      const sent = () => product.letters(email);
      await waitFor(async () => (await sent()).length === 1);
      expect((await sent())[0]?.subject).toMatch(/^Your book, due back on/);
      await undoLast(id);
      const mistaken = await lend(['Eden']);
      await undoLast(mistaken.id);
      expect((await office.subjects(email)).slice(1)).toEqual(['Correction: your book was not handed over']);
      const other = await lend(['Fiasco']);
      await undoLast(other.id);
      expect(await office.letters(email)).toHaveLength(2);
    });

    it('go with what is kept at the desk, and do not hold up what the reader does themselves', async () => {
      const bookIds = [await product.book(1, 'Cyberiada'), await product.book(1, 'Katar')];
      const { body } = await reader.post('Borrow/rent-books', { bookIds });
      await waitFor(async () => (await product.letters(email)).length === 1);
      await done(admin.post(`Borrow/issue-books?${desk(body.borrowId)}`, { bookIds: bookIds.slice(0, 1) }));
      const letter = (await office.letters(email))[1];
      expect(letter?.text).toMatch(
        /Borrowed\n\n- Cyberiada\n.*Waiting for you at the desk\n\n- Katar\n\nCollect by: /s,
      );
    });
  });

  it('begin at the end of a log that was there before them', async () => {
    await closeProjections();
    const before = await office.rent();
    await rows('delete from letters.checkpoint');
    await startProjections();
    const after = await office.rent();
    expect(await office.letters(after.email)).toHaveLength(1);
    expect(await office.letters(before.email)).toEqual([]);
  });
});

// Where redis-server is not installed these are reported as skipped.
(REDIS_INSTALLED ? describe : describe.skip)('letters about borrows, on Redis (needs redis-server)', () => {
  suite(shared(() => startTestRedis()));
});
