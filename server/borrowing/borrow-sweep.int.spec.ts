import { randomUUID } from 'node:crypto';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { timelineEvent, timelineSchema } from '#contracts/audit/timeline.js';
import { localDay } from '#contracts/local-day.js';
import { openingHoursSchema } from '#contracts/rules/opening-hours.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { invalid, keyed, refusal } from '../../test-support/product/caller.js';
import { insertBorrows } from '../../test-support/database/borrow-rows.js';
import { doAtDesk, eventsOf, historyOf, lend, rent } from '../../test-support/product/borrow-steps.js';
import { startProduct, type TestAccount, type TestProduct } from '../../test-support/product/product.js';
import { REDIS_INSTALLED, startTestRedis } from '../../test-support/installation/redis.js';
import { atEnd, shared } from '../../test-support/shared.js';
import { TestClock } from '../../test-support/test-clock.js';
import { waitFor } from '../../test-support/wait-for.js';
import type { SweepResult } from './borrow-sweep.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Borrows that the sweep takes at once. */
const BATCH = 200;
const NOTHING: SweepResult = { expired: 0, charged: 0, unchanged: 0, failed: 0 };

/** A library whose sweep is done when a test says so, by two processes. */
function sweptLibrary(environment: () => NodeJS.ProcessEnv = () => ({})) {
  const clock = new TestClock();
  const product = shared(() =>
    startProduct(clock, { staySignedIn: true, environment: environment(), jobs: { rounds: false } }),
  );
  // Another process, with folded streams and workers of its own.
  shared(() => product.startServer({}, { jobs: { rounds: false } }));
  const admin = shared(() => product.account('Admin'));
  const sweep = () => product.runJob('upkeep', 'sweep-borrows', {}) as Promise<SweepResult>;
  beforeEach(async () => void (await sweep()));
  atEnd(async () => expect(await product.differences()).toEqual([]));
  return { clock, product, admin, sweep, ...stepsOf(product, admin) };
}

function stepsOf(product: TestProduct, admin: TestAccount) {
  return {
    issued: async () => {
      const borrow = await rent(product, await product.account(), ['Solaris', 'Lalka']);
      await doAtDesk(admin, 'issue-books', borrow);
      return { ...borrow, takeBack: () => doAtDesk(admin, 'return-books', borrow) };
    },
    charges: (reader: TestAccount) => eventsOf(product, reader, 'FineCharged'),
    /** The sweep looks through the lists, so a round that comes before them finds what the log then refuses. */
    listsShow: (reader: TestAccount, shown: Partial<BorrowView>) =>
      waitFor(async () => {
        const [borrow] = await historyOf(reader);
        return Object.entries(shown).every(([name, value]) => borrow?.[name as keyof BorrowView] === value);
      }),
  };
}

/** What depends on how jobs are done: several at once, and in whichever process. */
function sweepsOnce(library: ReturnType<typeof sweptLibrary>) {
  const { clock, product, sweep, issued, charges, listsShow } = library;

  it('charges each book and day of the library, once a day, however often and by however many processes it is done', async () => {
    const { reader, borrowId } = await issued();
    expect(await sweep()).toEqual(NOTHING);
    await clock.forward(14 * DAY);
    expect(await sweep()).toEqual(NOTHING);
    await clock.forward(DAY);
    const first = await Promise.all([sweep(), sweep(), sweep(), sweep()]);
    expect(first.reduce((sum, { charged }) => sum + charged, 0)).toBe(1);
    expect(first.every(({ failed }) => failed === 0)).toBe(true);
    await listsShow(reader, { fineAmount: 1 });
    expect(await sweep()).toEqual(NOTHING);
    expect(await charges(reader)).toMatchObject([
      { borrowId, amount: 100, total: 100, daysLate: 1, policyVersion: 1, actor: 'fine-sweep' },
    ]);
    expect(await historyOf(reader)).toMatchObject([{ status: 'Not_Paid', fineAmount: 1, fineDue: 1 }]);

    // From noon into the night.
    await clock.forward(10 * HOUR);
    expect(await sweep()).toEqual(NOTHING);
    await clock.forward(2 * HOUR);
    expect(await sweep()).toEqual({ ...NOTHING, charged: 1 });
    await listsShow(reader, { fineAmount: 2 });
    await clock.forward(365 * DAY);
    expect(await sweep()).toEqual({ ...NOTHING, charged: 1 });
    await listsShow(reader, { fineAmount: 50 });
    await clock.forward(DAY);
    expect(await sweep()).toEqual(NOTHING);
    expect((await charges(reader)).map(({ amount, total }) => [amount, total])).toEqual([
      [100, 100],
      [100, 200],
      [4800, 5000],
    ]);
  });

  it('gives up what was not collected within three days, and the copies go back', async () => {
    const { reader, bookIds } = await rent(product, await product.account(), ['Solaris', 'Lalka']);
    await clock.forward(3 * DAY);
    expect(await sweep()).toEqual(NOTHING);
    await clock.forward(DAY);
    const swept = await Promise.all([sweep(), sweep()]);
    expect(swept.reduce((sum, { expired }) => sum + expired, 0)).toBe(1);
    await listsShow(reader, { status: 'Expired' });
    expect(await sweep()).toEqual(NOTHING);
    expect(await historyOf(reader)).toMatchObject([{ status: 'Expired', availableActions: [] }]);
    for (const bookId of bookIds) expect(await product.copies(bookId)).toBe(1);
  });
}

