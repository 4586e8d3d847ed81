import { screen, waitFor } from '@testing-library/react';
import type { QueuedHold, ShelfHold } from '#contracts/holds/hold-views.js';
import { sees, textsOf, openDialog, openQuestion } from '../../../test-support/on-screen.js';
import { asAdmin, show } from '../../../test-support/screen.js';
import { answered, pageOf, refused, serverOf, type Answers } from '../../../test-support/server.js';
import { ID, OTHER_ID, bookView, holdView } from '../../../test-support/views.js';
import { HoldQueuePage } from './hold-queue-page.js';
import { HoldsPage } from './holds-page.js';

const idOf = (number: number) => `3f2504e0-4f89-41d3-9a0c-0305e82c33${number}`;
const queued = (number: number, fullname: string, changes: Partial<QueuedHold> = {}): QueuedHold => ({
  ...holdView({ id: idOf(number), place: number - 20 }),
  user: { id: idOf(number + 20), fullname },
  moved: null,
  ...changes,
});
const answer = { id: OTHER_ID, place: 1, position: '1' };

const routes = [
  { path: '/admin/holds', element: <HoldsPage /> },
  { path: '/admin/holds/:id', element: <HoldQueuePage /> },
];
const shown = (answers: Answers, at: string) => {
  const server = serverOf({ 'GET Book/covers': answered([]), ...answers });
  return { server, ...show(routes, at) };
};

asAdmin();

describe('the queue of a title', () => {
  const QUEUE = 'GET Hold';
  const moveOf = (number: number) => `POST Hold/${idOf(number)}/move`;
  const HOLDS = [
    queued(20, 'Ewa Lipska', {
      ...{ place: null, state: 'Ready', collectBy: '2100-11-26T10:00:00Z', borrowId: OTHER_ID },
    }),
    queued(21, 'Anna Nowak'),
    queued(22, 'Jan Kowalczyk', { state: 'Paused', pausedUntil: '2100-01-02' }),
    queued(23, 'Maria Wrona', {
      estimateDays: null,
      moved: {
        ...{ at: '2026-11-21T10:00:00Z', by: { id: ID, fullname: 'Ola Biel' } },
        ...{ reason: 'study', note: 'Exam in January' },
      },
    }),
  ];
  const shownQueue = (answers: Answers = {}) =>
    shown(
      {
        [QUEUE]: answered(HOLDS),
        'GET Book/7': answered(bookView({ copiesAvailable: 0, holds: 3 })),
        ...answers,
      },
      '/admin/holds/7',
    );

  it('says who waits in which order and why, who pauses, and what is kept', async () => {
    shownQueue();
    const rows = await screen.findAllByRole('listitem');
    const texts = textsOf(rows);
    expect(texts[0]).toMatch(/Ewa Lipska.*Waits at the desk until Friday, 2100-11-26/);
    expect(texts[1]).toMatch(/^1Anna Nowak.*About 9 days/);
    expect(texts[2]).toMatch(/^2Jan Kowalczyk.*Waits again from 2100-01-02/);
    expect(texts[3]).toContain('No estimate yet');
    expect(texts[3]).toContain('Moved on 2026-11-21 by Ola Biel: needed for study (Exam in January).');
  });

  it('moves by one place or to any, with a reason that has to be given', async () => {
    const { server, person, press } = shownQueue({ [moveOf(23)]: answered(answer) });
    await press('Up: Maria Wrona');
    const dialog = await openDialog('Move Maria Wrona');
    expect(dialog.getByLabelText('Place')).toHaveProperty('value', idOf(22));
    await press('Move', dialog);
    expect(await dialog.findByText('Say why.')).toBeTruthy();
    await person.selectOptions(dialog.getByLabelText('Place'), 'Before Anna Nowak');
    await person.selectOptions(dialog.getByLabelText('Reason'), 'Needed urgently');
    await person.type(dialog.getByLabelText('In words'), 'Thesis{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.asked(moveOf(23)).map(({ body }) => body)).toEqual([
      { before: idOf(21), reason: 'urgent', note: 'Thesis' },
    ]);
  });

  it('names the reader and the title before a reservation is cancelled', async () => {
    const { press } = shownQueue();
    await press('Cancel: Jan Kowalczyk, Dune');
    await openQuestion('Cancel the reservation of Jan Kowalczyk for “Dune”?');
  });

  it('moves down past the next one, and the last one not at all', async () => {
    const { person, press } = shownQueue();
    const last = await screen.findByRole('button', { name: 'Down: Maria Wrona' });
    expect(last.getAttribute('aria-disabled')).toBe('true');
    await person.click(last);
    expect(screen.queryByRole('dialog')).toBeNull();
    await press('Down: Anna Nowak');
    const dialog = await openDialog('Move Anna Nowak');
    expect(dialog.getByLabelText('Place')).toHaveProperty('value', idOf(23));
  });

  it('says why a move is refused, and keeps what was chosen', async () => {
    const { person, press } = shownQueue({
      [moveOf(22)]: refused('MoveImpossible', 'It waits no longer.'),
    });
    await press('Up: Jan Kowalczyk');
    const dialog = await openDialog('Move Jan Kowalczyk');
    await person.selectOptions(dialog.getByLabelText('Reason'), 'Another reason');
    await press('Move', dialog);
    expect((await dialog.findByRole('alert')).textContent).toBe('It waits no longer.');
    expect(dialog.getByLabelText('Reason')).toHaveProperty('value', 'other');
  });

  it('says so where nobody waits, and where it could not be asked, with a way to try again', async () => {
    const { server, press } = shownQueue({ [QUEUE]: refused('Unexpected', 'Broken.') });
    await sees('This could not be loaded');
    server.answers[QUEUE] = answered([]);
    await press('Retry');
    await sees('Nobody is waiting for this title');
  });
});

