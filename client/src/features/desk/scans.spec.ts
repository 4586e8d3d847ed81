import type { Holder, ScannedBook } from '#contracts/desk/scan.js';
import type { ReaderPanel } from '#contracts/accounts/reader-card.js';
import { bookOf, borrowView, holdView, ownCard, readerOf } from '../../../test-support/views.js';
import { planFor } from './plan.js';
import { readerMessage } from './reader-message.js';

const anna = { id: '4c1f7a0e-0000-4000-8000-000000000001', fullname: 'Anna Nowak' };
const jan = { id: '4c1f7a0e-0000-4000-8000-000000000002', fullname: 'Jan Kowalczyk' };
const BORROW = '4c1f7a0e-0000-4000-8000-0000000000aa';
const holder = (user = jan): Holder => ({ borrowId: BORROW, user, dueDate: '2026-11-30T22:59:59.999Z' });
const book = (known: Partial<ScannedBook> = {}): ScannedBook => ({
  kind: 'book',
  book: { id: 7, isbn: '9788373271890', title: 'Lalka', authors: ['Bolesław Prus'], kind: 'loanable' },
  copy: { code: '7-1-5', condition: 'present', shelfMark: 'B2', note: null },
  holders: [],
  lostBy: [],
  isKnown: false,
  keptFor: null,
  ofReader: null,
  ...known,
});
const person = (id: string, fullname: string) => ({
  ...{ id, fullname, userName: 'x', email: 'x@example.org', notice: null, cardBlocked: false },
});

const RENTED = { borrowId: BORROW, state: 'reserved', dueDate: null } as const;
const FOR_THE_ROOM = { ...book().book, kind: 'reading-room' } as const;
const LOST = { code: '7-1-5', condition: 'lost', shelfMark: 'B2', note: null } as const;

describe('what a scan leads to', () => {
  const issue = { kind: 'issue', borrowId: BORROW };
  it.each([
    ['lends what is on the shelf', book(), { kind: 'lend', code: '7-1-5', person: anna }],
    ['issues what the reader rented', book({ ofReader: RENTED }), issue],
    ['lends another copy of a title that others have', book({ holders: [holder()] }), { kind: 'lend' }],
    ['issues what is for the room only by now', book({ book: FOR_THE_ROOM, ofReader: RENTED }), issue],
  ])('handing over: %s', (_what, scanned, command) => {
    expect(planFor(scanned, 'hand-over', anna, '7-1-5')).toMatchObject({ do: 'send', command });
  });

  it.each([
    ['nobody stands there', book(), null, 'Who is it for?'],
    [
      'it is certainly another’s',
      book({ holders: [holder()], isKnown: true }),
      anna,
      'Lent to Jan Kowalczyk',
    ],
    ['the reader has it', book({ ofReader: { ...RENTED, state: 'lent' } }), anna, 'Already with this reader'],
    ['the copy is lost', book({ copy: LOST }), anna, 'Not lent'],
    ['the book is for the reading room only', book({ book: FOR_THE_ROOM }), anna, 'Not lent'],
  ])('hands nothing over where %s', (_why, scanned, reader, headline) => {
    const line = { tone: 'refused', headline };
    expect(planFor(scanned, 'hand-over', reader, '7-1-5')).toMatchObject({ do: 'say', line });
  });

  it('takes back from the one who has it, and asks where several may', () => {
    expect(planFor(book({ holders: [holder()] }), 'take-back', null, '7-1-5')).toMatchObject({
      do: 'send',
      command: { kind: 'take-back', borrowId: BORROW, person: jan, code: '7-1-5', shelfMark: 'B2' },
    });
    const several = planFor(book({ holders: [holder(), holder(anna)] }), 'take-back', null, '7-1-5');
    expect(several).toMatchObject({ do: 'say', line: { tone: 'heed', choices: [holder(), holder(anna)] } });
  });

  it('takes a lost copy from whoever lost it, whoever else has the title', () => {
    const scanned = book({ copy: LOST, holders: [holder(anna)], lostBy: [holder()] });
    expect(planFor(scanned, 'take-back', null, '7-1-5')).toMatchObject({
      do: 'send',
      command: { kind: 'find', borrowId: BORROW, person: jan, code: '7-1-5', shelfMark: 'B2' },
    });
    expect(planFor(book({ copy: LOST }), 'take-back', null, '7-1-5')).toMatchObject({
      do: 'send',
      command: { kind: 'bring-back', code: '7-1-5' },
    });
    expect(planFor(scanned, 'hand-over', anna, '7-1-5')).toMatchObject({ line: { remedy: 'take-back' } });
    // An ISBN does not say which copy it is.
    expect(
      planFor(book({ copy: null, lostBy: [holder()] }), 'take-back', null, '9788373271890'),
    ).toMatchObject({
      do: 'say',
      line: { headline: 'Was it lost?', choices: [holder()], isLost: true },
    });
  });

  it('says where a book goes that nobody has', () => {
    const line = (scanned: ScannedBook) => planFor(scanned, 'take-back', null, '7-1-5');
    expect(line(book())).toMatchObject({ line: { details: ['Put it back: shelf B2.'] } });
    const kept = book({
      keptFor: { borrowId: BORROW, user: anna, collectBy: '2026-11-25T12:00:00.000Z', isThisCopy: true },
    });
    expect(line(kept)).toMatchObject({ line: { details: [expect.stringContaining('kept for Anna Nowak')] } });
  });

  it('asks which of several readers is meant only where books are handed over', () => {
    const found = {
      kind: 'reader' as const,
      by: 'words' as const,
      totalCount: 1,
      readers: [person(anna.id, 'Anna Nowak')],
    };
    expect(planFor(found, 'hand-over', null, 'nowak')).toMatchObject({
      do: 'meet',
      reader: { id: anna.id },
    });
    const two = { ...found, totalCount: 2 };
    expect(planFor(two, 'take-back', null, 'nowak')).toMatchObject({ do: 'say', line: { tone: 'plain' } });
    expect(planFor(two, 'hand-over', null, 'nowak')).toMatchObject({ do: 'ask' });
    const none = { ...found, totalCount: 0, readers: [] };
    expect(planFor(none, 'hand-over', null, 'nowak')).toMatchObject({ do: 'say', line: { tone: 'refused' } });
  });
});

