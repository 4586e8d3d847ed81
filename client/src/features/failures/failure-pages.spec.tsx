import { act, render, screen, waitFor } from '@testing-library/react';
import { sees } from '../../../test-support/on-screen.js';
import { refused } from '../../../test-support/server.js';
import { createMemoryRouter } from '../../../test-support/memory-router.js';
import { RouterProvider } from '../../lib/router/router-provider.js';
import { NotFoundPage } from './not-found-page.js';
import { ServerErrorPage } from './server-error-page.js';

const WORDS = 'Something went wrong on our side';

function shown(state: unknown) {
  const router = createMemoryRouter([{ path: '/server-error', element: <ServerErrorPage /> }], {
    initialEntries: [{ pathname: '/server-error', state }],
  });
  render(<RouterProvider router={router} />);
  return router;
}

describe('the page of a server error', () => {
  const [, body] = refused('Unexpected', 'Something went wrong on our side.');

  // spec 2.28
  it('shows the message and the details, keeps them out of the history, and shows another failure that comes', async () => {
    const router = shown({ problem: body });
    await sees(WORDS, 'Unexpected', 'Something went wrong on our side.');
    // What a reload would find.
    await waitFor(() => expect(router.state.location.state).toBeNull());
    expect(router.state.historyAction).toBe('REPLACE');
    expect(screen.getByText('Something went wrong on our side.')).toBeTruthy();
    const [, problem] = refused('Unexpected', 'And again.');
    await act(() => router.navigate('/server-error', { state: { problem } }));
    await sees('And again.');
  });

  it.each([null, { problem: 'not one' }, 'text'])('shows its words alone without a problem (%j)', (state) => {
    shown(state);
    expect(screen.getByText(WORDS)).toBeTruthy();
    expect(screen.queryByText('Details')).toBeNull();
  });
});

describe('the page of what is not there', () => {
  it('offers the catalogue', () => {
    const router = createMemoryRouter([{ path: '/', element: <NotFoundPage /> }]);
    render(<RouterProvider router={router} />);
    expect(screen.getByRole('link').getAttribute('href')).toBe('/catalog');
  });
});
