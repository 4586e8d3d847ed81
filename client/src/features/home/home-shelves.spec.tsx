import { screen, waitFor, within } from '@testing-library/react';
import { textsOf } from '../../../test-support/on-screen.js';
import { show } from '../../../test-support/screen.js';
import { answered, problem, serverOf } from '../../../test-support/server.js';
import { HomePage } from './home-page.js';

const book = (id: number, title: string) => ({
  id,
  isbn: `978000000000${id}`,
  title,
  series: null,
  volume: null,
  authors: [{ id: 1, firstname: 'Bolesław', lastname: 'Prus' }],
  genres: [],
  publisher: null,
  published: '1890-01-01',
  publicationDate: '1890-01-01',
  copiesAvailable: 1,
  copiesTotal: 1,
  kind: 'loanable',
  language: null,
  photo: null,
});
const shown = () => show([{ path: '/', element: <HomePage /> }], '/');

describe('the shelves of the home page', () => {
  it('are those that have books, and lead to the rest of their genre', async () => {
    serverOf({
      'GET ReadingList/home': answered([]),
      'GET Book/shelves': answered({
        newest: [book(1, 'Lalka')],
        muchRead: [],
        genres: [{ id: 4, name: 'Novel', books: [book(2, 'Faraon')] }],
      }),
    });
    const { person, address } = shown();
    const novels = await screen.findByRole('region', { name: 'Novel' });
    const headings = textsOf(screen.getAllByRole('heading'));
    // The search and the books come before what else there is to say.
    expect(headings.slice(0, 4)).toEqual([
      'Welcome to the library',
      'New in the library',
      'Novel',
      'About the collection',
    ]);
    expect(screen.getByRole('link', { name: 'Lalka' }).getAttribute('href')).toBe('/book/1');
    await person.click(within(novels).getByRole('link', { name: 'See all: Novel' }));
    expect(address()).toBe('/catalog?genre=4');
  });

  it('are left out where they cannot be loaded, and nothing is said', async () => {
    serverOf({
      'GET ReadingList/home': problem(500, 'Internal', 'Broken.'),
      'GET Book/shelves': problem(500, 'Internal', 'Broken.'),
    });
    const { address } = shown();
    await screen.findByRole('region', { name: 'New in the library' });
    await waitFor(() => expect(screen.queryByRole('region', { name: 'New in the library' })).toBeNull());
    expect(screen.getByRole('heading', { name: 'About the collection' })).toBeTruthy();
    expect(address()).toBe('/');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

it('searches the catalogue from the home page by Enter, not while somebody types', async () => {
  serverOf({
    'GET ReadingList/home': answered([]),
    'GET Book/shelves': answered({ newest: [], muchRead: [], genres: [] }),
    'GET Book/suggest': answered({ books: [], authors: [], genres: [] }),
  });
  const { person, address } = shown();
  await person.type(screen.getByRole('combobox', { name: 'Search the catalogue' }), 'good omens');
  expect(address()).toBe('/');
  await person.keyboard('{Enter}');
  expect(address()).toBe('/catalog?q=good+omens');
});
