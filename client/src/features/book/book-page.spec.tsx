import { jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { Outlet } from 'react-router-dom';
import type { Book } from '#contracts/catalogue/book-views.js';
import { sees, textsOf } from '../../../test-support/on-screen.js';
import { show } from '../../../test-support/screen.js';
import { type Answers, problem, serverOf } from '../../../test-support/server.js';
import { bookView } from '../../../test-support/views.js';
import { useTrackNavigation } from '../../lib/router/back-navigation.js';
import { BookPage } from './book-page.js';

const book = bookView({
  title: 'Good Omens',
  description: 'The end is nigh.',
  authors: [
    {
      id: 3,
      firstname: 'Terry',
      lastname: 'Pratchett',
      fullname: 'Terry Pratchett',
      nationality: '',
      biography: '',
      otherNames: [],
    },
    {
      id: 4,
      firstname: 'Neil',
      lastname: 'Gaiman',
      fullname: 'Neil Gaiman',
      nationality: '',
      biography: '',
      otherNames: [],
    },
  ],
  genres: [{ id: 5, name: 'Fantasy', description: '' }],
  publisher: { id: 6, name: 'Gollancz', adress: '', phone: '', website: '' },
  published: '1990-05-01',
  publicationDate: '1990-05-01',
  copiesAvailable: 1,
  copiesTotal: 3,
});
const listed = (id: number, title: string) => {
  const { description: _, price: __, holds: ___, version: ____, ...item } = book;
  return { ...item, id, title };
};

function Frame() {
  useTrackNavigation();
  return <Outlet />;
}

function shown(changes: Partial<Book> = {}, answers: Answers = {}) {
  const server = serverOf({
    'GET Book/7': [200, { ...book, ...changes }],
    'GET Book/7/related': [200, { moreBy: null, alsoBorrowed: [] }],
    'GET Book/7/whereabouts': [200, []],
    ...answers,
  });
  const catalogue = <p>the catalogue</p>;
  const routes = [
    {
      element: <Frame />,
      children: [
        { path: '/book/:id', element: <BookPage /> },
        { path: '/catalog', element: catalogue },
      ],
    },
  ];
  return { server, ...show(routes, '/book/7') };
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
  it('leads on from the number of a book that was merged', async () => {
    const kept = [200, { ...book, id: 9 }] as const;
    const { address } = shown(
      {},
      {
        ...{ 'GET Book/7': kept, 'GET Book/9': kept },
        'GET Book/9/related': [200, { moreBy: null, alsoBorrowed: [] }],
        'GET Book/9/whereabouts': [200, []],
      },
    );
    await waitFor(() => expect(address()).toBe('/book/9'));
    expect(await screen.findByRole('heading', { name: 'Good Omens' })).toBeTruthy();
  });

  it('leads on by its authors, genres, publisher and decade', async () => {
    shown({ language: 'pl' });
    const leads = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
    expect(await leads('Terry Pratchett')).toBe('/catalog?author=3');
    expect(await leads('Neil Gaiman')).toBe('/catalog?author=4');
    expect(await leads('Fantasy')).toBe('/catalog?genre=5');
    expect(await leads('Gollancz')).toBe('/catalog?publisher=6');
    expect(await leads('Polish')).toBe('/catalog?language=pl');
    expect(await leads('1990-05-01: books of the 1990s')).toBe('/catalog?year=1990s');
  });

  it('says what else the book and its authors are called', async () => {
    const [author, other] = book.authors;
    if (!author || !other) throw new Error('The book has two authors.');
    shown({
      originalTitle: 'Dobry omen',
      otherTitles: ['Good Omens: A Novel'],
      authors: [{ ...author, otherNames: ['T. Pratchett'] }, other],
    });
    await sees('Dobry omen', 'Good Omens: A Novel', 'Also known as T. Pratchett');
  });

  // spec 2.22
  it('tells of authors, genres and publisher where there is something to tell, and of each fact once', async () => {
    shown({
      authors: [{ ...book.authors[0]!, biography: 'Wrote of a flat world.' }, book.authors[1]!],
      genres: [{ id: 5, name: 'Fantasy', description: 'What never was.' }],
      publisher: {
        ...book.publisher!,
        adress: 'Orion House',
        phone: '+44 20',
        website: 'https://gollancz.example',
      },
    });
    const part = async (name: string) => (await screen.findByRole('region', { name })).textContent;
    expect(await part('Description')).toBe('The end is nigh.');
    expect(await part('Authors')).toBe('AuthorsTerry PratchettWrote of a flat world.');
    expect(await part('Genres')).toBe('GenresFantasyWhat never was.');
    expect(await part('Publisher')).toMatch(/^PublisherGollanczOrion House\n\+44 20.*gollancz\.example/);
    expect(screen.getAllByText('9780441013593')).toHaveLength(1);
  });

  it('has no part that has nothing to tell', async () => {
    shown({ description: '' });
    await screen.findByRole('button', { name: 'Cite' });
    for (const name of ['Description', 'Authors', 'Genres', 'Publisher'])
      expect(screen.queryByRole('region', { name })).toBeNull();
  });

  it('shows a year as a year, no number of the library as an ISBN, and fifty authors when asked', async () => {
    const [author] = book.authors;
    if (!author) throw new Error('The book has authors.');
    const { press } = shown({
      ...{ published: '-720', publicationDate: null, isbn: '2900000000018' },
      authors: Array.from({ length: 50 }, (_, at) => ({
        ...author,
        id: at + 1,
        fullname: `Author ${at + 1}`,
      })),
    });
    await sees('720 BC');
    expect(screen.queryByText('2900000000018')).toBeNull();
    expect(screen.queryByRole('link', { name: 'Author 11' })).toBeNull();
    await press('Show all 50 authors');
    expect(screen.getByRole('link', { name: 'Author 50' })).toBeTruthy();
  });

  it('says nothing of what nobody knows', async () => {
    shown({ genres: [], publisher: null, published: null, publicationDate: null });
    await screen.findByRole('heading', { name: 'Good Omens' });
    expect(screen.queryByText('Genre')).toBeNull();
    expect(screen.queryByText(/books of the/)).toBeNull();
    expect(screen.queryByText('Publication date')).toBeNull();
  });

  it('has more by its author, and what its readers also borrowed, where there is any', async () => {
    shown(
      {},
      {
        'GET Book/7/related': [
          200,
          { moreBy: { id: 3, name: 'Terry Pratchett', books: [listed(8, 'Mort')] }, alsoBorrowed: [] },
        ],
      },
    );
    const more = await screen.findByRole('region', { name: 'More by Terry Pratchett' });
    expect(
      within(more)
        .getByRole('link', { name: /^See all/ })
        .getAttribute('href'),
    ).toBe('/catalog?author=3');
    expect(screen.queryByRole('region', { name: 'Readers of this also borrowed' })).toBeNull();
  });

  it('tells where copies are, and until when they are lent', async () => {
    shown(
      {},
      {
        'GET Book/7/whereabouts': [
          200,
          [
            { copy: 1, state: 'on-shelf', shelfMark: 'A 3 PRA', dueDate: null },
            { copy: 5, state: 'on-shelf', shelfMark: 'A 3 PRA', dueDate: null },
            { copy: 6, state: 'on-shelf', shelfMark: null, dueDate: null },
            { copy: 2, state: 'kept', shelfMark: null, dueDate: null },
            { copy: 3, state: 'lent', shelfMark: null, dueDate: '2999-12-01T12:00:00.000Z' },
            { copy: 4, state: 'lent', shelfMark: 'B 1', dueDate: '2020-02-01T12:00:00.000Z' },
          ],
        ],
      },
    );
    const copies = await screen.findByRole('region', { name: 'Copies' });
    expect(textsOf(within(copies).getAllByRole('listitem'))).toEqual([
      'On the shelf2 copies: A 3 PRA',
      'On the shelfAsk at the desk',
      'RentedKept for a reader at the desk',
      'LentDue back on 2999-12-01',
      'LentWas due on 2020-02-01, then at B 1',
    ]);
  });

  it('is whole where none of what goes beyond it can be loaded', async () => {
    const broken = problem(500, 'Internal', 'Broken.');
    const { address } = shown({}, { 'GET Book/7/related': broken, 'GET Book/7/whereabouts': broken });
    await screen.findByRole('region', { name: 'Description' });
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