describe('all queues', () => {
  it('says of each title who waits and when a copy may come, narrowed by the address', async () => {
    const rows = [
      {
        ...{ bookId: 7, title: 'Dune', copies: 2, waiting: 5, since: '2026-11-20T10:00:00Z' },
        ...{ first: { id: ID, fullname: 'Anna Nowak' }, estimateDays: 9 },
      },
      {
        ...{ bookId: 8, title: 'Emma', copies: 0, waiting: 1, since: '2026-11-21T10:00:00Z' },
        ...{ first: { id: OTHER_ID, fullname: 'Jan Kowalczyk' }, estimateDays: null },
      },
    ];
    const { server, person, press, address } = shown(
      { 'GET Hold/shelf': answered([]), 'GET Hold/queues': pageOf(...rows) },
      '/admin/holds?list=queues',
    );
    expect((await screen.findByRole('link', { name: 'Dune' })).closest('tr')?.textContent).toBe(
      'DuneAnna Nowak522026-11-20about 9 days',
    );
    expect(screen.getByRole('link', { name: 'Emma' }).closest('tr')?.textContent).toContain('none left');
    expect(screen.getByRole('link', { name: 'Dune' }).getAttribute('href')).toBe('/admin/holds/7');
    await person.selectOptions(screen.getByLabelText('Show'), 'No copy');
    await person.type(screen.getByLabelText('Search the queues'), 'nowak{Enter}');
    await waitFor(() => expect(address()).toBe('/admin/holds?list=queues&q=nowak&only=NoCopy'));
    const query = { SearchTerm: 'nowak', Only: 'NoCopy' };
    await waitFor(() => expect(server.asked('GET Hold/queues').at(-1)?.query).toMatchObject(query));
    // The other lists know nothing of a search.
    await press(/On the shelf/);
    expect(address()).toBe('/admin/holds');
  });
});

describe('the shelf of what is kept', () => {
  const SHELF = 'GET Hold/shelf';
  const LAPSED = 'GET Hold/lapsed';
  const held = (number: number, fullname: string, title: string, collectBy: string) => ({
    ...{ id: idOf(number), bookId: number, title, borrowId: idOf(number + 30), collectBy },
    user: { id: idOf(number + 20), fullname },
  });
  const kept = (...of: Parameters<typeof held>): ShelfHold => ({
    ...held(...of),
    ...{ copy: { code: `${of[0]}-1-4`, shelfMark: 'A 3' }, readyAt: '2026-11-20T10:00:00Z' },
  });
  const shownShelf = (answers: Answers) =>
    shown({ [SHELF]: answered([]), [LAPSED]: answered([]), ...answers }, '/admin/holds');

  it('stands by its last days, and of a day by the readers’ names; whoever it is for is a click away', async () => {
    shownShelf({
      [SHELF]: answered([
        kept(23, 'Zofia Nałkowska', 'Granica', '2100-11-26T10:00:00Z'),
        kept(21, 'Maria Wrona', 'Solaris', '2100-11-26T11:00:00Z'),
        kept(22, 'Jan Kowalczyk', 'Lalka', '2020-11-25T10:00:00Z'),
      ]),
    });
    expect(textsOf(await screen.findAllByRole('heading', { level: 3 }))).toEqual([
      'Until Wednesday, 2020-11-25over',
      'Until Friday, 2100-11-26',
    ]);
    const rows = screen.getAllByRole('row').filter((row) => row.hasAttribute('data-shelf-hold'));
    expect(textsOf(rows)).toEqual([
      'JJan KowalczykLalka22-1-42026-11-20',
      'MMaria WronaSolaris21-1-42026-11-20',
      'ZZofia NałkowskaGranica23-1-42026-11-20',
    ]);
    expect(screen.getByRole('link', { name: 'Maria Wrona' }).getAttribute('href')).toBe(
      `/admin/readers/${idOf(41)}`,
    );
    expect(screen.getByRole('link', { name: 'Solaris' }).getAttribute('href')).toContain(
      `borrow=${idOf(51)}`,
    );
  });

  it('lists what was not collected, and keeps that in the address', async () => {
    const lapsed = held(21, 'Anna Nowak', 'Dune', '2026-11-19T10:00:00Z');
    const { press, address } = shownShelf({
      [LAPSED]: answered([{ ...lapsed, lapsedAt: '2026-11-20T10:00:00Z' }]),
    });
    await sees('Nothing on the hold shelf');
    await press('Not collected');
    expect((await screen.findByRole('link', { name: 'Dune' })).closest('tr')?.textContent).toBe(
      'Anna NowakDune2026-11-19',
    );
    expect(address()).toBe('/admin/holds?list=lapsed');
  });
});
