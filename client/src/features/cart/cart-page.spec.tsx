import { act, screen, within } from '@testing-library/react';
import { sees } from '../../../test-support/on-screen.js';
import { asReader, showPage } from '../../../test-support/screen.js';
import { answered, refused, type Answers } from '../../../test-support/server.js';
import { OTHER_ID, bookOf, bookView, borrowView, ownCard } from '../../../test-support/views.js';
import { cart } from '../../domain/cart.js';
import { CartPage } from './cart-page.js';

const RENT = 'POST Borrow/rent-books';
const book = (id: number, title: string) => ({ id, title, photo: null, authors: [], genres: [] });
const stored = (id: number, title: string, copiesAvailable: number) =>
  answered(bookView({ ...book(id, title), copiesAvailable }));
const NONE_LEFT = {
  [RENT]: refused('CopiesUnavailable', 'No copy is left of “Solaris”. Nothing was rented.'),
  'GET Book/2': stored(2, 'Solaris', 0),
};

/** The cart of a reader with two books. */
function shown(answers: Answers = {}) {
  cart.add(book(1, 'Dune'));
  cart.add(book(2, 'Solaris'));
  return showPage(<CartPage />, '/cart', {
    'GET Book/1': stored(1, 'Dune', 2),
    'GET Book/2': stored(2, 'Solaris', 2),
    ...answers,
  });
}

asReader();
afterEach(() => act(() => cart.clear()));

// spec 2.23
it('gives books back, and cannot be rented when it is empty', async () => {
  const { person, press, address } = shown();
  for (const title of ['Dune', 'Solaris']) await press(`Remove ${title}`);
  expect(screen.getByText('Your cart is empty')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Rent' })).toHaveProperty('disabled', true);
  await person.click(screen.getByRole('link', { name: 'Back' }));
  expect(address()).toBe('/catalog');
});

describe('a cart whose rent is refused', () => {
  async function sent(answers: Answers) {
    const page = shown(answers);
    await page.press('Rent');
    return page;
  }

  it('says which book is gone, and is rented without it', async () => {
    const { server, press, address } = await sent(NONE_LEFT);
    expect((await screen.findByRole('alert')).textContent).toContain('No copy is left of “Solaris”');
    await sees('No copy is free right now.');
    expect(screen.getAllByText(/Reserve or remove what is marked/)).toHaveLength(1);
    const row = screen.getByText('Solaris').closest('tr');
    expect(row?.textContent).toContain('No copy is free right now.');
    expect(screen.getByText('Dune').closest('tr')?.textContent).not.toContain('No copy');
    server.answers[RENT] = answered({ borrowId: OTHER_ID, position: '1' });
    await press('Remove Solaris');
    await press('Rent');
    await sees('Books rented');
    expect(address()).toBe('/catalog');
    // There it is said what waits where, and until when.
    const elsewhere = await screen.findByTestId('elsewhere');
    expect(elsewhere.dataset['state']).toBe(JSON.stringify({ rented: OTHER_ID }));
    expect(server.asked(RENT).at(-1)?.body).toEqual({ bookIds: [1] });
  });

  it('reserves the book that is gone in place of renting it', async () => {
    const { server, press } = await sent({
      ...NONE_LEFT,
      'POST Hold': answered({ id: OTHER_ID, place: 1, position: '1' }),
    });
    await press('Reserve it: Solaris');
    await sees('Reserved: 1st in line');
    expect(server.asked('POST Hold').map(({ body }) => body)).toEqual([{ bookId: 2 }]);
    expect(cart.books().map(({ title }) => title)).toEqual(['Dune']);
  });

  it('says which book has left the catalogue', async () => {
    const { address } = await sent({
      [RENT]: refused('BookNotFound', 'One of these books is no longer in the catalogue.'),
      'GET Book/1': refused('BookNotFound', 'This book is not in the catalogue.'),
    });
    await sees(/This book is no longer in the catalogue/);
    expect(address()).toBe('/cart');
  });

  it('names the fee that stands in the way, with the way to pay it', async () => {
    const late = borrowView({
      ...{ borrowedBooks: [{ bookId: 7, title: 'Lalka' }], books: [bookOf(7, 'Lalka', 'lent')] },
      ...{ dueDate: '2026-11-04T10:00:00Z', status: 'Not_Paid' },
      ...{ fineAmount: 27, fineDue: 27, availableActions: ['pay'] },
    });
    const borrows = [{ borrow: late, renewal: { refusal: 'Fee not paid' } }];
    const { server, press } = await sent({
      [RENT]: refused('FeeNotPaid', 'Fee not paid'),
      'GET Reader/mine': answered(ownCard({ borrows, owes: 27, books: { have: 1, most: 10 } })),
      'GET Payment/terms': answered({ online: true, minimumAmount: 0 }),
      'POST Payment/create': refused('PaymentProviderUnavailable', 'The provider is away.'),
    });
    const fee = await screen.findByRole('listitem');
    expect(fee.textContent).toContain('27.00 PLN for “Lalka” (late fee), due on 2026-11-04');
    await press(/Pay fee/, within(fee));
    await within(fee).findByRole('alert');
    expect(server.asked('POST Payment/create')[0]?.query).toEqual({ borrowId: OTHER_ID });
  });

  it('leaves other refusals to where they are always shown', async () => {
    await sent({ [RENT]: refused('EventStoreUnavailable', 'The library is away for a moment.') });
    await sees('The library is away for a moment.');
    expect(document.querySelector('main [role="alert"]')).toBeNull();
  });
});
