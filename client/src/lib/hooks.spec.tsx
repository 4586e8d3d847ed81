import { act, renderHook } from '@testing-library/react';
import { useEffect } from 'react';
import { jest } from '@jest/globals';
import { sees } from '../../test-support/on-screen.js';
import { show } from '../../test-support/screen.js';
import {
  oneOf,
  openParameter,
  pageParameter,
  searchParameter,
  useAddress,
  type ChangeAddress,
} from './use-address.js';
import { isPage, paginationItems, totalPages } from './use-list.js';
import { useQuarterHour } from './use-now.js';

const LIST = {
  search: searchParameter,
  sort: oneOf('sort', ['Title', 'ISBN'], 'Title'),
  page: pageParameter,
  open: openParameter,
} as const;

let change: ChangeAddress<{ search: string; sort: 'Title' | 'ISBN'; page: number; open: number | null }>;

function List() {
  const [values, changeAddress] = useAddress(LIST);
  useEffect(() => {
    change = changeAddress;
  });
  return <p>{JSON.stringify(values)}</p>;
}

function shown(at: string) {
  const { router, address } = show([{ path: '/list', element: <List /> }], at);
  const back = () => act(() => router.navigate(-1));
  return { router, address, back };
}

describe('the address of a screen', () => {
  it('says what is shown; what makes no sense in it is taken for the usual', async () => {
    shown('/list?q=dune&sort=Colour&page=0&open=7');
    await sees('{"search":"dune","sort":"Title","page":1,"open":7}');
  });

  it('leaves out what is usual, and begins again with what depends on a change', async () => {
    const { address } = shown('/list?q=dune&page=3&open=7');
    act(() => change({ open: 8 }));
    expect(address()).toBe('/list?q=dune&page=3&open=8');
    act(() => change({ page: 2 }));
    expect(address()).toBe('/list?q=dune&page=2');
    act(() => change({ sort: 'ISBN' }));
    expect(address()).toBe('/list?q=dune&sort=ISBN');
    act(() => change({ search: '', sort: 'Title' }));
    expect(address()).toBe('/list');
  });

  it('composes changes that come before the first is drawn, by whichever drawing they are made', () => {
    const { address } = shown('/list?q=dune');
    const early = change;
    act(() => {
      early({ search: '' });
      early({ sort: 'ISBN' });
    });
    expect(address()).toBe('/list?sort=ISBN');
    act(() => early({ page: 2 }));
    expect(address()).toBe('/list?sort=ISBN&page=2');
  });

  it('makes a step that Back undoes of another page, unless the page is mended, and of nothing else', async () => {
    const { address, back } = shown('/list');
    act(() => change({ page: 2 }));
    act(() => change({ search: 'dune' }));
    act(() => change({ page: 9 }));
    act(() => change({ page: 4 }, { mending: true }));
    await back();
    expect(address()).toBe('/list?q=dune');
    await back();
    expect(address()).toBe('/list');
  });

  it('is left alone once the person is elsewhere', async () => {
    const { address, router } = shown('/list');
    const late = change;
    await act(() => router.navigate('/elsewhere'));
    act(() => late({ search: 'dune' }));
    expect(address()).toBe('/elsewhere');
  });
});

describe('the pages that a pagination shows', () => {
  // spec 9.5
  it.each([1, 2, 3, 4, 5])('shows all of %i pages', (total) => {
    for (let page = 1; page <= total; page += 1) {
      expect(paginationItems(page, total)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    }
  });

  it.each([
    [1, 6, [1, 2, 'gap', 6]],
    [2, 6, [1, 2, 3, 'gap', 6]],
    [3, 6, [1, 2, 3, 4, 'gap', 6]],
    [4, 6, [1, 'gap', 3, 4, 5, 6]],
    [5, 6, [1, 'gap', 4, 5, 6]],
    [6, 6, [1, 'gap', 5, 6]],
    [7, 12, [1, 'gap', 6, 7, 8, 'gap', 12]],
  ])('at page %i of %i shows first, last, neighbours and gaps', (page, total, marks) => {
    expect(paginationItems(page, total)).toEqual(marks);
  });

  // spec 9.3
  it('takes the ceiling for the number of pages, and one page for an empty list', () => {
    expect([totalPages(0, 12), totalPages(12, 12), totalPages(13, 12), totalPages(187, 20)]).toEqual([
      1, 1, 2, 10,
    ]);
  });

  // spec 4.8
  it('goes only to whole numbers from 1 to the last page', () => {
    expect([0, 1, 1.5, 10, 11, Number.NaN].map((page) => isPage(page, 10))).toEqual([
      false,
      true,
      false,
      true,
      false,
      false,
    ]);
  });
});

describe('the quarter of an hour', () => {
  beforeEach(() => jest.useFakeTimers({ now: new Date('2026-03-01T22:58:30Z') }));
  afterEach(() => jest.useRealTimers());

  it('is the next one when it has begun, and nothing is drawn before', () => {
    let drawn = 0;
    const { result } = renderHook(() => {
      drawn += 1;
      return useQuarterHour();
    });
    expect(result.current).toBe(Date.parse('2026-03-01T22:45:00Z'));
    const first = drawn;

    act(() => jest.advanceTimersByTime(80_000));
    expect(drawn).toBe(first);

    act(() => jest.advanceTimersByTime(10_000));
    expect(result.current).toBe(Date.parse('2026-03-01T23:00:00Z'));
  });
});
