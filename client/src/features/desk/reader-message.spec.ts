import { type ReaderPanel } from '#contracts/accounts/reader-card.js';
import { bookOf, borrowView, holdView, ownCard, readerOf } from '../../../test-support/views.js';
import { readerMessage } from './reader-message.js';

const READER = '4c1f7a0e-0000-4000-8000-000000000001';
const BORROW = '4c1f7a0e-0000-4000-8000-0000000000aa';
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
