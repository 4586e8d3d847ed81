import { act, screen, waitFor, within } from '@testing-library/react';
import type { Book } from '#contracts/catalogue/book-views.js';
import type { OwnCard } from '#contracts/accounts/own-card.js';
import type { HoldView } from '#contracts/holds/hold-views.js';
import { openDialog, openQuestion, sees } from '../../../test-support/on-screen.js';
import { asReader, show, userOf } from '../../../test-support/screen.js';
import { type Answers, problem, serverOf } from '../../../test-support/server.js';
import { OTHER_ID, bookView, borrowView, holdView } from '../../../test-support/views.js';
import { session } from '../../lib/session.js';
import { cart } from '../../domain/cart.js';
import { BookAction } from './book-action.js';
// On its way with the page; the tests do not wait for it.
import './own-standing.js';

const MINE = 'GET Hold/mine';
const PROSPECT = 'GET Hold/prospect';
const PLACE = 'POST Hold';
const OWN = 'GET Reader/mine';

const book = bookView({ copiesAvailable: 0, holds: 3 });

const hold = (changes: Partial<HoldView> = {}) => holdView({ place: 4, ...changes });

const own = (changes: Partial<OwnCard> = {}): OwnCard => ({
  card: {
    number: '20000000000008',
    bars: [2, 1, 2],
    issuedAt: '2026-01-15T10:00:00Z',
    blockedAt: null,
    hasPin: false,
  },
  block: null,
  borrows: [],
  owes: 0,
  refund: 0,
  books: { have: 0, most: 10 },
  ...changes,
});

const answer = { id: OTHER_ID, place: 4, position: '100' };

function shown(answers: Answers, changes: Partial<Book> = {}) {
  const server = serverOf({
    [MINE]: [200, []],
    [OWN]: [200, own()],
    [PROSPECT]: [200, { waiting: 3, place: 4, estimateDays: 9 }],
    ...answers,
  });
  const element = <BookAction book={{ ...book, ...changes }} />;
  return { server, ...show([{ path: '/book/7', element }], '/book/7') };
}

describe('waiting for a book', () => {
  asReader();

  it('says beforehand which place it would be and about how long, and where nobody can say, that', async () => {
    const { server, client } = shown({});
    await sees('Every copy is on loan. You would be 4th in line, about 9 days.');
    server.answers[PROSPECT] = [200, { waiting: 1, place: 2, estimateDays: null }];
    await act(() => client.invalidateQueries());
    await sees('Every copy is on loan. You would be 2nd in line, no estimate yet.');
  });

  it('reserves once however often it is pressed, shows the place, and takes it back by Undo', async () => {
    const { server, person, press } = shown({
      [PLACE]: [200, answer],
      [`DELETE Hold/${OTHER_ID}`]: [200, answer],
    });
    const reserve = await screen.findByRole('button', { name: 'Reserve: Dune' });
    server.answers[MINE] = [200, [hold()]];
    await person.dblClick(reserve);
    const own = await screen.findByRole('region', { name: 'Your reservation' });
    expect(within(own).getByText('4th in line, about 9 days')).toBeTruthy();
    expect(server.asked(PLACE).map(({ body }) => body)).toEqual([{ bookId: 7 }]);
    server.answers[MINE] = [200, []];
    await press('Undo');
    expect(await screen.findByRole('button', { name: 'Reserve: Dune' })).toBeTruthy();
    expect(server.asked(`DELETE Hold/${OTHER_ID}`)).toHaveLength(1);
  });

  it('says why it is refused, and stays as it was', async () => {
    const { press } = shown({ [PLACE]: problem(409, 'TooManyHolds', 'A reader may wait for 10 books.') });
    await press('Reserve: Dune');
    await sees('A reader may wait for 10 books.');
    expect(screen.getByRole('button', { name: 'Reserve: Dune' })).toBeTruthy();
  });

  it('pauses until a day after today, which is asked for first', async () => {
    const { server, person, press } = shown({
      [MINE]: [200, [hold()]],
      [`POST Hold/${OTHER_ID}/pause`]: [200, answer],
    });
    await press('Pause: Dune');
    const dialog = await openDialog('Pause the reservation');
    await press('Pause', dialog);
    expect(await dialog.findByText('Choose a day after today.')).toBeTruthy();
    await person.type(dialog.getByLabelText('Resume on'), '2100-01-02');
    server.answers[MINE] = [200, [hold({ state: 'Paused', pausedUntil: '2100-01-02' })]];
    await press('Pause', dialog);
    await sees(/Paused until/);
    expect(screen.getByRole('button', { name: 'Resume: Dune' })).toBeTruthy();
    expect(server.asked(`POST Hold/${OTHER_ID}/pause`).map(({ body }) => body)).toEqual([
      { until: '2100-01-02' },
    ]);
  });

  it('a last day can be set and taken away', async () => {
    const { server, press } = shown({
      [MINE]: [200, [hold({ neededUntil: '2100-03-04' })]],
      [`POST Hold/${OTHER_ID}/needed-until`]: [200, answer],
    });
    await press('Change last day: Dune');
    const dialog = await openDialog('Last day');
    await press('No last day', dialog);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.asked(`POST Hold/${OTHER_ID}/needed-until`).map(({ body }) => body)).toEqual([
      { day: null },
    ]);
  });

  it('a copy that is kept is loud, and can only be given up, which is asked', async () => {
    const { server, press } = shown({
      [MINE]: [
        200,
        [hold({ state: 'Ready', place: null, borrowId: OTHER_ID, collectBy: '2026-11-26T22:00:00Z' })],
      ],
      [`DELETE Hold/${OTHER_ID}`]: [200, { ...answer, place: null }],
    });
    const own = await screen.findByRole('region', { name: 'Your reservation' });
    expect(own.textContent).toMatch(/Waits for you at the desk until \w+, 2026-11-2\d/);
    expect(screen.getAllByRole('button')).toHaveLength(1);
    await press('Cancel hold: Dune');
    const question = await openQuestion();
    await press('Keep it', question);
    expect(server.asked(`DELETE Hold/${OTHER_ID}`)).toHaveLength(0);
    await press('Cancel hold: Dune');
    server.answers[MINE] = [200, []];
    await press('Cancel hold', await openQuestion());
    expect(await screen.findByRole('button', { name: 'Reserve: Dune' })).toBeTruthy();
  });

  it('tells a guest how many wait, and asks the library nothing about them', async () => {
    session.end();
    const { server, person, address } = shown({});
    expect(screen.getByText(/3 readers are waiting/)).toBeTruthy();
    expect(server.calls).toHaveLength(0);
    await person.click(screen.getByRole('link', { name: 'Reserve' }));
    expect(address()).toBe('/login');
    const state = JSON.parse(screen.getByTestId('elsewhere').dataset['state'] ?? '');
    expect(state).toEqual({ from: '/book/7', then: 'reserve' });
  });
});

