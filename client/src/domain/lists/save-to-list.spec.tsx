import { act, screen, within } from '@testing-library/react';
import { LIST_ID, ownList } from '../../../test-support/listed.js';
import { OTHER_ID, problem, serverOf, show, userOf } from '../../../test-support/screen.js';
import { session } from '../../lib/session.js';
import { SaveToListTrigger } from './save-to-list-trigger.js';
// Which the door asks for by itself: here it is there before.
import './save-to-list.js';

const MINE = 'GET List/mine';
const ADD = `POST List/${LIST_ID}/books`;

function shown(answers: Parameters<typeof serverOf>[0]) {
  const server = serverOf({ [MINE]: [200, [ownList({ hasBook: false })]], ...answers });
  const element = <SaveToListTrigger book={{ id: 7, title: 'Emma' }} />;
  return { server, ...show([{ path: '/book/7', element }], '/book/7') };
}

describe('saving a book to a list', () => {
  beforeEach(() => session.begin(userOf()));
  afterEach(() => act(() => session.end()));

  it('ticks a list, stays open, and takes the book off again', async () => {
    const { server, person } = shown({
      [ADD]: [200, { added: true, books: 1 }],
      [`DELETE List/${LIST_ID}/books/7`]: [200, { place: 1, books: 0 }],
    });
    await person.click(await screen.findByRole('button', { name: 'Save to a list', expanded: false }));
    expect(server.asked(MINE)[0]?.query).toEqual({ bookId: '7' });
    const summer = () => screen.findByRole('menuitemcheckbox', { name: /Summer/, hidden: true });
    server.answers[MINE] = [200, [ownList({ hasBook: true, books: 1, firstBooks: [7] })]];
    await person.click(await summer());
    await screen.findByText('Saved to “Summer”');
    expect(server.asked(ADD).map(({ body }) => body)).toEqual([{ bookId: 7 }]);
    expect((await screen.findByRole('menuitemcheckbox', { checked: true })).textContent).toContain('Summer');
    await person.click(await summer());
    expect(await screen.findByText('Removed from “Summer”')).toBeTruthy();
  });

  it('makes a new list with the book on it, and says what is wrong with its name', async () => {
    const made = ownList({ id: OTHER_ID, name: 'Winter' });
    const { server, person } = shown({
      'POST List': problem(409, 'NameTaken', 'There is a list “Winter” already.'),
      [`POST List/${OTHER_ID}/books`]: [200, { added: true, books: 1 }],
    });
    await person.click(await screen.findByRole('button', { name: 'Save to a list', expanded: false }));
    await person.click(await screen.findByRole('menuitem', { name: 'New list…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New list' }));
    await person.click(dialog.getByRole('button', { name: 'Create' }));
    expect(await dialog.findByText('Give the list a name.')).toBeTruthy();
    await person.type(dialog.getByLabelText('Name'), 'Winter');
    await person.click(dialog.getByRole('button', { name: 'Create' }));
    expect(await dialog.findByText('There is a list “Winter” already.')).toBeTruthy();
    server.answers['POST List'] = [201, made];
    await person.click(dialog.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('Saved to “Winter”')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is nothing for a guest', () => {
    session.end();
    shown({});
    expect(screen.queryByRole('button')).toBeNull();
  });
});
