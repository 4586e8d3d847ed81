import { screen, within } from '@testing-library/react';
import type { WantedInsight, WantedTitle } from '#contracts/insight/insight.js';
import { sees } from '../../../test-support/on-screen.js';
import { asAdmin, showPage } from '../../../test-support/screen.js';
import { answered, pageOf, type Answers } from '../../../test-support/server.js';
import { OTHER_ID } from '../../../test-support/views.js';
import { InsightPage } from './insight-page.js';
import { hoursLayout, HEIGHT, hourAt, WIDTH, xOf } from './hours-part.js';

const WANTED = 'GET Insight/wanted';
const EVENTS = 'GET Insight/events';
const HOLDER = `GET Audit/holds/${OTHER_ID}`;
const AT = '2026-11-20T10:00:00.000Z';

const title = (over: Partial<WantedTitle> = {}): WantedTitle => ({
  ...{ bookId: 7, title: 'Solaris', kind: 'loanable', copies: 1, waiting: 3, paused: 0, firstSince: AT },
  ...{ lastInDays: 40, copiesToBuy: 2, Reserved: 5, Cancelled: 1, NotCollected: 1, NotNeeded: 0 },
  ...over,
});
const wanted = (items: WantedTitle[]): WantedInsight => ({
  ...{ at: AT, waiting: items.reduce((sum, { waiting }) => sum + waiting, 0), totalCount: items.length },
  copiesToBuy: items.reduce((sum, { copiesToBuy }) => sum + copiesToBuy, 0),
  ...{ Reserved: 9, Cancelled: 2, NotCollected: 1, NotNeeded: 0, items },
});
const shown = (items: WantedTitle[], answers: Answers = {}, area = 'admin') =>
  showPage(<InsightPage />, `/${area}/insight?part=wanted`, {
    [WANTED]: answered(wanted(items)),
    ...answers,
  });
const row = async (name: string) =>
  within((await screen.findByRole('link', { name })).closest('tr') as HTMLElement);

describe('what is waited for', () => {
  asAdmin();

  it('says of each title why so many copies are suggested, or none', async () => {
    shown([
      title(),
      title({ bookId: 8, title: 'Lalka', waiting: 1, lastInDays: null, copiesToBuy: 1 }),
      title({ bookId: 9, title: 'Kosmos', lastInDays: 3, copiesToBuy: 0 }),
      title({ bookId: 10, title: 'Faraon', waiting: 2, paused: 2, lastInDays: null, copiesToBuy: 0 }),
      title({ bookId: 11, title: 'Atlas', kind: 'reading-room', copies: 0, copiesToBuy: 0 }),
    ]);
    for (const [name, words] of [
      ['Solaris', /2 more copies bring the last one’s wait, 40 days now, to 14 days at most/],
      ['Lalka', /1 more copy brings .* nobody can tell now, to 14 days/],
      ['Kosmos', /Nobody waits longer than 14 days/],
      ['Faraon', /Everyone in the queue has paused/],
      ['Atlas', /For the reading room only/],
    ] as const)
      expect((await row(name)).getByText(words)).toBeTruthy();
    expect(screen.getByText(/3 copies more would do/)).toBeTruthy();
    const queue = screen.getByRole('link', { name: 'The queue for Solaris' });
    expect(queue.getAttribute('href')).toBe('/admin/holds/7');
  });

  it('asks again for another wait, and keeps it in the address', async () => {
    const { server, person, address } = shown([title()]);
    await row('Solaris');
    await person.selectOptions(screen.getByLabelText('Longest acceptable wait'), '28');
    await sees(/to 28 days at most/);
    expect(server.asked(WANTED).map(({ query }) => query['within'])).toEqual(['14', '28']);
    expect(address()).toContain('within=28');
  });

  it.each([
    ['admin', 'Reader', '/admin/readers/'],
    ['audit', 'Replay', '/audit/readers/'],
  ])('opens what a figure counts, and in %s whose it was', async (area, word, path) => {
    const event = {
      at: AT,
      what: 'Cancelled',
      borrowId: null,
      holdId: OTHER_ID,
      bookId: 7,
      title: 'Solaris',
    };
    const { server, person, press, address } = shown(
      [title()],
      {
        [EVENTS]: pageOf(event),
        [HOLDER]: answered({ user: { id: OTHER_ID, fullname: 'Maria' } }),
      },
      area,
    );
    const figure = { name: '1 reservations of Solaris, cancelled: show the events' };
    await person.click(await screen.findByRole('link', figure));
    await screen.findByRole('heading', { name: 'Cancelled: Solaris' });
    expect(server.asked(EVENTS)[0]?.query).toMatchObject({ what: 'Cancelled', bookId: '7' });
    expect(server.asked(HOLDER)).toHaveLength(0);
    await press(new RegExp(`^${word}: Solaris`));
    await screen.findByTestId('elsewhere');
    expect(address()).toBe(`${path}${OTHER_ID}`);
  });

  it('says that nobody waits, and still what became of reservations', async () => {
    shown([]);
    await sees('Nobody is waiting for anything');
    expect(screen.getByRole('link', { name: '9 reservations, reserved: show the events' })).toBeTruthy();
  });
});

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  hour,
  Rented: hour,
  Issued: 2 * hour,
  Returned: 0,
}));

describe('the drawing of the hours', () => {
  it('has a row for each thing that happens, of one scale, within its space', () => {
    const rows = hoursLayout(HOURS);
    expect(rows.map(({ what }) => what)).toEqual(['Rented', 'Issued', 'Returned']);
    const [rented, issued, returned] = rows;
    expect(issued?.columns[10]?.height).toBeCloseTo(2 * (rented?.columns[10]?.height ?? 0), 0);
    expect(returned?.columns.every(({ height }) => height === 0)).toBe(true);
    for (const { top, base, columns } of rows)
      for (const { x, y, width, height } of columns) {
        expect(x + width).toBeLessThanOrEqual(WIDTH);
        expect(y).toBeGreaterThanOrEqual(top - 0.1);
        expect(y + height).toBeCloseTo(base, 0);
        expect(base).toBeLessThan(HEIGHT);
      }
  });

  it('knows the hour under the pointer', () => {
    for (const hour of [0, 7, 23]) expect(hourAt(xOf(hour) + 1)).toBe(hour);
    expect(hourAt(0)).toBe(0);
    expect(hourAt(WIDTH)).toBe(23);
  });

  it('stands where nothing happened', () => {
    const rows = hoursLayout(HOURS.map(({ hour }) => ({ hour, Rented: 0, Issued: 0, Returned: 0 })));
    expect(rows.every(({ columns }) => columns.every(({ height }) => height === 0))).toBe(true);
  });
});
