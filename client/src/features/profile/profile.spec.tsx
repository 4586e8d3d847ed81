import { jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { HoldView } from '#contracts/holds/hold-views.js';
import {
  ID,
  later,
  OTHER_ID,
  problem,
  readerOf,
  serverOf,
  show,
  userOf,
} from '../../../test-support/screen.js';
import { borrowView, holdView } from '../../../test-support/views.js';
import { session } from '../../lib/session.js';
// The page asks for both at once, which Jest's loader of modules does not bear before they are linked.
import './borrow-history.js';
import './own-card.js';
import { ProfilePage } from './profile-page.js';
import { providerPage } from '../../domain/fees/pay-fee-button.js';

const SAVE = 'PUT User';
const PROFILE = 'GET User/profile';
const HISTORY = 'GET Borrow/history';
const PAY = 'POST Payment/create';
const OWN = 'GET Reader/mine';
const HOLDS = 'GET Hold/mine';
const CARD = {
  number: '20000000000008',
  bars: [2, 1, 2],
  issuedAt: '2026-01-15T10:00:00Z',
  blockedAt: null,
  hasPin: false,
};
const TERMS = 'GET Payment/terms';
const HOURS = 'GET Rules/hours';

const borrow = (availableActions: BorrowView['availableActions']) =>
  borrowView({
    rentDate: '2026-10-20T10:00:00Z',
    collectBy: '2026-10-23T10:00:00Z',
    issueDate: '2026-10-21T10:00:00Z',
    dueDate: '2026-11-04T10:00:00Z',
    status: 'Not_Paid',
    fineAmount: 12.5,
    fineDue: 12.5,
    availableActions,
    books: [{ bookId: 1, title: 'Dune', state: 'lent', issueDate: null, returnDate: null }],
  });

const READY = holdView({
  id: '3f2504e0-4f89-41d3-9a0c-0305e82c3321',
  bookId: 4,
  title: 'Solaris',
  place: null,
  state: 'Ready',
  collectBy: '2100-11-26T10:00:00Z',
  borrowId: OTHER_ID,
  placedAt: '2026-11-01T10:00:00Z',
  estimateDays: 0,
});

/** The rent by which the copy of the hold is kept. */
const KEPT = {
  borrow: {
    ...borrow(['cancel']),
    status: 'Rented',
    collectBy: '2100-11-26T10:00:00Z',
    dueDate: null,
    issueDate: null,
    fineAmount: 0,
    fineDue: 0,
    borrowedBooks: [{ bookId: 4, title: 'Solaris' }],
    books: [{ bookId: 4, title: 'Solaris', state: 'reserved', issueDate: null, returnDate: null }],
  },
  renewal: null,
};

const ownOf = (...borrows: object[]) =>
  [
    200,
    { card: CARD, block: null, borrows, owes: 0, refund: 0, books: { have: borrows.length, most: 10 } },
  ] as const;

/** An answer of the server with all borrows on one page. */
const historyOf = (...items: BorrowView[]) => [200, { items, totalCount: items.length }] as const;

function shown(answers: Parameters<typeof serverOf>[0] = {}) {
  const server = serverOf({
    [PROFILE]: [200, readerOf()],
    [OWN]: [200, { card: CARD, block: null, borrows: [], owes: 0, refund: 0, books: { have: 0, most: 10 } }],
    [HISTORY]: historyOf(),
    [HOLDS]: [200, []],
    [TERMS]: [200, { online: true, minimumAmount: 0 }],
    [HOURS]: [200, { days: [], closed: [] }],
    ...answers,
  });
  return { server, ...show([{ path: '/profile', element: <ProfilePage /> }], '/profile') };
}

async function opened(answers: Parameters<typeof serverOf>[0] = {}) {
  const screenShown = shown(answers);
  const edit = screen.getByRole('button', { name: 'Edit profile' });
  await waitFor(() => expect(edit).toHaveProperty('disabled', false));
  await screenShown.person.click(edit);
  return { ...screenShown, dialog: within(await screen.findByRole('dialog')) };
}

describe('the profile', () => {
  beforeEach(() => {
    localStorage.clear();
    session.begin(userOf());
  });
  afterEach(() => act(() => session.end()));

  // spec 2.24
  it('shows the reader with every fact of the specification', async () => {
    shown();
    expect(await screen.findByRole('heading', { name: 'Anna Nowak' })).toBeTruthy();
    const facts = screen.getByRole('region', { name: 'Your details' });
    for (const fact of [
      '1994-03-08',
      '2026-01-15',
      'anna',
      'Female',
      'Poland',
      'Kraków',
      'ul. Piękna 12',
      '30-001',
    ])
      expect(within(facts).getByText(fact)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Browse books' }).getAttribute('href')).toBe('/catalog');
  });

  it('shows what is waited for, and a copy that is kept once: first and loud among the books now', async () => {
    const waiting: HoldView = {
      ...READY,
      id: '3f2504e0-4f89-41d3-9a0c-0305e82c3322',
      bookId: 5,
      title: 'Lalka',
      place: 2,
      state: 'Waiting',
      collectBy: null,
      borrowId: null,
      neededUntil: '2100-12-24',
      estimateDays: 1,
    };
    const lent = { borrow: { ...borrow([]), id: ID, fineAmount: 0, fineDue: 0 }, renewal: null };
    shown({
      [HOLDS]: [200, [READY, waiting]],
      [OWN]: ownOf(lent, KEPT),
    });
    const now = within(await screen.findByRole('region', { name: 'Your books now' }));
    expect(await now.findByText('1 waits for you')).toBeTruthy();
    const [first, second] = await now.findAllByRole('listitem');
    expect(first?.textContent).toContain('Solaris');
    expect(first?.textContent).toContain('Reserved: collect it by Friday, 2100-11-26');
    expect(first?.textContent).toContain('Ready');
    expect(within(first as HTMLElement).getByRole('button', { name: 'Cancel hold: Solaris' })).toBeTruthy();
    expect(second?.textContent).toContain('Dune');
    const holds = within(screen.getByRole('region', { name: 'My holds' }));
    const rows = await holds.findAllByRole('listitem');
    expect(rows.map((row) => row.getAttribute('data-state'))).toEqual(['Waiting']);
    expect(rows[0]?.textContent).toContain('2nd in line, about 1 day');
    expect(rows[0]?.textContent).toContain('No longer needed after 2100-12-24');
  });

  it('says when the library is open, to whoever has something to collect', async () => {
    const day = (day: string, hours: object | null) => ({ day, isOpen: hours !== null, hours });
    const answers = {
      [HOLDS]: [200, [READY]] as const,
      [OWN]: ownOf(KEPT),
      [HOURS]: [
        200,
        {
          days: [day('2100-11-25', null), day('2100-11-26', { opens: '09:00', closes: '14:00' })],
          closed: [],
        },
      ] as const,
    };
    const { unmount } = shown(answers);
    expect((await screen.findByText(/^Closed today/)).textContent).toBe(
      'Closed today, open again tomorrow from 09:00; 09:00–14:00 on Friday, 2100-11-26, the last day to collect.',
    );
    unmount();
    const { server } = shown({ ...answers, [OWN]: ownOf() });
    expect(await screen.findByText(/You have no books/)).toBeTruthy();
    expect(server.asked(HOURS)).toEqual([]);
  });

  it('says of one who waits for a copy that is kept alone that they have no other holds', async () => {
    shown({
      [HOLDS]: [200, [READY]],
      [OWN]: ownOf(KEPT),
    });
    expect(await screen.findByText('1 waits for you')).toBeTruthy();
    expect(screen.queryByText(/You have no books/)).toBeNull();
    expect(await screen.findByText(/You have no other holds/)).toBeTruthy();
  });

  it('shows the card, and of each book what comes next: collecting, renewing with its date, or why not', async () => {
    const open = (id: string, changes: Partial<BorrowView>, renewal: unknown) => ({
      borrow: { ...borrow(changes.availableActions ?? []), id, fineAmount: 0, fineDue: 0, ...changes },
      renewal,
    });
    const { server, person } = shown({
      [OWN]: [
        200,
        {
          card: CARD,
          block: null,
          owes: 0,
          refund: 0,
          books: { have: 3, most: 10 },
          borrows: [
            open(
              '3f2504e0-4f89-41d3-9a0c-0305e82c3311',
              {
                status: 'Rented',
                dueDate: null,
                issueDate: null,
                books: [{ bookId: 1, title: 'Dune', state: 'reserved', issueDate: null, returnDate: null }],
              },
              null,
            ),
            open(
              OTHER_ID,
              { status: 'Issued', dueDate: '2100-11-04T10:00:00Z', availableActions: ['return', 'renew'] },
              { until: '2100-11-18T10:00:00Z' },
            ),
            // Said once, over both.
            ...[3312, 3313].map((last) =>
              open(
                `3f2504e0-4f89-41d3-9a0c-0305e82c${last}`,
                { status: 'Issued', availableActions: ['return'] },
                { refusal: 'These books are overdue and cannot be renewed. Please bring them back.' },
              ),
            ),
          ],
        },
      ],
      'POST Borrow/renew': [200, { borrowId: OTHER_ID, position: '1' }],
    });
    expect(await screen.findByText('3 of 10 books')).toBeTruthy();
    expect(screen.getByText('2000 0000 0000 08')).toBeTruthy();
    const now = screen.getByRole('region', { name: 'Your books now' }).textContent;
    expect(now).toContain('Waits for you at the desk until Friday, 2026-10-23');
    expect(now).toContain('Due on Thursday, 2100-11-04');
    expect(screen.getByText(/overdue and cannot be renewed/)).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Renew until 2100-11-18' }));
    await waitFor(() =>
      expect(server.asked('POST Borrow/renew')[0]?.query).toEqual({
        borrowId: OTHER_ID,
        dueDate: '2100-11-04T10:00:00Z',
      }),
    );
  });

  it('says of a lost book what was charged and paid, and what is owed to the reader once it is found', async () => {
    const lost = {
      ...borrow([]),
      fineAmount: 45,
      lossAmount: 45,
      finePaid: 20,
      fineDue: 25,
      books: [
        {
          ...{ bookId: 1, title: 'Dune', state: 'lost' as const, charged: 45 },
          ...{ issueDate: null, returnDate: null },
        },
      ],
    };
    const found = {
      ...borrow([]),
      ...{ id: '3f2504e0-4f89-41d3-9a0c-0305e82c3313', status: 'Returned' as const },
      ...{ fineAmount: 0, fineDue: 0, finePaid: 45, refundDue: 45 },
      books: [{ bookId: 1, title: 'Dune', state: 'returned' as const, issueDate: null, returnDate: null }],
    };
    shown({
      [HISTORY]: historyOf(lost, found),
      [OWN]: [
        200,
        {
          ...{ card: CARD, block: null, owes: 25, refund: 45, books: { have: 0, most: 10 } },
          borrows: [lost, found].map((each) => ({ borrow: each, renewal: null })),
        },
      ],
    });
    const now = await screen.findByRole('region', { name: 'Your books now' });
    await within(now).findByText('Dune: lost, 45.00 PLN charged; 20.00 PLN paid; 25.00 PLN to pay');
    within(now).getByText(
      'Back at the library; 45.00 PLN paid; 45.00 PLN owed to you; collect it at the desk',
    );
    const history = within(screen.getByRole('region', { name: 'Borrow history' }));
    const [, first, second] = (await history.findAllByRole('row')).map((row) => row.textContent);
    expect(first).toMatch(/45\.00 PLN.*lost, 45\.00 PLN charged.*20\.00 PLN paid; 25\.00 PLN to pay/);
    expect(second).toMatch(/No fee.*45\.00 PLN owed to you/);
  });

  it('cancels a rent that waits, after asking which books that are', async () => {
    const CANCEL = 'POST Borrow/cancel-rent';
    const waiting = {
      ...borrow(['cancel']),
      books: [
        { bookId: 1, title: 'Solaris', state: 'reserved' as const, issueDate: null, returnDate: null },
        { bookId: 2, title: 'Eden', state: 'returned' as const, issueDate: null, returnDate: null },
      ],
    };
    const { server, person } = shown({
      [HISTORY]: historyOf(waiting),
      [CANCEL]: [200, { borrowId: waiting.id, position: '101' }],
    });
    await person.click(await screen.findByRole('button', { name: 'Cancel rent: Solaris' }));
    const asked = within(await screen.findByRole('alertdialog'));
    expect(asked.getByText('Solaris')).toBeTruthy();
    await person.click(asked.getByRole('button', { name: 'Keep it' }));
    expect(server.asked(CANCEL)).toHaveLength(0);
    await person.click(screen.getByRole('button', { name: 'Cancel rent: Solaris' }));
    await person.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel rent' }),
    );
    expect(await screen.findByText('Rent cancelled')).toBeTruthy();
    expect(server.asked(CANCEL)).toMatchObject([
      { query: { borrowId: waiting.id, userId: waiting.user.id } },
    ]);
  });

  // spec 8.18
  it('is edited in a dialog with the eight fields, and shows what was saved', async () => {
    const { server, person, dialog } = await opened({
      [SAVE]: [200, readerOf({ city: 'Gdańsk', version: 4 })],
    });
    for (const label of [
      'First name',
      'Last name',
      'Date of birth',
      'Gender',
      'Country',
      'Address',
      'Postal code',
    ])
      expect(dialog.getByLabelText(label)).toHaveProperty('value');
    await person.clear(dialog.getByLabelText('City'));
    await person.type(dialog.getByLabelText('City'), 'Gdańsk');
    server.answers[PROFILE] = [200, readerOf({ city: 'Gdańsk', version: 4 })];
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Reader saved')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await screen.findByText('Gdańsk')).toBeTruthy();
    expect(server.asked(SAVE)).toMatchObject([
      { query: { id: ID }, body: { firstname: 'Anna', city: 'Gdańsk', gender: 'Female', version: 3 } },
    ]);
  });

  // spec 2.41, 5.12
  it('has every field required, each with its message', async () => {
    const { server, person, dialog } = await opened();
    for (const label of ['First name', 'Last name', 'Date of birth', 'Address', 'City', 'Postal code'])
      await person.clear(dialog.getByLabelText(label));
    await person.selectOptions(dialog.getByLabelText('Gender'), '');
    await person.selectOptions(dialog.getByLabelText('Country'), '');
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    for (const message of [
      'First name is required',
      'Last name is required',
      'Date of birth is required',
      'Gender is required',
      'Country is required',
      'Address is required',
      'City is required',
      'Postal code is required (5 digits)',
    ])
      expect(await dialog.findByText(message)).toBeTruthy();
    expect(document.activeElement).toBe(dialog.getByLabelText('First name'));
    expect(server.asked(SAVE)).toHaveLength(0);
  });

  // spec 8.10
  it('says that it was not saved and why, and keeps what was typed', async () => {
    const { server, person, dialog } = await opened({ [SAVE]: problem(500, 'Unexpected', 'Our mistake.') });
    await person.type(dialog.getByLabelText('City'), ' 2');
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Failed to update reader')).toBeTruthy();
    expect(dialog.getByText('Our mistake.')).toBeTruthy();
    expect(dialog.getByLabelText('City')).toHaveProperty('value', 'Kraków 2');
    server.answers[SAVE] = problem(400, 'ValidationFailed', 'Some fields need your attention.', {
      city: ['This text contains a character that cannot be stored.'],
    });
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('This text contains a character that cannot be stored.')).toBeTruthy();
  });

  it('offers the newer version where somebody else was faster, and keeps what was typed', async () => {
    const { server, person, dialog } = await opened({
      [SAVE]: problem(409, 'EditedMeanwhile', 'This reader was changed meanwhile.'),
    });
    await person.clear(dialog.getByLabelText('City'));
    await person.type(dialog.getByLabelText('City'), 'Gdańsk');
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('This reader was changed meanwhile.')).toBeTruthy();
    server.answers[PROFILE] = [200, readerOf({ lastname: 'Nowak-Lis', city: 'Łódź', version: 7 })];
    await person.click(dialog.getByRole('button', { name: 'Load the newer version' }));
    await waitFor(() => expect(dialog.getByLabelText('Last name')).toHaveProperty('value', 'Nowak-Lis'));
    expect(dialog.getByLabelText('City')).toHaveProperty('value', 'Gdańsk');
    expect(dialog.queryByText('This reader was changed meanwhile.')).toBeNull();
    server.answers[SAVE] = [200, readerOf()];
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Reader saved')).toBeTruthy();
    expect(server.asked(SAVE)[1]?.body).toMatchObject({ lastname: 'Nowak-Lis', city: 'Gdańsk', version: 7 });
    // That is for librarians to say.
    expect(dialog.queryByLabelText('Kind of reader')).toBeNull();
    expect(server.asked(SAVE)[1]?.body).not.toHaveProperty('kind');
  });

  it('asks before changes are thrown away by Esc, and not on Cancel', async () => {
    const { server, person, dialog } = await opened();
    await person.type(dialog.getByLabelText('City'), ' 2');
    await person.keyboard('{Escape}');
    const question = await screen.findByRole('alertdialog', { name: 'Close without saving?' });
    await person.click(within(question).getByRole('button', { name: 'Keep editing' }));
    expect(dialog.getByLabelText('City')).toHaveProperty('value', 'Kraków 2');
    await person.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit profile' })),
    );
    expect(server.asked(SAVE)).toHaveLength(0);
  });

  it('asks before the page is left with changes', async () => {
    const { router, address, person, dialog } = await opened();
    await person.type(dialog.getByLabelText('City'), ' 2');
    await act(() => router.navigate('/catalog'));
    const question = await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
    expect(address()).toBe('/profile');
    await person.click(within(question).getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(address()).toBe('/catalog'));
  });
});

