import { screen } from '@testing-library/react';
import { sees, openDialog } from '../../../test-support/on-screen.js';
import { asReader, showPage } from '../../../test-support/screen.js';
import { answered, refused, type Answers } from '../../../test-support/server.js';
import { OTHER_ID } from '../../../test-support/views.js';
import { LIST_ID, ownList } from '../../../test-support/listed.js';
import { session } from '../../lib/session.js';
import { SaveToListTrigger } from './save-to-list-trigger.js';
// Which the door asks for by itself: here it is there before.
import './save-to-list.js';

const MINE = 'GET List/mine';
const ADD = `POST List/${LIST_ID}/books`;

const shown = (answers: Answers = {}) =>
  showPage(<SaveToListTrigger book={{ id: 7, title: 'Emma' }} />, '/book/7', {
    [MINE]: answered([ownList({ hasBook: false })]),
    ...answers,
  });

describe('saving a book to a list', () => {
  asReader();

  it('ticks a list, stays open, and takes the book off again', async () => {
    const { server, person } = shown({
      [ADD]: answered({ added: true, books: 1 }),
      [`DELETE List/${LIST_ID}/books/7`]: answered({ place: 1, books: 0 }),
    });
    await person.click(await screen.findByRole('button', { name: 'Save to a list', expanded: false }));
    expect(server.asked(MINE)[0]?.query).toEqual({ bookId: '7' });
    const summer = () => screen.findByRole('menuitemcheckbox', { name: /Summer/, hidden: true });
    server.answers[MINE] = answered([ownList({ hasBook: true, books: 1, firstBooks: [7] })]);
    await person.click(await summer());
    await sees('Saved to “Summer”');
    expect(server.asked(ADD).map(({ body }) => body)).toEqual([{ bookId: 7 }]);
    expect((await screen.findByRole('menuitemcheckbox', { checked: true })).textContent).toContain('Summer');
    await person.click(await summer());
    await sees('Removed from “Summer”');
  });

  it('makes a new list with the book on it, and says what is wrong with its name', async () => {
    const made = ownList({ id: OTHER_ID, name: 'Winter' });
    const { server, person, press } = shown({
      'POST List': refused('NameTaken', 'There is a list “Winter” already.'),
      [`POST List/${OTHER_ID}/books`]: answered({ added: true, books: 1 }),
    });
    await person.click(await screen.findByRole('button', { name: 'Save to a list', expanded: false }));
    await person.click(await screen.findByRole('menuitem', { name: 'New list…' }));
    const dialog = await openDialog('New list');
    await press('Create', dialog);
    expect(await dialog.findByText('Give the list a name.')).toBeTruthy();
    await person.type(dialog.getByLabelText('Name'), 'Winter');
    await press('Create', dialog);
    expect(await dialog.findByText('There is a list “Winter” already.')).toBeTruthy();
    server.answers['POST List'] = answered(made);
    await press('Create', dialog);
    await sees('Saved to “Winter”');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is nothing for a guest', () => {
    session.end();
    shown();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
