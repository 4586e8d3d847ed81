import { jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { Link, Navigate, Outlet, type RouteObject } from 'react-router-dom';
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

function shown(at: string[], { late = codeOf('the late page'), slow = codeOf('the slow page') } = {}) {
  const area = lateOf<RouteObject[]>([
    { index: true, element: <p>the area</p> },
    { path: 'page', ...lazyPage(slow.load) },
  ]);
  const router = createMemoryRouter(
    [
      {
        element: <Frame />,
        children: [
          {
            element: <RouteOutlet />,
            children: [
              { path: '/', element: <p>the start</p> },
              { path: '/list', element: <p>the list</p> },
              { path: '/form', element: form(true) },
              { path: '/saved', element: form(false) },
              { path: '/late', ...lazyPage(late.load) },
              { path: '/slow', ...lazyPage(slow.load) },
              { element: <Outlet />, children: [lazyRoutes('/area', area.load)] },
              { path: '*', element: <Navigate to="/list" replace /> },
            ],
          },
        ],
      },
    ],
    { initialEntries: at },
  );
  render(<RouterProvider router={router} fallback={<p>nothing yet</p>} />);
  const path = () => router.state.location.pathname;
  return { router, late, slow, area, path, person: userEvent.setup() };
}

describe('the way from page to page', () => {
  beforeEach(() => {
    window.scrollTo = jest.fn();
    window.scrollY = 0;
  });

  it('draws the first page when its code is there', async () => {
    const { late } = shown(['/late']);
    expect(screen.getByText('nothing yet')).toBeTruthy();
    await late.comes();
    expect(screen.getByText('the late page')).toBeTruthy();
  });

  it('leads to a page when its code is there, and keeps the one before until then', async () => {
    const { late, path, person } = shown(['/']);
    await person.click(screen.getByRole('link', { name: 'late' }));
    expect(screen.getByText('the start')).toBeTruthy();
    expect(screen.getByText('moving')).toBeTruthy();
    expect(path()).toBe('/');
    await late.comes();
    expect(screen.getByText('the late page')).toBeTruthy();
    expect(screen.queryByText('moving')).toBeNull();
    expect(path()).toBe('/late');
  });

  it('leads where somebody wished to go last', async () => {
    const { router, late, slow, path } = shown(['/']);
    act(() => void router.navigate('/slow'));
    act(() => void router.navigate('/late'));
    await late.comes();
    await slow.comes();
    expect(path()).toBe('/late');
    expect(screen.getByText('the late page')).toBeTruthy();
  });

  it('says that a page could not be fetched, keeps what is around it, and tries again another time', async () => {
    const told = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    window.reportError = jest.fn();
    const { router, late } = shown(['/']);
    act(() => void router.navigate('/late'));
    await late.fails(new Error('no such part'));
    expect(screen.getByText('This page could not be shown')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'late' })).toBeTruthy();
    expect(window.reportError).toHaveBeenCalledWith(expect.objectContaining({ message: 'no such part' }));
    await act(() => router.navigate('/'));
    expect(screen.getByText('the start')).toBeTruthy();
    act(() => void router.navigate('/late'));
    await late.comes();
    expect(screen.getByText('the late page')).toBeTruthy();
    told.mockRestore();
  });

  it('leads to a page of an area whose routes have to be fetched first, once', async () => {
    const { router, area, slow, path } = shown(['/']);
    act(() => void router.navigate('/area/page'));
    await area.comes();
    expect(screen.getByText('the start')).toBeTruthy();
    expect(path()).toBe('/');
    await slow.comes();
    expect(screen.getByText('the slow page')).toBeTruthy();
    await act(() => router.navigate('/area'));
    expect(screen.getByText('the area')).toBeTruthy();
    expect(area.load).toHaveBeenCalledTimes(1);
  });

  it('leads from an address that an area does not know to where unknown ones lead', async () => {
    const { area, path } = shown(['/area/nowhere']);
    await area.comes();
    expect(path()).toBe('/list');
    expect(screen.getByText('the list')).toBeTruthy();
  });

  it('says that an area could not be fetched, and tries again another time', async () => {
    const told = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    window.reportError = jest.fn();
    const { router, area } = shown(['/']);
    act(() => void router.navigate('/area'));
    await area.fails(new Error('no such part'));
    expect(screen.getByText('This page could not be shown')).toBeTruthy();
    expect(area.load).toHaveBeenCalledTimes(1);
    act(() => void router.navigate('/area'));
    await area.comes();
    expect(screen.getByText('the area')).toBeTruthy();
    told.mockRestore();
  });

  it('asks before Back leads away from unsaved changes; who stays, stays, and who leaves, leaves', async () => {
    const { router, path, press } = shown(['/', '/form']);
    await act(() => router.navigate(-1));
    await press('Stay');
    expect(path()).toBe('/form');
    expect(screen.queryByText('Leave without saving?')).toBeNull();
    await act(() => router.navigate(-1));
    await press('Leave');
    expect(path()).toBe('/');
    expect(screen.getByText('the start')).toBeTruthy();
  });

  it('asks before a link does, for as long as something is unsaved', async () => {
    const { router, late, path, person, press } = shown(['/form']);
    await person.click(screen.getByRole('link', { name: 'late' }));
    await press('Leave');
    await late.comes();
    expect(path()).toBe('/late');
    await act(() => router.navigate('/saved'));
    await act(() => router.navigate('/list'));
    expect(path()).toBe('/list');
  });

  it('shows a new page from its top, and one that is gone back to where it was left', async () => {
    const { router } = shown(['/list']);
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
      const { router } = shown(['/list']);
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
