import { type ReaderPanel } from '#contracts/accounts/reader-card.js';
import { borrowView, holdView, readerOf } from '../../../test-support/views.js';
import { readerMessage } from './reader-message.js';

const READER = '4c1f7a0e-0000-4000-8000-000000000001';
const BORROW = '4c1f7a0e-0000-4000-8000-0000000000aa';
const AT = '2026-11-26T10:00:00.000Z';
const open = (title: string, id = BORROW) => ({
  borrow: borrowView({
    id,
    books: [{ bookId: 7, title, state: 'reserved', issueDate: null, returnDate: null }],
  }),
  renewal: null,
});
const panel = (known: Partial<ReaderPanel> = {}): ReaderPanel => ({
  reader: readerOf({ id: READER }),
  card: { number: '2', bars: [], issuedAt: AT, blockedAt: null, hasPin: false },
  ...{
    notice: null,
    block: null,
    borrows: [],
    owes: 0,
    refund: 0,
    books: { have: 2, most: 10 },
    holds: [],
    visits: [],
  },
  ...known,
});
const notice = (message: string, blocks: boolean) => ({ message, blocks, writtenBy: null, writtenAt: AT });
const said = (known: Partial<ReaderPanel>) => readerMessage(panel(known), 'hand-over');

describe('what is said of a reader whose card is scanned', () => {
  it('is their name where nothing stands in the way', () => {
    expect(said({})).toEqual({
      ...{
        tone: 'good',
        headline: 'Anna Nowak',
        details: ['Scan the books, one after the other.'],
        offers: [],
      },
    });
    expect(readerMessage(panel(), 'take-back')).toMatchObject({ tone: 'plain', headline: 'Anna Nowak' });
  });

  it.each<[string, Partial<ReaderPanel>, object]>([
    [
      'a block, with the word why',
      { notice: notice('Three books never came back.', true) },
      {
        ...{ tone: 'refused', headline: 'Blocked', details: ['Three books never came back.'] },
        offers: [{ do: 'see-reader' }],
      },
    ],
    [
      'that their membership is over',
      { reader: readerOf({ id: READER, memberUntil: '2020-01-31' }) },
      {
        ...{ tone: 'refused', headline: 'Membership over', details: ['It ended on 2020-01-31.'] },
        offers: [{ do: 'renew-membership', until: '2020-01-31' }],
      },
    ],
    [
      'a blocked card',
      { card: { ...panel().card, blockedAt: AT } },
      { tone: 'refused', headline: 'Blocked' },
    ],
    [
      'what they owe',
      { owes: 12.4 },
      {
        ...{ tone: 'refused', headline: '12.40 PLN to pay', details: [] },
        offers: [{ do: 'pay', amount: 12.4 }],
      },
    ],
    [
      'what the library owes them',
      { refund: 45 },
      { tone: 'heed', headline: '45.00 PLN to pay out', offers: [{ do: 'pay-out', amount: 45 }] },
    ],
    [
      'that nothing more can be lent',
      { books: { have: 11, most: 10 } },
      { tone: 'heed', headline: '11 of 10 books', details: ['Lending more needs a reason.'] },
    ],
    [
      'what is to be said to them',
      { notice: notice('Your umbrella is here.', false) },
      { tone: 'heed', headline: 'A message', details: ['Your umbrella is here.'] },
    ],
  ])('is %s', (_what, known, line) => {
    expect(said(known)).toMatchObject(line);
  });

  it('is what waits for them, where it stands, and how it is handed over', () => {
    const holds = [holdView({ state: 'Ready', place: null, borrowId: BORROW })];
    const borrows = [open('Lalka'), open('Solaris', READER)];
    expect(said({ borrows, holds })).toMatchObject({
      ...{
        tone: 'heed',
        headline: '2 books wait',
        details: ['Reserved, shelf A: Lalka.', 'Rented: Solaris.'],
      },
      offers: [
        {
          do: 'hand-over',
          commands: [
            { kind: 'issue', borrowId: BORROW, book: { id: 7, title: 'Lalka' }, person: { id: READER } },
            { kind: 'issue', borrowId: READER, book: { id: 7, title: 'Solaris' } },
          ],
        },
      ],
    });
  });

  it('begins with what stands in the way and leaves nothing else out', () => {
    const all = said({
      ...{ borrows: [open('Lalka')], owes: 5, refund: 3, books: { have: 10, most: 10 } },
      notice: notice('Please call.', true),
    });
    expect(all).toMatchObject({
      tone: 'refused',
      headline: 'Blocked',
      details: [
        'Please call.',
        '5.00 PLN to pay.',
        '10 of 10 books.',
        'Lending more needs a reason.',
        '3.00 PLN to pay out.',
        '1 book waits.',
        'Rented: Lalka.',
      ],
    });
    // Nothing is handed over to somebody who is blocked.
    expect(all.offers?.map((offer) => offer.do)).toEqual(['see-reader', 'pay', 'pay-out']);
  });
});
