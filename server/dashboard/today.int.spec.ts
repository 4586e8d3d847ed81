import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { BorrowPart } from '#contracts/borrowing/borrow-part.js';
import { ownCardSchema } from '#contracts/accounts/own-card.js';
import { lastEventsSchema, todaySchema, type Today, type Work } from '#contracts/dashboard/today.js';
import type { DashboardStats } from '#contracts/dashboard/stats.js';
import { addDays, localDay } from '#contracts/local-day.js';
import { atDesk, doAtDesk, historyOf, lend, rent } from '../../test-support/product/borrow-steps.js';
import { invalid } from '../../test-support/product/caller.js';
import { startProduct } from '../../test-support/product/product.js';
import { TestClock } from '../../test-support/test-clock.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';

const ZONE = 'Europe/Warsaw';
const DAY = 24 * 3_600_000;

describe('the work of the day', () => {
  const clock = new TestClock();

  const product = shared(() => startProduct(clock, { staySignedIn: true, environment: { TIME_ZONE: ZONE } }));
  const admin = shared(() => product.account('Reader', 'Admin'));

  const forward = (days: number) => clock.forward(days * DAY);
  const rented = async (...titles: string[]) => rent(product, await product.account(), titles);
  const issued = async (...titles: string[]) => {
    const borrow = await rented(...titles);
    expect((await doAtDesk(admin, 'issue-books', borrow)).status).toBe(200);
    return borrow;
  };
  const today = async () => todaySchema.parse((await admin.get('Dashboard/today')).body);
  const shown = ({ work }: Today, name: Work) => work[name].items.map(({ id }) => id);
  const stats = async () => (await admin.get('Dashboard/stats')).body as DashboardStats;
  const part = async (only: BorrowPart, more = '') =>
    (await admin.get(`Borrow?Only=${only}${more}`)).body as {
      items: { id: string }[];
      totalCount: number;
      totalBooks: number;
    };

  it('is what is to be handed out, due, overdue, owed and about to expire, by the library’s days', async () => {
    const late = await issued('Solaris');
    await forward(1);
    const due = await issued('Lalka', 'Cyberiada');
    await forward(11);
    const ending = await rented('Ferdydurke');
    await forward(3);
    const fresh = await rented('Chłopi');

    const now = await today();
    expect(now.day).toBe(localDay(clock.now().getTime(), ZONE));
    // The newest first.
    expect(shown(now, 'toHandOut')).toEqual([fresh.borrowId, ending.borrowId]);
    expect(shown(now, 'dueToday')).toEqual([due.borrowId]);
    expect(shown(now, 'overdue')).toEqual([late.borrowId]);
    expect(shown(now, 'lastDayToCollect')).toEqual([ending.borrowId]);
    expect(shown(now, 'fees')).toEqual([]);
    const { email } = (await late.reader.get('User/profile')).body;
    expect(now.emails).toEqual({ [late.reader.id]: email });
    for (const work of ['dueToday', 'overdue', 'lastDayToCollect'] as const)
      expect([work, now.work[work].total]).toEqual([work, 1]);

    await doAtDesk(admin, 'issue-books', ending);
    const after = await today();
    expect(shown(after, 'toHandOut')).toEqual([fresh.borrowId]);
    expect(shown(after, 'lastDayToCollect')).toEqual([]);

    // A return is refused where a fee is due, and the fee is charged.
    expect((await doAtDesk(admin, 'return-books', late)).status).toBe(409);
    // A refusal does not wait for the lists.
    await waitFor(async () => shown(await today(), 'fees').length > 0);
    expect(shown(await today(), 'fees')).toEqual([late.borrowId]);
  });

  it('has what the library owes: a lost book was paid for and is there again, until the money is paid out', async () => {
    const lost = await issued('Eden');
    const [bookId = 0] = lost.bookIds;
    const label = copyCode({ bookId, copy: 1 });
    const scan = async (text: string) => (await admin.post('Desk/scan', { scan: text })).body;
    expect(await scan(label)).toMatchObject({ lostBy: [] });
    await admin.post(atDesk('mark-lost', lost), { bookId, as: 'lost' });
    const loser = { borrowId: lost.borrowId, user: { id: lost.reader.id }, dueDate: null };
    expect(await scan(label)).toMatchObject({ copy: { condition: 'lost' }, holders: [], lostBy: [loser] });
    await product.database.query(`update book set isbn = '9788308049396' where id = $1`, [bookId]);
    expect(await scan('9788308049396')).toMatchObject({ copy: null, lostBy: [loser] });
    await admin.post(`Payment/desk?borrowId=${lost.borrowId}`, { amount: 5000 });
    // Paid for, and lost still: nothing is owed to anybody.
    expect((await today()).work.toPayOut.total).toBe(0);

    const waits = await product.account();
    await waits.post('Hold', { bookId });
    const found = await admin.post(atDesk('mark-found', lost), { bookId });
    expect(found.body.keptFor).toMatchObject([{ bookId, user: { id: waits.id } }]);
    expect(await today()).toMatchObject({
      work: { toPayOut: { total: 1, items: [{ id: lost.borrowId, refundDue: 50 }] } },
    });
    expect(await part('ToPayOut')).toMatchObject({ totalCount: 1, items: [{ id: lost.borrowId }] });
    await admin.post(`Payment/refund?borrowId=${lost.borrowId}`, { amount: 5000 });
    expect((await today()).work.toPayOut.total).toBe(0);
  });

  it('has the rest of a rent that was collected in part wherever what waits is shown, until its day is over', async () => {
    const some = await rented('Trylogia', 'Potop', 'Ogniem i mieczem');
    const [first = 0, second = 0, left = 0] = some.bookIds;
    const waiting = async () => {
      const now = await today();
      const list = (await admin.get('Borrow?SortBy=Rented&pageSize=100')).body;
      expect(now.work.toHandOut.total).toBe(list.totalCount);
      return {
        today: shown(now, 'toHandOut').includes(some.borrowId),
        list: list.items.some(({ id }: { id: string }) => id === some.borrowId),
        found: (await admin.get('Borrow?SortBy=Rented&SearchTerm=potop')).body.totalCount,
        part: (await part('Active', '&SortBy=Rented&SearchTerm=potop')).totalCount,
      };
    };
    await doAtDesk(admin, 'issue-books', { ...some, bookIds: [first, second] });
    expect(await waiting()).toEqual({ today: true, list: true, found: 1, part: 1 });
    expect((await admin.get('Borrow?SortBy=Issued&SearchTerm=potop')).body.items).toMatchObject([
      {
        status: 'Issued',
        books: [{ state: 'lent' }, { state: 'lent' }, { bookId: left, state: 'reserved' }],
      },
    ]);
    await forward(4);
    expect(shown(await today(), 'toHandOut')).toContain(some.borrowId);
    await product.runJob('upkeep', 'sweep-borrows', {});
    expect(await waiting()).toEqual({ today: false, list: false, found: 0, part: 0 });
    expect(await product.copies(left)).toBe(1);
    expect(await product.differences()).toEqual([]);
  });

  it('has a month of rents and returns, of which this day is the last', async () => {
    const before = await today();
    const there = await issued('Quo vadis');
    await doAtDesk(admin, 'return-books', there);
    const { day, month } = await today();
    expect(month.map((each) => each.day)).toEqual(
      Array.from({ length: 30 }, (_, at) => addDays(day, at - 29)),
    );
    const [was, is] = [before.month.at(-1), month.at(-1)];
    expect(is).toEqual({ day, rents: (was?.rents ?? 0) + 1, returns: (was?.returns ?? 0) + 1 });
    const rents = month.reduce((sum, each) => sum + each.rents, 0);
    expect(rents).toBe((await part('RentedLastMonth')).totalCount);
  });

  // spec 2.30
  it('stands under counters that each lead to a list of just what they count', async () => {
    const counted = await stats();
    const active = await part('Active', '&pageSize=100');
    expect(active.totalCount).toBe(counted.activeBorrows);
    expect(active.items).toHaveLength(counted.activeBorrows);
    expect((await part('RentedLastMonth')).totalBooks).toBe(counted.booksBorrowedLastMonth);
    expect(((await admin.get('User')).body as { totalCount: number }).totalCount).toBe(counted.totalUsers);
    const books = async (query: string) =>
      (await admin.get(`Book?${query}`)).body as { totalCount: number; items: { title: string }[] };
    expect((await books('Added=LastMonth')).totalCount).toBe(counted.booksAddedLastMonth);
    expect((await books('')).totalCount).toBe(counted.totalBooks);

    await product.database.query(
      `update book set created = created - interval '400 days' where title = 'Lalka'`,
    );
    const [all, fresh] = [
      await books('SortBy=Title&pageSize=50'),
      await books('SortBy=Title&Added=LastMonth&pageSize=50'),
    ];
    expect(fresh.items.map(({ title }) => title)).toEqual(
      all.items.map(({ title }) => title).filter((title) => title !== 'Lalka'),
    );
    expect((await admin.get('Book?Added=LastMonth&SearchTerm=lalka')).status).toBe(400);
    const short = await product.book(1, 'A book for a weekend');
    await product.database.query(`update book set kind = 'short-loan' where id = $1`, [short]);
    expect(await books('Kind=short-loan')).toMatchObject({ totalCount: 1, items: [{ id: short }] });
    expect((await books('Kind=reading-room')).totalCount).toBe(0);
    expect((await books('Kind=loanable')).totalCount).toBe((await books('')).totalCount - 1);
    for (const [query, problem] of [
      ['Kind=rare', 'The kind is one of these: loanable, short-loan, reading-room.'],
      [
        'Kind=loanable&SearchTerm=lalka',
        'The books of a kind are neither searched nor narrowed: leave out Kind, or SearchTerm, Added and the facets.',
      ],
    ] as const)
      expect(await admin.get(`Book?${query}`)).toMatchObject(invalid({ Kind: [problem] }));
  });

  it('counts a loan at the desk that was undone nowhere, as it never was', async () => {
    const who = await product.account();
    const figures = async () => {
      const day = (await today()).day;
      const insight = await admin.get(`Insight/hours?from=${day}&to=${day}`);
      return {
        stats: { ...(await stats()), totalBooks: 0, booksAddedLastMonth: 0 },
        month: (await today()).month,
        part: await part('RentedLastMonth').then(({ totalCount, totalBooks }) => [totalCount, totalBooks]),
        expired: (await admin.get('Borrow?SortBy=Expired')).body.totalCount,
        insight: [insight.status, insight.body],
      };
    };
    const book = await product.book(1, 'Lent by mistake');
    const before = await figures();
    expect(before.insight[0]).toBe(200);
    const borrow = await lend(admin, who, [book]);
    expect((await stats()).booksBorrowedLastMonth).toBe(before.stats.booksBorrowedLastMonth + 1);
    const revision = (await historyOf(who))[0]?.undo[0]?.revision;
    await admin.post(atDesk('undo', borrow), { revision });
    expect(await figures()).toEqual(before);
    expect((await admin.get('Borrow?SearchTerm=mistake')).body.items).toMatchObject([
      { books: [{ state: 'undone' }] },
    ]);
    expect(await product.differences()).toEqual([]);
  });

  it('leads to parts of the queue that are filtered, searched, ordered and paged as the whole is', async () => {
    const wanted = await rented('Zemsta');
    expect((await part('Active', '&SearchTerm=zemsta')).items.map(({ id }) => id)).toEqual([wanted.borrowId]);
    expect((await part('Active', '&SortBy=Issued&SearchTerm=zemsta')).totalCount).toBe(0);
    const forwards = (await part('Active', '&Direction=Ascending&pageSize=100')).items.map(({ id }) => id);
    const backwards = (await part('Active', '&pageSize=100')).items.map(({ id }) => id);
    expect(forwards).toEqual([...backwards].reverse());
    expect((await part('Active', '&pageSize=1&pageNumber=2')).items.map(({ id }) => id)).toEqual([
      backwards[1],
    ]);
    expect((await admin.get('Borrow?Only=Shoes')).status).toBe(400);
  });

  it('knows to which day a renewal goes, before it is asked for', async () => {
    const there = await issued('Potop');
    await forward(3);
    const mine = async () => ownCardSchema.parse((await there.reader.get('Reader/mine')).body).borrows[0];
    const before = await mine();
    expect((await there.reader.post(`Borrow/renew?borrowId=${there.borrowId}`)).status).toBe(200);
    expect(before?.renewal).toEqual({ until: (await mine())?.borrow.dueDate });
    expect(before?.renewal).not.toEqual({ until: before?.borrow.dueDate });
  });

  it('names the last event of each borrow, from the log, the newest first', async () => {
    const there = await issued('Nad Niemnem');
    const [last, before] = lastEventsSchema.parse((await admin.get('Dashboard/last-events')).body);
    expect(last).toMatchObject({
      type: 'BooksIssued',
      word: 'Issued',
      amount: null,
      borrow: { id: there.borrowId, titles: ['Nad Niemnem'], user: { id: there.reader.id } },
    });
    expect(before?.borrow.id).not.toBe(there.borrowId);
  });
});
