import { act, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { ToastContainer } from 'react-toastify/unstyled';
import type { Book } from '#contracts/catalogue/book-views.js';
import { bookView } from '../../../test-support/views.js';
import { cart } from '../../domain/cart.js';
import { session } from '../../lib/session.js';
import { RentThisBook } from './rent-this-book.js';

const book = bookView();

const shown = (changes: Partial<Book> = {}) =>
  render(
    <MemoryRouter>
      <RentThisBook book={{ ...book, ...changes }} />
      <ToastContainer />
    </MemoryRouter>,
  );
const button = () => screen.getByRole('button', { name: 'Rent this book' });

describe('Rent this book', () => {
  beforeEach(() => cart.clear());
  afterEach(() => act(() => session.end()));

  // spec 2.21, 6.3
  it('is for who is signed in', () => {
    shown();
    expect(button()).toHaveProperty('disabled', true);
    expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy();
  });

  it('is not there for a book of the reading room, which says so', () => {
    shown({ kind: 'reading-room' });
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByText(/You can read this book in the library/)).toBeTruthy();
  });

  it('puts the book in the cart, and warns when it is there already', async () => {
    session.begin({
      id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      username: 'anna',
      token: 't',
      roles: ['Reader'],
      expiresAt: '2100-01-01T00:00:00Z',
    });
    shown();
    fireEvent.click(button());
    expect(cart.holds(7)).toBe(true);
    expect(screen.queryByText('You already have this book in your cart')).toBeNull();
    fireEvent.click(button());
    expect(await screen.findByText('You already have this book in your cart')).toBeTruthy();
    expect(cart.books()).toHaveLength(1);
  });
});
