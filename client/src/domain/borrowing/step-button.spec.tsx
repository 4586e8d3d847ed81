import { jest } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import userEvent from '@testing-library/user-event';
import type { BorrowAction } from '#contracts/borrowing/borrow-events.js';
import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { asAdmin } from '../../../test-support/screen.js';
import { answered, refused, serverOf } from '../../../test-support/server.js';
import { ID, OTHER_ID, borrowView } from '../../../test-support/views.js';
import { OpenQuestion } from '../../components/dialog/open-question.js';
import { RenewButton, StepButton } from './step-button.js';

const borrow = (status: BorrowStatus, ...availableActions: BorrowAction[]) =>
  borrowView({ borrowedBooks: [{ bookId: 4, title: 'Dune' }], status, availableActions });
const ISSUE = 'POST Borrow/issue-books';
const RETURN = 'POST Borrow/return-books';
const RENEW = 'POST Borrow/renew';
const accepted = answered({ borrowId: OTHER_ID, position: '101', keptFor: [] });

let server: ReturnType<typeof serverOf>;
beforeEach(() => {
  server = serverOf({ [ISSUE]: accepted, [RETURN]: accepted });
});

const button = () => screen.getByRole('button');
const client = new QueryClient();
const shown = (borrow: BorrowView) => (
  <QueryClientProvider client={client}>
    <StepButton borrow={borrow} />
  </QueryClientProvider>
);
const idle = () => waitFor(() => expect(button().getAttribute('aria-busy')).toBeNull());
const sent = (count: number) => waitFor(() => expect(server.calls).toHaveLength(count));

asAdmin();

describe('the next step of a borrow', () => {
  afterEach(() => jest.useRealTimers());

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
    const detail = 'This borrow has already been renewed 2 times, which is the limit.';
    server.answers[RENEW] = ({ query }) => (query.beyondLimit ? accepted : refused('RenewalsUsedUp', detail));
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
    expect(server.calls).toHaveLength(1);
    await press('Renew anyway…');
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Reason' }), 'Goodwill');
    await press('Renew beyond the limit of renewals');
    await sent(3);
    const [, second, third] = server.calls;
    expect(third?.query).toEqual({ ...second?.query, beyondLimit: 'goodwill' });
    expect(third?.headers['idempotency-key']).not.toBe(second?.headers['idempotency-key']);
  });

  it('is sent once, however often it is pressed', async () => {
    render(shown(borrow('Rented', 'issue')));
    fireEvent.click(button());
    fireEvent.click(button());
    fireEvent.click(button(), { detail: 2 });
    await sent(1);
    expect(server.asked(ISSUE)[0]?.query).toEqual({ borrowId: OTHER_ID, userId: ID });
    await idle();
    // The row has not yet heard of it: the same again is not meant.
    fireEvent.click(button());
    expect(server.calls).toHaveLength(1);
  });

  describe('that has just taken the place of another', () => {
    const issuedUnderTheHand = async () => {
      const { rerender } = render(shown(borrow('Rented', 'issue')));
      button().focus();
      fireEvent.click(button());
      await sent(1);
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
      expect(server.calls).toHaveLength(1);
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
      await waitFor(() => expect(server.asked(RETURN)).toHaveLength(1));
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
    const unclear = [
      null,
      refused('EventStoreUnavailable', 'No.'),
      refused('TooManyAttempts', 'No.'),
      refused('ConcurrentChange', 'No.'),
    ];
    const answers = [...unclear, refused('BorrowNotRented', 'No.'), accepted];
    render(shown(borrow('Rented', 'issue')));
    for (const [at, answer] of answers.entries()) {
      server.answers[ISSUE] = answer;
      fireEvent.click(button());
      await sent(at + 1);
      await idle();
    }
    const keys = server.calls.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys.slice(0, -1)).size).toBe(1);
    expect(keys.at(-1)).not.toBe(keys[0]);
  });
});
