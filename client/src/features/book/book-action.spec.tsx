import { act, screen, waitFor, within } from '@testing-library/react';
import type { Book } from '#contracts/catalogue/book-views.js';
import type { HoldView } from '#contracts/holds/hold-views.js';
import { sees, openDialog, openQuestion } from '../../../test-support/on-screen.js';
import { asReader, showPage, userOf } from '../../../test-support/screen.js';
import { answered, refused, type Answers } from '../../../test-support/server.js';
import { OTHER_ID, bookOf, bookView, borrowView, holdView, ownCard } from '../../../test-support/views.js';
import { session } from '../../lib/session.js';
import { cart } from '../../domain/cart.js';
import { BookAction } from './book-action.js';
// On its way with the page; the tests do not wait for it.
import './own-standing.js';

const MINE = 'GET Hold/mine';
const PROSPECT = 'GET Hold/prospect';
const PLACE = 'POST Hold';
const OWN = 'GET Reader/mine';
const CANCEL = `DELETE Hold/${OTHER_ID}`;

const book = bookView({ copiesAvailable: 0, holds: 3 });

const hold = (changes: Partial<HoldView> = {}) => answered([holdView({ place: 4, ...changes })]);

const placed = answered({ id: OTHER_ID, place: 4, position: '100' });

const shown = (answers: Answers = {}, changes: Partial<Book> = {}) =>
  showPage(<BookAction book={{ ...book, ...changes }} />, '/book/7', {
    [MINE]: answered([]),
    [OWN]: answered(ownCard()),
    [PROSPECT]: answered({ waiting: 3, place: 4, estimateDays: 9 }),
    ...answers,
  });

asReader();