describe('the sweep', () => {
  const library = sweptLibrary();
  sweepsOnce(library);
  const { clock, product, admin, sweep, issued, charges } = library;

  it('goes on past a borrow that cannot be decided, over as many batches as there are, and names it by its id', async () => {
    const { reader } = await issued();
    await clock.forward(15 * DAY);
    // Rows that the log knows nothing of, all due before the real one.
    const strangers = Array.from({ length: BATCH + 1 }, () => randomUUID());
    await insertBorrows(
      product.database,
      strangers.map((id) => ({
        ...{ borrow_id: id, reader_id: id, status: 'Issued', lent: 1 },
        ...{ rented_at: '2020-01-01', due_date: '2020-01-15', books: [{ bookId: 1, title: 'x' }] },
      })),
    );
    try {
      expect(await sweep()).toEqual({ ...NOTHING, charged: 1, failed: strangers.length });
      expect(await charges(reader)).toHaveLength(1);
    } finally {
      await product.database.query(`delete from ${READ_MODEL}.borrow where borrow_id = any($1::uuid[])`, [
        strangers,
      ]);
    }
    const told = (await product.lines())
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'a borrow could not be swept');
    expect(told.map(({ borrowId }) => borrowId).sort()).toEqual(strangers.sort());
    for (const line of told) {
      expect(Object.keys(line).sort()).toEqual(['borrowId', 'error', 'level', 'msg', 'time']);
    }
  });

  it('is not waited for: a late return is refused, and charged once', async () => {
    const { reader, borrowId, takeBack } = await issued();
    await clock.forward(16 * DAY);
    const refused = { status: 409, body: { code: 'FeeNotPaid', detail: 'Fee not paid' } };
    expect(await takeBack()).toMatchObject(refused);
    expect(await takeBack()).toMatchObject(refused);
    expect(await charges(reader)).toMatchObject([{ borrowId, total: 200, actor: 'fine-sweep' }]);
    await sweep();
    expect(await charges(reader)).toHaveLength(1);
  });

  it('is not waited for: who has late books rents no more, finds the fee charged, and no copy is taken', async () => {
    const { reader, borrowId } = await issued();
    const wanted = await product.book(1);
    await clock.forward(15 * DAY);
    expect(await reader.post('Borrow/rent-books', { bookIds: [wanted] })).toMatchObject(
      refusal(409, 'FeeNotPaid'),
    );
    expect(await product.copies(wanted)).toBe(1);
    expect(await charges(reader)).toMatchObject([{ borrowId, total: 100 }]);
  });

  it('leaves a return in time free', async () => {
    const { reader, takeBack } = await issued();
    await clock.forward(14 * DAY + HOUR);
    expect((await takeBack()).status).toBe(200);
    expect(await historyOf(reader)).toMatchObject([{ status: 'Returned', fineAmount: 0 }]);
  });

  it('charges by the rules that were in force when the books were issued, and by later ones what was issued since', async () => {
    const before = await issued();
    const { body: known } = await admin.get('Rules');
    const { version, rules } = known.current;
    const inDays = (days: number) => localDay(clock.now().getTime() + days * DAY, product.settings.TIME_ZONE);
    const closedDays = [{ from: inDays(80), to: inDays(81) }];
    const dearer = { ...rules, loanDays: 7, finePerBookAndDay: 75, closedDays };
    const change = (asked: object) =>
      admin.post('Rules', { from: null, why: 'Paper', after: version, ...asked });
    const wrong = { ...rules, loanDays: 0, closedDays: [{ from: 'soon', to: '' }] };
    expect(await change({ rules: wrong })).toMatchObject(
      invalid({ 'rules.loanDays': expect.any(Array), 'rules.closedDays.0.from': expect.any(Array) }),
    );
    expect((await change({ rules: dearer, from: '2020-01-01' })).body.code).toBe('RulesTooSoon');
    const changed = await change({ rules: dearer });
    expect(changed).toMatchObject({ status: 201, body: { current: { version: 1 } } });
    const coming = { version: 2, state: 'coming', why: 'Paper', rules: dearer };
    expect(changed.body.versions[0]).toMatchObject(coming);
    const late = await change({ rules: { ...rules, loanDays: 9 } });
    expect(late.body.code).toBe('RulesChangedMeanwhile');

    await clock.forward(3 * 60_000);
    const after = await issued();
    // What readers are told on the first page.
    const page = await (await fetch(product.url)).text();
    expect(page).toContain('<meta name="lectern-loan-days" content="7"');
    expect(page).toContain('<meta name="lectern-renewals" content="2"');
    const hours = openingHoursSchema.parse(await (await fetch(`${product.url}/api/Rules/hours`)).json());
    expect(hours.days[0]).toEqual({ day: inDays(0), isOpen: true, hours: null });
    expect(hours.closed).toEqual(closedDays);
    const later = await admin.post('Rules', { rules, from: '2999-01-01', why: 'For good', after: 2 });
    expect(later.body.current).toMatchObject({ version: 2 });
    const withdrawn = (await admin.delete('Rules/3')).body.versions[0];
    expect(withdrawn).toMatchObject({ version: 3, state: 'withdrawn' });
    expect((await admin.delete('Rules/2')).body).toMatchObject({ code: 'RulesInForce' });

    await clock.forward(15 * DAY);
    await sweep();
    expect(await charges(before.reader)).toMatchObject([{ daysLate: 1, total: 100, policyVersion: 1 }]);
    expect(await charges(after.reader)).toMatchObject([{ daysLate: 8, total: 1200, policyVersion: 2 }]);
    expect((await after.reader.get(`Borrow/fee?borrowId=${after.borrowId}`)).body).toMatchObject({
      charges: [{ policyVersion: 2, rate: 0.75, total: 12, addsUp: true }],
    });
  });

  it('charges by the kinds of reader and book, as they were when the books were handed over', async () => {
    const { version, rules } = (await admin.get('Rules')).body.versions[0];
    const exceptions = [
      { reader: 'child', book: null, numbers: { finePerBookAndDay: 10, maxBooksPerReader: 1, maxHolds: 0 } },
      { reader: null, book: 'short-loan', numbers: { loanDays: 3 } },
    ];
    const asked = { rules: { ...rules, exceptions }, from: null, why: 'Children', after: version };
    expect((await admin.post('Rules', asked)).status).toBe(201);
    await clock.forward(3 * 60_000);

    const [child, adult] = [await product.account(), await product.account()];
    const ofKind = async (kind: string) => {
      const { body: person } = await child.get('User/profile');
      const { status } = await admin.put(`User?id=${child.id}`, { ...person, country: 'Poland', kind });
      expect(status).toBe(200);
    };
    await ofKind('child');
    const [short, long] = [await product.book(2), await product.book(1)];
    await product.database.query(`update book set kind = 'short-loan' where id = $1`, [short]);
    await lend(admin, child, [short]);
    await lend(admin, adult, [short]);
    const tooMany = await admin.post(`Borrow/lend?userId=${child.id}`, { bookIds: [long] });
    expect(tooMany.body).toMatchObject({ code: 'LimitReached' });
    expect((await child.post('Hold', { bookId: long })).body).toMatchObject({ code: 'TooManyHolds' });
    expect((await child.get('Reader/mine')).body).toMatchObject({ books: { have: 1, most: 1 } });
    const events = await product.log.readStream('borrows', child.pseudonym);
    const issuedAs = { readerKind: 'child', policyVersion: version + 1 };
    expect(events.map(({ event }) => event)).toMatchObject([
      { type: 'BooksRented', data: { ...issuedAs, books: [{ bookId: short, kind: 'short-loan' }] } },
      { type: 'BooksIssued', data: issuedAs },
    ]);

    // Neither change reaches back; what they may have from now on is another thing.
    await ofKind('adult');
    await product.database.query(`update book set kind = 'loanable' where id = $1`, [short]);
    await lend(admin, child, [long]);
    await clock.forward(5 * DAY);
    await sweep();
    expect(await charges(child)).toMatchObject([{ daysLate: 2, total: 20 }]);
    expect(await charges(adult)).toMatchObject([{ daysLate: 2, total: 2 * rules.finePerBookAndDay }]);
    const [, first] = await historyOf(child);
    expect((await child.get(`Borrow/fee?borrowId=${first?.id}`)).body).toMatchObject({
      charges: [
        {
          ...{ rate: 0.1, total: 0.2, addsUp: true },
          sentence: expect.stringContaining('(rules for: Child, Short loan)'),
        },
      ],
    });
    const auditor = await product.account('Auditor');
    const timeline = timelineSchema.parse((await auditor.get(`Audit/readers/${child.id}/timeline`)).body);
    const told = timeline.rows
      .map((row) => timelineEvent(timeline, row))
      .filter(({ borrowId }) => borrowId === first?.id);
    expect(told.map(({ type, kinds }) => [type, ...kinds])).toEqual([
      ['BooksRented', 'child', 'short-loan'],
      ['BooksIssued', 'child', 'short-loan'],
      ['FineCharged', 'child', 'short-loan'],
    ]);
    expect((await admin.get(`Reader/panel?id=${child.id}`)).body.books).toMatchObject({ most: 10 });
  });

  it('keeps drafts of the rules for all admins, decides nothing by them, and deletes the one that is put in force', async () => {
    const [jan, auditor] = [await product.account('Admin'), await product.account('Auditor')];
    const { current, versions } = (await admin.get('Rules')).body;
    const basedOn = versions[0].version as number;
    const rules = { ...current.rules, loanDays: 28 };
    const draft = { name: ' Summer ', rules, from: '2999-07-01', why: '', basedOn };
    const key = keyed();
    const added = await admin.post('Rules/draft', draft, key);
    expect(added).toMatchObject({
      status: 201,
      body: { name: 'Summer', rules, from: '2999-07-01', why: '', basedOn, revision: 1 },
    });
    expect((await admin.post('Rules/draft', draft, key)).body).toEqual(added.body);
    const { id } = added.body;
    expect((await auditor.get('Rules/draft')).body).toEqual([added.body]);

    const change = (who: TestAccount, body: object) =>
      who.put(`Rules/draft/${id}`, { ...draft, revision: 1, ...body });
    expect(await change(jan, { rules: { ...rules, loanDays: 0 }, name: '' })).toMatchObject({
      status: 400,
      body: { errors: { 'rules.loanDays': [expect.any(String)], name: ['Give it a name.'] } },
    });
    const cheaper = { ...rules, finePerBookAndDay: 10 };
    const changed = await change(jan, { rules: cheaper });
    expect(changed.body).toMatchObject({ rules: cheaper, revision: 2, createdBy: added.body.createdBy });
    expect(await change(admin, {})).toMatchObject(refusal(409, 'EditedMeanwhile'));
    expect((await admin.get(`Rules/draft/${id}`)).body).toEqual(changed.body);
    expect((await admin.get('Rules')).body.versions[0]).toMatchObject({ version: basedOn });

    const inForce = (body: object) =>
      admin.post('Rules', { rules: cheaper, from: '2999-07-01', why: 'Holidays', after: basedOn, ...body });
    expect((await inForce({ draft: id, from: '2020-01-01' })).status).toBe(409);
    expect((await admin.get('Rules/draft')).body).toHaveLength(1);
    const coming = (await inForce({ draft: id })).body.versions[0];
    expect(coming).toMatchObject({ state: 'coming', rules: cheaper });
    expect((await admin.get('Rules/draft')).body).toEqual([]);
    expect(await change(jan, { revision: 2 })).toMatchObject(refusal(404, 'RulesDraftNotFound'));
    expect((await admin.delete(`Rules/${basedOn + 1}`)).status).toBe(200);
  });
});

// Where redis-server is not installed these are reported as skipped.
(REDIS_INSTALLED ? describe : describe.skip)('the sweep, with jobs on Redis (needs redis-server)', () => {
  const redis = shared(startTestRedis);
  sweepsOnce(sweptLibrary(() => redis.environment));
});
