import { randomUUID } from 'node:crypto';
import { listReaders } from '#contracts/accounts/readers.js';
import type { ReaderForm } from '#contracts/accounts/account-requests.js';
import { readerSchema, type Reader } from '#contracts/accounts/reader.js';
import { readCardNumber, spacedCardNumber } from '#contracts/accounts/card-number.js';
import { ownCardSchema } from '#contracts/accounts/own-card.js';
import { readReaderPanel } from '#contracts/accounts/reader-card.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { startProduct, type TestAccount } from '../../../test-support/product/product.js';
import { waitFor } from '../../../test-support/wait-for.js';
import { shared } from '../../../test-support/shared.js';

const FORM: ReaderForm = {
  firstname: 'Maria',
  lastname: 'Skłodowska',
  dateOfBirth: '1967-11-07',
  gender: 'Female',
  country: 'France',
  adress: 'rue Cuvier 10',
  city: 'Paris',
  postalCode: '75-005',
};

describe('readers over HTTP', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Reader', 'Admin'));
  const reader = shared(() => product.account());

  const add = async (
    username: string,
    firstname: string,
    lastname: string,
    email = `${username}@people.example`,
  ) => {
    const { id } = await product.account();
    await product.database.query(
      `update account set username = $2, name_key = lower($2), firstname = $3, lastname = $4, email = $5 where id = $1`,
      [id, username, firstname, lastname, email],
    );
  };

  const list = async (query: Record<string, string>) => {
    const { status, body } = await admin.get(`User?${new URLSearchParams(query).toString()}`);
    expect(status).toBe(200);
    return listReaders.answer.parse(body);
  };
  const names = (page: { items: Reader[] }) => page.items.map(({ userName }) => userName);

  describe('the list', () => {
    beforeAll(async () => {
      await add('lis-lukasz', 'Łukasz', 'Żółw');
      await add('Lis-zenon', 'Zenon', 'Ćma');
      await add('lis-adam', 'Adam', 'Ósmy', 'o_8%@people.example');
      await add('lis-lena', 'Lena', 'Żuk');
    });

    // spec 2.40
    it('finds by name, username and email address, whatever the case and the accents', async () => {
      for (const [term, found] of [
        ['ZOLW', 'lis-lukasz'],
        ['łukasz żółw', 'lis-lukasz'],
        ['żółw łukasz', 'lis-lukasz'],
        ['lukasz zolw', 'lis-lukasz'],
        ['cma', 'Lis-zenon'],
        ['LIS-ZEN', 'Lis-zenon'],
        ['lis-lena@PEOPLE.example', 'lis-lena'],
        ['ósmy', 'lis-adam'],
      ] as const) {
        const page = await list({ SearchTerm: term });
        expect([term, names(page), page.totalCount]).toEqual([term, [found], 1]);
      }
    });

    it('takes no sign for a wildcard, and does not run from one field into the next', async () => {
      expect(names(await list({ SearchTerm: 'o_8%' }))).toEqual(['lis-adam']);
      expect((await list({ SearchTerm: 'lis_adam' })).totalCount).toBe(0);
      expect((await list({ SearchTerm: '%' })).totalCount).toBe(1);
      expect((await list({ SearchTerm: '\\' })).totalCount).toBe(0);
      expect((await list({ SearchTerm: 'zukl' })).totalCount).toBe(0);
    });

    // spec 7.17
    it('is sorted as the language sorts, by username or by name', async () => {
      const byUsername = await list({ SearchTerm: 'lis-', SortBy: 'Username' });
      expect(names(byUsername)).toEqual(['lis-adam', 'lis-lena', 'lis-lukasz', 'Lis-zenon']);
      const byName = await list({ SearchTerm: 'lis-', SortBy: 'Name' });
      expect(byName.items.map(({ fullname }) => fullname)).toEqual([
        'Adam Ósmy',
        'Lena Żuk',
        'Łukasz Żółw',
        'Zenon Ćma',
      ]);
      expect(names(await list({ SearchTerm: 'lis-', SortBy: '' }))).toEqual(names(byUsername));
    });

    // spec 3.9
    it('comes in pages, with the number of all', async () => {
      const second = await list({ SearchTerm: 'lis-', pageNumber: '2', pageSize: '3' });
      expect([names(second), second.totalCount]).toEqual([['Lis-zenon'], 4]);
      const beyond = await list({ SearchTerm: 'lis-', pageNumber: '9' });
      expect([names(beyond), beyond.totalCount]).toEqual([[], 4]);
      expect((await list({})).totalCount).toBe(6);
    });

    // spec 9.7
    it('refuses a sorting that is none, in plain words', async () => {
      const { status, body } = await admin.get('User?SortBy=Shoes&pageSize=many');
      expect([status, body.errors]).toEqual([
        400,
        { SortBy: ['Please use one of these: Username, Name.'], pageSize: ['This must be a number.'] },
      ]);
    });

    it('is searched by its index when there are many readers', async () => {
      await product.database.query(`
        insert into account (id, username, name_key, email, password_hash, firstname, lastname, date_of_birth, gender,
          country, city, adress, postal_code)
        select gen_random_uuid(), 'mass-' || md5(n::text), 'mass-' || md5(n::text), md5('e' || n) || '@mass.example', '-', md5('f' || n),
          md5('l' || n), '1990-01-01', 'Other', 'Poland', 'Łódź', 'x', '90-001'
        from generate_series(1, 3000) n`);
      await product.database.query('vacuum analyze account');
      const planOf = async (sql: string) => {
        const { rows } = await product.database.query<{ 'QUERY PLAN': string }>(`explain ${sql}`);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      };
      expect(
        await planOf(`select count(*) from account where search_text like search_folded('%ŻÓŁW%')`),
      ).toContain('account_search');
      for (const [order, index] of [
        ['username', 'account_by_username'],
        ['fullname', 'account_by_name'],
      ]) {
        expect(
          await planOf(
            `select username from account order by ${order} collate "pl-x-icu", id limit 10 offset 10`,
          ),
        ).toContain(index);
      }
      expect((await list({ SearchTerm: '@mass.example' })).totalCount).toBe(3_000);
    });
  });

  describe('one reader', () => {
    // spec 3.7
    it('is shown to admins and to the reader', async () => {
      const path = `User/userId/${reader.id}`;
      for (const { status, body } of [
        await admin.get(path),
        await reader.get(path),
        await reader.get('User/profile'),
      ]) {
        expect(status).toBe(200);
        const shown = { id: reader.id, dateOfBirth: '1990-01-31', roles: ['Reader'] };
        expect(readerSchema.parse(body)).toMatchObject(shown);
        expect(JSON.stringify(body)).not.toContain('argon2');
      }
    });

    it('is not found where there is none, and an id that is none is refused', async () => {
      expect((await admin.get(`User/userId/${randomUUID()}`)).body.code).toBe('NotFound');
      const { status, body } = await admin.get('User/userId/7');
      expect([status, body.errors]).toEqual([400, { id: ['This is not a valid id.'] }]);
      // A stranger does not learn which ids there are.
      expect((await reader.get(`User/userId/${randomUUID()}`)).body.code).toBe('NotAllowed');
    });
  });

  describe('editing', () => {
    // spec 1.4, 7.17
    it('changes the eight fields and nothing else, for an admin and for oneself', async () => {
      for (const caller of [admin, reader]) {
        const { body: before } = await reader.get('User/profile');
        const city = caller === admin ? 'Paris' : 'Sceaux';
        const { status, body } = await caller.put(`User?id=${reader.id}`, {
          ...before,
          ...FORM,
          city,
          roles: ['Admin'],
          userName: 'another',
          email: 'another@example.org',
          id: randomUUID(),
        });
        expect(status).toBe(200);
        expect(readerSchema.parse(body)).toEqual({
          ...before,
          ...FORM,
          city,
          fullname: 'Maria Skłodowska',
          version: before.version + 1,
        });
        expect((await reader.get('User/profile')).body).toEqual(body);
      }
    });

    it('lets admins alone say what kind of reader it is, which stays where nobody says it', async () => {
      const child = await product.account();
      const put = (by: TestAccount, more: object) => by.put(`User?id=${child.id}`, { ...FORM, ...more });
      expect((await put(child, { kind: 'adult' })).body).toMatchObject({ kind: 'adult' });
      expect(await put(child, { kind: 'staff' })).toMatchObject({
        status: 400,
        body: { errors: { kind: ['Only the library can change the kind of reader.'] } },
      });
      expect((await put(admin, { kind: 'baby' })).body.errors).toEqual({
        kind: ['A reader is one of these: adult, child, staff.'],
      });
      expect((await put(admin, { kind: 'child' })).body).toMatchObject({ kind: 'child' });
      expect((await put(child, { city: 'Lyon' })).body).toMatchObject({ city: 'Lyon', kind: 'child' });
      expect((await admin.get(`Reader/panel?id=${child.id}`)).body.reader).toMatchObject({ kind: 'child' });
      const children = (await admin.get('User?Kind=child')).body;
      expect(children).toMatchObject({ totalCount: 1, items: [{ id: child.id, kind: 'child' }] });
      expect((await admin.get('User?Kind=staff')).body).toEqual({ items: [], totalCount: 0 });
      expect(await admin.get('User?Kind=baby')).toMatchObject({
        status: 400,
        body: { errors: { Kind: ['The kind is one of these: adult, child, staff.'] } },
      });
    });

    it('does not overwrite what was changed meanwhile', async () => {
      const { body: seen } = await reader.get('User/profile');
      const put = (by: TestAccount, city: string, version?: number) =>
        by.put(`User?id=${reader.id}`, { ...FORM, city, version });
      expect((await put(admin, 'Lyon', seen.version)).status).toBe(200);
      const second = await put(reader, 'Nice', seen.version);
      expect([second.status, second.body.code]).toEqual([409, 'EditedMeanwhile']);
      expect((await reader.get('User/profile')).body.city).toBe('Lyon');
      const { city, version } = (await put(reader, 'Nice')).body;
      expect(city).toBe('Nice');
      // Of two at once, one.
      const answers = await Promise.all(['Metz', 'Lille'].map((each) => put(admin, each, version)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });

    it.each([
      ['dateOfBirth', '2999-01-01', 'Date of birth must be in the past.'],
      ['dateOfBirth', '1850-01-01', 'Date of birth must be after 1900.'],
      ['country', 'Narnia', 'Please choose a country from the list.'],
      ['country', '', 'Country is required'],
      ['postalCode', '31146', 'Postal code is required (5 digits)'],
      ['gender', 'Unknown', 'Gender is required'],
      ['lastname', '  ', 'Last name is required'],
    ])('is refused for %s %j', async (field, value, message) => {
      const { status, body } = await reader.put(`User?id=${reader.id}`, { ...FORM, [field]: value });
      expect([status, body.errors]).toEqual([400, { [field]: [message] }]);
    });

    it('finds nobody by an id that nobody has', async () => {
      expect((await admin.put(`User?id=${randomUUID()}`, FORM)).body.code).toBe('NotFound');
      expect((await admin.put('User', FORM)).body.errors).toEqual({ id: ['This is required.'] });
    });

    it('shows the new name in the borrow lists', async () => {
      const who = await product.account();
      const bookId = await product.book(1);
      await who.post('Borrow/rent-books', { bookIds: [bookId] });
      await who.put(`User?id=${who.id}`, { ...FORM, firstname: 'Bronisława', lastname: 'Dłuska' });
      const { body } = await admin.get(`Borrow?SearchTerm=${encodeURIComponent('bronislawa dluska')}`);
      expect(body.items).toMatchObject([{ user: { id: who.id, fullname: 'Bronisława Dłuska' } }]);
    });
  });

  describe('the card', () => {
    const found = async (scan: string) => {
      const { status, body } = await admin.post('Reader/find', { scan });
      return {
        status,
        code: body.code as string | undefined,
        names: status === 200 ? body.readers.map(({ userName }: { userName: string }) => userName) : [],
      };
    };
    const panel = async (id: string) =>
      readReaderPanel.answer.parse((await admin.get(`Reader/panel?id=${id}`)).body);
    const usernameOf = async ({ id }: TestAccount) => (await panel(id)).reader.userName;

    it('is there for every reader, with a number of its own, a check digit and bars', async () => {
      const { rows } = await product.database.query<{ number: string }>(
        'select number from account left join reader_card on account_id = id',
      );
      expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
      expect(rows.filter(({ number }) => readCardNumber(number) !== number)).toEqual([]);
      const mine = ownCardSchema.parse((await reader.get('Reader/mine')).body);
      expect(mine).toMatchObject({ block: null, borrows: [], owes: 0, books: { have: 0, most: 10 } });
      // Three bars and three spaces for each two digits, with start, check and stop.
      expect(mine.card.bars.reduce((sum, width) => sum + width, 0)).toBe(11 * (1 + 7 + 1) + 13);
    });

    it('says whose it is when it is scanned, and so do names in any order, usernames and email addresses', async () => {
      const { card, reader: person } = await panel(reader.id);
      expect(await found(card.number)).toEqual({ status: 200, code: undefined, names: [person.userName] });
      expect((await found(` ${spacedCardNumber(card.number)} `)).names).toEqual([person.userName]);
      expect((await found('żółw łukasz')).names).toEqual(['lis-lukasz']);
      expect((await found('lis-lena@people.example')).names).toEqual(['lis-lena']);
      // Whoever is meant exactly comes first.
      await add('lis', 'Zygmunt', 'Zet');
      expect((await found('LIS')).names.slice(0, 2)).toEqual(['lis', 'lis-adam']);
      expect(await found('nobody of that name')).toMatchObject({ status: 200, names: [] });
      const slip = `${card.number.slice(0, -1)}${(Number(card.number.at(-1)) + 1) % 10}`;
      expect(await found(slip)).toMatchObject({ status: 404, code: 'CardUnknown' });
    });

    it('is replaced when it is lost: the old number is refused with words that say so', async () => {
      const lost = (await panel(reader.id)).card.number;
      const { status, body } = await admin.post(`Reader/card/replace?id=${reader.id}`);
      expect(status).toBe(200);
      expect(body.number).not.toBe(lost);
      expect(await found(lost)).toMatchObject({ status: 409, code: 'CardReplaced' });
      expect((await found(body.number)).names).toEqual([await usernameOf(reader)]);
    });

    it('stops its reader from renting and being handed books while it is blocked, and so does a block of the reader', async () => {
      const blocked = await product.account();
      const bookId = await product.book(1);
      const { body } = await blocked.post('Borrow/rent-books', { bookIds: [bookId] });
      // Of a book whose one copy they have: refused in any case, and by what is asked first.
      const refusal = async () => (await blocked.post('Borrow/rent-books', { bookIds: [bookId] })).body.code;
      const issue = () =>
        admin.post(`Borrow/issue-books?borrowId=${body.borrowId}&userId=${blocked.id}`, {
          bookIds: [bookId],
        });
      const notice = { message: 'Please bring back the key of the locker.', blocks: true };
      const card = (isBlocked: boolean) =>
        admin.put(`Reader/card/block?id=${blocked.id}`, { blocked: isBlocked });
      const path = `Reader/notice?id=${blocked.id}`;
      for (const [begin, end] of [
        [() => card(true), () => card(false)],
        [() => admin.put(path, notice), () => admin.delete(path)],
      ] as const) {
        expect((await begin()).status).toBe(200);
        // Every process hears of it in a moment.
        await waitFor(async () => (await refusal()) === 'ReaderBlocked');
        expect((await issue()).body).toMatchObject({ status: 403, code: 'ReaderBlocked' });
        expect((await blocked.get('Reader/mine')).body.block).toMatch(/desk/);
        expect((await end()).status).toBe(200);
        await waitFor(async () => (await refusal()) === 'CopiesUnavailable');
      }
      expect(await product.differences()).toEqual([]);
    });

    it('comes with what librarians wrote about its reader, which they do not see and which goes with them', async () => {
      const account = await product.account();
      const message = 'His umbrella is at the desk.';
      await admin.put(`Reader/notice?id=${account.id}`, { message, blocks: false });
      expect((await panel(account.id)).notice).toMatchObject({ message, blocks: false });
      const { card, reader: person } = await panel(account.id);
      const { body } = await admin.post('Reader/find', { scan: card.number });
      expect(body.readers[0]).toMatchObject({ id: account.id, notice: { message }, cardBlocked: false });
      expect(JSON.stringify((await account.get('Reader/mine')).body)).not.toContain('umbrella');
      expect(
        (await admin.put(`Reader/notice?id=${account.id}`, { message: ' ', blocks: false })).status,
      ).toBe(400);
      await product.database.query('delete from account where id = $1', [account.id]);
      const { rows } = await product.database.query('select from reader_notice where account_id = $1', [
        account.id,
      ]);
      expect(rows).toEqual([]);
      expect((await found(card.number)).code).toBe('CardUnknown');
      expect((await found(person.userName)).names).toEqual([]);
    });

    it('names what changed hands on each visit: a card that is scanned anew begins another', async () => {
      const account = await product.account();
      const books = [await product.book(1, 'Solaris'), await product.book(1, 'Eden')];
      const [first, second] = books;
      const lend = async (bookId: number | undefined) =>
        (await admin.post(`Borrow/lend?userId=${account.id}`, { bookIds: [bookId] })).body.id as string;
      const lent = await lend(first);
      const desk = `borrowId=${lent}&userId=${account.id}`;
      expect((await admin.post(`Desk/visit-over?userId=${account.id}`)).body).toEqual({ ended: true });
      const again = await lend(second);
      await admin.post(`Borrow/take-back-books?${desk}`, { bookIds: [first] });
      // Each event is in the visit that the follower of the log has put it in.
      const visits = await waitFor(async () => {
        const all = (await panel(account.id)).visits;
        return all.length === 2 && all;
      });
      expect(visits).toMatchObject([
        {
          issued: [{ borrowId: again, titles: ['Eden'] }],
          returned: [{ borrowId: lent, titles: ['Solaris'] }],
        },
        { issued: [{ borrowId: lent, titles: ['Solaris'] }], returned: [] },
      ]);
    });

    it('shows what its reader has, owes and may, what a renewal would do, and when they came', async () => {
      const account = await product.account();
      const [first, second] = [await product.book(1, 'Solaris'), await product.book(1, 'Eden')];
      const rent = async (bookId: number) =>
        (await account.post('Borrow/rent-books', { bookIds: [bookId] })).body.borrowId as string;
      const [lent, waiting] = [await rent(first), await rent(second)];
      await admin.post(`Borrow/issue-books?borrowId=${lent}&userId=${account.id}`, { bookIds: [first] });
      const shown = await panel(account.id);
      expect(shown).toMatchObject({ owes: 0, books: { have: 2, most: 10 } });
      const renewal = (id: string) => shown.borrows.find(({ borrow }) => borrow.id === id)?.renewal;
      expect(renewal(waiting)).toBeNull();
      const noDayMore = { refusal: expect.stringContaining('would not extend the loan') };
      expect(renewal(lent)).toEqual(noDayMore);
      expect(shown.visits).toMatchObject([
        { issued: [{ borrowId: lent, titles: ['Solaris'] }], returned: [] },
      ]);
      // As it will be in two days.
      const due = shown.borrows.find(({ borrow }) => borrow.id === lent)?.borrow.dueDate;
      await product.database.query(
        `update ${READ_MODEL}.borrow set due_date = due_date - interval '2 days' where borrow_id = $1`,
        [lent],
      );
      const later = (await panel(account.id)).borrows.find(({ borrow }) => borrow.id === lent);
      expect(later?.renewal).toEqual({ until: due });
      expect((await account.get('Reader/mine')).body.borrows).toEqual((await panel(account.id)).borrows);
    });

    it('shows what its reader paid for a lost book, and what is owed to them once it is found', async () => {
      const account = await product.account();
      const book = await product.book(1, 'Niezwyciężony');
      const rented = await account.post('Borrow/rent-books', { bookIds: [book] });
      const id = rented.body.borrowId as string;
      const desk = `borrowId=${id}&userId=${account.id}`;
      await admin.post(`Borrow/issue-books?${desk}`, { bookIds: [book] });
      await admin.post(`Borrow/mark-lost?${desk}`, { bookId: book, as: 'lost' });
      const owing = await panel(account.id);
      expect(owing).toMatchObject({ owes: 50, refund: 0 });
      // Nobody brought it.
      expect(owing.visits).toMatchObject([{ issued: [{ borrowId: id }], returned: [] }]);
      await admin.post(`Payment/desk?borrowId=${id}`, { amount: 5000 }, { 'idempotency-key': randomUUID() });
      expect(await panel(account.id)).toMatchObject({ owes: 0, refund: 0, borrows: [] });
      await admin.post(`Borrow/mark-found?${desk}`, { bookId: book });
      expect(await panel(account.id)).toMatchObject({
        ...{ owes: 0, refund: 50 },
        borrows: [{ borrow: { id, status: 'Returned', refundDue: 50 }, renewal: null }],
      });
    });
  });
});
