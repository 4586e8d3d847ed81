import { jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { Outlet } from 'react-router-dom';
import type { Book } from '#contracts/catalogue/book-views.js';
import { sees, textsOf } from '../../../test-support/on-screen.js';
import { show } from '../../../test-support/screen.js';
import { answered, refused, serverOf, type Answers } from '../../../test-support/server.js';
import { authorView, bookView, listedBook, publisherView } from '../../../test-support/views.js';
import { useTrackNavigation } from '../../lib/router/back-navigation.js';
import { BookPage } from './book-page.js';

const author = authorView(3, 'Terry', 'Pratchett');
const [fantasy, publisher] = [{ id: 5, name: 'Fantasy', description: '' }, publisherView(6, 'Gollancz')];
const book = bookView({
  ...{ title: 'Good Omens', description: 'The end is nigh.', copiesAvailable: 1, copiesTotal: 3 },
  ...{ authors: [author, authorView(4, 'Neil', 'Gaiman')], genres: [fantasy], publisher },
  ...{ published: '1990-05-01', publicationDate: '1990-05-01' },
});
const RELATED = 'GET Book/7/related';
const WHEREABOUTS = 'GET Book/7/whereabouts';

function Frame() {
  useTrackNavigation();
  return <Outlet />;
}

function shown(changes: Partial<Book> = {}, answers: Answers = {}) {
  serverOf({
    'GET Book/7': answered({ ...book, ...changes }),
    [RELATED]: answered({ moreBy: null, alsoBorrowed: [] }),
    [WHEREABOUTS]: answered([]),
    ...answers,
  });
  const children = [
    { path: '/book/:id', element: <BookPage /> },
    { path: '/catalog', element: <p>the catalogue</p> },
  ];
  return show([{ element: <Frame />, children }], '/book/7');
}

/** What the browser lets a page do, for one test. */
function browserCan(name: 'clipboard' | 'share', can: unknown) {
  const before = Object.getOwnPropertyDescriptor(navigator, name);
  Object.defineProperty(navigator, name, { configurable: true, value: can });
  undo.push(() => {
    if (before) Object.defineProperty(navigator, name, before);
    else Reflect.deleteProperty(navigator, name);
  });
}
const undo: (() => void)[] = [];
afterEach(() => {
  for (const each of undo.splice(0)) each();
});

describe('the page of a book', () => {
  const region = (name: string) => screen.findByRole('region', { name });

  it('leads on from the number of a book that was merged', async () => {
    const kept = answered({ ...book, id: 9 });
    const { address } = shown(
      {},
      {
        ...{ 'GET Book/7': kept, 'GET Book/9': kept, 'GET Book/9/whereabouts': answered([]) },
        'GET Book/9/related': answered({ moreBy: null, alsoBorrowed: [] }),
      },
    );
    await waitFor(() => expect(address()).toBe('/book/9'));
    expect(await screen.findByRole('heading', { name: 'Good Omens' })).toBeTruthy();
  });

  it('leads on by its authors, genres, publisher, language and decade', async () => {
    shown({ language: 'pl' });
    for (const [name, to] of [
      ['Terry Pratchett', 'author=3'],
      ['Neil Gaiman', 'author=4'],
      ['Fantasy', 'genre=5'],
      ['Gollancz', 'publisher=6'],
      ['Polish', 'language=pl'],
      ['1990-05-01: books of the 1990s', 'year=1990s'],
    ] as const)
      expect((await screen.findByRole('link', { name })).getAttribute('href')).toBe(`/catalog?${to}`);
  });

  // spec 2.22
  it('tells of authors, genres and publisher where there is something to tell, and of each fact once', async () => {
    shown({
      ...{ originalTitle: 'Dobry omen', otherTitles: ['Good Omens: A Novel'] },
      authors: [
        { ...author, biography: 'Wrote of a flat world.' },
        { ...authorView(4, 'Neil', 'Gaiman'), otherNames: ['N. Gaiman'] },
      ],
      genres: [{ ...fantasy, description: 'What never was.' }],
      publisher: {
        ...publisher,
        ...{ adress: 'Orion House', phone: '+44 20', website: 'https://gollancz.example' },
      },
    });
    const part = async (name: string) => (await region(name)).textContent;
    expect(await part('Description')).toBe('The end is nigh.');
    expect(await part('Authors')).toMatch(/^AuthorsTerry PratchettWrote of a flat world\./);
    expect(await part('Genres')).toBe('GenresFantasyWhat never was.');
    expect(await part('Publisher')).toMatch(/^PublisherGollanczOrion House\n\+44 20.*gollancz\.example/);
    expect(screen.getAllByText('9780441013593')).toHaveLength(1);
    await sees('Dobry omen', 'Good Omens: A Novel', 'Also known as N. Gaiman');
  });

  it('says nothing of what nobody knows, and has no part that has nothing to tell', async () => {
    shown({ description: '', genres: [], publisher: null, published: null, publicationDate: null });
    await screen.findByRole('button', { name: 'Cite' });
    for (const name of ['Description', 'Authors', 'Genres', 'Publisher'])
      expect(screen.queryByRole('region', { name })).toBeNull();
    for (const text of ['Genre', /books of the/, 'Publication date'])
      expect(screen.queryByText(text)).toBeNull();
  });

  it('shows a year as a year, no number of the library as an ISBN, and fifty authors when asked', async () => {
    const { press } = shown({
      ...{ published: '-720', publicationDate: null, isbn: '2900000000018' },
      authors: Array.from({ length: 50 }, (_, at) => authorView(at + 1, 'Author', String(at + 1))),
    });
    await sees('720 BC');
    expect(screen.queryByText('2900000000018')).toBeNull();
    expect(screen.queryByRole('link', { name: 'Author 11' })).toBeNull();
    await press('Show all 50 authors');
    expect(screen.getByRole('link', { name: 'Author 50' })).toBeTruthy();
  });

  it('has more by its author, and what its readers also borrowed, where there is any', async () => {
    const moreBy = { id: 3, name: 'Terry Pratchett', books: [listedBook(8, 'Mort')] };
    shown({}, { [RELATED]: answered({ moreBy, alsoBorrowed: [] }) });
    const more = within(await region('More by Terry Pratchett'));
    const all = more.getByRole('link', { name: /^See all/ });
    expect(all.getAttribute('href')).toBe('/catalog?author=3');
    expect(screen.queryByRole('region', { name: 'Readers of this also borrowed' })).toBeNull();
  });

  it('tells where copies are, and until when they are lent', async () => {
    const copy = (copy: number, state: string, shelfMark: string | null, dueDate: string | null = null) => ({
      ...{ copy, state, shelfMark, dueDate },
    });
    shown(
      {},
      {
        [WHEREABOUTS]: answered([
          copy(1, 'on-shelf', 'A 3 PRA'),
          copy(5, 'on-shelf', 'A 3 PRA'),
          copy(6, 'on-shelf', null),
          copy(2, 'kept', null),
          copy(3, 'lent', null, '2999-12-01T12:00:00.000Z'),
          copy(4, 'lent', 'B 1', '2020-02-01T12:00:00.000Z'),
        ]),
      },
    );
    expect(textsOf(within(await region('Copies')).getAllByRole('listitem'))).toEqual([
      'On the shelf2 copies: A 3 PRA',
      'On the shelfAsk at the desk',
      'RentedKept for a reader at the desk',
      'LentDue back on 2999-12-01',
      'LentWas due on 2020-02-01, then at B 1',
    ]);
  });

  it('is whole where none of what goes beyond it can be loaded', async () => {
    const broken = refused('Unexpected', 'Broken.');
    const { address } = shown({}, { [RELATED]: broken, [WHEREABOUTS]: broken });
    await region('Description');
    expect(address()).toBe('/book/7');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is cited in the style that is chosen, copied, and saved', async () => {
    const writeText = jest.fn(async (_: string) => undefined);
    const { press } = shown();
    browserCan('clipboard', { writeText });
    await press('Cite');
    const dialog = await screen.findByRole('dialog', { name: 'Cite this book' });
    const apa = 'Pratchett, T., & Gaiman, N. (1990). Good Omens. Gollancz.';
    expect(dialog.querySelector('[data-citation]')?.textContent).toBe(apa);
    expect(dialog.querySelector('cite')?.textContent).toBe('Good Omens');
    await press('BibTeX', within(dialog));
    expect(dialog.querySelector('[data-citation]')?.textContent).toContain(
      'author = {Pratchett, Terry and Gaiman, Neil}',
    );
    await press('Copy', within(dialog));
    expect(await within(dialog).findByText('Copied.')).toBeTruthy();
    expect(writeText.mock.calls[0]?.[0]).toMatch(/^@book\{pratchett1990good,/);
    browserCan('clipboard', undefined);
    await press('Copy', within(dialog));
    expect(await within(dialog).findByText(/copy it by hand/)).toBeTruthy();
  });

  it('is shared by its address alone: by the device where it can, else by a link that is copied', async () => {
    const share = jest.fn(async (_: object) => undefined);
    const { person } = shown();
    const button = await screen.findByRole('button', { name: 'Share' });
    browserCan('share', share);
    await person.click(button);
    const url = `${window.location.origin}/book/7-good-omens`;
    expect(share.mock.calls).toEqual([[{ title: 'Good Omens', url }]]);

    const writeText = jest.fn(async (_: string) => undefined);
    browserCan('share', undefined);
    browserCan('clipboard', { writeText });
    await person.click(button);
    await sees('Link copied');
    expect(writeText.mock.calls).toEqual([[url]]);
  });

  it('leads back to the catalogue as it was left, by the history where that is a step', async () => {
    const { person, router, address } = shown();
    const goTo = (address: string) => act(() => router.navigate(address));
    const back = (to = 'the search results') => screen.findByRole('link', { name: `Back to ${to}` });
    expect((await back('the catalogue')).getAttribute('href')).toBe('/catalog');
    await goTo('/catalog?q=omens&page=3');
    const { key } = router.state.location;
    await goTo('/book/7');
    await person.click(await back());
    await sees('the catalogue');
    expect([address(), router.state.location.key]).toEqual(['/catalog?q=omens&page=3', key]);

    // From one book to another one: the catalogue is as it was, one step further on.
    await goTo('/book/7');
    await goTo('/book/7?again');
    await person.click(await back());
    await sees('the catalogue');
    expect(address()).toBe('/catalog?q=omens&page=3');
    expect(router.state.location.key).not.toBe(key);
  });
});
