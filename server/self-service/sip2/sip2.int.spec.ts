import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ReaderPanel } from '#contracts/accounts/reader-card.js';
import type { AuditEvents } from '#contracts/audit/audit-events.js';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { DeviceFields } from '#contracts/self-service/devices.js';
import { setCard, setLabel } from '../../../test-support/product/borrow-steps.js';
import { forAllInTime } from '../../../test-support/arbitraries/for-all.js';
import { loopbackCertificate } from '../../../test-support/services/loopback-certificate.js';
import { DEVICE } from '../../../test-support/product/kiosk.js';
import { startProduct, type TestAccount } from '../../../test-support/product/product.js';
import { atEnd, shared, sharedFolder } from '../../../test-support/shared.js';
import { Sip2Client, sipFields } from '../../../test-support/services/sip2-client.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';
import { sipDate } from './sip-dates.js';

const ZONE = 'Europe/Warsaw';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FIELDS: DeviceFields = { ...DEVICE, name: 'Hall' };
/** How long the fixed fields of answers are. */
const FIXED = {
  ...{ '10': 22, '12': 22, '16': 20, '18': 24, '20': 19, '24': 35 },
  ...{ '26': 35, '30': 22, '36': 19, '38': 19, '64': 59, '66': 27 },
};

describe('SIP2', () => {
  const clock = new TestClock();
  const folder = sharedFolder();
  const product = shared(() =>
    startProduct(clock, { staySignedIn: true, environment: { TIME_ZONE: ZONE, SIP2_PORT: '0' } }),
  );
  const admin = shared(() => product.account('Reader', 'Admin'));
  let device: Sip2Client;
  let deviceId: string;
  const open: Sip2Client[] = [];

  beforeAll(async () => {
    const made = await makeDevice();
    deviceId = made.id;
    device = await enter(made);
  });
  beforeEach(() => clock.forward(16 * MINUTE));
  atEnd(async () => expect(await product.differences()).toEqual([]));
  afterAll(() => open.forEach((client) => client.close()));

  async function makeDevice(fields: Partial<DeviceFields> = {}) {
    const { body } = await admin.post('Device', { ...FIELDS, ...fields, kind: 'sip2' });
    const { id, login } = body.device as { id: string; login: string };
    return { id, login, secret: body.secret as string };
  }

  async function connect(): Promise<Sip2Client> {
    const client = await Sip2Client.connect(product.server.sip2Port ?? 0);
    open.push(client);
    return client;
  }

  async function enter({ login, secret }: { login: string; secret: string }): Promise<Sip2Client> {
    const client = await connect();
    expect(await client.signIn(login, secret)).toBe(true);
    return client;
  }

  let seconds = 0;
  /** Another one each time. */
  const date = () => sipDate(clock.now().getTime() + (seconds += 1) * 1000, ZONE);
  const blank = ' '.repeat(18);
  const label = (bookId: number, copy = 1) => copyCode({ bookId, copy });
  const item = async (title?: string) => label(await product.book(1, title));
  const panel = async (of: TestAccount) => (await admin.get(`Reader/panel?id=${of.id}`)).body as ReaderPanel;
  const cardOf = async (of: TestAccount) => (await panel(of)).card.number;
  /** Somebody with a card. */
  const withCard = async () => {
    const reader = await product.account();
    return { reader, card: await cardOf(reader) };
  };
  const eventsOf = async ({ id }: TestAccount) =>
    ((await admin.get(`Audit/readers/${id}/events`)).body as AuditEvents).items;
  const typesOf = async (of: TestAccount) => (await eventsOf(of)).map(({ type }) => type);
  const fields = (answer: string) => sipFields(answer, FIXED[answer.slice(0, 2) as keyof typeof FIXED]);
  /** With another date than today’s. */
  const undated = (answer: string) => answer.replaceAll(/\d{8} {4}\d{6}/g, '<date>');

  const checkout = (card: string, code: string, { at = date(), flags = 'NN', more = '' } = {}) =>
    `11${flags}${at}${blank}AOLibrary|AA${card}|AB${code}|AC|${more}`;
  const checkin = (code: string, at = date()) => `09N${at}${at}APHall|AOLibrary|AB${code}|AC|`;
  const information = (card: string, summary = '', more = '') =>
    `63001${date()}${summary.padEnd(10)}AOLibrary|AA${card}|AC|AD|${more}`;
  const renew = (card: string, code: string, at = date()) =>
    `29NN${at}${blank}AOLibrary|AA${card}|AB${code}|`;

  it('tells a day at a self-check, word by word', async () => {
    const { reader, card } = await withCard();
    const { fullname } = (await panel(reader)).reader;
    const code = await item('Solaris | Łódź');
    const library = 'Lectern';
    const say = async (message: string) => undated(await device.ask(message));

    expect(await say('9900802.00')).toBe(
      `98YYYYNY150003<date>2.00AO${library}|AM${library}|BX${'Y'.repeat(16)}|ANHall|`,
    );
    expect(await say(information(card))).toBe(
      `64${' '.repeat(14)}001<date>${'0000'.repeat(6)}AOLibrary|AA${card}|AE${fullname}|CB0010|BLY|CQY|BHPLN|BV0.00|`,
    );
    const message = checkout(card, code);
    const lent = `121NNY<date>AOLibrary|AA${card}|AB${code}|AJSolaris   Łódź|AH<date>|CK001|AGSolaris   Łódź: Yours until <day>|`;
    const dayless = (answer: string) => answer.replace(/\d{4}-\d\d-\d\d/, '<day>');
    expect(dayless(await say(message))).toBe(lent);
    expect(await say(`17${date()}AOLibrary|AB${code}|`)).toBe(
      `18040001<date>CF0|AH<date>|AB${code}|AJSolaris   Łódź|CK001|`,
    );
    expect(await say(renew(card, code))).toMatch(/^300NNN<date>.*AFIt is too early to renew it\.\|$/);
    expect(await say(checkin(code))).toBe(
      `101YNN<date>AOLibrary|AB${code}|AQLibrary|AJSolaris   Łódź|CL1|CK001|`,
    );
    expect(await say(`35${date()}AOLibrary|AA${card}|`)).toBe(`36Y<date>AOLibrary|AA${card}|`);
    // A repeat much later, with another sequence number, is still the first loan.
    expect(dayless(await say(message))).toBe(lent);
    expect(await typesOf(reader)).toEqual(['BooksRented', 'BooksIssued', 'BooksReturned']);
    expect((await eventsOf(reader))[1]).toMatchObject({ actor: { id: deviceId, kind: 'device' } });
  });

  describe('a loan', () => {
    it('is one, however often and over whichever connection its message comes', async () => {
      const { reader, card } = await withCard();
      const message = checkout(card, label(await product.book(3)));
      const made = await makeDevice();
      const clients = await Promise.all([enter(made), enter(made), enter(made)]);
      const answers = await Promise.all(clients.map((client) => client.askAs(4, message)));
      expect(new Set(answers.map(undated)).size).toBe(1);
      expect(answers[0]).toMatch(/^121/);
      expect(await typesOf(reader)).toEqual(['BooksRented', 'BooksIssued']);
    });

    it('is another one at another time, and where a device has no clock', async () => {
      const { reader, card } = await withCard();
      const code = await item();
      for (let times = 0; times < 2; times += 1) {
        expect(await device.ask(checkout(card, code, { at: blank }))).toMatch(/^121/);
        expect(await device.ask(checkin(code, '20000101    000000'))).toMatch(/^101/);
      }
      expect((await typesOf(reader)).filter((type) => type === 'BooksReturned')).toHaveLength(2);
    });

    it('is refused in the language of whoever stands there', async () => {
      const { card } = await withCard();
      const code = await item();
      await device.ask(checkout((await withCard()).card, code));
      const english = fields(await device.ask(checkout(card, code)));
      expect(english).toMatchObject({ AF: ['It is on loan to somebody else. Please hand it to the staff.'] });
      await device.ask(information(card).replace('63001', '63017'));
      expect(fields(await device.ask(checkout(card, code)))['AF']).toEqual([
        'Jest wypożyczona komuś innemu. Oddaj ją bibliotekarzowi.',
      ]);
      const unknown = await device.ask(checkout('21234567890123', code));
      expect(unknown).toMatch(/^120NNN/);
      expect(fields(unknown)).toMatchObject({
        AF: [expect.stringContaining('We do not know this card.')],
        AJ: [''],
        AH: [''],
      });
    });

    it('is made by a card of an earlier system too, and an item is never taken for it', async () => {
      const reader = await product.account();
      const bookId = await product.book(1, 'Głos Pana');
      await setCard(product, reader, '77B0815');
      await setLabel(product, bookId, '77B0815');
      expect(await device.ask(checkout('77B0815', '77B0815'))).toMatch(/^121NNY.*AJGłos Pana/);
      expect(fields(await device.ask(information('77B0815', '  Y')))['BL']).toEqual(['Y']);
      expect(fields(await device.ask(information('Zofia')))['BL']).toEqual(['N']);
      expect(await device.ask(checkin('77B0815'))).toMatch(/^101/);
    });

    it('becomes a renewal where the device wants that', async () => {
      const { reader, card } = await withCard();
      const code = await item();
      await device.ask(checkout(card, code));
      await clock.forward(5 * DAY);
      expect(await device.ask(checkout(card, code))).toMatch(/^120/);
      const message = checkout(card, code, { flags: 'YN' });
      const renewed = await device.ask(message);
      expect(renewed).toMatch(/^121YNN/);
      expect(undated(await device.ask(message))).toBe(undated(renewed));
      expect((await typesOf(reader)).filter((type) => type === 'BorrowRenewed')).toHaveLength(1);
    });

    it('is taken back where the device could not do its part', async () => {
      const { reader, card } = await withCard();
      const code = await item();
      await device.ask(checkout(card, code));
      expect(await device.ask(checkout(card, code, { more: 'BIY|' }))).toMatch(/^121/);
      expect((await panel(reader)).books.have).toBe(0);
    });

    it('of the time without a connection is written down, whatever stands in its way', async () => {
      const [reader, other, waiting] = await Promise.all([1, 2, 3].map(() => product.account()));
      if (!reader || !other || !waiting) throw new Error('Nobody is there.');
      const card = await cardOf(reader);
      const offline = (code: string) => checkout(card, code, { flags: 'NY' });
      // Kept for somebody, with somebody else, and beyond what a blocked reader may.
      const kept = await product.book(1);
      await waiting.post('Hold', { bookId: kept });
      const theirs = await item();
      await device.ask(checkout(await cardOf(other), theirs));
      await admin.put(`Reader/notice?id=${reader.id}`, { message: 'A word, please.', blocks: true });
      expect(await device.ask(checkout(card, label(kept)))).toMatch(/^120/);
      for (const code of [label(kept), theirs, await item()]) {
        const message = offline(code);
        expect(await device.ask(message)).toMatch(/^121NNY/);
        expect(await device.ask(message)).toMatch(/^121NNY/);
        expect(await device.ask(offline(code))).toMatch(/^121NNY/);
      }
      expect((await panel(reader)).books.have).toBe(3);
      expect((await panel(other)).books.have).toBe(0);
      expect((await waiting.get('Hold/mine')).body).toMatchObject([{ state: 'Waiting' }]);
      const damaged = await item();
      await admin.post(`Copy/${damaged}/damaged`);
      expect(await device.ask(offline(damaged))).toMatch(/^120/);
      expect((await product.lines()).join()).toContain('a loan that was made offline could not be recorded');
    });
  });

  describe('a book that comes back', () => {
    it('goes to the shelf, or to the staff where somebody waits, and tells nobody who that is', async () => {
      const { card } = await withCard();
      const waiting = await product.account();
      const bookId = await product.book(1, 'Fiasko');
      await device.ask(checkout(card, label(bookId)));
      await waiting.post('Hold', { bookId });
      const message = checkin(label(bookId));
      const back = await device.ask(message);
      expect(back).toMatch(/^101YNY/);
      expect(fields(back)).toEqual({
        ...{ AO: ['Library'], AB: [label(bookId)], AQ: ['Library'], AJ: ['Fiasko'] },
        ...{ CL: ['2'], CK: ['001'], CV: ['01'] },
        AF: ['Somebody waits for it: please hand it to the staff.'],
      });
      expect(undated(await device.ask(message))).toBe(undated(back));
      expect(fields(await device.ask(`17${date()}AOLibrary|AB${label(bookId)}|`))).toMatchObject({
        AJ: ['Fiasko'],
      });
      expect(await device.ask(`17${date()}AOLibrary|AB${label(bookId)}|`)).toMatch(/^1808/);
    });

    it('that nobody had is no error, and one that nobody knows is', async () => {
      expect(await device.ask(checkin(await item()))).toMatch(/^101YNN/);
      const unknown = await device.ask(checkin('nothing'));
      expect(unknown).toMatch(/^100NNY/);
      expect(fields(unknown)).toMatchObject({
        CL: ['2'],
        AF: [expect.stringContaining('We do not know this label.')],
      });
      expect(await device.ask(`17${date()}AOLibrary|ABnothing|`)).toMatch(/^1801/);
    });
  });

  describe('what a reader has', () => {
    it('is counted, and listed as far as the device asks', async () => {
      const { reader, card } = await withCard();
      const codes = [];
      for (let book = 0; book < 3; book += 1) codes.push(await item());
      for (const code of codes) await device.ask(checkout(card, code));
      const taken = await product.book(1, 'Eden');
      await device.ask(checkout((await withCard()).card, label(taken)));
      await reader.post('Hold', { bookId: taken });
      const charged = await device.ask(information(card, '  Y'));
      expect(charged.slice(37, 61)).toBe('000000000003000000000001');
      expect(fields(charged)['AU']?.toSorted()).toEqual(codes.toSorted());
      expect(fields(charged)['AS']).toBeUndefined();
      const part = await device.ask(information(card, '  Y', 'BP2|BQ2|'));
      expect(fields(part)['AU']).toEqual(fields(charged)['AU']?.slice(1, 2));
      expect(fields(await device.ask(information(card, '     Y')))['CD']).toEqual(['Eden']);

      await clock.forward(5 * DAY);
      const all = `65${date()}AOLibrary|AA${card}|`;
      const renewed = await device.ask(all);
      expect(renewed.slice(0, 11)).toBe('66100030000');
      expect(fields(renewed)['BM']?.toSorted()).toEqual(codes.toSorted());
      expect(undated(await device.ask(all))).toBe(undated(renewed));
      expect((await typesOf(reader)).filter((type) => type === 'BorrowRenewed')).toHaveLength(3);
    });

    it('is nothing of where they live, nor of how they are reached, unless the device is told', async () => {
      const reader = await product.account();
      const answer = await device.ask(information(await cardOf(reader), 'Y'));
      expect(Object.keys(fields(answer))).toEqual(['AO', 'AA', 'AE', 'CB', 'BL', 'CQ', 'BH', 'BV']);
      const { email } = (await panel(reader)).reader;
      expect(answer).not.toContain(email);
      const told = await enter(await makeDevice({ hearsAddress: true, asksPin: true }));
      await reader.put('Reader/mine/pin', { pin: '8052' });
      const ask = async (pin: string) =>
        fields(await told.ask(information(await cardOf(reader)).replace('|AD|', `|AD${pin}|`)));
      expect(Object.keys(await ask('9999'))).toEqual(['AO', 'AA', 'AE', 'BL', 'CQ', 'AF']);
      expect(await ask('8052')).toMatchObject({ BE: [email], BD: [expect.stringMatching(/\w+, /)] });
    });
  });

  describe('a PIN', () => {
    it('opens what a card alone does not, until the reader goes, also over another connection', async () => {
      const reader = await product.account();
      await reader.put('Reader/mine/pin', { pin: '8052' });
      const card = await cardOf(reader);
      const made = await makeDevice({ asksPin: true });
      const own = await enter(made);
      const ask = (pin: string, client = own) => client.ask(`23001${date()}AOLibrary|AA${card}|AC|AD${pin}|`);

      for (const pin of ['', '9999']) {
        const answer = await ask(pin);
        expect(fields(answer)).toMatchObject({ AE: [''], BL: ['Y'], CQ: ['N'] });
        expect(answer).not.toContain('Zofia');
      }
      const code = await item();
      expect(await own.ask(checkout(card, code))).toMatch(/^120/);
      expect(fields(await ask('8052'))).toMatchObject({ AE: [expect.stringContaining('Zofia')], CQ: ['Y'] });
      const message = checkout(card, code);
      expect(await own.ask(message)).toMatch(/^121/);
      own.close();
      const again = await enter(made);
      expect(await again.ask(message)).toMatch(/^121/);
      await again.ask(`35${date()}AOLibrary|AA${card}|`);
      expect(fields(await again.ask(renew(card, code)))['AF']).toEqual(['Type your PIN']);
      for (let guess = 0; guess < 5; guess += 1) await ask('9999', again);
      expect(fields(await ask('8052', again))['AF']).toEqual([
        expect.stringContaining('too many wrong PINs'),
      ]);
    });
  });

  describe('a fee', () => {
    const paid = (card: string, amount: string, { at = date(), more = '' } = {}) =>
      `37${at}0400PLNBV${amount}|AOLibrary|AA${card}|${more}`;

    it('is paid as a whole, once, and the till says which device has the money', async () => {
      const { reader, card } = await withCard();
      const codes = [await item(), await item()];
      for (const code of codes) await device.ask(checkout(card, code));
      await clock.forward(40 * DAY);
      for (const code of codes) {
        const back = fields(await device.ask(checkin(code)));
        expect(back['AF']).toEqual([expect.stringContaining('a fee is owed')]);
      }
      const owing = await device.ask(information(card, '   Y'));
      expect(owing[2]).toBe('Y');
      expect(owing[12]).toBe('Y');
      expect(fields(owing)['AV']?.toSorted()).toEqual(codes.toSorted());
      const owed = fields(owing)['BV']?.[0] ?? '';
      expect(Number(owed)).toBeGreaterThan(0);
      expect(fields(await device.ask(checkout(card, await item())))['AF']).toEqual([
        expect.stringContaining('A fee is owed first.'),
      ]);

      for (const wrong of ['0.01', 'much', String(Number(owed) + 1)]) {
        expect(await device.ask(paid(card, wrong))).toMatch(/^38N/);
      }
      expect(await device.ask(paid(card, owed).replace('PLN', 'EUR'))).toMatch(/^38N/);
      const half = (Number(owed) / 2).toFixed(2);
      const one = paid(card, half, { more: `CG${codes[0]}|BKtill-1|` });
      const answer = await device.ask(one);
      expect(answer).toMatch(/^38Y/);
      expect(fields(answer)['BK']).toEqual(['till-1']);
      expect(undated(await device.ask(one))).toBe(undated(answer));
      const rest = paid(card, half.replace('.', ','));
      expect(await device.ask(rest)).toMatch(/^38Y/);
      expect(await device.ask(rest)).toMatch(/^38Y/);
      expect(await device.ask(paid(card, half))).toMatch(/^38N/);
      expect((await typesOf(reader)).filter((type) => type === 'FinePaid')).toHaveLength(2);
      expect((await panel(reader)).owes).toBe(0);
      const day = sipDate(clock.now().getTime(), ZONE).replace(/^(\d{4})(\d\d)(\d\d).*/, '$1-$2-$3');
      const till = (await admin.get(`Payment/till?day=${day}`)).body;
      expect(till.lines).toMatchObject([{ by: 'Hall', times: 2, amount: Math.round(Number(owed) * 100) }]);
    });
  });

  describe('a hold', () => {
    it('is placed, changed and given up, each once', async () => {
      const { reader, card } = await withCard();
      const bookId = await product.book(1);
      await device.ask(checkout((await withCard()).card, label(bookId)));
      const hold = (mode: string, more = '') =>
        `15${mode}${date()}${more}AOLibrary|AA${card}|AB${label(bookId)}|`;
      const mine = async () => (await reader.get('Hold/mine')).body as { neededUntil: string | null }[];

      expect(await device.ask(hold('*'))).toMatch(/^160/);
      const place = hold('+');
      const placed = await device.ask(place);
      expect(placed).toMatch(/^161N/);
      expect(fields(placed)['BR']).toEqual(['1']);
      expect(undated(await device.ask(place))).toBe(undated(placed));
      expect(await device.ask(hold('+'))).toMatch(/^160/);
      const until = sipDate(clock.now().getTime() + 20 * DAY, ZONE);
      expect(await device.ask(hold('*', `BW${until}|`))).toMatch(/^161/);
      expect((await mine())[0]?.neededUntil?.replaceAll('-', '')).toBe(until.slice(0, 8));
      const end = hold('-');
      expect(await device.ask(end)).toMatch(/^161/);
      expect(await device.ask(end)).toMatch(/^161/);
      expect(await mine()).toEqual([]);
    });
  });

  describe('a device', () => {
    it('is let in by its own password alone, and out as soon as it is revoked', async () => {
      const made = await makeDevice();
      const client = await connect();
      expect(await client.signIn(made.login, 'a guess')).toBe(false);
      expect(await client.signIn('nobody', made.secret)).toBe(false);
      expect(await client.signIn(made.login, made.secret)).toBe(true);
      expect(await client.ask('9900802.00')).toMatch(/^98Y/);
      const { body } = await admin.post(`Device/${made.id}/secret`);
      await expect(client.ask('9900802.00')).rejects.toThrow('over');
      const again = await enter({ login: made.login, secret: body.secret as string });
      await admin.delete(`Device/${made.id}`);
      await expect(again.ask('9900802.00')).rejects.toThrow('over');
    });

    it('that is closed says so, and still tells what it did alone', async () => {
      const { card } = await withCard();
      const client = await enter(await makeDevice({ isClosed: true }));
      const code = await item();
      expect(await client.ask('9900802.00')).toMatch(/^98YNNNNY/);
      expect(await client.ask(checkout(card, code))).toMatch(/^120/);
      expect(await client.ask(checkin(code))).toMatch(/^100/);
      expect(fields(await client.ask(information(card)))['AE']).toEqual(['']);
      expect(await client.ask(checkout(card, code, { flags: 'NY' }))).toMatch(/^121/);
    });
  });

  describe('what a device may ask for, and does not get', () => {
    it('is a card that is blocked: the visit ends, the staff are told, and the card goes on', async () => {
      const reader = await product.account();
      await reader.put('Reader/mine/pin', { pin: '8052' });
      const card = await cardOf(reader);
      const own = await enter(await makeDevice({ asksPin: true }));
      const status = (pin: string) => own.ask(`23001${date()}AOLibrary|AA${card}|AC|AD${pin}|`);
      await status('8052');
      const before = (await product.lines()).length;
      const blocked = await own.ask(`01Y${date()}AOLibrary|ALLeft behind|AA${card}|AC|`);
      expect(blocked).toMatch(/^24Y/);
      expect(fields(blocked)).toMatchObject({ AE: [''], CQ: ['N'], AF: ['Please ask the staff.'] });
      const told = (await product.lines()).slice(before).join();
      expect(told).toContain('asked for a card to be blocked');
      expect(told).not.toMatch(new RegExp(`${card}|Left behind`));
      expect(fields(await status(''))['CQ']).toEqual(['N']);
      expect(fields(await status('8052'))['CQ']).toEqual(['Y']);
      expect((await panel(reader)).card.blockedAt).toBeNull();
    });

    it('is a card that the staff blocked, released', async () => {
      const { reader, card } = await withCard();
      await admin.put(`Reader/card/block?id=${reader.id}`, { blocked: true });
      const answer = await device.ask(`25${date()}AOLibrary|AA${card}|AC|`);
      expect(answer).toMatch(/^26Y {3}Y/);
      expect(fields(answer)).toMatchObject({ AE: [''], BL: ['N'] });
      expect((await panel(reader)).card.blockedAt).not.toBeNull();
      await admin.put(`Reader/card/block?id=${reader.id}`, { blocked: false });
      expect(fields(await device.ask(`25${date()}AOLibrary|AA${card}|AC|`))['BL']).toEqual(['Y']);
    });

    it('is to keep properties of an item', async () => {
      const code = await item();
      expect(undated(await device.ask(`19${date()}AOLibrary|AB${code}|CHred dot|`))).toBe(
        `200<date>AB${code}|`,
      );
    });
  });

  it('speaks the language of the reader where the device names none', async () => {
    const reader = await product.account();
    await product.database.query(`update account set language = 'pl' where id = $1`, [reader.id]);
    const card = await cardOf(reader);
    const code = await item('Niezwyciężony');
    const answer = fields(await device.ask(checkout(card, code)));
    expect(answer['AG']).toEqual([expect.stringMatching(/^Niezwyciężony: Wypożyczona do \d{4}-\d\d-\d\d$/)]);
    expect(fields(await device.ask(checkout(card, code)))['AF']).toEqual(['Masz już tę książkę.']);
    expect((await device.ask(information(card).replace('63001', '63000'))).slice(16, 19)).toBe('017');
  });

  it('answers whatever devices write into their fields', async () => {
    const made = await makeDevice();
    const { card } = await withCard();
    const sign = fc.constantFrom(...'\u0000\u0001 0123456789-|+*YNA\'"\\%łÉ\u{1F4D6}', card);
    const said = fc.string({ unit: sign, maxLength: 40 });
    const ids = fc.constantFrom('AA', 'AB', 'AC', 'AD', 'AJ', 'BI', 'BP', 'BQ', 'BV', 'BW', 'CG');
    const field = fc.tuple(ids, fc.oneof(said, fc.constant(card))).map((parts) => `${parts.join('')}|`);
    const code = fc.constantFrom(...'01 09 11 15+ 15- 15* 17 19 23 25 29 35 37 63 65'.split(' '));
    let client = await enter(made);
    await forAllInTime(
      [code, fc.string({ unit: sign, minLength: 60, maxLength: 80 }), fc.array(field, { maxLength: 8 })],
      { numRuns: 150 },
      async (begin, fixed, more) => {
        const text = begin + fixed.replaceAll('|', ' ') + more.join('');
        const answer = await client.say(`${text}\r`);
        expect(answer).toMatch(/^(10|12|16|18|20|24|26|30|36|38|64|66|96)/);
        if (!answer.startsWith('96')) return;
        client.close();
        client = await enter(made);
      },
    );
    expect((await product.lines()).join()).not.toContain('could not be answered');
  });

  it('writes nothing of its messages to the log of the process', async () => {
    const { card } = await withCard();
    await device.ask(`23001${date()}AOLibrary|AA${card}|AC|AD7391|`);
    await (await connect()).signIn('somebody', 'hunter2hunter2');
    const written = await waitFor(async () => {
      const lines = (await product.lines()).join('\n');
      return lines.includes('security: device refused') && lines;
    });
    for (const secret of [card, '7391', 'Zofia', 'hunter2hunter2', 'somebody']) {
      expect(written).not.toContain(secret);
    }
  });

  it('speaks over TLS too, in another encoding', async () => {
    const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(certificate, loopbackCertificate.certificate);
    writeFileSync(key, loopbackCertificate.privateKey);
    const { sip2Port = 0 } = await product.startServer({ SIP2_TLS_CERT: certificate, SIP2_TLS_KEY: key });
    const { login, secret } = await makeDevice({ encoding: 'CP850' });
    const client = await Sip2Client.connect(sip2Port, loopbackCertificate.certificate);
    open.push(client);
    expect(await client.signIn(login, secret)).toBe(true);
    const code = await item('Żółw');
    expect(await client.ask(`17${date()}AO|AB${code}|`)).toContain('AJZ');
  });
});
