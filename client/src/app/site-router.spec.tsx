import { jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { Link, Navigate, Outlet, type RouteObject } from 'react-router-dom';
import { textsOf } from '../../test-support/on-screen.js';
import { createMemoryRouter } from '../../test-support/memory-router.js';
import { RouteOutlet } from './route-error.js';
import { UnsavedChanges } from '../components/dialog/unsaved-changes.js';
import { useStore } from '../lib/store.js';
import { lazyPage, lazyRoutes } from '../lib/router/lazy-page.js';
import { RouterProvider, useSiteRouter } from '../lib/router/router-provider.js';
import { useScrollRestoration } from '../lib/router/use-scroll-restoration.js';

/** Code that comes, or does not, when the test says so. */
function codeOf(words: string) {
  return lateOf<ComponentType>(() => <p>{words}</p>);
}

function lateOf<Value>(value: Value) {
  let come: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const load = jest.fn(
    () =>
      new Promise<Value>((resolve, reject) => {
        come = () => resolve(value);
        fail = reject;
      }),
  );
  return {
    load,
    comes: () => act(async () => come()),
    fails: (error: Error) => act(async () => fail(error)),
  };
}

function Frame() {
  useScrollRestoration();
  const isMoving = useStore(useSiteRouter().isMoving);
  return (
    <>
      <Link to="/late">late</Link>
      {isMoving && <p>moving</p>}
      <Outlet />
    </>
  );
}

const form = (unsaved: boolean) => (
  <>
    <p>the form</p>
    <UnsavedChanges unsaved={unsaved} />
  </>
);

function shown(...at: string[]) {
  const [late, slow] = [codeOf('the late page'), codeOf('the slow page')];
  const area = lateOf<RouteObject[]>([
    { index: true, element: <p>the area</p> },
    { path: 'page', ...lazyPage(slow.load) },
  ]);
  const children = [
    { path: '/', element: <p>the start</p> },
    { path: '/list', element: <p>the list</p> },
    { path: '/form', element: form(true) },
    { path: '/saved', element: form(false) },
    { path: '/late', ...lazyPage(late.load) },
    { path: '/slow', ...lazyPage(slow.load) },
    { element: <Outlet />, children: [lazyRoutes('/area', area.load)] },
    { path: '*', element: <Navigate to="/list" replace /> },
  ];
  const router = createMemoryRouter(
    [{ element: <Frame />, children: [{ element: <RouteOutlet />, children }] }],
    { initialEntries: at },
  );
  render(<RouterProvider router={router} fallback={<p>nothing yet</p>} />);
  const person = userEvent.setup({ delay: null });
  const press = async (name: string) => person.click(await screen.findByRole('button', { name }));
  return {
    ...{ router, late, slow, area, person, press },
    path: () => router.state.location.pathname,
    begin: (to: string) => act(() => void router.navigate(to)),
  };
}
const seen = () => textsOf(document.querySelectorAll('p'));

describe('the way from page to page', () => {
  beforeEach(() => {
    window.scrollTo = jest.fn();
    window.scrollY = 0;
  });

  it('draws the first page when its code is there', async () => {
    const { late } = shown('/late');
    expect(seen()).toEqual(['nothing yet']);
    await late.comes();
    expect(seen()).toEqual(['the late page']);
  });

  it('leads to a page when its code is there, and keeps the one before until then', async () => {
    const { late, path, person } = shown('/');
    await person.click(screen.getByRole('link', { name: 'late' }));
    expect([path(), ...seen()]).toEqual(['/', 'moving', 'the start']);
    await late.comes();
    expect([path(), ...seen()]).toEqual(['/late', 'the late page']);
  });

  it('leads where somebody wished to go last', async () => {
    const { begin, late, slow, path } = shown('/');
    begin('/slow');
    begin('/late');
    await late.comes();
    await slow.comes();
    expect([path(), ...seen()]).toEqual(['/late', 'the late page']);
  });

  it.each(['late', 'area'] as const)(
    'says that the code of /%s could not be fetched, keeps what is around it, and tries again another time',
    async (which) => {
      const told = jest.spyOn(console, 'error').mockImplementation(() => undefined);
      window.reportError = jest.fn();
      const page = shown('/');
      page.begin(`/${which}`);
      await page[which].fails(new Error('no such part'));
      expect(screen.getByText('This page could not be shown')).toBeTruthy();
      expect(screen.getByRole('link', { name: 'late' })).toBeTruthy();
      expect(window.reportError).toHaveBeenCalledWith(expect.objectContaining({ message: 'no such part' }));
      expect(page[which].load).toHaveBeenCalledTimes(1);
      await act(() => page.router.navigate('/'));
      expect(seen()).toEqual(['the start']);
      page.begin(`/${which}`);
      await page[which].comes();
      expect(seen()).toEqual([which === 'late' ? 'the late page' : 'the area']);
      told.mockRestore();
    },
  );

  it('leads to a page of an area whose routes have to be fetched first, once', async () => {
    const { begin, router, area, slow, path } = shown('/');
    begin('/area/page');
    await area.comes();
    expect([path(), ...seen()]).toEqual(['/', 'moving', 'the start']);
    await slow.comes();
    expect(seen()).toEqual(['the slow page']);
    await act(() => router.navigate('/area'));
    expect(seen()).toEqual(['the area']);
    expect(area.load).toHaveBeenCalledTimes(1);
  });

  it('leads from an address that an area does not know to where unknown ones lead', async () => {
    const { area, path } = shown('/area/nowhere');
    await area.comes();
    expect([path(), ...seen()]).toEqual(['/list', 'the list']);
  });

  it('asks before Back leads away from unsaved changes; who stays, stays, and who leaves, leaves', async () => {
    const { router, path, press } = shown('/', '/form');
    await act(() => router.navigate(-1));
    await press('Stay');
    expect([path(), screen.queryByText('Leave without saving?')]).toEqual(['/form', null]);
    await act(() => router.navigate(-1));
    await press('Leave');
    expect([path(), ...seen()]).toEqual(['/', 'the start']);
  });

  it('asks before a link does, for as long as something is unsaved', async () => {
    const { router, late, path, person, press } = shown('/form');
    await person.click(screen.getByRole('link', { name: 'late' }));
    await press('Leave');
    await late.comes();
    expect(path()).toBe('/late');
    await act(() => router.navigate('/saved'));
    await act(() => router.navigate('/list'));
    expect(path()).toBe('/list');
  });

  it('shows a new page from its top, and one that is gone back to where it was left', async () => {
    const { router } = shown('/list');
    window.scrollY = 700;
    await act(() => router.navigate('/'));
    expect(window.scrollTo).toHaveBeenLastCalledWith(0, 0);
    window.scrollY = 20;
    await act(() => router.navigate(-1));
    expect(window.scrollTo).toHaveBeenLastCalledWith(0, 700);
    jest.mocked(window.scrollTo).mockClear();
    await act(() => router.navigate('?page=2', { preventScrollReset: true }));
    expect(window.scrollTo).not.toHaveBeenCalled();
  });

  it('goes on scrolling down a page that has yet to grow, until it is there or somebody scrolls themselves', async () => {
    const { ResizeObserver } = globalThis;
    const growing = new Set<() => void>();
    globalThis.ResizeObserver = class {
      private readonly grows: () => void;
      constructor(callback: ResizeObserverCallback) {
        this.grows = () => callback([], this);
      }
      observe = () => void growing.add(this.grows);
      unobserve = () => undefined;
      disconnect = () => void growing.delete(this.grows);
    };
    try {
      let height = 100;
      window.scrollTo = ((_: number, top: number) => (window.scrollY = Math.min(top, height))) as never;
      const grow = (to: number) => {
        height = to;
        for (const grows of growing) grows();
      };
      const { router } = shown('/list');
      const comeBack = async () => {
        height = 100;
        await act(() => router.navigate('/'));
        await act(() => router.navigate(-1));
      };
      window.scrollY = 700;
      await comeBack();
      expect(window.scrollY).toBe(100);
      grow(400);
      expect(window.scrollY).toBe(400);
      grow(2000);
      expect(window.scrollY).toBe(700);
      expect(growing.size).toBe(0);

      await comeBack();
      window.dispatchEvent(new Event('wheel'));
      window.scrollY = 30;
      grow(2000);
      expect(window.scrollY).toBe(30);
    } finally {
      globalThis.ResizeObserver = ResizeObserver;
    }
  });
});
