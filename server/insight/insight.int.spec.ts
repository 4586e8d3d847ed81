import { z } from 'zod';
import {
  genresInsightSchema,
  HAPPENINGS,
  happeningsPageSchema,
  hoursInsightSchema,
  idleInsightSchema,
  NO_GENRE,
  titlesInsightSchema,
  type Happening,
} from '#contracts/insight/insight.js';
import { localDay, localMinute } from '#contracts/local-day.js';
import { Clock } from '#platform/clock.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { startProduct, type TestAccount, type TestProduct } from '../../test-support/product.js';
import { runJob } from '../../test-support/run-job.js';

const ZONE = 'Europe/Warsaw';
const HOUR = 3_600_000;

/** Stands still between two steps, so that it is known to the millisecond when each of them was. */
class StandingClock extends Clock {
  constructor(private at: number) {
    super();
  }

  now(): Date {
    return new Date(this.at);
  }

  forward(milliseconds: number): void {
    this.at += milliseconds;
  }
}

/** What the test did, by its own reckoning. */
interface Done {
  what: Happening;
  bookId: number;
  at: number;
}

describe('what the log can be asked', () => {
  // Half past eleven at night: the day of UTC goes on for an hour and a half more than the library's.
  const clock = new StandingClock(Date.parse('2026-10-20T21:30:00.000Z'));
  let product: TestProduct;
  let admin: TestAccount;
  let auditor: TestAccount;
  const done: Done[] = [];
  const books: Record<'often' | 'seldom' | 'once' | 'never' | 'out', number> = {} as never;
  const genres: Record<'crime' | 'poems', number> = {} as never;

  beforeAll(async () => {
    product = await startProduct(clock, { environment: { TIME_ZONE: ZONE } });
    admin = await product.account('Reader', 'Admin');
    auditor = await product.account('Reader', 'Auditor');
    for (const [name, title] of [
      ['often', '=Lalka'],
      ['seldom', 'Pan Tadeusz, czyli "ostatni zajazd"'],
      ['once', 'Once'],
      ['never', 'Never'],
      ['out', 'Out'],
    ] as const)
      books[name] = await product.book(name === 'often' ? 4 : 2, title);
    await product.database.query("update book set created = '2026-01-01T00:00:00Z'");
    for (const name of ['crime', 'poems'] as const) genres[name] = await newGenre(name);
    await inGenre(books.often, genres.crime);
    await inGenre(books.often, genres.poems);
    await inGenre(books.seldom, genres.poems);
    await history();
  });
  afterAll(() => product.close());

  async function newGenre(name: string): Promise<number> {
    const text = 'insert into genre (name) values ($1) returning id';
    return (await queryRow(product.database, z.object({ id: z.int() }), text, [name]))?.id ?? -1;
  }
  const inGenre = (bookId: number, genreId: number) =>
    product.database.query('insert into book_genre (book_id, genre_id, place) values ($1, $2, 0)', [
      bookId,
      genreId,
    ]);

  const forward = async (hours: number) => {
    clock.forward(hours * HOUR);
    admin = await product.signIn(admin);
    auditor = await product.signIn(auditor);
  };
  const noting = (what: Happening, bookIds: number[]) =>
    done.push(...bookIds.map((bookId) => ({ what, bookId, at: clock.now().getTime() })));
  async function rent(bookIds: number[]) {
    const reader = await product.account();
    const { body } = await reader.post('Borrow/rent-books', { bookIds });
    noting('Rented', bookIds);
    return { borrowId: body.borrowId as string, userId: reader.id };
  }
  async function atDesk(
    call: 'issue-books' | 'return-books',
    { borrowId, userId }: Awaited<ReturnType<typeof rent>>,
    bookIds: number[],
  ) {
    const answer = await admin.post(`Borrow/${call}?borrowId=${borrowId}&userId=${userId}`, { bookIds });
    expect([call, answer.status]).toEqual([call, 200]);
    noting(call === 'issue-books' ? 'Issued' : 'Returned', bookIds);
  }

  /** Across midnight, and across the night in which the clocks are put back. */
  async function history() {
    const both = [books.often, books.seldom];
    const early = await rent(both);
    await atDesk('issue-books', early, [books.often]);
    await forward(1);
    await atDesk('issue-books', early, [books.seldom]);
    await forward(30);
    await atDesk('return-books', early, both);
    for (let n = 0; n < 3; n += 1) {
      const again = await rent([books.often]);
      await forward(7);
      await atDesk('issue-books', again, [books.often]);
      await forward(20);
      if (n < 2) await atDesk('return-books', again, [books.often]);
    }
    const out = await rent([books.out]);
    await atDesk('issue-books', out, [books.out]);
    // The last week: nothing but this, and what is out still.
    await forward(24 * 6);
    const once = await rent([books.once]);
    await atDesk('issue-books', once, [books.once]);
    // Undone: it never happened.
    const undone = await rent([books.never]);
    await admin.post(`Borrow/issue-books?borrowId=${undone.borrowId}&userId=${undone.userId}`, {
      bookIds: [books.never],
    });
    const details = await admin.get(`Borrow/details?borrowId=${undone.borrowId}`);
    const { revision } = details.body.borrow.undo[0] as { revision: number };
    const undo = `Borrow/undo?borrowId=${undone.borrowId}&userId=${undone.userId}`;
    expect((await admin.post(undo, { revision })).status).toBe(200);
  }

  const dayOf = (at: number) => localDay(at, ZONE);
  const spans = () => {
    const first = dayOf(done[0]?.at ?? 0);
    const last = dayOf(clock.now().getTime());
    return [
      { from: first, to: last },
      { from: first, to: first },
      { from: '2026-10-21', to: '2026-10-24' },
      { from: '2026-10-25', to: '2026-10-25' },
      { from: last, to: last },
      { from: '2019-01-01', to: '2019-12-31' },
    ];
  };
  const inSpan = ({ from, to }: { from: string; to: string }) =>
    done.filter(({ at }) => dayOf(at) >= from && dayOf(at) <= to);
  const asked = async <Schema extends z.ZodType>(
    schema: Schema,
    call: string,
    query: Record<string, string | number>,
  ): Promise<z.output<Schema>> => {
    const text = Object.entries(query)
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
    const { status, body } = await auditor.get(`Insight/${call}?${text}`);
    expect([call, status]).toEqual([call, 200]);
    return schema.parse(body);
  };
  const behind = async (query: Record<string, string | number>) =>
    (await asked(happeningsPageSchema, 'events', { ...query, pageSize: 1 })).totalCount;
  const lentIn = (span: { from: string; to: string }, ids?: readonly number[]) =>
    inSpan(span).filter(({ what, bookId }) => what === 'Issued' && (!ids || ids.includes(bookId))).length;

  it('is how often titles were lent, from midnight to midnight of the library, and each figure has its events', async () => {
    for (const span of spans()) {
      const { loans, totalCount, items } = await asked(titlesInsightSchema, 'titles', span);
      expect(loans).toBe(lentIn(span));
      expect(totalCount).toBe(items.length);
      const lent = new Set(inSpan(span).flatMap(({ what, bookId }) => (what === 'Issued' ? bookId : [])));
      expect(new Set(items.map(({ bookId }) => bookId))).toEqual(lent);
      for (const item of items) {
        expect(item.loans).toBe(lentIn(span, [item.bookId]));
        expect(await behind({ ...span, what: 'Issued', bookId: item.bookId })).toBe(item.loans);
      }
      expect(items.map((item) => item.loans)).toEqual(
        items.map((item) => item.loans).sort((one, other) => other - one),
      );
    }
  });

  it('is the same by the genres that books have today, with those that have none', async () => {
    const ofGenre = { [genres.crime]: [books.often], [genres.poems]: [books.often, books.seldom] };
    for (const span of spans()) {
      const answer = await asked(genresInsightSchema, 'genres', span);
      expect(answer.loans).toBe(lentIn(span));
      expect(new Set(answer.items.map(({ genreId }) => genreId))).toEqual(
        new Set([NO_GENRE, genres.crime, genres.poems]),
      );
      for (const { genreId, loans } of answer.items) {
        const none = [books.once, books.out, books.never];
        expect([genreId, loans]).toEqual([genreId, lentIn(span, ofGenre[genreId] ?? none)]);
        expect(await behind({ ...span, what: 'Issued', genreId })).toBe(loans);
      }
      expect(answer.items.find(({ genreId }) => genreId === genres.poems)).toMatchObject({
        name: 'poems',
        titles: 2,
        copies: 6,
      });
    }
  });

  it('is what nobody borrowed: neither lent nor out on any of the days, and there before them', async () => {
    const last = dayOf(clock.now().getTime());
    const week = await asked(idleInsightSchema, 'idle', { from: last, to: last });
    // The last copy of the one that was lent often is out still.
    expect(week.items.map(({ bookId }) => bookId)).toEqual([books.never, books.seldom]);
    expect(week.totalCount).toBe(2);
    expect(week.copies).toBe(4);
    const [never, seldom] = week.items;
    expect(never?.lastLoan).toBeNull();
    const lent = done.find(({ what, bookId }) => what === 'Issued' && bookId === books.seldom);
    expect(Date.parse(seldom?.lastLoan ?? '')).toBe(lent?.at);
    const before = await asked(idleInsightSchema, 'idle', { from: '2026-01-02', to: '2026-10-01' });
    expect(before.totalCount).toBe(5);
    // They came on that day.
    expect(
      (await asked(idleInsightSchema, 'idle', { from: '2026-01-01', to: '2026-10-01' })).totalCount,
    ).toBe(0);
  });

  it('orders what a search finds by how often books were handed over, once an hour has counted it', async () => {
    await runJob(product.settings, 'upkeep', 'count-loans', {});
    const counts = await queryRows(
      product.database,
      z.object({ book_id: z.int(), loans: z.int() }),
      'select book_id, loans from book_reading where loans > 0',
    );
    const lent = done.filter(({ what }) => what === 'Issued');
    const expected = [...new Set(lent.map(({ bookId }) => bookId))].map((bookId) => ({
      book_id: bookId,
      loans: lent.filter((each) => each.bookId === bookId).length,
    }));
    expect(counts.sort((a, b) => a.book_id - b.book_id)).toEqual(
      expected.sort((a, b) => a.book_id - b.book_id),
    );
  });

  it('is at which hours it was busy, by the clock of the library', async () => {
    const hourOf = (at: number) => Number(localMinute(at, ZONE).slice(11, 13));
    for (const span of spans()) {
      const { timeZone, items } = await asked(hoursInsightSchema, 'hours', span);
      expect(timeZone).toBe(ZONE);
      expect(items.map(({ hour }) => hour)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
      for (const item of items) {
        for (const what of HAPPENINGS) {
          const all = inSpan(span).filter((each) => each.what === what && hourOf(each.at) === item.hour);
          expect([span, item.hour, what, item[what]]).toEqual([span, item.hour, what, all.length]);
          if (item[what] > 0) expect(await behind({ ...span, what, hour: item.hour })).toBe(item[what]);
        }
      }
    }
  });

  it('lists events page by page, the latest first, and names nobody', async () => {
    const [span] = spans();
    if (!span) throw new Error('There is no span.');
    const listed: Done[] = [];
    for (let pageNumber = 1; ; pageNumber += 1) {
      const page = await asked(happeningsPageSchema, 'events', { ...span, pageNumber, pageSize: 7 });
      expect(page.totalCount).toBe(done.length);
      if (page.items.length === 0) break;
      listed.push(...page.items.map(({ what, bookId, at }) => ({ what, bookId, at: Date.parse(at) })));
    }
    const inOrder = (all: readonly Done[]) =>
      all.map(({ what, bookId, at }) => `${at} ${bookId} ${what}`).sort();
    expect(inOrder(listed)).toEqual(inOrder(done));
    expect(listed.map(({ at }) => at)).toEqual(listed.map(({ at }) => at).sort((a, b) => b - a));
    const answer = JSON.stringify((await auditor.get(`Insight/events?from=${span.from}&to=${span.to}`)).body);
    const { rows } = await product.database.query<{ id: string; pseudonym: string; lastname: string }>(
      'select id, pseudonym, lastname from account',
    );
    for (const { id, pseudonym, lastname } of rows)
      for (const personal of [id, pseudonym, lastname]) expect(answer).not.toContain(personal);
  });

  it('comes as a file whose cells no spreadsheet takes for a formula', async () => {
    const [{ from, to } = { from: '', to: '' }] = spans();
    const file = async (of: string) => {
      const response = await fetch(`${product.url}/api/Insight/file?of=${of}&from=${from}&to=${to}`, {
        headers: { authorization: `Bearer ${admin.token}` },
      });
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(response.headers.get('content-disposition')).toContain(`${of}-${from}-${to}.csv`);
      return (await response.text()).split('\r\n');
    };
    expect(await file('titles')).toEqual([
      'title,book,copies,loans,loans_per_copy',
      `'=Lalka,${books.often},4,4,1.00`,
      ...[
        `Once,${books.once},2,1,0.50`,
        `Out,${books.out},2,1,0.50`,
        `"Pan Tadeusz, czyli ""ostatni zajazd""",${books.seldom},2,1,0.50`,
      ],
      '',
    ]);
    expect((await file('genres')).slice(0, 3)).toEqual([
      'genre,titles,copies,loans,loans_per_copy',
      'poems,2,6,5,0.83',
      'crime,1,4,4,1.00',
    ]);
    expect(await file('idle')).toEqual([
      'title,book,copies,added,last_lent',
      `Never,${books.never},2,2026-01-01,`,
      '',
    ]);
    expect(await file('hours')).toHaveLength(26);
  });

  it('agrees with the log, and refuses days that are none, naming them', async () => {
    expect(await product.differences()).toEqual([]);
    for (const [query, field] of [
      ['from=2026-02-30&to=2026-03-01', 'from'],
      ['from=2026-03-02&to=2026-03-01', 'to'],
      ['from=1990-01-01&to=2026-01-01', 'to'],
      ['from=2026-03-02', 'to'],
      ['from=0000-01-01&to=0001-01-01', 'from'],
    ]) {
      const { status, body } = await admin.get(`Insight/titles?${query}`);
      expect([query, status, Object.keys(body.errors)[0]]).toEqual([query, 400, field]);
    }
  });
});