const READER = '4c1f7a0e-0000-4000-8000-000000000001';
const AT = '2026-11-26T10:00:00.000Z';
const open = (title: string, id = BORROW) => ({
  borrow: borrowView({ id, books: [bookOf(7, title, 'reserved')] }),
  renewal: null,
});
const panel = (known: Partial<ReaderPanel> = {}): ReaderPanel => ({
  ...{ ...ownCard({ books: { have: 2, most: 10 } }), reader: readerOf({ id: READER }) },
  ...{ notice: null, holds: [], visits: [] },
  ...known,
});
const notice = (message: string, blocks: boolean) => ({ message, blocks, writtenBy: null, writtenAt: AT });
const said = (known: Partial<ReaderPanel>) => readerMessage(panel(known), 'hand-over');

describe('what is said of a reader whose card is scanned', () => {
  it('is their name where nothing stands in the way', () => {
    const details = ['Scan the books, one after the other.'];
    expect(said({})).toEqual({ tone: 'good', headline: 'Anna Nowak', details, offers: [] });
    expect(readerMessage(panel(), 'take-back')).toMatchObject({ tone: 'plain', headline: 'Anna Nowak' });
  });

  const line = (tone: string, headline: string, details: string[], ...offers: object[]) => ({
    ...{ tone, headline, details },
    ...(offers.length > 0 && { offers }),
  });
  const blocked = notice('Three books never came back.', true);
  const over = readerOf({ id: READER, memberUntil: '2020-01-31' });
  const renew = { do: 'renew-membership', until: '2020-01-31' };
  const umbrella = notice('Your umbrella is here.', false);
  const reasonNeeded = 'Lending more needs a reason.';
  it.each<[string, Partial<ReaderPanel>, object]>([
    ['a block', { notice: blocked }, line('refused', 'Blocked', [blocked.message], { do: 'see-reader' })],
    [
      'that their membership is over',
      { reader: over },
      line('refused', 'Membership over', ['It ended on 2020-01-31.'], renew),
    ],
    ['what they owe', { owes: 12.4 }, line('refused', '12.40 PLN to pay', [], { do: 'pay', amount: 12.4 })],
    [
      'what is owed to them',
      { refund: 45 },
      line('heed', '45.00 PLN to pay out', [], { do: 'pay-out', amount: 45 }),
    ],
    [
      'that they have too many',
      { books: { have: 11, most: 10 } },
      line('heed', '11 of 10 books', [reasonNeeded]),
    ],
    ['what is to be said to them', { notice: umbrella }, line('heed', 'A message', [umbrella.message])],
    [
      'a blocked card',
      { card: { ...panel().card, blockedAt: AT } },
      { tone: 'refused', headline: 'Blocked' },
    ],
  ])('is %s', (_what, known, expected) => {
    expect(said(known)).toMatchObject(expected);
  });

  it('is what waits for them, where it stands, and how it is handed over', () => {
    const holds = [holdView({ state: 'Ready', place: null, borrowId: BORROW })];
    const borrows = [open('Lalka'), open('Solaris', READER)];
    const commands = [
      { kind: 'issue', borrowId: BORROW, book: { id: 7, title: 'Lalka' }, person: { id: READER } },
      { kind: 'issue', borrowId: READER, book: { id: 7, title: 'Solaris' } },
    ];
    expect(said({ borrows, holds })).toMatchObject({
      ...{ tone: 'heed', headline: '2 books wait', offers: [{ do: 'hand-over', commands }] },
      details: ['Reserved, shelf A: Lalka.', 'Rented: Solaris.'],
    });
  });

  it('begins with what stands in the way and leaves nothing else out', () => {
    const all = said({
      ...{ borrows: [open('Lalka')], owes: 5, refund: 3, books: { have: 10, most: 10 } },
      notice: notice('Please call.', true),
    });
    expect(all).toMatchObject({
      ...{ tone: 'refused', headline: 'Blocked' },
      details: [
        ...['Please call.', '5.00 PLN to pay.', '10 of 10 books.', 'Lending more needs a reason.'],
        ...['3.00 PLN to pay out.', '1 book waits.', 'Rented: Lalka.'],
      ],
    });
    // Nothing is handed over to somebody who is blocked.
    expect(all.offers?.map((offer) => offer.do)).toEqual(['see-reader', 'pay', 'pay-out']);
  });
});
