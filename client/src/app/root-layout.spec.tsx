import { jest } from '@jest/globals';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query';
import type { OpeningHours as Hours } from '#contracts/rules/opening-hours.js';
import type { FollowersView } from '#contracts/dashboard/followers.js';
import { textsOf, sees } from '../../test-support/on-screen.js';
import { show, showPage, asAdmin } from '../../test-support/screen.js';
import { answered, serverOf } from '../../test-support/server.js';
import { waitForPerson } from '../lib/waiting-for-person.js';
import { daysAhead, openingNow } from '../domain/opening-hours.js';
import { RequestIndicator, RootLayout } from './root-layout.js';
import { OpeningHours } from './opening-hours.js';
import { SiteFooter } from './site-footer.js';
import { AdminShell } from './admin-shell.js';

let come: (answer: string) => void;
const coming = () => new Promise<string>((resolve) => (come = resolve));

function Screen({ known }: { known?: string }) {
  const list = useQuery({
    queryKey: ['list'],
    queryFn: coming,
    ...(known !== undefined && { initialData: known, initialDataUpdatedAt: 0 }),
  });
  const command = useMutation({ mutationFn: coming });
  const asking = useMutation({ mutationFn: () => waitForPerson(coming()).then(coming) });
  const slow = useMutation({ mutationFn: coming, meta: { showsProgress: true } });
  return (
    <>
      <RequestIndicator also={false} />
      <p>{list.data}</p>
      <p>{list.fetchStatus}</p>
      <button onClick={() => command.mutate()}>Do it</button>
      <button onClick={() => asking.mutate()}>Ask first</button>
      <button onClick={() => slow.mutate()}>Begin it</button>
      <p>{slow.status}</p>
    </>
  );
}

const shown = (known?: string) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Screen {...(known !== undefined && { known })} />
    </QueryClientProvider>,
  );

/** A moment, and longer than what counts as long (ms). */
const [A_MOMENT, A_WHILE] = [10, 700];
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const said = () => screen.getByRole('status').textContent;

describe("'Loading...'", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  // spec 2.8
  it('is read out while a list that is not there yet is long on its way', async () => {
    shown();
    await pass(A_MOMENT);
    expect(said()).toBe('');
    await pass(A_WHILE);
    expect(said()).toBe('Loading...');
    come('the list');
    await pass(A_WHILE);
    expect(said()).toBe('');
  });

  // spec 7.3
  it('is not shown while what is there already is refreshed, and is for a command', async () => {
    shown('known');
    await pass(A_WHILE);
    expect(screen.getByText('fetching')).toBeTruthy();
    expect(said()).toBe('');
    come('fresh');
    await pass(A_MOMENT);
    fireEvent.click(screen.getByRole('button', { name: 'Do it' }));
    await pass(A_WHILE);
    expect(said()).toBe('Loading...');
  });

  it('is not shown for a command while it waits for the person, and is when it goes on', async () => {
    shown('known');
    come('fresh');
    await pass(A_MOMENT);
    fireEvent.click(screen.getByRole('button', { name: 'Ask first' }));
    await pass(A_WHILE);
    expect(said()).toBe('');
    come('confirmed');
    await pass(A_WHILE);
    expect(said()).toBe('Loading...');
  });

  it('is not shown for what tells itself how far it is', async () => {
    shown('known');
    come('fresh');
    await pass(A_MOMENT);
    fireEvent.click(screen.getByRole('button', { name: 'Begin it' }));
    await pass(A_WHILE);
    expect(screen.getByText('pending')).toBeTruthy();
    expect(said()).toBe('');
  });
});

it('skips what leads elsewhere: to the results of a page with filters, else to its beginning', async () => {
  const page = (
    <>
      <input type="checkbox" aria-label="Filter" />
      <div data-content tabIndex={-1}>
        <button>The first book</button>
      </div>
    </>
  );
  const { person, router } = show(
    [
      {
        element: <RootLayout />,
        children: [
          { path: '/catalog', element: page },
          { path: '/cart', element: <p>the cart</p> },
        ],
      },
    ],
    '/catalog',
  );
  await person.click(screen.getByText('Skip to content'));
  await person.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'The first book' }));
  await act(() => router.navigate('/cart'));
  await person.click(screen.getByText('Skip to content'));
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

const day = (day: string, opens?: string, closes = '18:00'): Hours['days'][number] => ({
  day,
  isOpen: true,
  hours: opens === undefined ? null : { opens, closes },
});
const closedDay = (day: string) => ({ day, isOpen: false, hours: null });
/** By the clock of the machine, which is the library's where no server says another. */
const at = (time: string) => new Date(`2100-11-25T${time}:00`).getTime();

