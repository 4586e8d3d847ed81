import { act, screen, waitFor, within } from '@testing-library/react';
import { sees, textsOf } from '../../../test-support/on-screen.js';
import { show, userOf } from '../../../test-support/screen.js';
import { type Answer, type Answers, type Call, problem, serverOf } from '../../../test-support/server.js';
import { bookView, borrowView } from '../../../test-support/views.js';
import { session } from '../../lib/session.js';
import { CataloguePage } from './catalogue-page.js';

const named = (id: number, name: string | null, books: number) => ({ id, name, books });
const FACETS = {
  genre: [1, 2, 3, 4, 5, 6, 7, 8].map((id) => named(id, `Genre ${id}`, 40 - id)),
  author: [named(7, 'Terry Pratchett', 12)],
  publisher: [],
  year: [
    { value: '1980s', books: 9 },
    { value: '2010s', books: 4 },
  ],
  language: [{ value: 'pl', books: 1 }],
  available: 30,
};

const book = (id: number) => ({
  id,
  isbn: `978000000000${id}`,
  title: `Book ${id}`,
  authors: [],
  genres: [],
  series: null,
  volume: null,
  publisher: null,
  published: '1990-05-01',
  publicationDate: '1990-05-01',
  copiesAvailable: 2,
  copiesTotal: 3,
  kind: 'loanable',
  photo: null,
});

let isWide: boolean;
let facets: (call: Call) => Answer;
let totalCount: number;
let found: object | undefined;

/** The catalogue at an address. */
function shown(at: string, answers: Answers = {}) {
  window.matchMedia = ((query: string) => ({
    matches: query.includes('min-width') && isWide,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })) as unknown as typeof window.matchMedia;
  const server = serverOf({
    'GET Book': () => [200, found ?? { items: totalCount === 0 ? [] : [book(1)], totalCount }],
    'GET Book/facets': (call) => facets(call),
    'GET Book/suggest': [
      200,
      { books: [], authors: [{ id: 7, name: 'Terry Pratchett' }], genres: [{ id: 3, name: 'Genre 3' }] },
    ],
    ...answers,
  });
  return { ...show([{ path: '/catalog', element: <CataloguePage /> }], at), server };
}

const chips = (...names: string[]) =>
  waitFor(() => {
    const buttons = within(screen.getByRole('list', { name: 'Chosen filters' })).getAllByRole('button');
    expect(textsOf(buttons)).toEqual(names);
  });

