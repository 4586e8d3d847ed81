import { screen, within } from '@testing-library/react';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { sees } from '../../../test-support/on-screen.js';
import { asReader, show } from '../../../test-support/screen.js';
import { answered, refused, serverOf, type Answers } from '../../../test-support/server.js';
import { listedBook } from '../../../test-support/views.js';
import { LIST_ID, ownList } from '../../../test-support/listed.js';
import { ListPage } from './list-page.js';
import { ListsPage } from './lists-page.js';

const MINE = 'GET List/mine';
const PAGE = `GET List/${LIST_ID}`;

const [EMMA, PERSUASION, SANDITON] = ['Emma', 'Persuasion', 'Sanditon'].map((title, at) =>
  listedBook(at + 1, title),
) as [BookListItem, BookListItem, BookListItem];
const listOf = (...books: BookListItem[]) =>
  answered({
    ...ownList({ books: books.length }),
    items: books.map((book) => ({ book, addedAt: '2026-11-20T10:00:00Z' })),
    totalCount: books.length,
  });

function shown(answers: Answers, at = `/lists/${LIST_ID}`) {
  const server = serverOf(answers);
  const routes = [
    { path: '/lists', element: <ListsPage /> },
    { path: '/lists/:id', element: <ListPage /> },
  ];
  return { server, ...show(routes, at) };
}

const titles = () => screen.getAllByRole('listitem').map((row) => within(row).getByRole('link').textContent);

describe('a reader’s lists', () => {
  asReader();

  it('are listed with what is on them, and a new one is made', async () => {
    const { server, person, press } = shown(
      {
        [MINE]: answered([ownList({ standing: 'to-read', name: 'To read', changedAt: null })]),
        'POST List': answered(ownList()),
      },
      '/lists',
    );
    await sees('0 books');
    await press('New list');
    await person.type(await screen.findByLabelText('Name'), ' Summer ');
    server.answers[MINE] = answered([ownList({ isShared: true, books: 1 })]);
    await person.keyboard('{Enter}');
    expect(await screen.findByRole('link', { name: 'Summer' })).toBeTruthy();
    expect(screen.getByText('Shared by a link')).toBeTruthy();
    expect(server.asked('POST List')[0]?.body).toEqual({ name: 'Summer', description: '' });
  });

  it('have an order that buttons change, which keep the focus', async () => {
    const move = `PUT List/${LIST_ID}/books/1`;
    const { server, person, press } = shown({
      [PAGE]: listOf(EMMA, PERSUASION, SANDITON),
      [move]: answered(ownList()),
    });
    await press('Up: Emma');
    expect(server.asked(move)).toEqual([]);
    server.answers[PAGE] = listOf(PERSUASION, EMMA, SANDITON);
    const down = screen.getByRole('button', { name: 'Down: Emma' });
    await person.click(down);
    expect(titles()).toEqual(['Persuasion', 'Emma', 'Sanditon']);
    expect(document.activeElement).toBe(down);
    expect(server.asked(move).map(({ body }) => body)).toEqual([{ place: 2 }]);
    expect(screen.getByText('Emma: place 2 of 3')).toBeTruthy();
  });

  it('are as they were where the library refuses a move', async () => {
    const { press } = shown({
      [PAGE]: listOf(EMMA, PERSUASION),
      [`PUT List/${LIST_ID}/books/1`]: refused('BookNotListed', 'Not on the list any more.'),
    });
    await press('Down: Emma');
    await sees('Not on the list any more.');
    expect(titles()).toEqual(['Emma', 'Persuasion']);
  });

  it('give a book that was taken off its place back', async () => {
    const add = `POST List/${LIST_ID}/books`;
    const { server, person, press } = shown({
      [PAGE]: listOf(EMMA, PERSUASION),
      [`DELETE List/${LIST_ID}/books/2`]: answered({ place: 2, books: 1 }),
      [add]: answered({ added: true, books: 2 }),
    });
    const take = await screen.findByRole('button', { name: 'Remove from the list: Persuasion' });
    server.answers[PAGE] = listOf(EMMA);
    await person.click(take);
    server.answers[PAGE] = listOf(EMMA, PERSUASION);
    await press('Undo');
    expect(await screen.findByRole('link', { name: 'Persuasion' })).toBeTruthy();
    expect(server.asked(add).map(({ body }) => body)).toEqual([{ bookId: 2, place: 2 }]);
  });

  it('are asked about before they are deleted', async () => {
    const remove = `DELETE List/${LIST_ID}`;
    const { server, press, address } = shown({
      [PAGE]: listOf(EMMA),
      [remove]: answered([]),
      [MINE]: answered([]),
    });
    await press('Delete');
    await press('Cancel');
    expect(server.asked(remove)).toEqual([]);
    await press('Delete');
    await press('Delete it');
    await sees('The list “Summer” was deleted');
    expect(address()).toBe('/lists');
  });
});
