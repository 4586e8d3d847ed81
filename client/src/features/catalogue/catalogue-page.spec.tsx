import { jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { sees, textsOf, openDialog } from '../../../test-support/on-screen.js';
import { showPage, userOf } from '../../../test-support/screen.js';
import { answered, pageOf, refused, type Answers } from '../../../test-support/server.js';
import { bookOf, bookView, borrowView, listedBook, ownCard } from '../../../test-support/views.js';
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

const book = (id: number, changes: Partial<BookListItem> = {}) =>
  listedBook(id, `Book ${id}`, { authors: [], copiesTotal: 3, ...changes });
const answerOf = (totalCount: number) => answered({ items: totalCount === 0 ? [] : [book(1)], totalCount });
const BOOKS = 'GET Book';
const OF_FACETS = 'GET Book/facets';
const OWN = 'GET Reader/mine';

let isWide = true;
beforeEach(() => {
  isWide = true;
});
afterEach(() => act(() => session.end()));

/** The catalogue at an address. */
function shown(at: string, answers: Answers = {}) {
  window.matchMedia = ((query: string) => ({
    matches: query.includes('min-width') && isWide,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })) as unknown as typeof window.matchMedia;
  return showPage(<CataloguePage />, at, {
    [BOOKS]: answerOf(40),
    [OF_FACETS]: answered(FACETS),
    'GET Book/suggest': answered({ books: [], authors: [{ id: 7, name: 'Terry Pratchett' }], genres: [] }),
    ...answers,
  });
}

const chips = (...names: string[]) =>
  waitFor(() => {
    const buttons = within(screen.getByRole('list', { name: 'Chosen filters' })).getAllByRole('button');
    expect(textsOf(buttons)).toEqual(names);
  });
const heading = (name: string) => screen.findByRole('heading', { name });

describe('the catalogue', () => {
  it('without a book is said to have none yet, with the next step for who can add one, unless one searches', async () => {
    const none = { [BOOKS]: answerOf(0), [OF_FACETS]: answered({ ...FACETS, author: [] }) };
    const { router, unmount } = shown('/catalog', none);
    await heading('The catalogue has no books yet');
    expect(screen.queryByRole('link', { name: 'Add a book' })).toBeNull();
    await act(() => router.navigate('/catalog?q=xyzzy'));
    await heading('No book matches');
    unmount();
    session.begin(userOf('Admin'));
    shown('/catalog', none);
    const add = await screen.findByRole('link', { name: 'Add a book' });
    expect(add.getAttribute('href')).toBe('/admin/books/save');
  });

  it('says after a rent what waits, where and until when, until it is closed or collected', async () => {
    session.begin(userOf());
    const borrow = borrowView({
      collectBy: '2999-11-23T10:00:00Z',
      books: [1, 2].map((id) => bookOf(id, `Book ${id}`, 'reserved')),
    });
    const { router, server, client, press } = shown('/catalog', {
      [OWN]: answered(ownCard({ borrows: [{ borrow, renewal: null }] })),
      'GET Book/covers': answered([]),
      'GET Rules/hours': answered({ days: [], closed: [] }),
    });
    const rented = () => document.querySelector('[data-rented]');
    const go = () => act(() => router.navigate('/catalog', { state: { rented: borrow.id } }));
    await go();
    const name = 'Collect your 2 books at the desk by Saturday, 2999-11-23';
    const panel = within(await screen.findByRole('region', { name }));
    expect(textsOf(panel.getAllByRole('listitem'))).toEqual(['Book 1', 'Book 2']);
    await press('Close', panel);
    await waitFor(() => expect(rented()).toBeNull());
    await go();
    await waitFor(() => expect(rented()).not.toBeNull());
    server.answers[OWN] = answered(ownCard());
    await act(() => client.invalidateQueries());
    await waitFor(() => expect(rented()).toBeNull());
  });

  it('has cards that are one link each, with a word only where the book is not simply there', async () => {
    const dueDate = '2999-12-01T12:00:00.000Z';
    shown('/catalog', {
      [BOOKS]: pageOf(book(1), book(2, { copiesAvailable: 0 }), book(3, { kind: 'reading-room' })),
      'GET Book/2': answered(bookView({ id: 2, copiesAvailable: 0, holds: 2 })),
      'GET Book/2/whereabouts': answered([{ copy: 1, state: 'lent', shelfMark: null, dueDate }]),
    });
    await sees(/Lent until/);
    const cards = screen.getAllByRole('article');
    expect(cards.map((card) => within(card).getAllByRole('link').length)).toEqual([1, 1, 1]);
    // Not what is lettered on the cover.
    expect(cards.map((card) => textsOf(card.querySelectorAll('h2, p:not(:empty)')))).toEqual([
      ['Book 1'],
      ['Book 2', 'Lent until 2999-12-01 · 2 wait'],
      ['Book 3', 'To be read in the library'],
    ]);
  });
});

describe('the facets of the catalogue', () => {
  const box = (name: RegExp) => screen.findByRole('checkbox', { name });

  it('narrow the list and stand in the address; a value more widens its facet, and Back undoes a step', async () => {
    const { person, address, router, server } = shown('/catalog?q=night&sort=Title&page=3');
    await person.click(await box(/^Genre 2 38/));
    expect(address()).toBe('/catalog?q=night&genre=2&sort=Title');
    for (const name of [/^Genre 1 /, /^Polish 1 book/, /^Available now 30/])
      await person.click(await box(name));
    expect(address()).toBe('/catalog?q=night&genre=2%2C1&language=pl&available=1&sort=Title');
    expect(server.asked(BOOKS).at(-1)?.query).toMatchObject({
      ...{ SearchTerm: 'night', language: 'pl', available: '1', SortBy: 'Title' },
    });
    const { calls } = jest.mocked(globalThis.fetch).mock;
    const asked = calls.map(([url]) => url as string).filter((url) => url.includes('/Book/facets?'));
    expect(asked.some((url) => url.includes('genre=2&genre=1'))).toBe(true);
    await chips('Genre 2', 'Genre 1', 'Polish', 'Available now');
    await act(() => router.navigate(-1));
    await chips('Genre 2', 'Genre 1', 'Polish');
    await person.click(await box(/^Genre 2 /));
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
    expect(document.activeElement).toBe(await heading('Catalogue'));
    expect(screen.queryByRole('list', { name: 'Chosen filters' })).toBeNull();
  });

  it('show what is gone from the catalogue as a chip that can be taken away', async () => {
    const { press, address } = shown('/catalog?author=99', {
      [BOOKS]: answerOf(0),
      [OF_FACETS]: answered({ ...FACETS, author: [named(99, null, 0)] }),
    });
    await chips('An author no longer in the catalogue');
    await heading('No book matches');
    await press('Clear the filters');
    expect(address()).toBe('/catalog');
  });

  it('show the first values of a facet, those that are chosen, and the others when they are asked for', async () => {
    const { press } = shown('/catalog?genre=8');
    const group = within(await screen.findByRole('group', { name: 'Genre' }));
    const boxes = () => group.getAllByRole('checkbox').length;
    expect(boxes()).toBe(7);
    await press(/Show 1 more/, group);
    expect(boxes()).toBe(8);
    await press(/Show fewer/, group);
    expect(boxes()).toBe(7);
    expect(screen.queryByRole('group', { name: 'Publisher' })).toBeNull();
    const years = within(screen.getByRole('group', { name: 'Year' })).getAllByRole('checkbox');
    expect(years.map((each) => each.parentElement?.textContent)).toEqual(['2010s4 books', '1980s9 books']);
  });

  it('leave the list as it is where they cannot be loaded, and can be asked for again', async () => {
    const { server, press } = shown('/catalog', {
      [OF_FACETS]: refused('DatabaseUnavailable', 'The library is closed for a moment.'),
    });
    await sees(/The filters could not be loaded/);
    expect(await heading('Book 1')).toBeTruthy();
    server.answers[OF_FACETS] = answered(FACETS);
    await press('Retry');
    expect(await box(/^Available now/)).toBeTruthy();
  });

  it('are in a sheet where there is no room beside the list', async () => {
    isWide = false;
    const { person, press, address, server } = shown('/catalog?genre=1&genre=2');
    await press('Filters (1)');
    const sheet = await openDialog('Filters');
    await person.click(await sheet.findByRole('checkbox', { name: /^Terry Pratchett/ }));
    expect(address()).toBe('/catalog?genre=1&author=7');
    expect(server.asked(BOOKS).at(-1)?.query).toMatchObject({ author: '7' });
    await press('Show 40 books', sheet);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await screen.findByRole('button', { name: 'Filters (2)' })).toBe(document.activeElement);
  });

  it('are chosen among what is suggested, and what was typed is not searched for', async () => {
    const { person, address, server } = shown('/catalog?q=night&year=1980s');
    const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Search books' });
    await person.clear(field);
    await person.type(field, 'terry pr');
    await person.click(await screen.findByRole('option', { name: /Terry Pratchett/ }));
    expect([address(), field.value]).toEqual(['/catalog?author=7&year=1980s', '']);
    await waitFor(() => expect(server.asked(BOOKS).at(-1)?.query['author']).toBe('7'));
    expect(server.asked(BOOKS).some(({ query }) => query['SearchTerm'] === 'terry pr')).toBe(false);
  });
});