describe('the catalogue without a book', () => {
  beforeEach(() => {
    isWide = true;
    totalCount = 0;
    facets = () => [200, { ...FACETS, author: [] }];
  });
  afterEach(() => act(() => session.end()));

  it('is said to have none yet, with the next step for who can add one', async () => {
    const { unmount } = shown('/catalog');
    expect(await screen.findByRole('heading', { name: 'The catalogue has no books yet' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Add a book' })).toBeNull();
    unmount();
    session.begin(userOf('Admin'));
    shown('/catalog');
    const add = await screen.findByRole('link', { name: 'Add a book' });
    expect(add.getAttribute('href')).toBe('/admin/books/save');
  });

  it('is not taken for a search that found nothing', async () => {
    shown('/catalog?q=xyzzy');
    expect(await screen.findByRole('heading', { name: 'No book matches' })).toBeTruthy();
  });
});

describe('after a rent', () => {
  afterEach(() => act(() => session.end()));

  it('says what waits, where and until when, until it is closed or collected', async () => {
    isWide = true;
    totalCount = 40;
    facets = () => [200, FACETS];
    session.begin(userOf());
    const borrow = borrowView({
      collectBy: '2999-11-23T10:00:00Z',
      books: [1, 2].map((bookId) => ({
        ...{ bookId, title: `Book ${bookId}`, state: 'reserved' as const },
        ...{ issueDate: null, returnDate: null },
      })),
    });
    const card = {
      card: {
        number: '20000000000008',
        bars: [2],
        issuedAt: '2026-01-15T10:00:00Z',
        blockedAt: null,
        hasPin: false,
      },
      ...{ block: null, owes: 0, refund: 0, books: { have: 2, most: 10 } },
    };
    const { router, server, client, press } = shown('/catalog', {
      'GET Reader/mine': [200, { ...card, borrows: [{ borrow, renewal: null }] }],
      'GET Book/covers': [200, []],
      'GET Rules/hours': [200, { days: [], closed: [] }],
    });
    const go = () => act(() => router.navigate('/catalog', { state: { rented: borrow.id } }));
    await go();
    const panel = await screen.findByRole('region', {
      name: 'Collect your 2 books at the desk by Saturday, 2999-11-23',
    });
    expect(textsOf(within(panel).getAllByRole('listitem'))).toEqual(['Book 1', 'Book 2']);
    await press('Close', within(panel));
    await waitFor(() => expect(document.querySelector('[data-rented]')).toBeNull());
    await go();
    await waitFor(() => expect(document.querySelector('[data-rented]')).not.toBeNull());
    server.answers['GET Reader/mine'] = [200, { ...card, borrows: [] }];
    await act(() => client.invalidateQueries());
    await waitFor(() => expect(document.querySelector('[data-rented]')).toBeNull());
  });
});

describe('a card of the catalogue', () => {
  it('is one link, and has a word only where the book is not simply there', async () => {
    isWide = true;
    facets = () => [200, FACETS];
    const items = [
      { ...book(1), copiesAvailable: 2 },
      { ...book(2), copiesAvailable: 0 },
      { ...book(3), kind: 'reading-room' },
    ];
    shown('/catalog', {
      'GET Book': [200, { items, totalCount: 3 }],
      'GET Book/2': [200, bookView({ id: 2, copiesAvailable: 0, holds: 2 })],
      'GET Book/2/whereabouts': [
        200,
        [{ copy: 1, state: 'lent', shelfMark: null, dueDate: '2999-12-01T12:00:00.000Z' }],
      ],
    });
    await sees(/Lent until/);
    const cards = screen.getAllByRole('article');
    expect(cards.map((card) => within(card).getAllByRole('link').length)).toEqual([1, 1, 1]);
    // Not what is lettered on the cover.
    const words = (card: HTMLElement) => textsOf(card.querySelectorAll('h2, p:not(:empty)'));
    expect(cards.map(words)).toEqual([
      ['Book 1'],
      ['Book 2', 'Lent until 2999-12-01 · 2 wait'],
      ['Book 3', 'To be read in the library'],
    ]);
  });
});

describe('the facets of the catalogue', () => {
  beforeEach(() => {
    isWide = true;
    totalCount = 40;
    found = undefined;
    facets = () => [200, FACETS];
  });

  it('narrow the list and stand in the address; a value more widens its facet, and Back undoes a step', async () => {
    const { person, address, router, server } = shown('/catalog?q=night&sort=Title&page=3');
    await person.click(await screen.findByRole('checkbox', { name: /^Genre 2 38/ }));
    expect(address()).toBe('/catalog?q=night&genre=2&sort=Title');
    await person.click(screen.getByRole('checkbox', { name: /^Genre 1 / }));
    await person.click(screen.getByRole('checkbox', { name: /^Polish 1 book/ }));
    await person.click(screen.getByRole('checkbox', { name: /^Available now 30/ }));
    expect(address()).toBe('/catalog?q=night&genre=2%2C1&language=pl&available=1&sort=Title');
    const [last] = server.asked('GET Book').slice(-1);
    expect(last?.query).toMatchObject({
      SearchTerm: 'night',
      language: 'pl',
      available: '1',
      SortBy: 'Title',
    });
    const { calls } = (globalThis.fetch as unknown as { mock: { calls: [string][] } }).mock;
    expect(calls.some(([url]) => url.includes('/Book/facets?') && url.includes('genre=2&genre=1'))).toBe(
      true,
    );
    await chips('Genre 2', 'Genre 1', 'Polish', 'Available now');
    await act(() => router.navigate(-1));
    await chips('Genre 2', 'Genre 1', 'Polish');
    await person.click(screen.getByRole('checkbox', { name: /^Genre 2 / }));
    expect(address()).toBe('/catalog?q=night&genre=1&language=pl&sort=Title');
  });

  it('are taken away by their chips, which pass the focus on, and all at once', async () => {
    const { press, address } = shown('/catalog?genre=1&author=7&year=1980s,1994');
    await chips('Genre 1', 'Terry Pratchett', '1980s', '1994');
    await press('Remove the filter Terry Pratchett');
    expect(address()).toBe('/catalog?genre=1&year=1980s%2C1994');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove the filter 1980s' }));
    await press('Clear all');
    expect(address()).toBe('/catalog');
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Catalogue' }));
    expect(screen.queryByRole('list', { name: 'Chosen filters' })).toBeNull();
  });

  it('show what is gone from the catalogue as a chip that can be taken away', async () => {
    totalCount = 0;
    facets = () => [200, { ...FACETS, author: [named(99, null, 0)] }];
    const { press, address } = shown('/catalog?author=99');
    await chips('An author no longer in the catalogue');
    expect(await screen.findByRole('heading', { name: 'No book matches' })).toBeTruthy();
    await press('Clear the filters');
    expect(address()).toBe('/catalog');
  });

  it('show the first values of a facet, those that are chosen, and the others when they are asked for', async () => {
    const { press } = shown('/catalog?genre=8');
    const group = await screen.findByRole('group', { name: 'Genre' });
    const names = () => within(group).getAllByRole('checkbox').length;
    expect(names()).toBe(7);
    await press(/Show 1 more/, within(group));
    expect(names()).toBe(8);
    await press(/Show fewer/, within(group));
    expect(names()).toBe(7);
    expect(screen.queryByRole('group', { name: 'Publisher' })).toBeNull();
    const years = within(screen.getByRole('group', { name: 'Year' })).getAllByRole('checkbox');
    expect(years.map((box) => box.parentElement?.textContent)).toEqual(['2010s4 books', '1980s9 books']);
  });

  it('leave the list as it is where they cannot be loaded, and can be asked for again', async () => {
    facets = () => problem(503, 'Unavailable', 'The library is closed for a moment.');
    const { press } = shown('/catalog');
    await sees(/The filters could not be loaded/);
    expect(screen.getByRole('heading', { name: 'Book 1' })).toBeTruthy();
    facets = () => [200, FACETS];
    await press('Retry');
    expect(await screen.findByRole('checkbox', { name: /^Available now/ })).toBeTruthy();
  });

  it('are in a sheet where there is no room beside the list', async () => {
    isWide = false;
    const { person, press, address, server } = shown('/catalog?genre=1&genre=2');
    const door = await screen.findByRole('button', { name: 'Filters (1)' });
    await person.click(door);
    const sheet = await screen.findByRole('dialog', { name: 'Filters' });
    await person.click(await within(sheet).findByRole('checkbox', { name: /^Terry Pratchett/ }));
    expect(address()).toBe('/catalog?genre=1&author=7');
    expect(server.asked('GET Book').at(-1)?.query).toMatchObject({ author: '7' });
    await press('Show 40 books', within(sheet));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await screen.findByRole('button', { name: 'Filters (2)' })).toBe(document.activeElement);
  });

  it('are chosen among what is suggested, and what was typed is not searched for', async () => {
    const { person, address, server } = shown('/catalog?q=night&year=1980s');
    const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Search books' });
    await person.clear(field);
    await person.type(field, 'terry pr');
    await person.click(await screen.findByRole('option', { name: /Terry Pratchett/ }));
    expect(address()).toBe('/catalog?author=7&year=1980s');
    expect(field.value).toBe('');
    await waitFor(() => expect(server.asked('GET Book').at(-1)?.query['author']).toBe('7'));
    expect(server.asked('GET Book').some(({ query }) => query['SearchTerm'] === 'terry pr')).toBe(false);
  });

  it('tell apart what has a part of what was searched for, on every page that it is on', async () => {
    const partial = [
      { without: ['gaiman'], books: 2 },
      { without: ['good', '1990'], books: 11 },
    ];
    found = { items: [1, 2, 3, 4].map(book), totalCount: 14, partial };
    const { router } = shown('/catalog?q=good+omens+gaiman+1990');
    const text = '1 book for “good omens gaiman 1990”, 13 that come close';
    await sees(text);
    const headings = () =>
      screen
        .getAllByRole('heading', { level: 2 })
        .flatMap(({ textContent }) => (textContent?.startsWith('Without') ? textContent : []));
    expect(headings()).toEqual(['Without “gaiman”', 'Without “good” and “1990”']);
    const lists = within(screen.getByRole('region', { name: 'Books' })).getAllByRole('list');
    expect(lists.map((list) => within(list).getAllByRole('listitem').length)).toEqual([1, 2, 1]);
    found = { items: [5, 6].map(book), totalCount: 14, partial };
    await act(() => router.navigate('/catalog?q=good+omens+gaiman+1990&page=2'));
    await screen.findAllByText('Book 5');
    expect(headings()).toEqual(['Without “good” and “1990”']);
  });

  it('say so where no book has everything', async () => {
    found = { items: [book(1)], totalCount: 1, partial: [{ without: ['qqq'], books: 1 }] };
    shown('/catalog?q=dune+qqq');
    await sees('No book for all of “dune qqq”, 1 that comes close');
  });
});
