import type { z } from 'zod';
import {
  genresInsightSchema,
  ACTIVITIES,
  activitiesPageSchema,
  hoursInsightSchema,
  idleInsightSchema,
  NO_GENRE,
  titlesInsightSchema,
  wantedInsightSchema,
  type Activity,
  type ActivitiesPage,
  type HoldActivity,
} from '#contracts/insight/insight.js';
import { addDays, localDay, localMinute } from '#contracts/local-day.js';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { QueuedHold } from '#contracts/holds/hold-views.js';
import {
  atDesk,
  doAtDesk,
  historyOf,
  lend,
  rent,
  type TestBorrow,
} from '../../test-support/product/borrow-steps.js';
import { startProduct } from '../../test-support/product/product.js';
import { StandingClock } from '../../test-support/test-clock.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';

const ZONE = 'Europe/Warsaw';
const HOUR = 3_600_000;

interface Happened {
  what: ActivitiesPage['items'][number]['what'];
  bookId: number;
  at: number;
}

/** What the test did, by its own reckoning. */
type Done = Happened & { what: Activity };

describe('what the log can be asked', () => {
  // Half past eleven at night: the day of UTC goes on for an hour and a half more than the library's.
  const clock = new StandingClock(Date.parse('2026-10-20T21:30:00.000Z'));

  const done: Done[] = [];
  const books: Record<'often' | 'seldom' | 'once' | 'never' | 'out', number> = {} as never;
  const genres: Record<'crime' | 'poems', number> = {} as never;

  const product = shared(() => startProduct(clock, { staySignedIn: true, environment: { TIME_ZONE: ZONE } }));
  const admin = shared(() => product.account('Reader', 'Admin'));
  const auditor = shared(() => product.account('Reader', 'Auditor'));
  beforeAll(async () => {
    for (const [name, title] of [
      ['often', '=Lalka'],
      ['seldom', 'Pan Tadeusz, czyli "ostatni zajazd"'],
      ['once', 'Once'],
      ['never', 'Never'],
      ['out', 'Out'],
    ] as const)
      books[name] = await product.book(name === 'often' ? 4 : 2, title);
    await product.database.query("update book set created = '2026-01-01T00:00:00Z'");
    await inGenre('crime', [books.often]);
    await inGenre('poems', [books.often, books.seldom]);
    await history();
  });

  const inGenre = async (name: 'crime' | 'poems', bookIds: number[]) => {
    const { rows } = await product.database.query<{ id: number }>(
      `with g as (insert into genre (name) values ($1) returning id),
         b as (insert into book_genre (book_id, genre_id, place) select unnest($2::integer[]), id, 0 from g)
       select id from g`,
      [name, bookIds],
    );
    genres[name] = rows[0]?.id ?? -1;
  };

  const forward = (hours: number) => clock.forward(hours * HOUR);
  const noting = (what: Activity, bookIds: number[]) =>
    done.push(...bookIds.map((bookId) => ({ what, bookId, at: clock.now().getTime() })));
  const rents = async (bookIds: number[]) => {
    const borrow = await rent(product, await product.account(), bookIds);
    noting('Rented', bookIds);
    return borrow;
  };
  const does = async (call: 'issue-books' | 'return-books', borrow: TestBorrow, bookIds = borrow.bookIds) => {
    const answer = await doAtDesk(admin, call, { ...borrow, bookIds });
    expect([call, answer.status]).toEqual([call, 200]);
    noting(call === 'issue-books' ? 'Issued' : 'Returned', bookIds);
  };

  /** Across midnight, and across the night in which the clocks are put back. */
  async function history() {
    const early = await rents([books.often, books.seldom]);
    await does('issue-books', early, [books.often]);
    await forward(1);
    await does('issue-books', early, [books.seldom]);
    await forward(30);
    await does('return-books', early);
    for (let n = 0; n < 3; n += 1) {
      const again = await rents([books.often]);
      await forward(7);
      await does('issue-books', again);
      await forward(20);
      if (n < 2) await does('return-books', again);
    }
    await does('issue-books', await rents([books.out]));
    // The last week: nothing but this, and what is out still.
    await forward(24 * 6);
    await does('issue-books', await rents([books.once]));
    // Lent at the desk at one instant, and undone: it never happened.
    const undone = await rent(product, await product.account(), [books.never]);
    await doAtDesk(admin, 'issue-books', undone);
    const revision = (await historyOf(undone.reader))[0]?.undo[0]?.revision;
    expect((await admin.post(atDesk('undo', undone), { revision })).status).toBe(200);
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
    (await asked(activitiesPageSchema, 'events', { ...query, pageSize: 1 })).totalCount;
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
    await product.runJob('upkeep', 'count-loans', {});
    const { rows } = await product.database.query<{ id: number; loans: number }>(
      'select book_id as id, loans from book_reading where loans > 0',
    );
    const counts = new Map<number, number>();
    for (const { what, bookId } of done)
      if (what === 'Issued') counts.set(bookId, (counts.get(bookId) ?? 0) + 1);
    expect(new Map(rows.map(({ id, loans }) => [id, loans]))).toEqual(counts);
  });

  it('is at which hours it was busy, by the clock of the library', async () => {
    const hourOf = (at: number) => Number(localMinute(at, ZONE).slice(11, 13));
    for (const span of spans()) {
      const { timeZone, items } = await asked(hoursInsightSchema, 'hours', span);
      expect(timeZone).toBe(ZONE);
      expect(items.map(({ hour }) => hour)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
      for (const item of items) {
        for (const what of ACTIVITIES) {
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
    const listed: Happened[] = [];
    for (let pageNumber = 1; ; pageNumber += 1) {
      const page = await asked(activitiesPageSchema, 'events', { ...span, pageNumber, pageSize: 7 });
      expect(page.totalCount).toBe(done.length);
      if (page.items.length === 0) break;
      listed.push(...page.items.map(({ what, bookId, at }) => ({ what, bookId, at: Date.parse(at) })));
    }
    const inOrder = (all: readonly Happened[]) =>
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
      const response = await admin.download(`Insight/file?of=${of}&from=${from}&to=${to}`);
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

  describe('about what is waited for', () => {
    const titles: Record<'queued' | 'overdue' | 'paused' | 'shelf', number> = {} as never;
    const started = () => ({ from: dayOf(began), to: dayOf(clock.now().getTime()) });
    let began = 0;
    /** By the test's own reckoning. */
    const happened: Record<Exclude<HoldActivity, 'Waiting'>, number[]> = {
      ...{ Reserved: [], Cancelled: [], NotCollected: [], NotNeeded: [] },
    };

    const lent = async (bookId: number) => lend(admin, await product.account(), [bookId]);
    const reserved = async (bookId: number, neededUntil: string | null = null) => {
      const reader = await product.account();
      const { status, body } = await reader.post('Hold', { bookId, neededUntil });
      expect(status).toBe(200);
      happened.Reserved.push(bookId);
      return { reader, id: body.id as string };
    };
    const queue = async (bookId: number) =>
      ((await admin.get(`Hold?bookId=${bookId}`)).body as QueuedHold[]).filter(({ place }) => place !== null);
    const wanted = (within: number, span: { from: string; to: string } = started()) =>
      asked(wantedInsightSchema, 'wanted', { ...span, within });
    const figures = async () => (await wanted(14)).items;

    beforeAll(async () => {
      await forward(24 * 400);
      began = clock.now().getTime();
      for (const name of ['queued', 'overdue', 'paused', 'shelf'] as const)
        titles[name] = await product.book(name === 'queued' ? 2 : 1, name === 'queued' ? '=Waits' : name);
      // One copy of it is left.
      const lost = copyCode({ bookId: titles.queued, copy: 2 });
      expect((await admin.post(`Copy/${lost}/lost`)).status).toBe(200);
      await lent(titles.overdue);
      await reserved(titles.overdue);
      // Nobody fetches it.
      await reserved(titles.shelf);
      await waitFor(async () => (await queue(titles.shelf)).length === 0);
      await forward(24 * 5);
      await product.runJob('upkeep', 'sweep-borrows', {});
      happened.NotCollected.push(titles.shelf);
      await waitFor(async () => (await product.copies(titles.shelf)) === 1);
      // The loan is overdue now.
      await forward(24 * 12);
      await lent(titles.queued);
      await lent(titles.paused);
      await reserved(titles.queued);
      await reserved(titles.queued, addDays(dayOf(clock.now().getTime()), 1));
      happened.NotNeeded.push(titles.queued);
      const pausing = await reserved(titles.queued);
      await reserved(titles.queued);
      const last = await reserved(titles.queued);
      const alone = await reserved(titles.paused);
      const until = addDays(dayOf(clock.now().getTime()), 30);
      for (const { reader, id } of [pausing, alone])
        expect((await reader.post(`Hold/${id}/pause`, { until })).status).toBe(200);
      const given = await reserved(titles.queued);
      expect((await given.reader.delete(`Hold/${given.id}`)).status).toBe(200);
      happened.Cancelled.push(titles.queued);
      const [first] = await queue(titles.queued);
      await admin.post(`Hold/${last.id}/move`, { before: first?.id ?? null, reason: 'study' });
      await forward(24 * 2);
      await waitFor(async () => (await queue(titles.queued)).length === 4);
    });

    it('is each title with its queue, as it stands at the desk', async () => {
      const { items, waiting, totalCount } = await wanted(14);
      expect(items.map(({ bookId }) => bookId)).toEqual([titles.queued, titles.overdue, titles.paused]);
      for (const item of items) {
        const holds = await queue(item.bookId);
        const inLine = holds.filter(({ state }) => state === 'Waiting');
        expect(item).toMatchObject({
          copies: 1,
          waiting: holds.length,
          paused: holds.length - inLine.length,
          firstSince: holds[0]?.placedAt,
          lastInDays: inLine.at(-1)?.estimateDays ?? null,
        });
        expect(await behind({ ...started(), what: 'Waiting', bookId: item.bookId })).toBe(item.waiting);
      }
      expect([waiting, totalCount]).toEqual([6, 3]);
      expect(await behind({ ...started(), what: 'Waiting' })).toBe(6);
    });

    it('says how many copies more would do, and of a title nobody can say anything of as well', async () => {
      // A loan is 14 days, so three wait for the one copy until day 12, 26 and 40.
      const toBuy = async (within: number) =>
        Object.fromEntries((await wanted(within)).items.map((item) => [item.bookId, item.copiesToBuy]));
      expect((await figures())[0]).toMatchObject({ bookId: titles.queued, lastInDays: 40 });
      for (const [within, queued] of [
        [40, 0],
        [39, 1],
        [14, 1],
        [12, 2],
        [11, 3],
      ] as const) {
        const { queued: bookId, overdue, paused } = titles;
        expect(await toBuy(within)).toEqual({ [bookId]: queued, [overdue]: 1, [paused]: 0 });
      }
      expect((await wanted(11)).copiesToBuy).toBe(4);
    });

    it('wants no more copies of what is for the reading room only', async () => {
      const ofQueued = async () => (await figures()).find(({ bookId }) => bookId === titles.queued);
      const kind = (name: string) =>
        product.database.query('update book set kind = $2 where id = $1', [titles.queued, name]);
      await kind('reading-room');
      expect(await ofQueued()).toMatchObject({ copies: 0, waiting: 4, copiesToBuy: 0 });
      await kind('loanable');
      expect(await ofQueued()).toMatchObject({ copies: 1, copiesToBuy: 1 });
    });

    it('has what became of reservations in the span, and each figure has its events', async () => {
      const answer = await wanted(14);
      for (const [what, books] of Object.entries(happened) as [keyof typeof happened, number[]][]) {
        expect([what, answer[what]]).toEqual([what, books.length]);
        expect(await behind({ ...started(), what })).toBe(books.length);
        for (const item of answer.items) {
          const its = books.filter((bookId) => bookId === item.bookId).length;
          expect([what, item.bookId, item[what]]).toEqual([what, item.bookId, its]);
          expect(await behind({ ...started(), what, bookId: item.bookId })).toBe(its);
        }
      }
      const before = { from: '2019-01-01', to: '2019-12-31' };
      expect(await wanted(14, before)).toMatchObject({
        ...{ waiting: 6, totalCount: 3, Reserved: 0, Cancelled: 0, NotCollected: 0, NotNeeded: 0 },
      });
      expect(await behind({ ...before, what: 'NotCollected' })).toBe(0);
    });

    it('names nobody: whose reservation it was is a look, and recorded', async () => {
      const answer = await asked(activitiesPageSchema, 'events', { ...started(), what: 'Cancelled' });
      const [{ holdId, borrowId } = { holdId: null, borrowId: null }] = answer.items;
      expect(borrowId).toBeNull();
      const { rows } = await product.database.query<{ id: string; pseudonym: string }>(
        'select a.id, a.pseudonym from hold h join account a on a.pseudonym = h.reader_id where h.hold_id = $1',
        [holdId],
      );
      const page = JSON.stringify([answer, await wanted(14)]);
      expect(page).not.toContain(rows[0]?.id);
      expect(page).not.toContain(rows[0]?.pseudonym);
      const looks = async () => (await admin.get(`Audit/looks?readerId=${rows[0]?.id}`)).body.totalCount;
      expect(await looks()).toBe(0);
      expect((await auditor.get(`Audit/holds/${holdId}`)).body.user.id).toBe(rows[0]?.id);
      expect(await looks()).toBe(1);
    });

    it('comes as a file', async () => {
      const { from, to } = started();
      const response = await auditor.download(`Insight/file?of=wanted&from=${from}&to=${to}&within=12`);
      const [header, first, ...rest] = (await response.text()).split('\r\n');
      expect(header).toBe(
        'title,book,copies,waiting,paused,first_since,last_in_days,copies_to_buy,reserved,cancelled,not_collected,not_needed',
      );
      const [top] = await queue(titles.queued);
      const since = dayOf(Date.parse(top?.placedAt ?? ''));
      expect(first).toBe(`'=Waits,${titles.queued},1,4,1,${since},40,2,6,1,0,1`);
      expect(rest).toHaveLength(3);
    });
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