describe('waiting for a book', () => {
  const RESERVE = { name: 'Reserve: Dune' };
  const bodies = (server: ReturnType<typeof shown>['server'], call: string) =>
    server.asked(call).map(({ body }) => body);

  it('says beforehand which place it would be and about how long, and where nobody can say, that', async () => {
    const { server, client } = shown();
    await sees('Every copy is on loan. You would be 4th in line, about 9 days.');
    server.answers[PROSPECT] = answered({ waiting: 1, place: 2, estimateDays: null });
    await act(() => client.invalidateQueries());
    await sees('Every copy is on loan. You would be 2nd in line, no estimate yet.');
  });

  it('reserves once however often it is pressed, shows the place, and takes it back by Undo', async () => {
    const { server, person, press } = shown({ [PLACE]: placed, [CANCEL]: placed });
    const reserve = await screen.findByRole('button', RESERVE);
    server.answers[MINE] = hold();
    await person.dblClick(reserve);
    const own = within(await screen.findByRole('region', { name: 'Your reservation' }));
    expect(own.getByText('4th in line, about 9 days')).toBeTruthy();
    expect(bodies(server, PLACE)).toEqual([{ bookId: 7 }]);
    server.answers[MINE] = answered([]);
    await press('Undo');
    expect(await screen.findByRole('button', RESERVE)).toBeTruthy();
    expect(server.asked(CANCEL)).toHaveLength(1);
  });

  it('says why it is refused, and stays as it was', async () => {
    const { press } = shown({ [PLACE]: refused('TooManyHolds', 'A reader may wait for 10 books.') });
    await press('Reserve: Dune');
    await sees('A reader may wait for 10 books.');
    expect(screen.getByRole('button', RESERVE)).toBeTruthy();
  });

  it('pauses until a day after today, which is asked for first', async () => {
    const PAUSE = `POST Hold/${OTHER_ID}/pause`;
    const { server, person, press } = shown({ [MINE]: hold(), [PAUSE]: placed });
    await press('Pause: Dune');
    const dialog = await openDialog('Pause the reservation');
    await press('Pause', dialog);
    expect(await dialog.findByText('Choose a day after today.')).toBeTruthy();
    await person.type(dialog.getByLabelText('Resume on'), '2100-01-02');
    server.answers[MINE] = hold({ state: 'Paused', pausedUntil: '2100-01-02' });
    await press('Pause', dialog);
    await sees(/Paused until/);
    expect(screen.getByRole('button', { name: 'Resume: Dune' })).toBeTruthy();
    expect(bodies(server, PAUSE)).toEqual([{ until: '2100-01-02' }]);
  });

  it('a last day can be set and taken away', async () => {
    const CHANGE = `POST Hold/${OTHER_ID}/needed-until`;
    const { server, press } = shown({ [MINE]: hold({ neededUntil: '2100-03-04' }), [CHANGE]: placed });
    await press('Change last day: Dune');
    await press('No last day', await openDialog('Last day'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(bodies(server, CHANGE)).toEqual([{ day: null }]);
  });

  it('a copy that is kept is loud, and can only be given up, which is asked', async () => {
    const ready = { state: 'Ready', place: null, borrowId: OTHER_ID } as const;
    const { server, press } = shown({
      [MINE]: hold({ ...ready, collectBy: '2026-11-26T22:00:00Z' }),
      [CANCEL]: placed,
    });
    const own = await screen.findByRole('region', { name: 'Your reservation' });
    expect(own.textContent).toMatch(/Waits for you at the desk until \w+, 2026-11-2\d/);
    expect(screen.getAllByRole('button')).toHaveLength(1);
    await press('Cancel hold: Dune');
    await press('Keep it', await openQuestion());
    expect(server.asked(CANCEL)).toHaveLength(0);
    await press('Cancel hold: Dune');
    server.answers[MINE] = answered([]);
    await press('Cancel hold', await openQuestion());
    expect(await screen.findByRole('button', RESERVE)).toBeTruthy();
  });

  it('tells a guest how many wait, and asks the library nothing about them', async () => {
    session.end();
    const { server, person, address } = shown();
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
  beforeEach(() => cart.clear());
  const RENT = { name: 'Rent this book' };
  const rent = () => screen.queryByRole('button', RENT);

  it('is to rent it, and nothing else', async () => {
    const { press } = shown({}, there);
    await press(RENT.name);
    expect(cart.holds(7)).toBe(true);
    await sees('It is in your cart.');
    expect(rent()).toBeNull();
    expect(screen.getByRole('link', { name: 'Go to your cart' }).getAttribute('href')).toBe('/cart');
    await press('Remove Dune');
    expect(await screen.findByRole('button', RENT)).toBeTruthy();
  });

  // spec 2.21, 6.3
  it('is to sign in for a guest, and then it is done', async () => {
    session.end();
    const { person, address, router } = shown({}, there);
    await person.click(screen.getByRole('link', RENT));
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

  it.each([
    {
      what: 'to renew it where they have it',
      open: {
        borrow: borrowView({
          ...{ status: 'Issued', dueDate: '2999-12-01T12:00:00Z', availableActions: ['renew'] },
          books: [bookOf(7, 'Dune', 'lent')],
        }),
        renewal: { until: '2999-12-09T12:00:00Z' },
      },
      words: 'You have it: due on Sunday, 2999-12-01',
      button: 'Renew until 2999-12-09',
    },
    {
      what: 'to collect it where it waits for them',
      open: {
        borrow: borrowView({
          ...{ collectBy: '2999-11-23T10:00:00Z', availableActions: ['cancel'] },
          books: [bookOf(7, 'Dune', 'reserved')],
        }),
        renewal: null,
      },
      words: 'Waits for you at the desk until Saturday, 2999-11-23',
      button: 'Cancel rent: Dune',
    },
  ])('is $what', async ({ open, words, button }) => {
    shown({ [OWN]: answered(ownCard({ borrows: [open] })) }, there);
    const panel = await screen.findByRole('region', { name: 'You and this book' });
    expect(panel.textContent).toContain(words);
    expect(screen.getByRole('button', { name: button })).toBeTruthy();
    expect(rent()).toBeNull();
  });

  it.each([
    ['a fee is to be paid', { owes: 12 }, '12.00 PLN to pay first'],
    ['their card is blocked', { block: 'Please come to the desk.' }, 'You cannot rent books at the moment'],
    ['they have as many as they may', { books: { have: 10, most: 10 } }, 'You have 10 of 10 books'],
  ] as const)('is said beforehand where %s', async (_, changes, words) => {
    shown({ [OWN]: answered(ownCard(changes)) }, there);
    const panel = await screen.findByRole('region', { name: 'You and this book' });
    expect(panel.textContent).toContain(words);
    expect(rent()).toBeNull();
  });

  it('is left to the library where nobody can say how they stand', async () => {
    const away = refused('DatabaseUnavailable', 'Away.');
    shown({ [OWN]: away, [MINE]: away }, there);
    expect(await screen.findByRole('button', RENT)).toBeTruthy();
  });

  it('is to read it there, of a book of the reading room', () => {
    shown({}, { ...there, kind: 'reading-room' });
    expect(screen.getByText('For use in the library only.')).toBeTruthy();
    expect(rent()).toBeNull();
  });
});
