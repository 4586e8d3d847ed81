import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { useLocation, type RouteObject } from 'react-router-dom';
import { toast } from 'react-toastify/unstyled';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import { builtInOf, rightsOf, type Role } from '#contracts/permissions.js';
import { createAppQueryClient } from '../src/app/query-client.js';
import { ToastCorner } from '../src/lib/toast-corner.js';
import { session } from '../src/lib/session.js';
import { setAppNavigator } from '../src/lib/app-navigation.js';
import { RouterProvider } from '../src/lib/router/router-provider.js';
import type { SiteRouter } from '../src/lib/router/site-router.js';
import { createMemoryRouter } from './memory-router.js';
import type { Queries } from './on-screen.js';
import { serverOf, type Answers } from './server.js';
import { ID } from './views.js';

function Elsewhere() {
  const { pathname, search } = useLocation();
  const state = useLocation().state as unknown;
  return (
    <p data-testid="elsewhere" data-state={JSON.stringify(state)}>
      {pathname + search}
    </p>
  );
}

/** What happens outside components, and changes of the address, go through this router. */
function navigateBy(router: SiteRouter): void {
  setAppNavigator({
    here: () => router.state.location.pathname + router.state.location.search,
    go: (path, state) => router.navigate(path, { state }),
  });
}

/** Shows a screen at an address, with toasts and the global handling of failed calls; other paths show where one is. */
export function show(routes: RouteObject[], at: string) {
  toast.dismiss();
  const router = createMemoryRouter([...routes, { path: '*', element: <Elsewhere /> }], {
    initialEntries: [at],
  });
  navigateBy(router);
  const client = createAppQueryClient();
  client.setDefaultOptions({ queries: { retry: false }, mutations: { networkMode: 'always', retry: false } });
  const shown = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
      <ToastCorner />
    </QueryClientProvider>,
  );
  const address = () => router.state.location.pathname + router.state.location.search;
  const person = userEvent.setup({ delay: null });
  /** Clicks a button, once it is there. */
  const press = async (name: string | RegExp, part: Queries = screen) =>
    person.click(await part.findByRole('button', { name }));
  return { ...shown, router, client, address, person, press };
}

/** Shows one page at its address, where the server answers so. */
export function showPage(page: ReactElement, at: string, answers: Answers = {}) {
  const server = serverOf(answers);
  const [path = ''] = at.split('?');
  return { server, ...show([{ path, element: page }], at) };
}

export const userOf = (...roles: Role[]): SignedInUser => ({
  id: ID,
  username: 'anna',
  token: 'the-token',
  roles: ['Reader', ...roles],
  permissions: [...rightsOf(builtInOf(roles)).permissions],
  expiresAt: '2100-01-01T00:00:00Z',
});

function signedInAs(...roles: Role[]): void {
  beforeEach(() => session.begin(userOf(...roles)));
  afterEach(() => act(() => session.end()));
}

/** Each test is of what an admin sees. */
export const asAdmin = () => signedInAs('Admin');

/** Each test is of what a reader sees. */
export const asReader = () => signedInAs();
