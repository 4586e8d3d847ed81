import { jest } from '@jest/globals';
import { act, fireEvent, render } from '@testing-library/react';
import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query';
import { screen } from '../../test-support/on-screen.js';
import { show } from '../../test-support/screen.js';
import { waitForPerson } from '../lib/waiting-for-person.js';
import { RequestIndicator, RootLayout } from './root-layout.js';

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
