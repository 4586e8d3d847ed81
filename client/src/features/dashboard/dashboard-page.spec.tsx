import { screen, waitFor, within } from '@testing-library/react';
import type { Today } from '#contracts/dashboard/today.js';
import { sees } from '../../../test-support/on-screen.js';
import { asAdmin, show } from '../../../test-support/screen.js';
import { type Answers, problem, serverOf } from '../../../test-support/server.js';
import { ID, borrowView } from '../../../test-support/views.js';
import { DashboardPage } from './dashboard-page.js';

const STATS = 'GET Dashboard/stats';
const TODAY = 'GET Dashboard/today';
const EVENTS = 'GET Dashboard/last-events';

const borrow = borrowView({
  books: [{ bookId: 1, title: 'Dune', state: 'lent', issueDate: '2026-10-21T10:00:00Z', returnDate: null }],
  rentDate: '2026-10-20T10:00:00Z',
  collectBy: '2026-10-23T10:00:00Z',
  issueDate: '2026-10-21T10:00:00Z',
  dueDate: '2026-11-04T10:00:00Z',
  status: 'Issued',
  availableActions: ['return'],
});
const nothing = { total: 0, items: [] };
const today: Today = {
  day: '2026-11-22',
  work: {
    toHandOut: nothing,
    dueToday: nothing,
    overdue: nothing,
    fees: nothing,
    toPayOut: nothing,
    lastDayToCollect: nothing,
  },
  holds: { waiting: 0, onShelf: 0, lastDay: 0, notCollected: 0 },
  emails: {},
  month: Array.from({ length: 30 }, (_, at) => ({
    day: `2026-11-${String(at + 1).padStart(2, '0')}`,
    rents: at,
    returns: 1,
  })),
};
const stats = {
  totalBooks: 1200,
  booksBorrowedLastMonth: 86,
  booksAddedLastMonth: 3,
  totalUsers: 41,
  activeBorrows: 47,
  expiredRents: 5,
};

function shown(answers: Answers = {}) {
  const server = serverOf({
    [STATS]: [200, stats],
    [TODAY]: [200, today],
    [EVENTS]: [200, []],
    ...answers,
  });
  return { server, ...show([{ path: '/admin/dashboard', element: <DashboardPage /> }], '/admin/dashboard') };
}

describe('the dashboard', () => {
  asAdmin();

  it('says how many wait, how many copies wait for readers and were not collected, and leads to them', async () => {
    shown({ [TODAY]: [200, { ...today, holds: { waiting: 14, onShelf: 2, lastDay: 1, notCollected: 3 } }] });
    const kept = await screen.findByRole('link', { name: '2 reserved copies are waiting for their readers' });
    expect(kept.getAttribute('href')).toBe('/admin/holds');
    expect(kept.parentElement?.textContent).toContain('1 on their last day');
    const lapsed = screen.getByRole('link', { name: '3 were not collected' });
    expect(lapsed.getAttribute('href')).toBe('/admin/holds?list=lapsed');
    const waiting = screen.getByRole('link', { name: '14 holds wait for a copy' });
    expect(waiting.getAttribute('href')).toBe('/admin/holds?list=queues');
  });

  it('says plainly that there is nothing to do', async () => {
    shown();
    for (const words of [
      'Nobody is waiting.',
      'No books are due today.',
      'Nothing is overdue.',
      'Nobody owes a fee.',
      'No last day today.',
      'Nothing has happened yet.',
    ])
      expect(await screen.findByText(words)).toBeTruthy();
    // Each in one line, and what it is about.
    expect(screen.getByRole('region', { name: 'Due today' }).textContent).toBe(
      'Due todayNo books are due today.',
    );
    expect(screen.getByRole('region', { name: 'Holds' }).textContent).toBe(
      'HoldsNobody is waiting for a book.',
    );
    expect(screen.getByText('Sunday', { exact: false }).textContent).toBe('Sunday, 2026-11-22');
  });

  it('says how late overdue books are and how to reach their reader, and leads to the whole list', async () => {
    const { server } = shown({
      [TODAY]: [
        200,
        {
          ...today,
          work: { ...today.work, overdue: { total: 12, items: [borrow] } },
          emails: { [ID]: 'anna@example.org' },
        },
      ],
    });
    const overdue = within(await screen.findByRole('region', { name: 'Overdue' }));
    expect(await overdue.findByText('18 days late')).toBeTruthy();
    expect(overdue.getByRole('link', { name: /Write to Anna Nowak/ }).getAttribute('href')).toBe(
      'mailto:anna@example.org',
    );
    expect(overdue.getByRole('link', { name: 'Anna Nowak' }).getAttribute('href')).toBe(
      `/admin/readers/${ID}`,
    );
    expect(overdue.getByRole('link', { name: /All 12/ }).getAttribute('href')).toBe(
      '/admin/borrows?only=Overdue&sort=DueDate&direction=Ascending',
    );
    expect(server.asked(TODAY)).toHaveLength(1);
  });

  it('keeps each part apart where one could not be fetched', async () => {
    const { server, press } = shown({ [TODAY]: problem(503, 'DatabaseUnavailable', 'Away for a moment.') });
    await waitFor(() =>
      expect(document.querySelector('[data-counter="activeBorrows"]')?.textContent).toContain('47'),
    );
    await sees('Away for a moment.');
    server.answers[TODAY] = [200, today];
    await press('Retry');
    await sees('Nobody owes a fee.');
  });

  it('reads the day under the pointer or chosen by keys, and has all of them in a table', async () => {
    const { press } = shown();
    const slider = await screen.findByRole('slider', { name: 'Day' });
    expect(slider.getAttribute('aria-valuetext')).toBe('2026-11-30: 29 rented, 1 returned');
    await press('Table');
    const rows = within(screen.getByRole('group', { name: 'Rents and returns by day' })).getAllByRole('row');
    expect(rows).toHaveLength(31);
    expect(rows[1]?.textContent).toBe('2026-11-30291');
  });
});
