import { screen, within } from '@testing-library/react';
import { sees } from '../../../test-support/on-screen.js';
import { asReader, show } from '../../../test-support/screen.js';
import { type Answers, problem, serverOf } from '../../../test-support/server.js';
import { listedBook } from '../../../test-support/views.js';
import { LIST_ID, ownList } from '../../../test-support/listed.js';
import { ListPage } from './list-page.js';
import { ListsPage } from './lists-page.js';
import { SharedListPage } from './shared-list-page.js';

const MINE = 'GET List/mine';
const PAGE = `GET List/${LIST_ID}`;
const TOKEN = 'x'.repeat(43);

const EMMA = listedBook(1, 'Emma');
const PERSUASION = listedBook(2, 'Persuasion');
const SANDITON = listedBook(3, 'Sanditon');

const pageOf = (books: (typeof EMMA)[], more: object = {}) =>
  [
    200,
    {
      ...ownList({ books: books.length }),
      items: books.map((book) => ({ book, addedAt: '2026-11-20T10:00:00Z' })),
      totalCount: books.length,
      ...more,
    },
  ] as const;

function shown(answers: Answers, at: string) {
  const server = serverOf(answers);
  const routes = [
    { path: '/lists', element: <ListsPage /> },
    { path: '/lists/:id', element: <ListPage /> },
    { path: '/list/:token', element: <SharedListPage /> },
  ];
  return { server, ...show(routes, at) };
}

const titles = () => screen.getAllByRole('listitem').map((row) => within(row).getByRole('link').textContent);

describe('a reader’s lists', () => {
  asReader();

  it('are listed with what is on them, and a new one is made', async () => {
    const { server, person, press } = shown(
      {
        [MINE]: [200, [ownList({ standing: 'to-read', name: 'To read', changedAt: null })]],
        'POST List': [201, ownList()],
      },
      '/lists',
    );
    await sees('0 books');
    await press('New list');
    await person.type(await screen.findByLabelText('Name'), ' Summer ');
    server.answers[MINE] = [200, [ownList({ isShared: true, books: 1 })]];
    await person.keyboard('{Enter}');
    expect(await screen.findByRole('link', { name: 'Summer' })).toBeTruthy();
    expect(screen.getByText('Shared by a link')).toBeTruthy();
    expect(server.asked('POST List')[0]?.body).toEqual({ name: 'Summer', description: '' });
  });

  it('say what happened where they cannot be loaded, and try again', async () => {
    const { server, press } = shown({ [MINE]: problem(503, 'DatabaseUnavailable', 'Away.') }, '/lists');
    await sees('Away.');
    server.answers[MINE] = [200, [ownList()]];
    await press('Retry');
    expect(await screen.findByRole('link', { name: 'Summer' })).toBeTruthy();
  });

  it('have an order that buttons change, which keep the focus', async () => {
    const move = `PUT List/${LIST_ID}/books/1`;
    const { server, person, press } = shown(
      { [PAGE]: pageOf([EMMA, PERSUASION, SANDITON]), [move]: [200, ownList()] },
      `/lists/${LIST_ID}`,
    );
    await press('Up: Emma');
    expect(server.asked(move)).toEqual([]);
    server.answers[PAGE] = pageOf([PERSUASION, EMMA, SANDITON]);
    const down = screen.getByRole('button', { name: 'Down: Emma' });
    await person.click(down);
    expect(titles()).toEqual(['Persuasion', 'Emma', 'Sanditon']);
    expect(document.activeElement).toBe(down);
    expect(server.asked(move).map(({ body }) => body)).toEqual([{ place: 2 }]);
    expect(screen.getByText('Emma: place 2 of 3')).toBeTruthy();
  });

  it('are as they were where the library refuses a move', async () => {
    const { press } = shown(
      {
        [PAGE]: pageOf([EMMA, PERSUASION]),
        [`PUT List/${LIST_ID}/books/1`]: problem(404, 'BookNotListed', 'Not on the list any more.'),
      },
      `/lists/${LIST_ID}`,
    );
    await press('Down: Emma');
    await sees('Not on the list any more.');
    expect(titles()).toEqual(['Emma', 'Persuasion']);
  });

  it('give a book that was taken off its place back', async () => {
    const add = `POST List/${LIST_ID}/books`;
    const { server, person, press } = shown(
      {
        [PAGE]: pageOf([EMMA, PERSUASION]),
        [`DELETE List/${LIST_ID}/books/2`]: [200, { place: 2, books: 1 }],
        [add]: [200, { added: true, books: 2 }],
      },
      `/lists/${LIST_ID}`,
    );
    const take = await screen.findByRole('button', { name: 'Remove from the list: Persuasion' });
    server.answers[PAGE] = pageOf([EMMA]);
    await person.click(take);
    server.answers[PAGE] = pageOf([EMMA, PERSUASION]);
    await press('Undo');
    expect(await screen.findByRole('link', { name: 'Persuasion' })).toBeTruthy();
    expect(server.asked(add).map(({ body }) => body)).toEqual([{ bookId: 2, place: 2 }]);
  });

  it('are shared by a link whose token no server sees, until it is ended', async () => {
    const share = `List/${LIST_ID}/share`;
    const { server, press } = shown(
      {
        [PAGE]: pageOf([EMMA]),
        [`POST ${share}`]: [201, { token: TOKEN }],
        [`DELETE ${share}`]: [200, ownList()],
      },
      `/lists/${LIST_ID}`,
    );
    await press('Share');
    server.answers[PAGE] = pageOf([EMMA], { isShared: true });
    await press('Make a link');
    const link = await screen.findByLabelText<HTMLInputElement>('Link to the list');
    expect(new URL(link.value).hash).toBe(`#/list/${TOKEN}`);
    await press('End the link');
    await sees('The link has ended');
    expect(server.asked(`DELETE ${share}`)).toHaveLength(1);
  });

  it('are asked about before they are deleted', async () => {
    const remove = `DELETE List/${LIST_ID}`;
    const { server, press, address } = shown(
      { [PAGE]: pageOf([EMMA]), [remove]: [200, []], [MINE]: [200, []] },
      `/lists/${LIST_ID}`,
    );
    await press('Delete');
    await press('Cancel');
    expect(server.asked(remove)).toEqual([]);
    await press('Delete');
    await press('Delete it');
    await sees('The list “Summer” was deleted');
    expect(address()).toBe('/lists');
  });
});

describe('a list that is shared by a link', () => {
  const OPEN = 'POST List/shared';

  it('shows its books to a guest, and sends the token in the body', async () => {
    const list = { name: 'Summer', description: 'At the sea.', items: [EMMA], totalCount: 1 };
    const { server } = shown({ [OPEN]: [200, list] }, `/list/${TOKEN}`);
    expect(await screen.findByRole('heading', { name: 'Summer' })).toBeTruthy();
    expect(screen.getByText('At the sea.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Emma' })).toBeTruthy();
    expect(server.calls).toMatchObject([{ query: {}, body: { token: TOKEN, pageNumber: 1 } }]);
  });

  it('says what may be where the link has ended', async () => {
    shown({ [OPEN]: problem(404, 'ListNotFound', 'Ended.') }, `/list/${TOKEN}`);
    expect(await screen.findByRole('heading', { name: 'This link does not work' })).toBeTruthy();
  });
});
