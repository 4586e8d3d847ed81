import { randomUUID } from 'node:crypto';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { AuditEvents } from '#contracts/audit/audit-events.js';
import type { ReaderPanel } from '#contracts/accounts/reader-card.js';
import type { GivenBack, OwnBooks, Renewed, Taken } from '#contracts/self-service/self-service.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { lend, setCard, setLabel } from '../../test-support/product/borrow-steps.js';
import { caller, keyed, refusal } from '../../test-support/product/caller.js';
import { bindKiosk, bound, KIOSK } from '../../test-support/product/kiosk.js';
import { startProduct, type TestAccount } from '../../test-support/product/product.js';
import { TestClock } from '../../test-support/test-clock.js';
import { waitFor } from '../../test-support/wait-for.js';
import { atEnd, shared } from '../../test-support/shared.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('self-service', () => {
  const clock = new TestClock();
  const product = shared(() =>
    startProduct(clock, { staySignedIn: true, environment: { TIME_ZONE: 'Europe/Warsaw' } }),
  );
  const admin = shared(() => product.account('Reader', 'Admin'));
  const kiosk = shared(() => bindKiosk(product.url, admin));
  // Each test has its allowance of guesses.
  beforeEach(() => clock.forward(16 * MINUTE));
  atEnd(async () => expect(await product.differences()).toEqual([]));

  const panel = async (of: TestAccount) => (await admin.get(`Reader/panel?id=${of.id}`)).body as ReaderPanel;
  const cardOf = async (of: TestAccount) => (await panel(of)).card.number;
  const begin = async (reader: TestAccount, at = kiosk) => {
    const { body } = await at.post('SelfService/visit', { card: await cardOf(reader) });
    expect(body).toMatchObject({ outcome: 'welcome', firstname: 'Zofia' });
    return body.visit as string;
  };
  const label = (bookId: number, copy = 1) => copyCode({ bookId, copy });
  const take = async (visit: string, code: string, at = kiosk, key = keyed()) =>
    (await at.post(`SelfService/visit/${visit}/take`, { code }, key)).body as Taken;
  const giveBack = async (code: string, at = kiosk, key = keyed()) =>
    (await at.post('SelfService/give-back', { code }, key)).body as GivenBack;
  const ownBooks = async (visit: string) => (await kiosk.get(`SelfService/visit/${visit}`)).body as OwnBooks;
  const renew = async (visit: string, borrowId: string | null, key = keyed()) =>
    (await kiosk.post(`SelfService/visit/${visit}/renew`, { borrowId }, key)).body as Renewed[];
  /** A reader at the kiosk. */
  const visiting = async (at = kiosk) => {
    const reader = await product.account();
    return { reader, visit: await begin(reader, at) };
  };
  const allOf = async ({ id }: TestAccount) =>
    (await admin.get(`Audit/readers/${id}/events`)).body as AuditEvents;

  describe('a device', () => {
    it('is bound by a code, once, within ten minutes, and another browser puts it out', async () => {
      const { body } = await admin.post('Device', KIOSK);
      expect(body.secret).toMatch(/^\d{8}$/);
      const first = await bound(product.url, body.secret as string);
      expect(first.status).toBe(200);
      expect(await bound(product.url, body.secret as string)).toMatchObject({ status: 400, cookie: '' });
      const old = caller(product.url, '', first.cookie);
      expect((await old.get('SelfService/kiosk')).body).toEqual({
        name: 'Door',
        languages: ['en', 'pl'],
        isClosed: false,
      });

      const again = await admin.post(`Device/${body.device.id}/secret`);
      expect((await old.get('SelfService/kiosk')).status).toBe(200);
      await clock.forward(10 * MINUTE + 1);
      expect((await bound(product.url, again.body.secret as string)).status).toBe(400);
      const third = await admin.post(`Device/${body.device.id}/secret`);
      expect((await bound(product.url, third.body.secret as string)).status).toBe(200);
      expect((await old.get('SelfService/kiosk')).status).toBe(401);
    });

    it('is not bound by guesses, and neither codes nor what lets it in are stored', async () => {
      const { body } = await admin.post('Device', KIOSK);
      const code = body.secret as string;
      const wrong = String((Number(code) + 1) % 100_000_000).padStart(8, '0');
      const statuses = [];
      for (let guess = 0; guess < 21; guess += 1) statuses.push((await bound(product.url, wrong)).status);
      expect(statuses).toEqual([...Array<number>(20).fill(400), 429]);
      expect((await bound(product.url, code)).status).toBe(429);
      await clock.forward(9 * MINUTE);
      const { rows } = await product.database.query('select row_to_json(d)::text as all from device d');
      expect(JSON.stringify(rows)).not.toContain(code);
      expect(JSON.stringify(rows)).not.toContain(kiosk.cookie.split('=')[1]);
    });

    it('knows nothing of visits at others, and may nothing at all once it is revoked', async () => {
      const { reader, visit } = await visiting();
      const own = await bindKiosk(product.url, admin, { name: 'Cellar' });
      const theirs = await begin(reader, own);
      // A visit at another device is none of its own.
      expect((await own.get(`SelfService/visit/${visit}`)).body.code).toBe('VisitOver');
      const code = label(await product.book(1));
      expect((await admin.delete(`Device/${own.id}`)).status).toBe(200);
      expect((await own.post(`SelfService/visit/${theirs}/take`, { code })).status).toBe(401);
      expect((await own.get('SelfService/kiosk')).status).toBe(401);
      expect((await own.post('SelfService/give-back', { code })).status).toBe(401);
      expect((await panel(reader)).books.have).toBe(0);
    });

    it('that is closed serves nobody, and says so', async () => {
      const own = await bindKiosk(product.url, admin, { isClosed: true });
      expect((await own.get('SelfService/kiosk')).body.isClosed).toBe(true);
      const card = await cardOf(admin);
      for (const [path, body] of [
        ['SelfService/visit', { card }],
        ['SelfService/give-back', { code: '4711-2-3' }],
      ] as const) {
        expect((await own.post(path, body)).body.code).toBe('DeviceClosed');
      }
    });

    it('of bought make signs in with a login and a password that is shown once', async () => {
      const { body } = await admin.post('Device', { ...KIOSK, kind: 'sip2', name: 'Sorter' });
      expect(body).toMatchObject({
        expiresAt: null,
        device: { isBound: false, login: expect.stringMatching(/^sip-/) },
      });
      const listed = JSON.stringify((await admin.get('Device')).body);
      expect(listed).toContain('Sorter');
      expect(listed).not.toContain(body.secret);
      // Its password is no cookie of a kiosk.
      const cookie = `lectern-device=${String(body.secret)}`;
      expect((await caller(product.url, '', cookie).get('SelfService/kiosk')).status).toBe(401);
    });
  });

  describe('a card', () => {
    const open = async (card: string, pin?: string, at = kiosk) =>
      (await at.post('SelfService/visit', { card, ...(pin && { pin }) })).body as {
        outcome: string;
        why?: string;
      };

    it('begins a visit; one that is unknown, replaced or blocked does not, and a name is no card', async () => {
      const reader = await product.account();
      const card = await cardOf(reader);
      expect(await open(card)).toMatchObject({ outcome: 'welcome', loans: [], kept: [], owes: 0 });
      expect((await open('21234567890123')).why).toBe('CardUnknown');
      expect((await open((await panel(reader)).reader.userName)).why).toBe('CardUnknown');
      await admin.put(`Reader/card/block?id=${reader.id}`, { blocked: true });
      expect((await open(card)).why).toBe('CardBlocked');
      await admin.post(`Reader/card/replace?id=${reader.id}`);
      expect((await open(card)).why).toBe('CardReplaced');
      expect((await open(await cardOf(reader))).outcome).toBe('welcome');
    });

    it('of an earlier system is read where a card is meant; during a visit a label comes first', async () => {
      const [reader, other] = [await product.account(), await product.account()];
      const bookId = await product.book(1, 'Eden');
      await setCard(product, reader, 'ALT77');
      await setCard(product, other, '2000111');
      await setLabel(product, bookId, '2000111');
      expect(await open('alt-77')).toMatchObject({ outcome: 'welcome', loans: [] });
      const { visit } = (await open('2000111')) as unknown as { visit: string };
      expect(await take(visit, '2000111')).toMatchObject({ outcome: 'lent', title: 'Eden' });
      expect((await panel(other)).books.have).toBe(1);
      expect(await giveBack('2000111')).toMatchObject({ outcome: 'given-back', title: 'Eden' });
      expect(await take(visit, 'ALT77')).toEqual({ outcome: 'card' });
      expect(await giveBack(await cardOf(admin))).toEqual({ outcome: 'card' });
      expect(await take(visit, 'ALT78')).toMatchObject({ outcome: 'refused', why: 'CopyNotFound' });
    });

    it('has a PIN that is hard to guess, which readers and the desk set and nobody reads', async () => {
      const reader = await product.account();
      const set = async (pin: string) => (await reader.put('Reader/mine/pin', { pin })).status;
      const weak = '0000 1234 4321 789012 1212 123123 1990 3101 0131 310190 900131 123 12345678 12a4';
      for (const pin of weak.split(' ')) expect([pin, await set(pin)]).toEqual([pin, 400]);
      expect((await panel(reader)).card.hasPin).toBe(false);
      expect(await set('8052')).toBe(200);
      expect((await reader.get('Reader/mine')).body.card).toMatchObject({ hasPin: true });
      expect((await admin.put(`Reader/card/pin?id=${reader.id}`, { pin: '4418' })).status).toBe(200);
      const { rows } = await product.database.query<{ hash: string }>('select hash from card_pin');
      expect(rows.map(({ hash }) => hash.slice(0, 9))).toEqual(['$argon2id']);
    });

    it('lets nobody in without the PIN where it is asked for, and tries are limited for the card and the device', async () => {
      const own = await bindKiosk(product.url, admin, { asksPin: true });
      const [reader, without] = [await product.account(), await product.account()];
      await reader.put('Reader/mine/pin', { pin: '8052' });
      const card = await cardOf(reader);
      expect((await open(card, undefined, own)).why).toBe('PinNeeded');
      expect((await open(await cardOf(without), '8052', own)).why).toBe('PinNotSet');
      for (let guess = 0; guess < 4; guess += 1) expect((await open(card, '9999', own)).why).toBe('PinWrong');
      expect((await open(card, '8052', own)).outcome).toBe('welcome');
      for (let guess = 0; guess < 5; guess += 1) expect((await open(card, '9999', own)).why).toBe('PinWrong');
      expect((await open(card, '8052', own)).why).toBe('TooManyAttempts');
      await clock.forward(16 * MINUTE);
      expect((await open(card, '8052', own)).outcome).toBe('welcome');
      // As many wrong ones at the device as may be, but one.
      expect((await open(card, '9999', own)).why).toBe('PinWrong');
      await product.rows(`update attempt set at = array_fill(at[1], array[29]) where what = 'pin-at-device'`);
      expect((await open(card, '9999', own)).why).toBe('PinWrong');
      // What keeps others from guessing keeps the device's readers waiting, and no other device.
      expect((await open(card, '8052', own)).why).toBe('TooManyAttempts');
      const other = await bindKiosk(product.url, admin, { asksPin: true });
      expect((await open(card, '8052', other)).outcome).toBe('welcome');
    });
  });

  describe('a visit', () => {
    it('lends what is scanned, in the name of the device, and a repeat gets the first answer', async () => {
      const { reader, visit } = await visiting();
      const bookId = await product.book(2, 'Solaris');
      const key = keyed();
      const lent = await take(visit, label(bookId, 2), kiosk, key);
      expect(lent).toEqual({ outcome: 'lent', title: 'Solaris', dueDate: expect.any(String) });
      expect(await take(visit, label(bookId, 2), kiosk, key)).toEqual(lent);
      const again = await take(visit, label(bookId, 2));
      expect(again).toMatchObject({ outcome: 'refused', why: 'BookAlreadyBorrowed' });
      const reused = await kiosk.post(`SelfService/visit/${visit}/take`, { code: 'other' }, key);
      expect(reused).toMatchObject(refusal(422, 'IdempotencyKeyReused'));
      expect(await ownBooks(visit)).toMatchObject({
        loans: [{ title: 'Solaris', copy: label(bookId, 2), isLate: false }],
        books: { have: 1 },
      });

      const { items } = await allOf(reader);
      expect(items.map(({ type }) => type)).toEqual(['BooksRented', 'BooksIssued']);
      expect(items[1]).toMatchObject({
        actor: { id: kiosk.id, name: 'Self-service: Door', kind: 'device' },
        data: { issuedBy: kiosk.id },
        metadata: { actor: kiosk.id },
      });
      const [{ borrow }] = (await panel(reader)).borrows as [ReaderPanel['borrows'][number]];
      const { body } = await admin.get(`Borrow/details?borrowId=${borrow.id}`);
      expect(body.steps[1]).toMatchObject({ type: 'BooksIssued', by: 'Self-service: Door', byPerson: true });
      const timeline = (await admin.get(`Audit/readers/${reader.id}/timeline`)).body;
      expect(timeline.actors).toContainEqual(expect.objectContaining({ kind: 'device' }));
    });

    it('two attempts at once with one key are one loan', async () => {
      const { reader, visit } = await visiting();
      const code = label(await product.book(2));
      const key = keyed();
      const answers = await Promise.all(Array.from({ length: 4 }, () => take(visit, code, kiosk, key)));
      expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
      expect((await allOf(reader)).totalCount).toBe(2);
    });

    it('says why it does not lend', async () => {
      const { reader, visit } = await visiting();
      const other = await product.account();
      const why = async (code: string) => {
        const answer = await take(visit, code);
        return answer.outcome === 'refused' ? answer.why : answer.outcome;
      };
      expect(await why('9788308049822')).toBe('CopyNotFound');
      expect(await why(label(999_999))).toBe('CopyNotFound');
      const reference = await product.book(1);
      await product.database.query(`update book set kind = 'reading-room' where id = $1`, [reference]);
      expect(await why(label(reference))).toBe('ReadingRoomOnly');
      const theirs = await product.book(1);
      await admin.post(`Borrow/lend?userId=${other.id}`, { copies: [label(theirs)] });
      expect(await why(label(theirs))).toBe('CopyNotOnShelf');
      const damaged = await product.book(1);
      await admin.post(`Copy/${label(damaged)}/damaged`);
      expect(await why(label(damaged))).toBe('CopyOutOfService');
      await admin.put(`Reader/notice?id=${reader.id}`, { message: 'A word, please.', blocks: true });
      expect(await why(label(await product.book(1)))).toBe('ReaderBlocked');
      expect((await ownBooks(visit)).isBlocked).toBe(true);
      await admin.delete(`Reader/notice?id=${reader.id}`);
      const { most } = (await panel(reader)).books;
      for (let each = 0; each < most; each += 1) expect(await why(label(await product.book(1)))).toBe('lent');
      expect(await why(label(await product.book(1)))).toBe('LimitReached');
      expect((await panel(reader)).books.have).toBe(most);
    });

    it('hands over what is kept for the reader, and for nobody else', async () => {
      const first = await product.account();
      const bookId = await product.book(1, 'Fiasko');
      const held = await first.post('Hold', { bookId });
      expect(held.status).toBe(200);
      const { visit: others } = await visiting();
      const refused = { outcome: 'refused', title: 'Fiasko', why: 'CopyHeldForOther' };
      expect(await take(others, label(bookId))).toEqual(refused);
      expect(await giveBack(label(bookId))).toEqual({ outcome: 'not-lent', title: 'Fiasko', isHeld: true });
      const visit = await begin(first);
      expect((await ownBooks(visit)).kept).toMatchObject([{ title: 'Fiasko' }]);
      expect(await take(visit, label(bookId))).toMatchObject({ outcome: 'lent' });
      expect((await ownBooks(visit)).kept).toEqual([]);
      expect((await first.get('Hold/mine')).body).toEqual([]);
    });

    it('renews a loan, or all, and says what cannot be renewed', async () => {
      const { reader, visit } = await visiting();
      const [one, two] = [await product.book(1, 'One'), await product.book(1, 'Two')];
      await take(visit, label(one));
      await take(visit, label(two));
      const before = (await ownBooks(visit)).loans;
      await clock.forward(5 * DAY);
      const later = await begin(reader);
      expect((await kiosk.get(`SelfService/visit/${visit}`)).body.code).toBe('VisitOver');
      await (await product.account()).post('Hold', { bookId: two });
      const key = keyed();
      const all = await renew(later, null, key);
      expect(all.map(({ titles, outcome }) => [titles, outcome]).sort()).toEqual([
        [['One'], 'renewed'],
        [['Two'], 'refused'],
      ]);
      expect(all.find(({ outcome }) => outcome === 'refused')).toMatchObject({ why: 'SomebodyWaits' });
      expect(await renew(later, null, key)).toEqual(all);
      const after = (await ownBooks(later)).loans.find(({ title }) => title === 'One');
      expect(Date.parse(after?.dueDate ?? '')).toBeGreaterThan(Date.parse(before[0]?.dueDate ?? ''));
      expect(await renew(later, randomUUID())).toMatchObject([
        { outcome: 'refused', why: 'BorrowNotIssued' },
      ]);
    });

    it('is over two minutes after its last call, or when the next reader comes, or goes', async () => {
      const { visit } = await visiting();
      const code = async (of: string) =>
        (await kiosk.get(`SelfService/visit/${of}`)).body.code as string | undefined;
      await clock.forward(MINUTE);
      expect(await code(visit)).toBeUndefined();
      await clock.forward(2 * MINUTE + 1000);
      expect(await code(visit)).toBe('VisitOver');
      const { visit: second } = await visiting();
      const { visit: third } = await visiting();
      expect(await code(second)).toBe('VisitOver');
      expect((await kiosk.delete(`SelfService/visit/${second}`)).status).toBe(200);
      expect(await code(third)).toBeUndefined();
      expect((await kiosk.delete(`SelfService/visit/${third}`)).status).toBe(200);
      expect(await code(third)).toBe('VisitOver');
    });

    it('is told by one letter of what was done', async () => {
      const { reader, visit } = await visiting();
      await take(visit, label(await product.book(1, 'Eden')));
      expect((await kiosk.delete(`SelfService/visit/${visit}`)).status).toBe(200);
      const { email } = (await panel(reader)).reader;
      await waitFor(async () => (await product.letters(email)).some(({ text }) => text.includes('Eden')));
    });
  });

  describe('giving back', () => {
    it('needs no card, and a repeat gets the first answer', async () => {
      const { reader, visit } = await visiting();
      const code = label(await product.book(1, 'Katar'));
      await take(visit, code);
      const key = keyed();
      const back = await giveBack(code, kiosk, key);
      expect(back).toEqual({ outcome: 'given-back', title: 'Katar', isHeld: false, isCharged: false });
      expect(await giveBack(code, kiosk, key)).toEqual(back);
      expect(await giveBack(code)).toEqual({ outcome: 'not-lent', title: 'Katar', isHeld: false });
      const types = (await allOf(reader)).items.map(({ type }) => type);
      expect(types).toEqual(['BooksRented', 'BooksIssued', 'BooksReturned']);
    });

    it('sends a book that somebody waits for to the staff', async () => {
      const { visit } = await visiting();
      const bookId = await product.book(1, 'Golem XIV');
      await take(visit, label(bookId));
      await (await product.account()).post('Hold', { bookId });
      expect(await giveBack(label(bookId))).toMatchObject({ outcome: 'given-back', isHeld: true });
    });

    it('takes back what is late, and says that a fee is owed; then nothing is lent', async () => {
      const { reader, visit } = await visiting();
      const code = label(await product.book(1));
      await take(visit, code);
      await clock.forward(60 * DAY);
      const late = await begin(reader);
      expect(await ownBooks(late)).toMatchObject({ loans: [{ isLate: true, renewableUntil: null }] });
      expect(await giveBack(code)).toMatchObject({ outcome: 'given-back', isCharged: true });
      expect((await ownBooks(late)).owes).toBeGreaterThan(0);
      expect(await take(late, label(await product.book(1)))).toMatchObject({ why: 'FeeNotPaid' });
    });

    it('leaves to the staff what nobody can say whose it is, and what was lost', async () => {
      const bookId = await product.book(2, 'Powrót z gwiazd');
      for (const reader of [await product.account(), await product.account()]) {
        await lend(admin, reader, [bookId]);
      }
      const refused = { outcome: 'refused', title: 'Powrót z gwiazd', why: 'AskStaff' };
      expect(await giveBack(label(bookId))).toEqual(refused);
      expect(await giveBack('no label')).toEqual({ outcome: 'refused', title: null, why: 'CopyNotFound' });
    });
  });

  it('says nothing of a state from before: it waits for the lists, and is asked again', async () => {
    const reader = await product.account();
    const code = label(await product.book(1, 'Astronauci'));
    const blocker = await product.database.connect();
    const key = keyed();
    try {
      await blocker.query(`begin; select from ${READ_MODEL}.checkpoint for update`);
      expect((await admin.post(`Borrow/lend?userId=${reader.id}`, { copies: [code] })).status).toBe(200);
      const early = await kiosk.post('SelfService/give-back', { code }, key);
      expect(early).toMatchObject(refusal(503, 'AnswerTookTooLong'));
      await blocker.query('rollback');
      await waitFor(async () => (await kiosk.post('SelfService/give-back', { code }, key)).status === 200);
      expect(await giveBack(code, kiosk, key)).toMatchObject({ outcome: 'given-back', title: 'Astronauci' });
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
  });

  it('lends the only copy once where two kiosks scan it at once', async () => {
    const other = await bindKiosk(product.url, admin, { name: 'Window' });
    for (let round = 0; round < 2; round += 1) {
      const [one, two] = [await visiting(), await visiting(other)];
      const code = label(await product.book(1));
      const answers = await Promise.all([take(one.visit, code), take(two.visit, code, other)]);
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['lent', 'refused']);
      const have = [(await panel(one.reader)).books.have, (await panel(two.reader)).books.have];
      expect(have.sort()).toEqual([0, 1]);
    }
  });
});
