import { screen, waitFor } from '@testing-library/react';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import type { LibraryList } from '#contracts/lists/library-lists.js';
import { sees, textsOf, openDialog } from '../../../test-support/on-screen.js';
import { asAdmin, show } from '../../../test-support/screen.js';
import { answered, pageOf, refused, serverOf, type Answers } from '../../../test-support/server.js';
import { OTHER_ID, listedBook } from '../../../test-support/views.js';
import { LIST_ID } from '../../../test-support/listed.js';
import { LibraryListPage } from './library-list-page.js';
import { LibraryListsPage } from './library-lists-page.js';

const ALL = 'GET ReadingList';
const PAGE = `GET ReadingList/${LIST_ID}`;

const list = (changes: Partial<LibraryList> = {}): LibraryList => ({
  ...{ id: LIST_ID, name: 'Prizes', description: '', onHome: true, books: 0, firstBooks: [] },
  ...{ version: 3, changedAt: '2026-11-20T10:00:00Z', changedBy: 'Ewa Lipska' },
  ...changes,
});
const booksOf = (...books: BookListItem[]) =>
  answered({ id: LIST_ID, name: 'Prizes', description: '', items: books, totalCount: books.length });

function shown(answers: Answers, at = '/admin/lists') {
  const server = serverOf({ [ALL]: answered([list()]), [PAGE]: booksOf(), ...answers });
  const routes = [
    { path: '/admin/lists', element: <LibraryListsPage /> },
    { path: '/admin/lists/:id', element: <LibraryListPage /> },
  ];
  return { server, ...show(routes, at) };
}
const shownList = (answers: Answers) => shown(answers, `/admin/lists/${LIST_ID}`);

describe('the library’s lists', () => {
  asAdmin();

  it('begin with a first one, which opens', async () => {
    const { server, person, press, address } = shown({
      [ALL]: answered([]),
      'POST ReadingList': answered(list()),
    });
    expect(await screen.findByRole('heading', { name: 'No lists yet' })).toBeTruthy();
    await press('New list');
    const dialog = await openDialog();
    await person.type(dialog.getByLabelText('Name'), 'Prizes');
    await person.click(dialog.getByLabelText('Show it on the home page'));
    server.answers[ALL] = answered([list({ onHome: false })]);
    await press('Create', dialog);
    expect(await screen.findByRole('heading', { name: 'Nothing is on this list yet' })).toBeTruthy();
    expect(address()).toBe(`/admin/lists/${LIST_ID}`);
    const body = { name: 'Prizes', description: '', onHome: false };
    expect(server.asked('POST ReadingList')).toMatchObject([{ body }]);
  });

  it('are put in the order in which the home page shows them', async () => {
    const move = `PUT ReadingList/${LIST_ID}/place`;
    const second = list({ id: OTHER_ID, name: 'Summer' });
    const { server, press } = shown({
      [ALL]: answered([list(), second]),
      [move]: answered([second, list()]),
    });
    await screen.findByRole('link', { name: 'Prizes' });
    server.answers[ALL] = answered([second, list()]);
    await press('Down: Prizes');
    await waitFor(() => expect(textsOf(screen.getAllByRole('link'))).toEqual(['Summer', 'Prizes']));
    expect(server.asked(move).map(({ body }) => body)).toEqual([{ place: 2 }]);
  });

  it('get a book that is found by what is typed', async () => {
    const emma = listedBook(1, 'Emma');
    const add = `POST ReadingList/${LIST_ID}/books`;
    const { server, person } = shownList({
      'GET Book': pageOf(emma),
      'GET Book/covers': answered([emma]),
      [add]: answered({ added: true, books: 1 }),
    });
    await person.type(await screen.findByRole('combobox', { name: 'Add books' }), 'emma');
    const option = await screen.findByRole('option', { name: /Emma/ });
    server.answers[PAGE] = booksOf(emma);
    await person.click(option);
    expect(await screen.findByRole('button', { name: 'Remove from the list: Emma' })).toBeTruthy();
    expect(server.asked(add).map(({ body }) => body)).toEqual([{ bookId: 1 }]);
  });

  it('do not overwrite what somebody else has saved', async () => {
    const save = `PUT ReadingList/${LIST_ID}`;
    const { server, press } = shownList({
      [save]: refused('EditedMeanwhile', 'Somebody else has changed this list.'),
    });
    await press('Edit');
    await press('Save');
    await sees('Somebody else has changed this list.');
    expect(server.asked(save)[0]?.body).toMatchObject({ name: 'Prizes', version: 3 });
  });
});
