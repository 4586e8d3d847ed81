import { act } from '@testing-library/react';
import { useEffect } from 'react';
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
