import { act, screen, waitFor, within } from '@testing-library/react';
import type { Book } from '#contracts/catalogue/book-views.js';
import type { HoldView } from '#contracts/holds/hold-views.js';
import { bookView, holdView } from '../../../test-support/views.js';
import { OTHER_ID, problem, serverOf, show, userOf } from '../../../test-support/screen.js';
import { session } from '../../lib/session.js';
import { BookHolds } from './book-holds.js';

const MINE = 'GET Hold/mine';
const PROSPECT = 'GET Hold/prospect';
const PLACE = 'POST Hold';

const book = bookView({ copiesAvailable: 0, holds: 3 });

const hold = (changes: Partial<HoldView> = {}) => holdView({ place: 4, ...changes });

const answer = { id: OTHER_ID, place: 4, position: '100', upToDate: true };

function shown(answers: Parameters<typeof serverOf>[0], changes: Partial<Book> = {}) {
  const server = serverOf({
    [MINE]: [200, []],
    [PROSPECT]: [200, { waiting: 3, place: 4, estimateDays: 9 }],
    ...answers,
  });
  const element = <BookHolds book={{ ...book, ...changes }} />;
  return { server, ...show([{ path: '/book/7', element }], '/book/7') };
}

describe('waiting for a book', () => {
  beforeEach(() => session.begin(userOf()));
  afterEach(() => act(() => session.end()));

  it('says beforehand which place it would be and about how long, and where nobody can say, that', async () => {
    const { server, client } = shown({});
    expect(
      await screen.findByText('3 readers wait for it. You would be 4th in line, about 9 days.'),
    ).toBeTruthy();
    server.answers[PROSPECT] = [200, { waiting: 1, place: 2, estimateDays: null }];
    await act(() => client.invalidateQueries());
    expect(
      await screen.findByText(
        '1 reader waits for it. You would be 2nd in line, how long it takes cannot be told.',
      ),
    ).toBeTruthy();
  });

  it('reserves once however often it is pressed, shows the place, and takes it back by Undo', async () => {
    const { server, person } = shown({ [PLACE]: [200, answer], [`DELETE Hold/${OTHER_ID}`]: [200, answer] });
    const reserve = await screen.findByRole('button', { name: 'Reserve: Dune' });
    server.answers[MINE] = [200, [hold()]];
    await person.dblClick(reserve);
    const own = await screen.findByRole('region', { name: 'Your reservation' });
    expect(within(own).getByText('4th in line, about 9 days')).toBeTruthy();
    expect(server.asked(PLACE).map(({ body }) => body)).toEqual([{ bookId: 7 }]);
    server.answers[MINE] = [200, []];
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: 'Reserve: Dune' })).toBeTruthy();
    expect(server.asked(`DELETE Hold/${OTHER_ID}`)).toHaveLength(1);
  });

  it('says why it is refused, and stays as it was', async () => {
    const { person } = shown({ [PLACE]: problem(409, 'TooManyHolds', 'A reader may wait for 10 books.') });
    await person.click(await screen.findByRole('button', { name: 'Reserve: Dune' }));
    expect(await screen.findByText('A reader may wait for 10 books.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Reserve: Dune' })).toBeTruthy();
  });

  it('pauses until a day after today, which is asked for first', async () => {
    const { server, person } = shown({
      [MINE]: [200, [hold()]],
      [`POST Hold/${OTHER_ID}/pause`]: [200, answer],
    });
    await person.click(await screen.findByRole('button', { name: 'Pause: Dune' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Pause the reservation' }));
    await person.click(dialog.getByRole('button', { name: 'Pause' }));
    expect(await dialog.findByText('Choose a day after today.')).toBeTruthy();
    await person.type(dialog.getByLabelText('Wait again from'), '2100-01-02');
    server.answers[MINE] = [200, [hold({ state: 'Paused', pausedUntil: '2100-01-02' })]];
    await person.click(dialog.getByRole('button', { name: 'Pause' }));
    expect(await screen.findByText(/Paused until/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Resume: Dune' })).toBeTruthy();
    expect(server.asked(`POST Hold/${OTHER_ID}/pause`).map(({ body }) => body)).toEqual([
      { until: '2100-01-02' },
    ]);
  });

  it('a last day can be set and taken away', async () => {
    const { server, person } = shown({
      [MINE]: [200, [hold({ neededUntil: '2100-03-04' })]],
      [`POST Hold/${OTHER_ID}/needed-until`]: [200, answer],
    });
    await person.click(await screen.findByRole('button', { name: 'Change last day: Dune' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Last day' }));
    await person.click(dialog.getByRole('button', { name: 'No last day' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.asked(`POST Hold/${OTHER_ID}/needed-until`).map(({ body }) => body)).toEqual([
      { day: null },
    ]);
  });

  it('a copy that is kept is loud, and can only be given up, which is asked', async () => {
    const { server, person } = shown({
      [MINE]: [
        200,
        [hold({ state: 'Ready', place: null, borrowId: OTHER_ID, collectBy: '2026-11-26T22:00:00Z' })],
      ],
      [`DELETE Hold/${OTHER_ID}`]: [200, { ...answer, place: null }],
    });
    const own = await screen.findByRole('region', { name: 'Your reservation' });
    expect(own.textContent).toMatch(/Waits for you at the desk until \w+, 2026-11-2\d/);
    expect(screen.getAllByRole('button')).toHaveLength(1);
    await person.click(screen.getByRole('button', { name: 'Give it up: Dune' }));
    const question = within(await screen.findByRole('alertdialog'));
    await person.click(question.getByRole('button', { name: 'Keep it' }));
    expect(server.asked(`DELETE Hold/${OTHER_ID}`)).toHaveLength(0);
    await person.click(screen.getByRole('button', { name: 'Give it up: Dune' }));
    server.answers[MINE] = [200, []];
    await person.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Give it up' }),
    );
    expect(await screen.findByRole('button', { name: 'Reserve: Dune' })).toBeTruthy();
  });

  it('tells a guest how many wait, and asks the library nothing about them', async () => {
    session.end();
    const { server } = shown({});
    expect(await screen.findByText('3 readers wait for it.')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
    expect(server.calls).toHaveLength(0);
  });
});
