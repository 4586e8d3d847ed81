import { jest } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { BorrowAction } from '#contracts/borrowing/borrow-events.js';
import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { RowAction } from './row-action.js';

const ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const READER = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

const borrow = (status: BorrowStatus, ...availableActions: BorrowAction[]): BorrowView => ({
  id: ID,
  user: { id: READER, fullname: 'Anna Nowak' },
  borrowedBooks: [{ bookId: 4, title: 'Dune' }],
  rentDate: '2026-11-20T10:00:00Z',
  collectBy: '2026-11-23T10:00:00Z',
  issueDate: null,
  dueDate: null,
  returnDate: null,
  status,
  fineAmount: 0,
  fineDue: 0,
  renewals: 0,
  availableActions,
  books: [],
  fineWaived: 0,
  undo: [],
  position: '100',
});

interface Call {
  url: string;
  key: string | undefined;
}
let calls: Call[];
let answers: (() => Promise<Response>)[];
let onPay: jest.Mock;

const answered = (status: number, body: unknown) =>
  ({
    ok: status < 400,
    status,
    statusText: '',
    headers: new Map(),
    json: () => Promise.resolve(body),
  }) as unknown as Response;
const accepted = () => Promise.resolve(answered(200, { borrowId: ID, position: '101', upToDate: true }));

const row = (shown: BorrowView, client = new QueryClient()) => (
  <QueryClientProvider client={client}>
    <RowAction borrow={shown} onPay={onPay} />
  </QueryClientProvider>
);

describe('the action of a row', () => {
  beforeEach(() => {
    calls = [];
    answers = [];
    onPay = jest.fn();
    globalThis.fetch = jest.fn((url: string, init: RequestInit) => {
      calls.push({ url, key: (init.headers as Record<string, string>)['idempotency-key'] });
      return (answers.shift() ?? accepted)();
    }) as unknown as typeof fetch;
  });

  // spec 4.12
  it('is what the server allows, or nothing', () => {
    const { rerender } = render(row(borrow('Rented', 'issue')));
    expect(screen.getByRole('button').textContent).toBe('Issue');
    rerender(row(borrow('Paid', 'return')));
    expect(screen.getByRole('button').textContent).toBe('Return');
    rerender(row(borrow('Not_Paid', 'pay')));
    expect(screen.getByRole('button').textContent).toBe('Paid at the desk');
    expect(screen.getByText('Fee not paid')).toBeTruthy();
    rerender(row(borrow('Returned')));
    expect(screen.queryByText('Fee not paid')).toBeNull();
  });

  it('asks at the desk before a fee is paid, and keeps the focus through every change', () => {
    const unpaid = borrow('Not_Paid', 'pay');
    const { rerender } = render(row(unpaid));
    const button = screen.getByRole('button');
    button.focus();
    fireEvent.click(button);
    expect(onPay.mock.calls).toEqual([[unpaid]]);
    expect(calls).toEqual([]);
    rerender(row(borrow('Paid', 'return')));
    expect(screen.getByRole('button', { name: /^Return/ })).toBe(document.activeElement);
  });

  it('is sent once, however often it is clicked', async () => {
    render(row(borrow('Rented', 'issue')));
    const button = screen.getByRole('button');
    fireEvent.click(button);
    fireEvent.click(button);
    fireEvent.click(button, { detail: 2 });
    await waitFor(() => expect(calls).toHaveLength(1));
    await act(async () => Promise.resolve());
    expect(calls[0]?.url).toBe(`/api/Borrow/issue-books?borrowId=${ID}&userId=${READER}`);
  });

  it('does not take the second half of a double click for the next action', async () => {
    const client = new QueryClient();
    const { rerender } = render(row(borrow('Rented', 'issue'), client));
    fireEvent.click(screen.getByRole('button'), { detail: 1 });
    await waitFor(() => expect(calls).toHaveLength(1));
    rerender(row(borrow('Issued', 'return'), client));
    await waitFor(() => expect(screen.getByRole('button').getAttribute('aria-busy')).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: /^Return/ }), { detail: 2 });
    expect(calls).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: /^Return/ }), { detail: 1 });
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(calls[1]?.url).toContain('return-books');
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
    render(row(borrow('Rented', 'issue')));
    for (let count = 1; count <= sends; count += 1) {
      fireEvent.click(screen.getByRole('button'));
      await waitFor(() => expect(calls).toHaveLength(count));
      await waitFor(() => expect(screen.getByRole('button').getAttribute('aria-busy')).toBeNull());
    }
    const keys = calls.map((call) => call.key);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys.slice(0, -1)).size).toBe(1);
    expect(keys.at(-1)).not.toBe(keys[0]);
  });
});
