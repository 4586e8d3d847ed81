import { jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { OwnCard } from '#contracts/accounts/own-card.js';
import { openDialog, openQuestion, sees, textsOf } from '../../../test-support/on-screen.js';
import { asReader, showPage } from '../../../test-support/screen.js';
import { pasteInto } from '../../../test-support/paste-into.js';
import { type Answers, answered, later, pageOf, refused } from '../../../test-support/server.js';
import {
  ID,
  OTHER_ID,
  bookOf,
  borrowView,
  holdView,
  ownCard,
  readerOf,
} from '../../../test-support/views.js';
// The page asks for both at once, which Jest's loader of modules does not bear before they are linked.
import './borrow-history.js';
import './own-card.js';
import { toggled } from './history-order.js';
import { ProfilePage } from './profile-page.js';
import { providerPage } from '../../domain/fees/pay-fee-button.js';

const SAVE = 'PUT User';
const PROFILE = 'GET User/profile';
const HISTORY = 'GET Borrow/history';
const PAY = 'POST Payment/create';
const OWN = 'GET Reader/mine';
const HOLDS = 'GET Hold/mine';
const TERMS = 'GET Payment/terms';
const HOURS = 'GET Rules/hours';

const BOOKS_NOW = { name: 'Your books now' };

const borrow = (availableActions: BorrowView['availableActions'], changes: Partial<BorrowView> = {}) =>
  borrowView({
    ...{ rentDate: '2026-10-20T10:00:00Z', collectBy: '2026-10-23T10:00:00Z', status: 'Not_Paid' },
    ...{ issueDate: '2026-10-21T10:00:00Z', dueDate: '2026-11-04T10:00:00Z' },
    ...{ fineAmount: 12.5, fineDue: 12.5, availableActions, books: [bookOf(1, 'Dune', 'lent')] },
    ...changes,
  });
const NO_FINE = { fineAmount: 0, fineDue: 0 };
const NOT_ISSUED = { ...NO_FINE, status: 'Rented', issueDate: null, dueDate: null } as const;
const idOf = (last: number) => `3f2504e0-4f89-41d3-9a0c-0305e82c${last}`;

const READY = holdView({
  ...{ id: idOf(3321), bookId: 4, title: 'Solaris', place: null, state: 'Ready', borrowId: OTHER_ID },
  ...{ collectBy: '2100-11-26T10:00:00Z', placedAt: '2026-11-01T10:00:00Z', estimateDays: 0 },
});

/** The rent by which the copy of the hold is kept. */
const KEPT = borrow(['cancel'], {
  ...{ ...NOT_ISSUED, collectBy: '2100-11-26T10:00:00Z' },
  ...{ borrowedBooks: [{ bookId: 4, title: 'Solaris' }], books: [bookOf(4, 'Solaris', 'reserved')] },
});

/** The answer to what a reader has, each with what a renewal would do. */
const ownOf = (borrows: (readonly [BorrowView, object | null])[], changes: Partial<OwnCard> = {}) =>
  answered({
    ...ownCard({ books: { have: borrows.length, most: 10 }, ...changes }),
    borrows: borrows.map(([borrow, renewal]) => ({ borrow, renewal })),
  });

const shown = (answers: Answers = {}) =>
  showPage(<ProfilePage />, '/profile', {
    [PROFILE]: answered(readerOf()),
    [OWN]: ownOf([]),
    [HISTORY]: pageOf(),
    [HOLDS]: answered([]),
    [TERMS]: answered({ online: true, minimumAmount: 0 }),
    [HOURS]: answered({ days: [], closed: [] }),
    ...answers,
  });

async function opened(answers: Answers = {}) {
  const page = shown(answers);
  const edit = screen.getByRole('button', { name: 'Edit profile' });
  await waitFor(() => expect(edit).toHaveProperty('disabled', false));
  await page.person.click(edit);
  const dialog = await openDialog();
  const field = (label: string) => dialog.getByLabelText<HTMLInputElement>(label);
  const retype = async (label: string, text: string) => {
    await page.person.clear(field(label));
    await pasteInto(page.person, field(label), text);
  };
  return { ...page, dialog, field, retype, save: () => page.press('Save', dialog) };
}

beforeEach(() => localStorage.clear());
asReader();

describe('the profile', () => {
  // spec 2.24
  it('shows the reader with every fact of the specification', async () => {
    shown();
    expect(await screen.findByRole('heading', { name: 'Anna Nowak' })).toBeTruthy();
    const facts = within(screen.getByRole('region', { name: 'Your details' }));
    for (const fact of ['1994-03-08', '2026-01-15', 'anna', 'Female', 'Poland', 'Kraków'])
      expect(facts.getByText(fact)).toBeTruthy();
    for (const fact of ['ul. Piękna 12', '30-001']) expect(facts.getByText(fact)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Browse books' }).getAttribute('href')).toBe('/catalog');
  });

  it('shows what is waited for, and a copy that is kept once: first and loud among the books now', async () => {
    const waiting = holdView({
      ...{ ...READY, id: idOf(3322), bookId: 5, title: 'Lalka', place: 2, state: 'Waiting', collectBy: null },
      ...{ borrowId: null, neededUntil: '2100-12-24', estimateDays: 1 },
    });
    const lent = borrow([], { id: ID, ...NO_FINE });
    shown({
      [HOLDS]: answered([READY, waiting]),
      [OWN]: ownOf([
        [lent, null],
        [KEPT, null],
      ]),
    });
    const now = within(await screen.findByRole('region', BOOKS_NOW));
    await now.findByText('1 waits for you');
    const [first, second] = await now.findAllByRole('listitem');
    expect(first?.textContent).toMatch(/Solaris.*Reserved: collect it by Friday, 2100-11-26/);
    expect(first?.textContent).toContain('Ready');
    expect(within(first as HTMLElement).getByRole('button', { name: 'Cancel hold: Solaris' })).toBeTruthy();
    expect(second?.textContent).toContain('Dune');
    const rows = await within(screen.getByRole('region', { name: 'My holds' })).findAllByRole('listitem');
    expect(rows.map((row) => row.getAttribute('data-state'))).toEqual(['Waiting']);
    expect(rows[0]?.textContent).toContain('2nd in line, about 1 day');
    expect(rows[0]?.textContent).toContain('No longer needed after 2100-12-24');
  });

  it('says when the library is open, to whoever has something to collect, and that they have no other holds', async () => {
    const day = (day: string, hours: object | null) => ({ day, isOpen: hours !== null, hours });
    const days = [day('2100-11-25', null), day('2100-11-26', { opens: '09:00', closes: '14:00' })];
    const answers = { [HOLDS]: answered([READY]), [HOURS]: answered({ days, closed: [] }) };
    const { unmount } = shown({ ...answers, [OWN]: ownOf([[KEPT, null]]) });
    expect((await screen.findByText(/^Closed today/)).textContent).toBe(
      'Closed today, open again tomorrow from 09:00; 09:00–14:00 on Friday, 2100-11-26, the last day to collect.',
    );
    await sees('1 waits for you', /You have no other holds/);
    expect(screen.queryByText(/You have no books/)).toBeNull();
    unmount();
    const { server } = shown(answers);
    await sees(/You have no books/);
    expect(server.asked(HOURS)).toEqual([]);
  });

  // spec 9.1
  it('shows the card, and of each book what comes next: collecting, renewing with its date, or why not', async () => {
    const refusal = 'These books are overdue and cannot be renewed. Please bring them back.';
    const issued = { ...NO_FINE, status: 'Issued' } as const;
    const { server, press } = shown({
      [OWN]: ownOf(
        [
          [borrow([], { ...NOT_ISSUED, id: idOf(3311), books: [bookOf(1, 'Dune', 'reserved')] }), null],
          [
            borrow(['return', 'renew'], { ...issued, dueDate: '2100-11-04T10:00:00Z' }),
            { until: '2100-11-18T10:00:00Z' },
          ],
          // Said once, over both.
          [borrow(['return'], { ...issued, id: idOf(3312) }), { refusal }],
          [borrow(['return'], { ...issued, id: idOf(3313) }), { refusal }],
        ],
        { books: { have: 3, most: 10 } },
      ),
      'POST Borrow/renew': answered({ borrowId: OTHER_ID, position: '1' }),
    });
    await sees('3 of 10 books', '2000 0000 0000 08', /overdue and cannot be renewed/);
    const now = screen.getByRole('region', BOOKS_NOW).textContent;
    expect(now).toContain('Waits for you at the desk until Friday, 2026-10-23');
    expect(now).toContain('Due on Thursday, 2100-11-04');
    await press('Renew until 2100-11-18');
    await sees('Borrow renewed');
    // By the due date that is on the screen.
    expect(server.asked('POST Borrow/renew').map(({ query }) => query)).toEqual([
      { borrowId: OTHER_ID, dueDate: '2100-11-04T10:00:00Z' },
    ]);
  });

  it('says of a lost book what was charged and paid, and what is owed to the reader once it is found', async () => {
    const lost = borrow([], {
      ...{ fineAmount: 45, lossAmount: 45, finePaid: 20, fineDue: 25 },
      books: [{ ...bookOf(1, 'Dune', 'lost'), charged: 45 }],
    });
    const found = borrow([], {
      ...{ ...NO_FINE, id: idOf(3313), status: 'Returned', finePaid: 45, refundDue: 45 },
      books: [bookOf(1, 'Dune', 'returned')],
    });
    const own = [lost, found].map((each) => [each, null] as const);
    shown({ [HISTORY]: pageOf(lost, found), [OWN]: ownOf(own, { owes: 25, refund: 45 }) });
    const now = within(await screen.findByRole('region', BOOKS_NOW));
    await now.findByText('Dune: lost, 45.00 PLN charged; 20.00 PLN paid; 25.00 PLN to pay');
    now.getByText('Back at the library; 45.00 PLN paid; 45.00 PLN owed to you; collect it at the desk');
    const history = within(screen.getByRole('region', { name: 'Borrow history' }));
    const [, first, second] = textsOf(await history.findAllByRole('row'));
    expect(first).toMatch(/45\.00 PLN.*lost, 45\.00 PLN charged.*20\.00 PLN paid; 25\.00 PLN to pay/);
    expect(second).toMatch(/No fee.*45\.00 PLN owed to you/);
  });

  it('cancels a rent that waits, after asking which books that are', async () => {
    const CANCEL = 'POST Borrow/cancel-rent';
    const books = [bookOf(1, 'Solaris', 'reserved'), bookOf(2, 'Eden', 'returned')];
    const waiting = borrow(['cancel'], { books });
    const { server, press } = shown({
      [HISTORY]: pageOf(waiting),
      [CANCEL]: answered({ borrowId: waiting.id, position: '101' }),
    });
    await press('Cancel rent: Solaris');
    const question = await openQuestion();
    expect(question.getByText('Solaris')).toBeTruthy();
    await press('Keep it', question);
    expect(server.asked(CANCEL)).toHaveLength(0);
    await press('Cancel rent: Solaris');
    await press('Cancel rent', await openQuestion());
    await sees('Rent cancelled');
    const query = { borrowId: waiting.id, userId: waiting.user.id };
    expect(server.asked(CANCEL)).toMatchObject([{ query }]);
  });

  it('turns its history round when the same column is chosen again', () => {
    const first = toggled({ key: 'rentDate', descending: true }, 'rentDate');
    expect(first).toEqual({ key: 'rentDate', descending: false });
    expect(toggled(first, 'returnDate')).toEqual({ key: 'returnDate', descending: true });
  });
});

describe('the dialog of the profile', () => {
  // spec 8.18
  it('has the eight fields, and shows what was saved', async () => {
    const saved = answered(readerOf({ city: 'Gdańsk', version: 4 }));
    const { server, field, retype, save } = await opened({ [SAVE]: saved });
    for (const label of ['First name', 'Last name', 'Date of birth', 'Gender', 'Country', 'Address'])
      expect(field(label).value).not.toBe('');
    expect(field('Postal code').value).toBe('30-001');
    await retype('City', 'Gdańsk');
    server.answers[PROFILE] = saved;
    await save();
    await sees('Reader saved');
    expect(screen.queryByRole('dialog')).toBeNull();
    await sees('Gdańsk');
    const body = { firstname: 'Anna', city: 'Gdańsk', gender: 'Female', version: 3 };
    expect(server.asked(SAVE)).toMatchObject([{ query: { id: ID }, body }]);
  });

  // spec 2.41, 5.12
  it('has every field required, each with its message', async () => {
    const { server, person, field, save } = await opened();
    for (const label of ['First name', 'Last name', 'Date of birth', 'Address', 'City', 'Postal code'])
      await person.clear(field(label));
    for (const label of ['Gender', 'Country']) await person.selectOptions(field(label), '');
    await save();
    await sees('First name is required', 'Last name is required', 'Date of birth is required');
    await sees('Gender is required', 'Country is required', 'Address is required', 'City is required');
    await sees('Postal code is required (5 digits)');
    expect(document.activeElement).toBe(field('First name'));
    expect(server.asked(SAVE)).toHaveLength(0);
  });

  // spec 8.10
  it('says that it was not saved and why, and keeps what was typed', async () => {
    const unstorable = 'This text contains a character that cannot be stored.';
    const { server, retype, field, save } = await opened({ [SAVE]: refused('Unexpected', 'Our mistake.') });
    await retype('City', 'Kraków 2');
    await save();
    await sees('Failed to update reader', 'Our mistake.');
    expect(field('City').value).toBe('Kraków 2');
    server.answers[SAVE] = refused('ValidationFailed', 'Some fields are wrong.', { city: [unstorable] });
    await save();
    await sees(unstorable);
  });

  it('offers the newer version where somebody else was faster, and keeps what was typed', async () => {
    const sentence = 'This reader was changed meanwhile.';
    const { server, press, dialog, field, retype, save } = await opened({
      [SAVE]: refused('EditedMeanwhile', sentence),
    });
    await retype('City', 'Gdańsk');
    await save();
    await dialog.findByText(sentence);
    server.answers[PROFILE] = answered(readerOf({ lastname: 'Nowak-Lis', city: 'Łódź', version: 7 }));
    await press('Load the newer version', dialog);
    await waitFor(() => expect(field('Last name').value).toBe('Nowak-Lis'));
    expect(field('City').value).toBe('Gdańsk');
    expect(dialog.queryByText(sentence)).toBeNull();
    server.answers[SAVE] = answered(readerOf());
    await save();
    await sees('Reader saved');
    const body = server.asked(SAVE)[1]?.body;
    expect(body).toMatchObject({ lastname: 'Nowak-Lis', city: 'Gdańsk', version: 7 });
    // That is for librarians to say.
    expect(dialog.queryByLabelText('Kind of reader')).toBeNull();
    expect(body).not.toHaveProperty('kind');
  });

  it('asks before changes are thrown away by Esc or by leaving the page, and not on Cancel', async () => {
    const { server, router, address, person, press, dialog, field, retype } = await opened();
    await retype('City', 'Kraków 2');
    await person.keyboard('{Escape}');
    await press('Keep editing', await openQuestion('Close without saving?'));
    expect(field('City').value).toBe('Kraków 2');
    await act(() => router.navigate('/catalog'));
    const leaving = await openQuestion('Leave without saving?');
    expect(address()).toBe('/profile');
    await press('Stay', leaving);
    await press('Cancel', dialog);
    expect(screen.queryByRole('dialog')).toBeNull();
    const edit = screen.getByRole('button', { name: 'Edit profile' });
    await waitFor(() => expect(document.activeElement).toBe(edit));
    expect(server.asked(SAVE)).toHaveLength(0);
  });
});

describe('paying a fee', () => {
  const PAY_FEE = { name: /^Pay fee/ };
  const pay = () => screen.findByRole('button', PAY_FEE);
  const unpaid = (answers: Answers = {}) => shown({ [HISTORY]: pageOf(borrow(['pay'])), ...answers });

  // spec 4.16
  it('remembers the transaction and goes to the page of the provider', async () => {
    const answer = later();
    const { server, person } = unpaid({ [PAY]: answer.answer });
    expect((await pay()).textContent).toBe('Pay fee');
    await person.dblClick(await pay());
    answer.come(200, { redirectUrl: '#/sandbox/tx-1', transactionId: 'tx-1' });
    await waitFor(() => expect(window.location.hash).toBe('#/sandbox/tx-1'));
    expect(localStorage.getItem('transactionId')).toBe('tx-1');
    expect(server.asked(PAY).map(({ query }) => query)).toEqual([{ borrowId: OTHER_ID }]);
    expect((await pay()).getAttribute('aria-busy')).toBe('true');
  });

  // spec 8.13
  it('says in its place why it could not be begun, and can be tried again', async () => {
    const logged = jest.fn();
    window.reportError = logged;
    const { press, address } = unpaid({
      [PAY]: refused('PaymentProviderUnavailable', 'The provider is away.'),
    });
    await press(/^Pay fee/);
    await sees(/The provider is away\./);
    expect(address()).toBe('/profile');
    expect((await pay()).getAttribute('aria-busy')).toBeNull();
    expect(localStorage.getItem('transactionId')).toBeNull();
    expect(logged).toHaveBeenCalledTimes(1);
  });

  // spec 2.25
  it.each([
    ['the server does not allow it', '12.50 PLN', [], {}],
    [
      'it is too small for the provider',
      /^Fees below 12\.51 PLN are paid at the desk/,
      ['pay'],
      { minimumAmount: 1251 },
    ],
    [
      'there is no provider',
      /^Fees are paid at the desk: this library takes no payments/,
      ['pay'],
      { online: false },
    ],
  ] as const)('is not offered where %s', async (_case, words, actions, terms) => {
    shown({
      [HISTORY]: pageOf(borrow([...actions])),
      [TERMS]: answered({ online: true, minimumAmount: 0, ...terms }),
    });
    await sees(words);
    expect(screen.queryByRole('button', PAY_FEE)).toBeNull();
  });

  it.each([
    ['is as high as the least', answered({ online: true, minimumAmount: 1250 })],
    ['may be: the server says so then', refused('DatabaseUnavailable', 'Busy.')],
  ])('is offered of a fee that %s', async (_case, terms) => {
    unpaid({ [TERMS]: terms });
    expect(await pay()).toBeTruthy();
  });

  it('goes to no address but one of the web', async () => {
    const { press } = unpaid({
      [PAY]: answered({ redirectUrl: 'javascript:alert(1)', transactionId: 'tx-9' }),
    });
    await press(/^Pay fee/);
    await sees(/The payment could not be started/);
    expect(localStorage.getItem('transactionId')).toBeNull();
  });

  it.each([
    ['https://checkout.stripe.com/c/pay/1', 'https://checkout.stripe.com/c/pay/1'],
    ['http://127.0.0.1:3000/payment-sandbox/1', 'http://127.0.0.1:3000/payment-sandbox/1'],
    ['/payment-sandbox/1', 'http://localhost/payment-sandbox/1'],
    ['javascript:alert(1)', null],
    ['data:text/html,hello', null],
    ['//evil.example/pay', null],
    ['/\\evil.example/pay', null],
    ['ftp://example.org/', null],
    ['http://', null],
  ])('%s leads to %s', (given, page) => {
    expect(providerPage(given)).toBe(page);
  });
});
