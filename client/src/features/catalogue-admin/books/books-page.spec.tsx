import { screen, waitFor, within } from '@testing-library/react';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { sees, textsOf, openQuestion } from '../../../../test-support/on-screen.js';
import { asAdmin, showPage } from '../../../../test-support/screen.js';
import { answered, pageOf, refused, type Answers } from '../../../../test-support/server.js';
import { listedBook } from '../../../../test-support/views.js';
import { BooksPage } from './books-page.js';

const book = (id: number, title: string, changes: Partial<BookListItem> = {}) =>
  listedBook(id, title, {
    authors: [
      { id: 1, firstname: 'Terry', lastname: 'Pratchett' },
      { id: 2, firstname: 'Neil', lastname: 'Gaiman' },
    ],
    genres: [
      { id: 1, name: 'Fantasy' },
      { id: 2, name: 'Humour' },
    ],
    ...{ publisher: { id: 1, name: 'Gollancz' }, published: '1990-05-01', publicationDate: '1990-05-01' },
    ...changes,
  });
const [OMENS, MORT, PYRAMIDS] = [book(1, 'Good Omens'), book(2, 'Mort'), book(3, 'Pyramids')];
const BOOKS = 'GET Book';
const DELETE = 'DELETE Book/2';
const DELETE_MANY = 'DELETE Book/delete-multiple';

function shown(search = '', answers: Answers = {}) {
  const page = showPage(<BooksPage />, `/admin/books${search}`, {
    [BOOKS]: pageOf(OMENS, MORT, PYRAMIDS),
    ...answers,
  });
  return { ...page, search: () => page.router.state.location.search };
}

// Its author and year follow.
const row = (title: string) => screen.findByRole('button', { name: new RegExp(`^${title} `) });

asAdmin();

describe('the list of the library’s books', () => {
  const select = async (person: ReturnType<typeof shown>['person'], title: string) =>
    person.click(await screen.findByRole('checkbox', { name: `Select: ${title}` }));

  it('shows those of one kind, says the kind where it is another, and all again', async () => {
    const { server, search, person, press } = shown('?q=om', {
      [BOOKS]: pageOf(book(1, 'Good Omens', { kind: 'reading-room' }), MORT),
    });
    expect((await row('Good Omens')).textContent).toContain('1990 · Reading room only');
    expect((await row('Mort')).textContent).not.toContain('·');
    server.answers[BOOKS] = pageOf();
    await person.selectOptions(screen.getByLabelText('Lending'), 'Short loan');
    await waitFor(() => expect(search()).toBe('?only=short-loan'));
    await sees('Only some of the books are being searched.');
    expect(server.asked(BOOKS).at(-1)?.query).toMatchObject({ Kind: 'short-loan', SearchTerm: '' });
    await press('Show all books');
    await waitFor(() => expect(search()).toBe(''));
    expect(server.asked(BOOKS).at(-1)?.query).not.toHaveProperty('Kind');
  });

  // spec 2.31
  it('has the heading, button, search and sorts of the specification', async () => {
    const { server, person, address } = shown();
    await row('Mort');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Books');
    expect(screen.getByPlaceholderText('Search by title, author, genre or publisher')).toBeTruthy();
    const sort = screen.getByLabelText('Sort by');
    expect(textsOf(sort.children)).toEqual(['No sorting', 'Title', 'ISBN', 'Copies']);
    const first = { SearchTerm: '', SortBy: 'none', pageNumber: '1', pageSize: '10' };
    expect(server.asked(BOOKS)[0]?.query).toEqual(first);
    await person.selectOptions(sort, 'Copies');
    await waitFor(() => expect(server.asked(BOOKS).at(-1)?.query.SortBy).toBe('Copies'));
    await person.click(screen.getByRole('link', { name: 'Add book' }));
    expect(address()).toBe('/admin/books/save');
  });

  // spec 2.32
  it('opens one book at a time, and closes it by another click; the address says which', async () => {
    const { person, search } = shown();
    await person.click(await row('Good Omens'));
    await sees('Terry Pratchett, Neil Gaiman', OMENS.isbn, 'Fantasy, Humour', 'Gollancz');
    expect(search()).toBe('?open=1');
    await person.click(await row('Mort'));
    expect(screen.queryByText(OMENS.isbn)).toBeNull();
    expect(screen.getByText(MORT.isbn)).toBeTruthy();
    await person.click(await row('Mort'));
    expect(screen.queryByText(MORT.isbn)).toBeNull();
    expect(search()).toBe('');
  });

  it('opens the book that its address names, and leads to its form', async () => {
    const { person, address } = shown('?open=2');
    await person.click(await screen.findByRole('link', { name: 'Edit: Mort' }));
    expect(address()).toBe('/admin/books/save/2');
  });

  // spec 5.16
  it('deletes a book once it is confirmed, and says so, or why not', async () => {
    const sentence = 'Copies are lent: “Mort” (1 copy). Nothing was deleted.';
    const { server, press } = shown('?open=2', { [DELETE]: refused('InUse', sentence) });
    const ask = async () => {
      await press('Delete: Mort');
      return openQuestion('Are you sure you want to delete this book?');
    };
    const declined = await ask();
    expect(declined.getByText('Mort')).toBeTruthy();
    await press('Cancel', declined);
    expect(server.asked(DELETE)).toHaveLength(0);
    const question = await ask();
    await press('Delete', question);
    expect(await question.findByText(sentence)).toBeTruthy();
    expect(screen.queryByText('Book deleted')).toBeNull();
    server.answers[DELETE] = answered({ deleted: 1 });
    server.answers[BOOKS] = pageOf(OMENS, PYRAMIDS);
    await press('Delete', question);
    await sees('Book deleted');
    await waitFor(() => expect(screen.queryByText('Mort')).toBeNull());
  });

  // spec 4.6, 8.15, 8.20
  it('deletes the selected books together', async () => {
    const { server, person, press } = shown('', { [DELETE_MANY]: answered({ deleted: 2 }) });
    expect(screen.queryByRole('group', { name: 'Selected books' })).toBeNull();
    for (const title of ['Good Omens', 'Pyramids']) await select(person, title);
    const bar = within(screen.getByRole('group', { name: 'Selected books' }));
    expect(bar.getByText('2 selected')).toBeTruthy();
    await press('Delete selected', bar);
    const question = await openQuestion('Are you sure you want to delete the selected books?');
    expect(question.getByText('Good Omens · Pyramids')).toBeTruthy();
    server.answers[BOOKS] = pageOf(MORT);
    await press('Delete', question);
    await sees('2 books deleted');
    expect(server.asked(DELETE_MANY).map(({ body }) => body)).toEqual([[1, 3]]);
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Selected books' })).toBeNull());
  });

  it('keeps the selection when deleting it is refused or declined, and clears it when asked', async () => {
    const sentence = 'A copy is lent. Nothing was deleted.';
    const { person, press } = shown('', { [DELETE_MANY]: refused('InUse', sentence) });
    const isChecked = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select: Mort' }).checked;
    await select(person, 'Mort');
    await press('Delete selected');
    const question = await openQuestion();
    await press('Delete', question);
    await sees(sentence);
    await press('Cancel', question);
    expect(isChecked()).toBe(true);
    await press('Clear');
    expect(isChecked()).toBe(false);
  });
});