it('tells apart what has a part of what was searched for, on every page that it is on', async () => {
  const partial = [
    { without: ['gaiman'], books: 2 },
    { without: ['good', '1990'], books: 11 },
  ];
  const found = (...ids: number[]) => answered({ items: ids.map((id) => book(id)), totalCount: 14, partial });
  const { server, router } = shown('/catalog?q=good+omens+gaiman+1990', { [BOOKS]: found(1, 2, 3, 4) });
  await sees('1 book for “good omens gaiman 1990”, 13 that come close');
  const without = () => textsOf(screen.getAllByText(/^Without/, { selector: 'h2' }));
  expect(without()).toEqual(['Without “gaiman”', 'Without “good” and “1990”']);
  const lists = within(screen.getByRole('region', { name: 'Books' })).getAllByRole('list');
  expect(lists.map((list) => within(list).getAllByRole('listitem').length)).toEqual([1, 2, 1]);
  server.answers[BOOKS] = found(5, 6);
  await act(() => router.navigate('/catalog?q=good+omens+gaiman+1990&page=2'));
  await heading('Book 5');
  expect(without()).toEqual(['Without “good” and “1990”']);

  const one = { items: [book(1)], totalCount: 1, partial: [{ without: ['qqq'], books: 1 }] };
  server.answers[BOOKS] = answered(one);
  await act(() => router.navigate('/catalog?q=dune+qqq'));
  await sees('No book for all of “dune qqq”, 1 that comes close');
});
