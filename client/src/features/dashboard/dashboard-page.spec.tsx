import { screen, waitFor } from '@testing-library/react';
import type { Today } from '#contracts/dashboard/today.js';
import { sees } from '../../../test-support/on-screen.js';
import { asAdmin, showPage } from '../../../test-support/screen.js';
import { answered, refused, type Answers } from '../../../test-support/server.js';
import { ID, bookOf, borrowView } from '../../../test-support/views.js';
import { DashboardPage } from './dashboard-page.js';
import { monthLayout, HEIGHT, WIDTH } from './month-chart.js';

const TODAY = 'GET Dashboard/today';

const borrow = borrowView({
  ...{ books: [bookOf(1, 'Dune', 'lent')], issueDate: '2026-10-21T10:00:00Z' },
  ...{ dueDate: '2026-11-04T10:00:00Z', status: 'Issued', availableActions: ['return'] },
});
const none = { total: 0, items: [] };
const today: Today = {
  day: '2026-11-22',
  work: {
    ...{ toHandOut: none, dueToday: none, overdue: none, fees: none, toPayOut: none },
    lastDayToCollect: none,
  },
  holds: { waiting: 0, onShelf: 0, lastDay: 0, notCollected: 0 },
  ...{ emails: {}, month: [{ day: '2026-11-22', rents: 1, returns: 1 }] },
};
const stats = {
  ...{ totalBooks: 1200, booksBorrowedLastMonth: 86, booksAddedLastMonth: 3 },
  ...{ totalUsers: 41, activeBorrows: 47, expiredRents: 5 },
};

const shown = (answers: Answers = {}) =>
  showPage(<DashboardPage />, '/admin/dashboard', {
    'GET Dashboard/stats': answered(stats),
    [TODAY]: answered(today),
    'GET Dashboard/last-events': answered([]),
    ...answers,
  });
const linkTo = async (name: string | RegExp) =>
  (await screen.findByRole('link', { name })).getAttribute('href');

describe('the dashboard', () => {
  asAdmin();

  it('says how many wait, how many copies wait for readers and were not collected, and leads to them', async () => {
    shown({
      [TODAY]: answered({ ...today, holds: { waiting: 14, onShelf: 2, lastDay: 1, notCollected: 3 } }),
    });
    const kept = '2 reserved copies are waiting for their readers';
    expect(await linkTo(kept)).toBe('/admin/holds');
    expect(screen.getByText(kept).parentElement?.textContent).toContain('1 on their last day');
    expect(await linkTo('3 were not collected')).toBe('/admin/holds?list=lapsed');
    expect(await linkTo('14 holds wait for a copy')).toBe('/admin/holds?list=queues');
  });

  it('says plainly that there is nothing to do', async () => {
    shown();
    await sees('Nobody is waiting.', 'No books are due today.', 'Nothing is overdue.');
    await sees('Nobody owes a fee.', 'No last day today.', 'Nothing has happened yet.');
    // Each in one line, and what it is about.
    const region = (name: string) => screen.getByRole('region', { name }).textContent;
    expect(region('Due today')).toBe('Due todayNo books are due today.');
    expect(region('Holds')).toBe('HoldsNobody is waiting for a book.');
    expect(screen.getByText('Sunday', { exact: false }).textContent).toBe('Sunday, 2026-11-22');
  });

  it('says how late overdue books are and how to reach their reader, and leads to the whole list', async () => {
    const { server } = shown({
      [TODAY]: answered({
        ...today,
        work: { ...today.work, overdue: { total: 12, items: [borrow] } },
        emails: { [ID]: 'anna@example.org' },
      }),
    });
    await sees('18 days late');
    expect(await linkTo(/Write to Anna Nowak/)).toBe('mailto:anna@example.org');
    expect(await linkTo('Anna Nowak')).toBe(`/admin/readers/${ID}`);
    const all = '/admin/borrows?only=Overdue&sort=DueDate&direction=Ascending';
    expect(await linkTo(/All 12/)).toBe(all);
    expect(server.asked(TODAY)).toHaveLength(1);
  });

  it('keeps each part apart where one could not be fetched', async () => {
    const { server, press } = shown({ [TODAY]: refused('DatabaseUnavailable', 'Away for a moment.') });
    await waitFor(() =>
      expect(document.querySelector('[data-counter="activeBorrows"]')?.textContent).toContain('47'),
    );
    await sees('Away for a moment.');
    server.answers[TODAY] = answered(today);
    await press('Retry');
    await sees('Nobody owes a fee.');
  });
});

const month = (...counts: [rents: number, returns: number][]) =>
  counts.map(([rents, returns], at) => ({
    day: `2026-11-${String(at + 1).padStart(2, '0')}`,
    rents,
    returns,
  }));

describe('the lines of a month', () => {
  it('have round numbers beside them, of which the largest is above every point', () => {
    for (const [most, ticks] of [
      [0, [0, 1]],
      [3, [0, 1, 2, 3]],
      [4, [0, 1, 2, 3, 4]],
      [9, [0, 5, 10]],
      [38, [0, 10, 20, 30, 40]],
      [1234, [0, 500, 1000, 1500]],
    ] as const) {
      expect([most, monthLayout(month([0, 0], [most, 0])).ticks]).toEqual([most, ticks]);
    }
  });

  it('stay within the drawing, the oldest day on the left and nothing at the bottom', () => {
    const { x, y, rents, returns } = monthLayout(month([5, 0], [2, 7], [0, 1]));
    expect(x(0)).toBeLessThan(x(2));
    expect(x(2)).toBeLessThanOrEqual(WIDTH);
    expect(y(0)).toBeLessThan(HEIGHT);
    expect(y(8)).toBeGreaterThanOrEqual(0);
    expect(rents).toBe(`M${x(0)} ${y(5)}L${x(1)} ${y(2)}L${x(2)} ${y(0)}`);
    expect(returns).toBe(`M${x(0)} ${y(0)}L${x(1)} ${y(7)}L${x(2)} ${y(1)}`);
  });

  it('are dated weekly, back from this day', () => {
    expect(monthLayout(month(...Array.from({ length: 30 }, () => [1, 1] as [number, number]))).days).toEqual([
      1, 8, 15, 22, 29,
    ]);
  });
});