describe('what a reader can do about a book that is there', () => {
  const there = { copiesAvailable: 1, holds: 0 };
  beforeEach(() => {
    cart.clear();
    session.begin(userOf());
  });
  afterEach(() => {
    act(() => {
      cart.clear();
      session.end();
    });
  });
  const rent = () => screen.queryByRole('button', { name: 'Rent this book' });
  const panel = () => screen.findByRole('region', { name: 'You and this book' });

  it('is to rent it, and nothing else', async () => {
    const { press } = shown({}, there);
    await press('Rent this book');
    expect(cart.holds(7)).toBe(true);
    await sees('It is in your cart.');
    expect(rent()).toBeNull();
    expect(screen.getByRole('link', { name: 'Go to your cart' }).getAttribute('href')).toBe('/cart');
    await press('Remove Dune');
    expect(await screen.findByRole('button', { name: 'Rent this book' })).toBeTruthy();
  });

  // spec 2.21, 6.3
  it('is to sign in for a guest, and then it is done', async () => {
    session.end();
    const { person, address, router } = shown({}, there);
    await person.click(screen.getByRole('link', { name: 'Rent this book' }));
    expect(address()).toBe('/login');
    session.begin(userOf());
    await act(() => router.navigate('/book/7', { state: { then: 'rent' } }));
    await sees('It is in your cart.');
    expect(cart.books()).toHaveLength(1);
    // Once: neither a reload nor Back does it again.
    await waitFor(() => expect(router.state.location.state).toBeNull());
  });

  // spec 4.5, 8.19
  it('is refused where it is in the cart already', async () => {
    cart.add(bookView());
    const { router } = shown({}, there);
    await sees('It is in your cart.');
    await act(() => router.navigate('/book/7', { state: { then: 'rent' } }));
    await sees('You already have this book in your cart');
    expect(cart.books()).toHaveLength(1);
  });

  it('is to renew it where they have it', async () => {
    const borrow = borrowView({
      status: 'Issued',
      dueDate: '2999-12-01T12:00:00Z',
      availableActions: ['renew'],
      books: [
        { bookId: 7, title: 'Dune', state: 'lent', issueDate: '2026-11-21T10:00:00Z', returnDate: null },
      ],
    });
    const renewal = { until: '2999-12-09T12:00:00Z' };
    shown({ [OWN]: [200, own({ borrows: [{ borrow, renewal }] })] }, there);
    expect((await panel()).textContent).toContain('You have it: due on Sunday, 2999-12-01');
    expect(screen.getByRole('button', { name: 'Renew until 2999-12-09' })).toBeTruthy();
    expect(rent()).toBeNull();
  });

  it('is to collect it where it waits for them', async () => {
    const borrow = borrowView({
      collectBy: '2999-11-23T10:00:00Z',
      availableActions: ['cancel'],
      books: [{ bookId: 7, title: 'Dune', state: 'reserved', issueDate: null, returnDate: null }],
    });
    shown({ [OWN]: [200, own({ borrows: [{ borrow, renewal: null }] })] }, there);
    expect((await panel()).textContent).toContain('Waits for you at the desk until Saturday, 2999-11-23');
    expect(screen.getByRole('button', { name: 'Cancel rent: Dune' })).toBeTruthy();
    expect(rent()).toBeNull();
  });

  it.each([
    ['a fee is to be paid', { owes: 12 }, '12.00 PLN to pay first'],
    ['their card is blocked', { block: 'Please come to the desk.' }, 'You cannot rent books at the moment'],
    ['they have as many as they may', { books: { have: 10, most: 10 } }, 'You have 10 of 10 books'],
  ] as const)('is said beforehand where %s', async (_, changes, words) => {
    shown({ [OWN]: [200, own(changes)] }, there);
    expect((await panel()).textContent).toContain(words);
    expect(rent()).toBeNull();
  });

  it('is left to the library where nobody can say how they stand', async () => {
    shown(
      { [OWN]: problem(503, 'Unavailable', 'Away.'), [MINE]: problem(503, 'Unavailable', 'Away.') },
      there,
    );
    expect(await screen.findByRole('button', { name: 'Rent this book' })).toBeTruthy();
  });

  it('is to read it there, of a book of the reading room', () => {
    shown({}, { ...there, kind: 'reading-room' });
    expect(screen.getByText('For use in the library only.')).toBeTruthy();
    expect(rent()).toBeNull();
  });
});
