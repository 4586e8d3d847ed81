import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import {
  listReaderRows,
  readReaderImport,
  type ReaderImport,
  type ReaderImportRow,
} from '#contracts/accounts/reader-import.js';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { IMPORT_FILE_FIELD } from '#contracts/imports.js';
import { addDays, localDay } from '#contracts/local-day.js';
import { queryRows } from '#platform/database/query-rows.js';
import { startProduct } from '../../../test-support/product/product.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';

const MINUTE = 60_000;

describe('readers brought from another system', () => {
  const clock = new TestClock();
  const product = shared(() => startProduct(clock, { staySignedIn: true }));
  const admin = shared(() => product.account('Admin'));
  const today = () => localDay(clock.now().getTime(), product.settings.TIME_ZONE);

  const staged = async (text: string, query = '', bytes = new TextEncoder().encode(text)) => {
    const form = new FormData();
    form.set(IMPORT_FILE_FIELD, new Blob([bytes]), 'czytelnicy.csv');
    const { status, body } = await admin.send('POST', `ReaderImport?${query}`, form);
    expect([status, body]).toEqual([201, { id: expect.any(String) }]);
    return (body as { id: string }).id;
  };
  const read = async (id: string): Promise<ReaderImport> =>
    readReaderImport.answer.parse((await admin.get(`ReaderImport/${id}`)).body);
  const rows = async (id: string, outcome = ''): Promise<ReaderImportRow[]> =>
    listReaderRows.answer.parse((await admin.get(`ReaderImport/${id}/rows?Outcome=${outcome}`)).body).items;
  const run = async (id: string): Promise<ReaderImport> => {
    expect((await admin.post(`ReaderImport/${id}/run`)).status).toBe(202);
    return waitFor(async () => {
      const now = await read(id);
      return now.state === 'done' && now;
    });
  };
  const imported = async (text: string, query = '') => run(await staged(text, query));
  const found = async (scan: string) => (await admin.post('Desk/scan', { scan })).body;

  const HEADER = 'cardnumber,surname,firstname,dateofbirth,email,categorycode,dateexpiry,sex,city';

  it('are looked at, brought along and known by their old cards; what is refused says why, and can be brought again', async () => {
    const id = await staged(
      [
        HEADER,
        'a-0001,Nowak,Anna,1990-05-01,anna.import@people.example,PT,2031-01-31,F,Kraków',
        '0000123458,Kowalski,Jan,2.03.2015,,J,,M,Łódź',
        'A0002,Zielińska,Ewa,1980-02-30,ewa@people.example,PT,,F,Kraków',
        'A0003,Lis,Ola,1985-01-01,not-an-address,PT,,F,Kraków',
        'A0004,Lis,Adam,1985-01-01,adam@people.example,VIP,,F,Kraków',
        'A0001,Nowak,Zofia,1991-05-01,zofia@people.example,PT,,F,Kraków',
        ',Nobody,Known,1991-05-01,,PT,,F,Kraków',
        'A0005,Nowy,,1991-05-01,,PT,,F,Kraków',
        'A0006,Krótki',
      ].join('\n'),
    );
    expect(await read(id)).toMatchObject({
      ...{ kind: 'readers', name: 'czytelnicy.csv', state: 'staged' },
      outcomes: { new: 2, changed: 0, same: 0, unsure: 0, waiting: 0, refused: 7 },
    });
    const refused = await rows(id, 'refused');
    expect(refused.map(({ place, reason }) => [place, reason])).toEqual([
      [4, expect.stringContaining('Date of birth: not a day')],
      [5, expect.stringContaining('Email: ')],
      [6, expect.stringContaining('“VIP”')],
      [7, expect.stringContaining('line 2')],
      [8, expect.stringContaining('Neither a card number')],
      [9, 'First name: missing.'],
      [10, expect.stringContaining('2 / 9')],
    ]);
    expect((await rows(id, 'new'))[0]).toMatchObject({
      ...{ place: 2, name: 'Anna Nowak', accountId: null },
      differs: expect.arrayContaining([{ field: 'cardNumber', ours: '', theirs: 'A0001' }]),
    });

    expect(await run(id)).toMatchObject({ done: { added: 2, changed: 0, left: 0 }, hasRows: true });
    const anna = await found('a-0001');
    expect(anna).toMatchObject({ kind: 'reader', by: 'card', readers: [{ userName: 'anna.nowak' }] });
    // A number that is an ISBN by chance is a card all the same.
    const jan = await found('0000123458');
    expect(jan).toMatchObject({ by: 'card', readers: [{ fullname: 'Jan Kowalski', email: '' }] });
    const reader = async (of: typeof anna) => (await admin.get(`User/userId/${of.readers[0].id}`)).body;
    expect(await reader(anna)).toMatchObject({
      ...{
        kind: 'adult',
        memberUntil: '2031-01-31',
        gender: 'Female',
        city: 'Kraków',
        dateOfBirth: '1990-05-01',
      },
    });
    expect(await reader(jan)).toMatchObject({ kind: 'child', memberUntil: null, dateOfBirth: '2015-03-02' });

    // What was done says no more of anybody; what was refused can be put right.
    const kept = await queryRows(
      product.database,
      z.object({ place: z.int(), kept: z.boolean() }),
      `select place, cells is not null as kept from reader_row where import_id = $1 and (data, name) is null order by place`,
      [id],
    );
    expect(kept).toEqual([
      { place: 2, kept: false },
      { place: 3, kept: false },
    ]);
    const file = await (await admin.download(`ReaderImport/${id}/refused`)).text();
    const lines = parse(file);
    expect(lines).toHaveLength(8);
    expect(lines[3]?.slice(0, 3)).toEqual(['A0004', 'Lis', 'Adam']);
    expect(lines[3]?.slice(-2)).toEqual(['6', expect.stringContaining('VIP')]);
    const again = await staged(file, 'kinds=VIP%3Dstaff');
    expect((await read(again)).outcomes).toMatchObject({ new: 1, unsure: 1, refused: 5 });
    expect((await rows(again, 'unsure'))[0]?.reason).toContain('another name');
    expect((await run(again)).done).toMatchObject({ added: 1 });

    // A second time nothing is done; what the file says otherwise is.
    const changed = await staged(
      `${HEADER}\nA0001,Nowak-Lis,Anna,1990-05-01,anna.import@people.example,PT,2032-01-31,F,Kraków\n0000123458,Kowalski,Jan,2015-03-02,,J,,M,Łódź`,
    );
    expect((await read(changed)).outcomes).toMatchObject({ new: 0, changed: 1, same: 1, refused: 0 });
    expect((await rows(changed, 'changed'))[0]?.differs).toEqual([
      { field: 'lastname', ours: 'Nowak', theirs: 'Nowak-Lis' },
      { field: 'memberUntil', ours: '2031-01-31', theirs: '2032-01-31' },
    ]);
    await run(changed);
    expect(await reader(anna)).toMatchObject({ fullname: 'Anna Nowak-Lis', memberUntil: '2032-01-31' });
    const logged = (await product.lines()).join('');
    for (const secret of ['Nowak', 'anna.import', 'A0001', '0000123458'])
      expect(logged).not.toContain(secret);
  });

  it('are known by their addresses, where somebody is sure of that; another card replaces the one that they had', async () => {
    const [ola, tom] = [await product.account(), await product.account()];
    const [of, other] = await Promise.all(
      [ola, tom].map(async (each) => (await each.get('User/profile')).body),
    );
    const id = await staged(
      [
        HEADER,
        `B0001,${of.lastname},${of.firstname},${of.dateOfBirth},${of.email.toUpperCase()},,,,`,
        `B0002,Ktoś,Inny,1999-01-01,${other.email},,,,`,
      ].join('\n'),
    );
    expect((await rows(id)).map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['changed', null],
      ['new', null],
    ]);
    const before = (await ola.get('Reader/mine')).body.card.number as string;
    await run(id);
    expect((await ola.get('Reader/mine')).body.card.number).toBe('B0001');
    expect((await admin.post('Desk/scan', { scan: before })).body.code).toBe('CardReplaced');
    expect((await tom.get('User/profile')).body).toEqual(other);
    expect(await found('B0002')).toMatchObject({ readers: [{ fullname: 'Inny Ktoś', email: other.email }] });
  });

  describe('of a family with one address', () => {
    const FAMILY = 'cardnumber,surname,firstname,email,dateofbirth';
    const of = async (card: string) =>
      (await admin.get(`User/userId/${(await found(card)).readers[0].id}`)).body;

    it('are each their own, in one file and in two', async () => {
      await imported(
        `${FAMILY}\nSIB01,Kowal,Ola,rodzic@example.org,2015-02-03\nSIB03,Kowal,Ewa,rodzic@example.org,2019-05-05`,
      );
      const ola = await of('SIB01');
      const second = await staged(`${FAMILY}\nSIB02,Kowal,Jan,rodzic@example.org,2017-03-03`);
      expect((await read(second)).outcomes).toMatchObject({ new: 1, changed: 0, unsure: 0 });
      expect((await run(second)).done).toMatchObject({ added: 1, changed: 0 });
      expect(await of('SIB01')).toEqual(ola);
      expect(ola).toMatchObject({ fullname: 'Ola Kowal', dateOfBirth: '2015-02-03' });
      expect(await of('SIB02')).toMatchObject({ fullname: 'Jan Kowal', dateOfBirth: '2017-03-03' });
      expect(await of('SIB03')).toMatchObject({ fullname: 'Ewa Kowal' });
      // A second time, by card and by what is known of them.
      const again = await staged(
        `${FAMILY}\nSIB01,Kowal,Ola,rodzic@example.org,2015-02-03\n,Kowal,Jan,rodzic@example.org,2017-03-03`,
      );
      expect((await read(again)).outcomes).toMatchObject({ same: 2 });
    });

    it('wait for a person where the address alone would say who it is', async () => {
      await imported(`${FAMILY}\nMUM01,Lis,Maria,lisowie@example.org,1985-02-03`);
      const mother = await of('MUM01');
      const unsure = await staged(
        [
          FAMILY,
          // One has her name, the other her birth date.
          'TWI01,Lis,Maria,lisowie@example.org,2015-02-03',
          'TWI02,Lis,Zofia,lisowie@example.org,1985-02-03',
          // Nothing but the surname.
          'TWI03,Lis,,lisowie@example.org,',
        ].join('\n'),
      );
      const asked = await rows(unsure, 'unsure');
      expect(asked.map(({ place, reason }) => [place, reason])).toEqual(
        [2, 3, 4].map((place) => [place, expect.stringContaining('Families share addresses')]),
      );
      expect(asked[0]?.differs).toEqual([
        { field: 'cardNumber', ours: 'MUM01', theirs: 'TWI01' },
        { field: 'dateOfBirth', ours: '1985-02-03', theirs: '2015-02-03' },
      ]);
      await run(unsure);
      expect(await of('MUM01')).toEqual(mother);
      const settle = (place: number, accountId: string | null) =>
        admin.put(`ReaderImport/${unsure}/rows/${place}`, { accountId });
      expect((await settle(2, 'new')).body.outcomes).toMatchObject({ new: 1, unsure: 2 });
      expect((await settle(4, 'new')).body.outcomes).toMatchObject({ new: 1, unsure: 1, refused: 1 });
      expect((await settle(3, null)).body.outcomes).toMatchObject({ unsure: 0, refused: 2 });
      expect((await run(unsure)).done).toMatchObject({ added: 1, changed: 0 });
      expect(await of('TWI01')).toMatchObject({ fullname: 'Maria Lis', dateOfBirth: '2015-02-03' });
      expect(await of('MUM01')).toEqual(mother);
    });

    it.each([
      ['memberships', 'cardnumber,email,dateexpiry\nUNKN1,nowi@example.org,end'],
      ['loans', 'cardnumber,email,barcode,date_due\nUNKN1,nowi@example.org,1,2031-01-01'],
    ])('leave %s of an unknown card to a person', async (kind, file) => {
      const card = kind === 'loans' ? 'NOW01' : 'NOW02';
      await imported(`${FAMILY}\n${card},Nowy,Adam,nowi@example.org,1985-02-03`);
      const before = await of(card);
      const id = await staged(file, `kind=${kind}`);
      expect((await read(id)).outcomes).toMatchObject({ unsure: 1, changed: 0, new: 0 });
      await run(id);
      expect(await of(card)).toEqual(before);
    });

    it('ask where a card would be given to somebody with another name and birth date', async () => {
      await imported(`${FAMILY}\nREU01,Stary,Jan,,1950-01-01`);
      const before = await of('REU01');
      const id = await staged(`${FAMILY}\nREU01,Stary,Jan,,1951-01-01\n`);
      expect((await rows(id))[0]).toMatchObject({ outcome: 'changed' });
      for (const row of ['Stary,Anna,,1999-01-01', 'Nowa,Jan,,1999-01-01', 'Nowa,Anna,,']) {
        const other = await staged(`${FAMILY}\nREU01,${row}`);
        expect((await rows(other))[0]).toMatchObject({ outcome: 'unsure', candidates: [{ card: 'REU01' }] });
        await run(other);
      }
      expect(await of('REU01')).toEqual(before);
    });
  });

  it('wait for a person where the card is one reader’s and the address another’s', async () => {
    await imported(
      `${HEADER}\nF0001,Pierwszy,Jan,1990-01-01,first@people.example,,,,\nF0002,Druga,Ewa,1991-01-01,second@people.example,,,,`,
    );
    const id = await staged(
      [
        HEADER,
        'F0001,Pierwszy,Jan,1990-01-01,second@people.example,,2033-01-31,,',
        'F0002,Druga,Ewa,1991-01-01,first@people.example,,2033-02-28,,',
        'F0002,Druga,Ewa,1991-01-01,,,,,',
      ].join('\n'),
    );
    const [jans, ewas] = await rows(id, 'unsure');
    expect(jans).toMatchObject({ place: 2, reason: expect.stringContaining('Several readers') });
    expect(jans?.candidates.map(({ name, card }) => [name, card])).toEqual([
      ['Ewa Druga', 'F0002'],
      ['Jan Pierwszy', 'F0001'],
    ]);
    const [ewa, jan] = jans?.candidates ?? [];
    const settle = (place: number, accountId: string | null | undefined) =>
      admin.put(`ReaderImport/${id}/rows/${place}`, { accountId });
    expect((await settle(2, admin.id)).status).toBe(404);
    expect((await settle(4, ewa?.id)).status).toBe(404);
    expect((await settle(2, null)).body.outcomes).toMatchObject({ unsure: 1, refused: 1 });
    // She has a row of her own; and who was refused can be thought of again.
    expect((await settle(ewas?.place ?? 0, ewa?.id)).body.outcomes).toMatchObject({ refused: 2 });
    expect((await rows(id, 'refused')).map(({ reason }) => reason)).toContainEqual(
      expect.stringContaining('line 4'),
    );
    expect((await run(id)).done).toMatchObject({ changed: 0 });
    expect((await settle(2, jan?.id)).body).toMatchObject({ chosen: 1, state: 'done' });
    // The address is another's.
    expect((await rows(id, 'changed'))[0]?.differs).toEqual([
      { field: 'memberUntil', ours: '', theirs: '2033-01-31' },
    ]);
    expect((await run(id)).done).toMatchObject({ changed: 1 });
    expect((await admin.get(`User/userId/${jan?.id}`)).body).toMatchObject({
      ...{ email: 'first@people.example', memberUntil: '2033-01-31' },
    });
    expect((await settle(2, ewa?.id)).status).toBe(404);
    // So do their loans.
    const code = copyCode({ bookId: await product.book(1), copy: 1 });
    const loans = await staged(
      `cardnumber,email,barcode,date_due\nF0001,second@people.example,${code},2031-01-01`,
      'kind=loans',
    );
    expect((await rows(loans))[0]).toMatchObject({ outcome: 'unsure' });
    await admin.put(`ReaderImport/${loans}/rows/2`, { accountId: jan?.id });
    expect((await run(loans)).done).toMatchObject({ added: 1 });
    expect((await found(code)).holders[0]?.user.id).toBe(jan?.id);
  });

  it('have loans that wait for them until their own file is imported', async () => {
    const people = await staged(`${HEADER}\nS0001,Czekająca,Olga,1990-01-01,,,,,`);
    const code = copyCode({ bookId: await product.book(1), copy: 1 });
    const loans = await staged(
      `cardnumber,barcode,date_due\nS0001,${code},2031-01-01\nS9999,${code},2031-01-01\nS0001,none,2031-01-01`,
      'kind=loans',
    );
    expect((await rows(loans)).map(({ place, outcome, reason }) => [place, outcome, reason])).toEqual([
      [2, 'waiting', expect.stringContaining('not imported yet')],
      [3, 'refused', expect.stringContaining('No reader')],
      [4, 'refused', expect.stringContaining('none')],
    ]);
    expect(await run(loans)).toMatchObject({ outcomes: { waiting: 1 }, done: { added: 0 } });
    await run(people);
    expect(await run(loans)).toMatchObject({ outcomes: { waiting: 0 }, done: { added: 1 } });
    const olga = (await found('S0001')).readers[0].id as string;
    expect((await found(code)).holders[0]?.user.id).toBe(olga);
    expect(await product.differences()).toEqual([]);
  });

  it('are read in the encoding that is chosen, and refused where it is not', async () => {
    const bytes = Uint8Array.from(
      [...'cardnumber;nazwisko;imię;data urodzenia\nC0001;'].map((c) => (c === 'ę' ? 0xea : c.charCodeAt(0))),
    );
    const name = Uint8Array.from([0xa3, 0x75, 0x6b, 0xb9, 0x73]);
    const rest = new TextEncoder().encode(';Jan;1990-01-01');
    const whole = Uint8Array.from([...bytes, ...name, ...rest]);
    const id = await staged('', 'encoding=windows-1250', whole);
    expect((await rows(id))[0]).toMatchObject({ outcome: 'new', name: 'Jan Łukąs' });
    const form = new FormData();
    form.set(IMPORT_FILE_FIELD, new Blob(['a,b\n1,2']), 'x.csv');
    const wrong = await admin.send('POST', 'ReaderImport', form);
    expect([wrong.status, wrong.body.errors.file[0]]).toEqual([400, expect.stringContaining('cardnumber')]);
    expect((await admin.send('POST', 'ReaderImport?kinds=x', form)).body.errors).toHaveProperty('kinds');
    const wide = new FormData();
    wide.set(IMPORT_FILE_FIELD, new Blob([Buffer.from('\uFEFFcardnumber,surname\nX,Y', 'utf16le')]), 'x.csv');
    const unread = await admin.send('POST', 'ReaderImport', wide);
    expect([unread.status, unread.body.errors.file[0]]).toEqual([400, expect.stringContaining('UTF-8')]);
  });

  it('have their memberships renewed or ended by a file that changes nothing else', async () => {
    await imported(`${HEADER}\nM0001,Mały,Olek,1990-01-01,,,2026-01-31,,\nM0002,Mała,Ala,1990-01-01,,,,,`);
    const ala = (await found('M0002')).readers[0].id as string;
    const book = await product.book(1);
    expect((await admin.post(`Borrow/lend?userId=${ala}`, { bookIds: [book] })).status).toBe(200);
    const id = await staged(
      'cardnumber,surname,dateexpiry\nM0001,Inny,2032-08-31\nM0002,Inna,end\nM9999,,2032-08-31\nM0001,,2033-01-01',
      'kind=memberships',
    );
    expect((await rows(id)).map(({ outcome, reason, differs }) => [outcome, reason, differs.length])).toEqual(
      [
        ['changed', null, 1],
        ['changed', expect.stringContaining('Still has books: 1'), 1],
        ['refused', expect.stringContaining('No reader'), 0],
        ['refused', expect.stringContaining('line 2'), 0],
      ],
    );
    await run(id);
    const olek = (await found('M0001')).readers[0];
    expect((await admin.get(`User/userId/${olek.id}`)).body).toMatchObject({
      ...{ lastname: 'Mały', memberUntil: '2032-08-31' },
    });
    expect((await admin.get(`User/userId/${ala}`)).body.memberUntil).toBe(addDays(today(), -1));
    const refused = await waitFor(async () => {
      const { status, body } = await admin.post(`Borrow/lend?userId=${ala}`, {
        bookIds: [await product.book(1)],
      });
      return status === 403 && body;
    });
    expect(refused.code).toBe('ReaderBlocked');
  });

  it('have their loans taken over: known copies, once, with nothing to pay for the days before', async () => {
    await imported(`${HEADER}\nL0001,Las,Iga,1990-01-01,,,,,\nL0002,Las,Leon,1990-01-01,,,,,`);
    const [first, second, third] = await Promise.all([2, 2, 1].map((copies) => product.book(copies)));
    const code = (bookId = 0, copy = 1) => copyCode({ bookId, copy });
    const late = addDays(today(), -20);
    const file = [
      'cardnumber,barcode,date_due,issuedate,renewals',
      `L0001,${code(first, 2)},${late},${addDays(late, -30)},1`,
      `L0001,${code(second)},${addDays(today(), 9)},,`,
      `L0002,${code(first, 2)},${late},,`,
      `L0002,${code(third, 2)},${late},,`,
      `L9999,${code(third)},${late},,`,
      `L0002,${code(third)},,,`,
      `L0002,${code(third)},${late},,`,
    ].join('\n');
    const id = await staged(file, 'kind=loans');
    expect((await rows(id)).map(({ place, outcome, reason }) => [place, outcome, reason])).toEqual([
      [2, 'new', null],
      [3, 'new', null],
      [4, 'refused', expect.stringContaining('line 2')],
      [5, 'refused', expect.stringContaining('marked lost')],
      [6, 'refused', expect.stringContaining('No reader')],
      [7, 'refused', 'Due date: missing.'],
      [8, 'new', null],
    ]);
    expect((await run(id)).done).toEqual({ added: 3, changed: 0, left: 0 });
    const iga = (await found('L0001')).readers[0].id as string;
    const { borrows, owes } = (await admin.get(`Reader/panel?id=${iga}`)).body;
    const borrow = borrows.find(
      ({ borrow: { dueDate } }: never) => localDay(dueDate, product.settings.TIME_ZONE) === today(),
    );
    expect(borrow).toMatchObject({ borrow: { status: 'Issued', renewals: 1 } });
    expect([borrows.length, owes]).toEqual([2, 0]);
    expect((await found(code(first, 2))).holders[0]?.user.id).toBe(iga);
    expect(await product.copies(first ?? 0)).toBe(1);
    expect(await product.differences()).toEqual([]);

    // The same again is here already, and after it came back it is not lent anew.
    const again = await staged(file, 'kind=loans');
    expect((await read(again)).outcomes).toMatchObject({ new: 0, same: 3 });
    const back = await admin.post(`Borrow/return-books?borrowId=${borrow.borrow.id}&userId=${iga}`, {
      copies: [code(first, 2)],
    });
    expect(back.status).toBe(200);
    await product.copies(first ?? 0);
    expect((await imported(file, 'kind=loans')).done).toEqual({ added: 0, changed: 0, left: 1 });
    expect(await product.copies(first ?? 0)).toBe(2);
    // Three days later the other one of those that were late costs three days.
    await clock.forward(3 * 24 * 60 * MINUTE);
    await product.runJob('upkeep', 'sweep-borrows', {});
    const leon = (await found('L0002')).readers[0].id as string;
    expect((await admin.get(`Reader/panel?id=${leon}`)).body.owes).toBe(1.5);
    await product.rebuild();
    expect(await product.differences()).toEqual([]);
  });

  it('are invited so many an hour, none twice, and none who has a password', async () => {
    const people = Array.from(
      { length: 5 },
      (_, n) => `I000${n},Zaproszona,Nr${n},1990-01-01,invited${n}@people.example,,,,`,
    );
    const { id, invitations } = await imported(
      [HEADER, ...people, 'I0009,Bez,Adresu,1990-01-01,,,,,'].join('\n'),
    );
    expect(invitations).toMatchObject({ state: null, waiting: 5, sent: 0 });
    const invite = (state: string, perHour = 60) =>
      admin.put(`ReaderImport/${id}/invitations`, { state, perHour });
    const round = () => product.runJob('upkeep', 'invite-readers', {});
    const sent = async () => (await read(id)).invitations.sent;
    expect((await invite('running', 120)).body.invitations).toMatchObject({ state: 'running', waiting: 5 });
    await round();
    expect(await sent()).toBe(2);
    await invite('paused', 120);
    await round();
    expect(await sent()).toBe(2);
    await product.database.query(
      `update account set email_confirmed = true
       where id = (select account_id from reader_invitation where import_id = $1 and asked_at is null limit 1)`,
      [id],
    );
    // As many as an hour has, however often somebody looks.
    await invite('running', 3);
    for (let n = 0; n < 4; n += 1) await round();
    expect(await sent()).toBe(3);
    await clock.forward(61 * MINUTE);
    for (let n = 0; n < 4; n += 1) await round();
    expect((await read(id)).invitations).toMatchObject({ sent: 4, waiting: 0 });
    const letters = await waitFor(async () => {
      const all = await Promise.all(people.map((_, n) => product.letters(`invited${n}@people.example`)));
      return all.flat().length === 4 && all.map(({ length }) => length);
    });
    expect([...letters].sort()).toEqual([0, 1, 1, 1, 1]);
    expect((await admin.delete(`ReaderImport/${id}`)).body).toEqual({ deleted: 1 });
    expect((await admin.get(`ReaderImport/${id}`)).status).toBe(404);
  });

  it('say nothing of themselves in the import a week later', async () => {
    const left = await staged(`${HEADER}\nW0001,Tydzień,Jan,1990-01-01,,,,,`);
    const done = await imported(`${HEADER}\nW0002,Tydzień,Ewa,1990-13-01,,,,,`);
    await product.database.query(`update reader_import set touched_at = now() - interval '8 days'`);
    await product.runJob('upkeep', 'forget-reader-rows', {});
    expect((await admin.get(`ReaderImport/${left}`)).status).toBe(404);
    expect(await read(done.id)).toMatchObject({ hasRows: false, outcomes: { refused: 1 } });
    expect((await rows(done.id))[0]).toMatchObject({ name: '', differs: [] });
  });
});
