import { screen, waitFor, within } from '@testing-library/react';
import { sees, textsOf } from '../../../../test-support/on-screen.js';
import { asAdmin, show } from '../../../../test-support/screen.js';
import { answered, pageOf, refused, serverOf } from '../../../../test-support/server.js';
import { BooksPage } from './books-page.js';

const book = (id: number, title: string) => ({
  id,
  isbn: `978000000000${id}`,
  title,
  authors: [
    { id: 1, firstname: 'Terry', lastname: 'Pratchett' },
    { id: 2, firstname: 'Neil', lastname: 'Gaiman' },
  ],
  genres: [
    { id: 1, name: 'Fantasy' },
    { id: 2, name: 'Humour' },
  ],
  series: null,
  volume: null,
  publisher: { id: 1, name: 'Gollancz' },
  published: '1990-05-01',
  publicationDate: '1990-05-01',
  copiesAvailable: 2,
  copiesTotal: 3,
  kind: 'loanable',
  photo: null,
});

let server: ReturnType<typeof serverOf>;

const shown = (address = '/admin/books') => show([{ path: '/admin/books', element: <BooksPage /> }], address);

// Its author and year follow.
const row = (title: string) => screen.findByRole('button', { name: new RegExp(`^${title} `) });

asAdmin();

describe('the list of the library’s books', () => {
  beforeEach(() => {
    server = serverOf({ 'GET Book': pageOf(book(1, 'Good Omens'), book(2, 'Mort'), book(3, 'Pyramids')) });
  });

  it('shows those of one kind, says the kind where it is another, and all again', async () => {
    server = serverOf({
      'GET Book': pageOf({ ...book(1, 'Good Omens'), kind: 'reading-room' }, book(2, 'Mort')),
    });
    const { router, person, press } = shown('/admin/books?q=om');
    expect((await row('Good Omens')).textContent).toContain('1990 · Reading room only');
    expect((await row('Mort')).textContent).not.toContain('·');
    server.answers['GET Book'] = pageOf();
    await person.selectOptions(screen.getByLabelText('Lending'), 'Short loan');
    await waitFor(() => expect(router.state.location.search).toBe('?only=short-loan'));
    await sees('Only some of the books are being searched.');
    expect(server.asked('GET Book').at(-1)?.query).toMatchObject({ Kind: 'short-loan', SearchTerm: '' });
    await press('Show all books');
    await waitFor(() => expect(router.state.location.search).toBe(''));
    expect(server.asked('GET Book').at(-1)?.query).not.toHaveProperty('Kind');
  });

  // spec 2.31
  it('has the heading, button, search and sorts of the specification', async () => {
    const { person, router } = shown();
    await row('Mort');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Books');
    expect(screen.getByPlaceholderText('Search by title, author, genre or publisher')).toBeTruthy();
    const sort = screen.getByLabelText('Sort by');
    expect(textsOf(within(sort).getAllByRole('option'))).toEqual(['No sorting', 'Title', 'ISBN', 'Copies']);
    expect(server.asked('GET Book')[0]?.query).toEqual({
      SearchTerm: '',
      SortBy: 'none',
      pageNumber: '1',
      pageSize: '10',
    });
    await person.selectOptions(sort, 'Copies');
    await waitFor(() => expect(server.asked('GET Book').at(-1)?.query.SortBy).toBe('Copies'));
    await person.click(screen.getByRole('link', { name: 'Add book' }));
    expect(router.state.location.pathname).toBe('/admin/books/save');
  });

  // spec 2.32
  it('opens one book at a time, and closes it by another click; the address says which', async () => {
    const { person, router } = shown();
    await person.click(await row('Good Omens'));
    await sees('Terry Pratchett, Neil Gaiman');
    for (const text of ['9780000000001', 'Fantasy, Humour', 'Gollancz'])
      expect(screen.getByText(text)).toBeTruthy();
    expect(router.state.location.search).toBe('?open=1');
    await person.click(await row('Mort'));
    expect(screen.queryByText('9780000000001')).toBeNull();
    expect(screen.getByText('9780000000002')).toBeTruthy();
    await person.click(await row('Mort'));
    expect(screen.queryByText('9780000000002')).toBeNull();
    expect(router.state.location.search).toBe('');
  });

  it('opens the book that its address names, and leads to its form', async () => {
    const { person, router } = shown('/admin/books?open=2');
    await person.click(await screen.findByRole('link', { name: 'Edit: Mort' }));
    expect(router.state.location.pathname).toBe('/admin/books/save/2');
  });

  // spec 5.16
  it('deletes a book once it is confirmed, and says so', async () => {
    server.answers['DELETE Book/2'] = answered({ deleted: 1 });
    const { press } = shown('/admin/books?open=2');
    await press('Delete: Mort');
    const question = within(
      screen.getByRole('alertdialog', { name: 'Are you sure you want to delete this book?' }),
    );
    expect(question.getByText('Mort')).toBeTruthy();
    await press('Cancel', question);
    expect(server.asked('DELETE Book/2')).toHaveLength(0);
    await press('Delete: Mort');
    server.answers['GET Book'] = pageOf(book(1, 'Good Omens'), book(3, 'Pyramids'));
    await press('Delete');
    await sees('Book deleted');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Mort' })).toBeNull());
  });

  it('shows the server’s sentence when a book cannot be deleted', async () => {
    server.answers['DELETE Book/2'] = refused(
      'InUse',
      'Copies are lent: “Mort” (1 copy). Nothing was deleted.',
    );
    const { press } = shown('/admin/books?open=2');
    await press('Delete: Mort');
    await press('Delete');
    await sees('Copies are lent: “Mort” (1 copy). Nothing was deleted.');
    expect(screen.queryByText('Book deleted')).toBeNull();
    expect(await screen.findByRole('alertdialog')).toBeTruthy();
  });

  // spec 4.6, 8.15, 8.20
  it('deletes the selected books together', async () => {
    server.answers['DELETE Book/delete-multiple'] = answered({ deleted: 2 });
    const { person, press } = shown();
    expect(screen.queryByRole('group', { name: 'Selected books' })).toBeNull();
    await person.click(await screen.findByRole('checkbox', { name: 'Select: Good Omens' }));
    await person.click(screen.getByRole('checkbox', { name: 'Select: Pyramids' }));
    const bar = within(screen.getByRole('group', { name: 'Selected books' }));
    expect(bar.getByText('2 selected')).toBeTruthy();
    await press('Delete selected', bar);
    expect(
      screen.getByRole('alertdialog', { name: 'Are you sure you want to delete the selected books?' }),
    ).toBeTruthy();
    expect(screen.getByText('Good Omens · Pyramids')).toBeTruthy();
    server.answers['GET Book'] = pageOf(book(2, 'Mort'));
    await press('Delete');
    await sees('2 books deleted');
    expect(server.asked('DELETE Book/delete-multiple').map(({ body }) => body)).toEqual([[1, 3]]);
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Selected books' })).toBeNull());
  });

  it('keeps the selection when deleting it is refused or declined, and clears it when asked', async () => {
    server.answers['DELETE Book/delete-multiple'] = refused('InUse', 'A copy is lent. Nothing was deleted.');
    const { person, press } = shown();
    await person.click(await screen.findByRole('checkbox', { name: 'Select: Mort' }));
    await press('Delete selected');
    await press('Delete');
    await sees('A copy is lent. Nothing was deleted.');
    await press('Cancel');
    expect(screen.getByRole('checkbox', { name: 'Select: Mort' })).toHaveProperty('checked', true);
    await press('Clear');
    expect(screen.getByRole('checkbox', { name: 'Select: Mort' })).toHaveProperty('checked', false);
  });
});
