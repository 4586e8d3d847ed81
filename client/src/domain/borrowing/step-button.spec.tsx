import { jest } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { BorrowAction } from '#contracts/borrowing/borrow-events.js';
import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { asAdmin, userOf } from '../../../test-support/screen.js';
import { borrowView } from '../../../test-support/views.js';
import { OpenQuestion } from '../../components/dialog/open-question.js';
import { session } from '../../lib/session.js';
import { RenewButton, StepButton } from './step-button.js';

const ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const READER = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

const borrow = (status: BorrowStatus, ...availableActions: BorrowAction[]) =>
  borrowView({
    id: ID,
    user: { id: READER, fullname: 'Anna Nowak' },
    borrowedBooks: [{ bookId: 4, title: 'Dune' }],
    status,
    availableActions,
  });

interface Call {
  url: string;
  key: string | undefined;
}
let calls: Call[];
let answers: (() => Promise<Response>)[];

const answered = (status: number, body: unknown) =>
  ({
    ok: status < 400,
    status,
    statusText: '',
    headers: new Map(),
    json: () => Promise.resolve(body),
  }) as unknown as Response;
const accepted = () => Promise.resolve(answered(200, { borrowId: ID, position: '101', keptFor: [] }));

const button = () => screen.getByRole('button');
const client = new QueryClient();
const shown = (borrow: BorrowView) => (
  <QueryClientProvider client={client}>
    <StepButton borrow={borrow} />
  </QueryClientProvider>
);
const idle = () => waitFor(() => expect(button().getAttribute('aria-busy')).toBeNull());

asAdmin();

describe('the next step of a borrow', () => {
  beforeEach(() => {
    calls = [];
    answers = [];
    globalThis.fetch = jest.fn((url: string, init: RequestInit) => {
      calls.push({ url, key: (init.headers as Record<string, string>)['idempotency-key'] });
      return (answers.shift() ?? accepted)();
    }) as unknown as typeof fetch;
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  // spec 4.12
  it('is what the server allows, or nothing', () => {
    const { rerender } = render(shown(borrow('Rented', 'issue')));
    expect(button().textContent).toBe('Issue');
    rerender(shown(borrow('Paid', 'return')));
    expect(button().textContent).toBe('Return');
    rerender(shown(borrow('Not_Paid', 'pay')));
    expect(screen.queryByRole('button')).toBeNull();
    rerender(shown(borrow('Returned')));
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('renews beyond a limit with a reason, asked for with the words of the library, and as a request of its own', async () => {
    session.begin(userOf('Admin'));
    const detail = 'This borrow has already been renewed 2 times, which is the limit.';
    const refusal = { code: 'RenewalsUsedUp', title: 'No', status: 409, detail };
    answers = [1, 2].map(() => () => Promise.resolve(answered(409, refusal)));
    render(
      <QueryClientProvider client={client}>
        <RenewButton borrow={borrow('Issued', 'renew-beyond')} />
        <OpenQuestion />
      </QueryClientProvider>,
    );
    const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
    await press('Renew anyway…');
    expect((await screen.findByRole('alertdialog')).textContent).toContain(`Anna Nowak: ${detail}`);
    await press('Do not renew');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(calls).toHaveLength(1);
    await press('Renew anyway…');
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Reason' }), 'Goodwill');
    await press('Renew beyond the limit of renewals');
    await waitFor(() => expect(calls).toHaveLength(3));
    const [, second, third] = calls;
    expect(third?.url).toBe(`${second?.url}&beyondLimit=goodwill`);
    expect(third?.key).not.toBe(second?.key);
    act(() => session.end());
  });

  it('keeps the focus when it becomes another one', () => {
    const { rerender } = render(shown(borrow('Rented', 'issue')));
    button().focus();
    rerender(shown(borrow('Issued', 'return')));
    expect(screen.getByRole('button', { name: /^Return/ })).toBe(document.activeElement);
  });

  it('is sent once, however often it is pressed', async () => {
    render(shown(borrow('Rented', 'issue')));
    fireEvent.click(button());
    fireEvent.click(button());
    fireEvent.click(button(), { detail: 2 });
    await waitFor(() => expect(calls).toHaveLength(1));
    await act(async () => Promise.resolve());
    expect(calls[0]?.url).toBe(`/api/Borrow/issue-books?borrowId=${ID}&userId=${READER}`);
    await idle();
    // The row has not yet heard of it: the same again is not meant.
    fireEvent.click(button());
    expect(calls).toHaveLength(1);
  });

  describe('that has just taken the place of another', () => {
    const issuedUnderTheHand = async () => {
      const { rerender } = render(shown(borrow('Rented', 'issue')));
      button().focus();
      fireEvent.click(button());
      await waitFor(() => expect(calls).toHaveLength(1));
      await idle();
      rerender(shown(borrow('Issued', 'return')));
    };
    const press = () => fireEvent.click(button());

    it('is not taken by a click, an Enter or a tap too many', async () => {
      await issuedUnderTheHand();
      expect(button().getAttribute('aria-disabled')).toBe('true');
      press();
      fireEvent.click(button(), { detail: 2 });
      // A finger leaves with every tap.
      await userEvent.setup().pointer([{ keys: '[TouchA>]', target: button() }, { keys: '[/TouchA]' }]);
      press();
      expect(calls).toHaveLength(1);
    });

    it.each([
      [
        'the pointer left it',
        async () => {
          const person = userEvent.setup();
          await person.hover(button());
          await person.unhover(button());
        },
      ],
      ['the focus left it', async () => fireEvent.blur(button())],
    ])('may be taken once %s', async (_how, moveOn) => {
      await issuedUnderTheHand();
      await moveOn();
      press();
      await waitFor(() => expect(calls).toHaveLength(2));
      expect(calls[1]?.url).toContain('return-books');
    });

    it('may be taken after a second and a half', () => {
      jest.useFakeTimers();
      const { rerender } = render(shown(borrow('Rented', 'issue')));
      // Somebody else issued it, under this librarian's pointer.
      rerender(shown(borrow('Issued', 'return')));
      act(() => void jest.advanceTimersByTime(1499));
      expect(button().getAttribute('aria-disabled')).toBe('true');
      act(() => void jest.advanceTimersByTime(1));
      expect(button().getAttribute('aria-disabled')).toBeNull();
    });
  });

  it('keeps its key when no clear answer came, and takes a new one after an answer', async () => {
    const refused = (status: number, code: string) => () =>
      Promise.resolve(answered(status, { code, title: '', status, detail: 'No.' }));
    const undecided = [
      () => Promise.reject(new TypeError('network')),
      refused(503, 'EventStoreUnavailable'),
      refused(429, 'TooManyAttempts'),
      refused(409, 'ConcurrentChange'),
    ];
    answers = [...undecided, refused(409, 'BorrowNotRented')];
    const sends = answers.length + 1;
    render(shown(borrow('Rented', 'issue')));
    for (let count = 1; count <= sends; count += 1) {
      fireEvent.click(button());
      await waitFor(() => expect(calls).toHaveLength(count));
      await idle();
    }
    const keys = calls.map((call) => call.key);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys.slice(0, -1)).size).toBe(1);
    expect(keys.at(-1)).not.toBe(keys[0]);
  });
});