describe('how it is now', () => {
  const days = [day('2100-11-25', '09:00'), closedDay('2100-11-26'), day('2100-11-27', '10:00')];

  it('is open until it closes, and before that from when it opens', () => {
    expect(openingNow(days, at('08:59'))).toBe('Open today from 09:00 to 18:00');
    expect(openingNow(days, at('09:00'))).toBe('Open today until 18:00');
    expect(openingNow([day('2100-11-25')], at('03:00'))).toBe('Open today');
  });

  it('is closed until the next day on which it is open', () => {
    const onSaturday = 'Closed for today, open again on Saturday, 2100-11-27 from 10:00';
    expect(openingNow(days, at('18:00'))).toBe(onSaturday);
    expect(openingNow(days.slice(1), at('12:00'))).toBe('Closed today, open again tomorrow from 10:00');
    const closed = closedDay('2100-11-25');
    expect(openingNow([closed, day('2100-11-26')], at('12:00'))).toBe('Closed today, open again tomorrow');
    expect(openingNow([closed], at('12:00'))).toBe('Closed today');
  });
});

describe('the opening hours at the foot of the pages', () => {
  it('are the week from today on, and the closed days to come', async () => {
    const week = Array.from({ length: 14 }, (_, n) => day(`2100-12-${n + 10}`, '09:00'));
    const closed = [{ from: '2100-12-24', to: '2100-12-26' }];
    showPage(<OpeningHours />, '/', {
      'GET Rules/hours': answered({ days: week.with(1, closedDay('2100-12-11')), closed }),
    });
    const hours = within(await screen.findByRole('region', { name: 'Opening hours' }));
    const open = Array.from({ length: 6 }, () => '09:00–18:00');
    expect(textsOf(hours.getAllByRole('definition'))).toEqual(open.toSpliced(1, 0, 'closed'));
    expect(hours.getAllByRole('term')[0]?.textContent).toBe('Friday 2100-12-10');
    expect(textsOf(hours.getAllByRole('listitem'))).toEqual(['Friday, 2100-12-24, to Sunday, 2100-12-26']);
  });

  it('are not there where the rules set none, nor are days that are over', () => {
    const days = [day('2100-11-24', '09:00'), day('2100-11-25', '09:00')];
    expect(daysAhead({ days, closed: [] }, at('00:00'))).toEqual(days.slice(1));
    expect(daysAhead({ days: [day('2100-11-25')], closed: [] }, at('12:00'))).toEqual([]);
  });
});

describe('the foot of the pages of readers', () => {
  const shown = (at: string) =>
    showPage(<SiteFooter />, at, { 'GET Rules/hours': answered({ days: [], closed: [] }) });
  const rules = () => screen.getByText('Usage rules').closest('details');

  it('has the rules of the house, whole on the home page and folded on the others', () => {
    shown('/');
    expect(rules()?.open).toBe(true);
    expect(rules()?.querySelectorAll('li')).toHaveLength(8);
  });

  it('is folded elsewhere, and says how the library is reached', () => {
    const meta = document.createElement('meta');
    meta.name = 'lectern-contact';
    meta.content = 'Long Street 1, desk@library.example.';
    document.head.append(meta);
    shown('/catalog');
    expect(rules()?.open).toBe(false);
    const link = screen.getByRole('link', { name: 'desk@library.example' });
    expect(link.getAttribute('href')).toBe('mailto:desk@library.example');
    meta.remove();
  });
});

const FOLLOWERS = 'GET Dashboard/followers';
const stopped: FollowersView[number] = {
  name: 'projection',
  state: 'stopped',
  since: '2026-11-21T12:00:00.000Z',
  reason: 'The event BooksLost, version 1, cannot be read: its type is unknown',
  event: { stream: 'borrows-1', revision: '5', position: '4711', type: 'BooksLost' },
};

const tell = (view: FollowersView) => {
  serverOf({ [FOLLOWERS]: answered(view) });
  return show(
    [{ path: '/admin', element: <AdminShell />, children: [{ index: true, element: <p>an area</p> }] }],
    '/admin',
  );
};

describe('what admins are told of followers of the event log', () => {
  asAdmin();

  it('is which one stopped, at which event and what to do', async () => {
    tell([stopped]);
    const band = await screen.findByRole('alert');
    expect(band.textContent).toMatch(/The lists have stopped/);
    expect(band.textContent).toMatch(/its type is unknown/);
    expect(band.textContent).toMatch(/BooksLost, revision 5 of borrows-1, position 4711/);
    expect(band.textContent).toContain('npm run skip-event -- --stream borrows-1 --revision 5');
  });

  it('is what one waits for, without a command', async () => {
    tell([{ ...stopped, name: 'letters', state: 'retrying', reason: 'UnavailableError 14', event: null }]);
    const band = await screen.findByRole('alert');
    expect(band.textContent).toMatch(/Letters about borrows are waiting.*UnavailableError 14/);
    expect(band.textContent).not.toContain('npm run');
  });

  it('is nothing where all is well', async () => {
    tell([]);
    await sees('an area');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
