import { screen, waitFor, within } from '@testing-library/react';
import { textsOf } from '../../../test-support/on-screen.js';
import { showPage } from '../../../test-support/screen.js';
import { answered, refused, type Answers } from '../../../test-support/server.js';
import { listedBook } from '../../../test-support/views.js';
import { HomePage } from './home-page.js';

const LISTS = 'GET ReadingList/home';
const SHELVES = 'GET Book/shelves';
const shown = (shelves: object, answers: Answers = {}) =>
  showPage(<HomePage />, '/', {
    [LISTS]: answered([]),
    [SHELVES]: answered({ newest: [], muchRead: [], genres: [], ...shelves }),
    'GET Book/suggest': answered({ books: [], authors: [], genres: [] }),
    ...answers,
  });

describe('the shelves of the home page', () => {
  it('are those that have books, and lead to the rest of their genre', async () => {
    const { person, address } = shown({
      newest: [listedBook(1, 'Lalka')],
      genres: [{ id: 4, name: 'Novel', books: [listedBook(2, 'Faraon')] }],
    });
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
    const broken = refused('Unexpected', 'Broken.');
    const { address } = shown({}, { [LISTS]: broken, [SHELVES]: broken });
    await screen.findByRole('region', { name: 'New in the library' });
    await waitFor(() => expect(screen.queryByRole('region', { name: 'New in the library' })).toBeNull());
    expect(screen.getByRole('heading', { name: 'About the collection' })).toBeTruthy();
    expect(address()).toBe('/');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

it('searches the catalogue from the home page by Enter, not while somebody types', async () => {
  const { person, address } = shown({});
  await person.type(screen.getByRole('combobox', { name: 'Search the catalogue' }), 'good omens');
  expect(address()).toBe('/');
  await person.keyboard('{Enter}');
  expect(address()).toBe('/catalog?q=good+omens');
});
