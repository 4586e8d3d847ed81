import { screen, within } from '@testing-library/react';
import { show } from '../../../test-support/screen.js';
import { Shelf } from './shelf.js';

const book = (id: number, title: string) => ({
  id,
  title,
  authors: [
    { firstname: 'Terry', lastname: 'Pratchett' },
    { firstname: '', lastname: 'Homer' },
  ],
  genres: [],
  photo: null,
});
const BOOKS = [book(1, 'Mort'), book(2, 'Sourcery'), book(3, 'Pyramids')];

const shown = (element: React.ReactElement) => show([{ path: '/here', element }], '/here');

describe('books on a shelf', () => {
  it('lead to their pages, and the shelf to all of its kind', async () => {
    const { person, address } = shown(<Shelf title="New" books={BOOKS} all="/catalog?genre=4" />);
    const shelf = screen.getByRole('region', { name: 'New' });
    expect(within(shelf).getByRole('heading', { level: 2, name: 'New' })).toBeTruthy();
    const links = within(within(shelf).getByRole('list')).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/book/1', '/book/2', '/book/3']);
    expect(within(shelf).getByText('Sourcery').parentElement).toBe(links[1]);
    expect(within(shelf).getAllByText('Terry Pratchett, Homer')).toHaveLength(3);
    await person.click(within(shelf).getByRole('link', { name: 'See all: New' }));
    expect(address()).toBe('/catalog?genre=4');
  });

  it('are walked along by the arrows, to both ends and not beyond', async () => {
    const { person } = shown(<Shelf title="New" books={BOOKS} />);
    const [first, second, third] = within(screen.getByRole('list')).getAllByRole('link');
    first?.focus();
    await person.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(first);
    await person.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(second);
    await person.keyboard('{End}');
    expect(document.activeElement).toBe(third);
    await person.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(third);
    await person.keyboard('{Home}');
    expect(document.activeElement).toBe(first);
  });

  it('mark the one that is open, with what is noted of each', () => {
    const noteOf = ({ id }: { id: number }) => (id === 2 ? 'Volume 5' : null);
    shown(<Shelf title="Series" books={BOOKS} current={2} noteOf={noteOf} />);
    const open = screen.getByRole('link', { current: 'page' });
    expect(open.getAttribute('href')).toBe('/book/2');
    expect(within(open).getByText('Volume 5')).toBeTruthy();
    expect(screen.getAllByText(/^Volume/)).toHaveLength(1);
  });

  it('have their places kept while they come, and none where there are none', () => {
    const { container, unmount } = shown(<Shelf title="New" books={undefined} />);
    expect(screen.getByRole('region', { name: 'New' }).getAttribute('aria-busy')).toBe('true');
    expect(container.querySelectorAll('li').length).toBeGreaterThan(3);
    expect(screen.queryByRole('link')).toBeNull();
    unmount();
    shown(<Shelf title="New" books={[]} />);
    expect(screen.queryByRole('region', { name: 'New' })).toBeNull();
    expect(screen.queryByRole('heading')).toBeNull();
  });
});