describe('renewing', () => {
  beforeEach(() => session.begin(userOf()));
  afterEach(() => act(() => session.end()));

  // spec 9.1
  it('names the due date that is on the screen', async () => {
    const answered = { borrowId: OTHER_ID, position: '101' };
    const { server, person } = shown({
      [HISTORY]: historyOf(borrow(['renew'])),
      'POST Borrow/renew': [200, answered],
    });
    await person.click(await screen.findByRole('button', { name: 'Renew' }));
    expect(await screen.findByText('Borrow renewed')).toBeTruthy();
    expect(server.asked('POST Borrow/renew').map(({ query }) => query)).toEqual([
      { borrowId: OTHER_ID, dueDate: '2026-11-04T10:00:00Z' },
    ]);
  });
});

describe('paying a fee', () => {
  let logged: jest.Mock;
  const pay = () => screen.getByRole('button', { name: /^Pay fee/ });
  beforeEach(() => {
    localStorage.clear();
    session.begin(userOf());
    logged = jest.fn();
    window.reportError = logged;
  });
  afterEach(() => act(() => session.end()));

  // spec 2.25
  it('is offered where the server allows it', async () => {
    shown({ [HISTORY]: historyOf(borrow([])) });
    expect(await screen.findByText('12.50 PLN')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Pay fee/ })).toBeNull();
  });

  // spec 4.16
  it('remembers the transaction and goes to the page of the provider', async () => {
    const answer = later();
    const { server, person } = shown({ [HISTORY]: historyOf(borrow(['pay'])), [PAY]: answer.answer });
    await screen.findByRole('button', { name: /^Pay fee/ });
    expect(pay().textContent).toBe('Pay fee');
    await person.dblClick(pay());
    answer.come(200, { redirectUrl: '#/sandbox/tx-1', transactionId: 'tx-1' });
    await waitFor(() => expect(window.location.hash).toBe('#/sandbox/tx-1'));
    expect(localStorage.getItem('transactionId')).toBe('tx-1');
    expect(server.asked(PAY).map(({ query }) => query)).toEqual([{ borrowId: OTHER_ID }]);
    expect(pay().getAttribute('aria-busy')).toBe('true');
  });

  // spec 8.13
  it('says in its place why it could not be begun, and can be tried again', async () => {
    const { person, address } = shown({
      [HISTORY]: historyOf(borrow(['pay'])),
      [PAY]: problem(503, 'PaymentProviderUnavailable', 'The payment provider is away.'),
    });
    await person.click(await screen.findByRole('button', { name: /^Pay fee/ }));
    expect(await screen.findByText(/The payment provider is away\./)).toBeTruthy();
    expect(address()).toBe('/profile');
    expect(pay().getAttribute('aria-busy')).toBeNull();
    expect(localStorage.getItem('transactionId')).toBeNull();
    expect(logged).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a fee too small for the provider', 'Fees below 12.51 PLN are paid at the desk.', true, 1251],
    [
      'every fee where there is no provider',
      'Fees are paid at the desk: this library takes no payments online.',
      false,
      0,
    ],
  ])('says before it is tried that %s is paid at the desk', async (_case, words, online, minimumAmount) => {
    shown({ [HISTORY]: historyOf(borrow(['pay'])), [TERMS]: [200, { online, minimumAmount }] });
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Pay fee/ })).toBeNull();
  });

  it.each([
    ['is as high as the least', [200, { online: true, minimumAmount: 1250 }] as const],
    ['may be: the server says so then', problem(503, 'DatabaseUnavailable', 'Busy.')],
  ])('offers to pay a fee that %s', async (_case, terms) => {
    shown({ [HISTORY]: historyOf(borrow(['pay'])), [TERMS]: terms });
    expect(await screen.findByRole('button', { name: /^Pay fee/ })).toBeTruthy();
  });

  it('goes to no address but one of the web', async () => {
    const { person } = shown({
      [HISTORY]: historyOf(borrow(['pay'])),
      [PAY]: [200, { redirectUrl: 'javascript:alert(1)', transactionId: 'tx-9' }],
    });
    await person.click(await screen.findByRole('button', { name: /^Pay fee/ }));
    expect(await screen.findByText(/The payment could not be started/)).toBeTruthy();
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
