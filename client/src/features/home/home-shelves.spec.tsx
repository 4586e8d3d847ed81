import { screen, within } from '@testing-library/react';
import { problem, serverOf, show } from '../../../test-support/screen.js';
import { HomeShelves } from './home-shelves.js';

const book = (id: number, title: string) => ({
  id,
  isbn: `978000000000${id}`,
  title,
  series: null,
  volume: null,
  authors: [{ id: 1, firstname: 'Bolesław', lastname: 'Prus' }],
  genres: [],
  publisher: null,
  publicationDate: '1890-01-01',
  copiesAvailable: 1,
  copiesTotal: 1,
  kind: 'loanable',
  language: null,
  photo: null,
});
const shown = () => show([{ path: '/', element: <HomeShelves /> }], '/');

describe('the shelves of the home page', () => {
  it('are those that have books, and lead to the rest of their genre', async () => {
    serverOf({
      'GET Book/shelves': [
        200,
        {
          newest: [book(1, 'Lalka')],
          muchRead: [],
          genres: [{ id: 4, name: 'Novel', books: [book(2, 'Faraon')] }],
        },
      ],
    });
    const { person, address } = shown();
    const novels = await screen.findByRole('region', { name: 'Novel' });
    expect(screen.getAllByRole('heading').map((heading) => heading.textContent)).toEqual([
      'New in the library',
      'Novel',
    ]);
    await person.click(within(novels).getByRole('link', { name: 'See all: Novel' }));
    expect(address()).toBe('/catalog?genre=4');
  });

  it('are left out where they cannot be loaded, and nothing is said', async () => {
    serverOf({ 'GET Book/shelves': problem(500, 'Internal', 'Broken.') });
    const { container, address } = shown();
    await screen.findByRole('region', { name: 'New in the library' });
    await screen.findByText((_, element) => element === container && container.querySelector('h2') === null);
    expect(address()).toBe('/');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
