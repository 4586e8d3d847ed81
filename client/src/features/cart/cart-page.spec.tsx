import { act, screen, within } from '@testing-library/react';
import type { OwnCard } from '#contracts/accounts/own-card.js';
import { sees } from '../../../test-support/on-screen.js';
import { show, userOf } from '../../../test-support/screen.js';
import { type Answers, problem, serverOf } from '../../../test-support/server.js';
import { OTHER_ID, bookView, borrowView } from '../../../test-support/views.js';
import { cart } from '../../domain/cart.js';
import { session } from '../../lib/session.js';
import { CartPage } from './cart-page.js';

const RENT = 'POST Borrow/rent-books';
const book = (id: number, title: string) => ({ id, title, photo: null, authors: [], genres: [] });
const stored = (id: number, title: string, copiesAvailable: number) => [
  200,
  bookView({
    ...book(id, title),
    isbn: '9788324013470',
    publisher: { id: 1, name: 'Znak', adress: '', phone: '', website: '' },
    published: '2001-01-01',
    publicationDate: '2001-01-01',
    copiesAvailable,
  }),
];

const late = borrowView({
  borrowedBooks: [{ bookId: 7, title: 'Lalka' }],
  books: [{ bookId: 7, title: 'Lalka', state: 'lent', issueDate: '2026-10-21T10:00:00Z', returnDate: null }],
  rentDate: '2026-10-20T10:00:00Z',
  collectBy: '2026-10-23T10:00:00Z',
  issueDate: '2026-10-21T10:00:00Z',
  dueDate: '2026-11-04T10:00:00Z',
  status: 'Not_Paid',
  fineAmount: 27,
  fineDue: 27,
  availableActions: ['pay'],
});
const own: OwnCard = {
  card: {
    number: '20000000000008',
    bars: [2, 1, 2],
    issuedAt: '2026-01-15T10:00:00Z',
    blockedAt: null,
    hasPin: false,
  },
  block: null,
  borrows: [{ borrow: late, renewal: { refusal: 'Fee not paid' } }],
  owes: 27,
  refund: 0,
  books: { have: 1, most: 10 },
};

async function refused(answers: Answers) {
  session.begin(userOf());
  cart.add(book(1, 'Dune'));
  cart.add(book(2, 'Solaris'));
  const server = serverOf({
    'GET Book/1': stored(1, 'Dune', 2) as never,
    'GET Book/2': stored(2, 'Solaris', 2) as never,
    ...answers,
  });
  const shown = show([{ path: '/cart', element: <CartPage /> }], '/cart');
  await shown.person.click(screen.getByRole('button', { name: 'Rent' }));
  return { server, ...shown };
}

// spec 2.23
it('gives books back, and cannot be rented when it is empty', async () => {
  session.begin(userOf());
  const titles = ['Dune', 'Solaris'];
  titles.forEach((title, at) => void cart.add(book(at + 1, title)));
  serverOf({ 'GET Book/1': stored(1, 'Dune', 2) as never, 'GET Book/2': stored(2, 'Solaris', 2) as never });
  const { person, press, address } = show([{ path: '/cart', element: <CartPage /> }], '/cart');
  for (const title of titles) await press(`Remove ${title}`);
  expect(screen.getByText('Your cart is empty')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Rent' })).toHaveProperty('disabled', true);
  await person.click(screen.getByRole('link', { name: 'Back' }));
  expect(address()).toBe('/catalog');
  act(() => session.end());
});

describe('a cart whose rent is refused', () => {
  afterEach(() => {
    act(() => {
      cart.clear();
      session.end();
    });
  });

  it('says which book is gone, and is rented without it', async () => {
    const { server, press, address } = await refused({
      [RENT]: problem(409, 'CopiesUnavailable', 'No copy is left of “Solaris”. Nothing was rented.'),
      'GET Book/2': stored(2, 'Solaris', 0) as never,
    });
    expect((await screen.findByRole('alert')).textContent).toContain('No copy is left of “Solaris”');
    await sees('No copy is free right now.');
    expect(screen.getAllByText(/Reserve or remove what is marked/)).toHaveLength(1);
    const row = screen.getByText('Solaris').closest('tr');
    expect(row?.textContent).toContain('No copy is free right now.');
    expect(screen.getByText('Dune').closest('tr')?.textContent).not.toContain('No copy');
    server.answers[RENT] = [200, { borrowId: OTHER_ID, position: '1' }];
    await press('Remove Solaris');
    await press('Rent');
    await sees('Books rented');
    expect(address()).toBe('/catalog');
    // There it is said what waits where, and until when.
    expect(screen.getByTestId('elsewhere').dataset['state']).toBe(JSON.stringify({ rented: OTHER_ID }));
    expect(server.asked(RENT).at(-1)?.body).toEqual({ bookIds: [1] });
  });

  it('reserves the book that is gone in place of renting it', async () => {
    const { server, press } = await refused({
      [RENT]: problem(409, 'CopiesUnavailable', 'No copy is left of “Solaris”. Nothing was rented.'),
      'GET Book/2': stored(2, 'Solaris', 0) as never,
      'POST Hold': [200, { id: OTHER_ID, place: 1, position: '1' }],
    });
    await press('Reserve it: Solaris');
    await sees('Reserved: 1st in line');
    expect(server.asked('POST Hold').map(({ body }) => body)).toEqual([{ bookId: 2 }]);
    expect(cart.books().map(({ title }) => title)).toEqual(['Dune']);
  });

  it('says which book has left the catalogue', async () => {
    const { address } = await refused({
      [RENT]: problem(404, 'BookNotFound', 'One of these books is no longer in the catalogue.'),
      'GET Book/1': problem(404, 'BookNotFound', 'This book is not in the catalogue.'),
    });
    await sees(/This book is no longer in the catalogue/);
    expect(address()).toBe('/cart');
  });

  it('names the fee that stands in the way, with the way to pay it', async () => {
    const { server, press } = await refused({
      [RENT]: problem(409, 'FeeNotPaid', 'Fee not paid'),
      'GET Reader/mine': [200, own],
      'GET Payment/terms': [200, { online: true, minimumAmount: 0 }],
      'POST Payment/create': problem(503, 'PaymentProviderUnavailable', 'The provider is away.'),
    });
    const fee = await screen.findByRole('listitem');
    expect(fee.textContent).toContain('27.00 PLN for “Lalka” (late fee), due on 2026-11-04');
    await press(/Pay fee/, within(fee));
    expect(await within(fee).findByRole('alert')).toBeTruthy();
    expect(server.asked('POST Payment/create')[0]?.query).toEqual({ borrowId: OTHER_ID });
  });

  it('leaves other refusals to where they are always shown', async () => {
    await refused({ [RENT]: problem(503, 'EventStoreUnavailable', 'The library is away for a moment.') });
    await sees('The library is away for a moment.');
    expect(document.querySelector('main [role="alert"]')).toBeNull();
  });
});
