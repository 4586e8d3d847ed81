import { render, screen, waitFor } from '@testing-library/react';
import { QueryClient } from '@tanstack/react-query';
import userEvent from '@testing-library/user-event';
import { openQuestion } from '../../../test-support/on-screen.js';
import { asAdmin } from '../../../test-support/screen.js';
import { answered, refused, serverOf } from '../../../test-support/server.js';
import { ID, OTHER_ID, bookOf, borrowView } from '../../../test-support/views.js';
import { OpenQuestion } from '../../components/dialog/open-question.js';
import { executeScan } from './execute-scan.js';
import type { DeskLine, PendingScan, DeskCommand } from './desk-lines.js';

const KEY = '3f2504e0-4f89-41d3-9a0c-0305e82c3399';
const person = { id: ID, fullname: 'Jan Kowalczyk' };
const book = { id: 7, title: 'Dune' };
const done = { borrowId: OTHER_ID, position: '100' };
const HELD = 'This copy of “Dune” is kept until 2100-11-26 for a reader who waited for it.';
const scannedCopy = {
  kind: 'book',
  book: { ...book, isbn: '9780441013593', authors: [], kind: 'loanable' },
  copy: { code: '7-1-4', condition: 'present', shelfMark: 'A 3', note: null },
  ...{ holders: [], lostBy: [], isKnown: false, ofReader: null },
  keptFor: {
    ...{ borrowId: OTHER_ID, user: { id: OTHER_ID, fullname: 'Maria Wrona' }, isThisCopy: false },
    collectBy: '2100-11-26T10:00:00Z',
  },
};

const kept = {
  ...{ bookId: 7, holdId: OTHER_ID, user: { id: ID, fullname: 'Maria Wrona' } },
  copy: { code: '7-1-4', shelfMark: 'A 3' },
};

const borrow = (changes: object = {}) =>
  answered({
    borrow: borrowView({
      ...{ user: person, borrowedBooks: [{ bookId: 7, title: 'Dune' }], status: 'Returned' },
      ...{ books: [bookOf(7, 'Dune', 'returned')], rentDate: '2026-10-20T10:00:00Z' },
      ...{ issueDate: '2026-10-21T10:00:00Z', dueDate: '2100-11-04T10:00:00Z' },
      undo: [{ revision: 5, what: 'return', until: '2100-01-01T00:00:00Z', bookIds: [7] }],
      ...changes,
    }),
    ...{ reader: null, steps: [], lossCharges: [] },
  });

/** The desk of a test: what was said of scans, heard, and remembered to be sent again. */
function atDesk(lines: readonly DeskLine[] = [], client = new QueryClient()) {
  const sounds: string[] = [];
  const marks: Partial<DeskLine>[] = [];
  const remembered: Partial<PendingScan>[] = [];
  const carry = (scan: Partial<PendingScan>) =>
    executeScan(
      { key: KEY, mode: 'hand-over', kind: 'scan', text: '7-1-4', ...scan },
      {
        client,
        reader: person,
        lines,
        welcome: () => undefined,
        remember: (known) => remembered.push(known),
        ask: () => undefined,
        mark: (_key, changed) => marks.push(changed),
        sound: (tone) => sounds.push(tone),
      },
    );
  return { carry, sounds, marks, remembered };
}

const lend: DeskCommand = { kind: 'lend', person, book, code: '7-1-4' };
const LEND = 'POST Borrow/lend';
const TAKE_BACK = 'POST Borrow/take-back-books';
const DETAILS = 'GET Borrow/details';

describe('copies that somebody waits for, at the desk', () => {
  asAdmin();
  beforeEach(() => void render(<OpenQuestion />));

  it('says large for whom a copy that came back is kept, where it goes, and with another sound', async () => {
    const server = serverOf({
      [TAKE_BACK]: answered({ ...done, keptFor: [{ ...kept, collectBy: '2100-11-26T10:00:00Z' }] }),
      [DETAILS]: borrow(),
    });
    const desk = atDesk();
    const command: DeskCommand = { kind: 'take-back', borrowId: OTHER_ID, person, book, shelfMark: 'A 3' };
    await desk.carry({ mode: 'take-back', command });
    await waitFor(() => expect(desk.marks).toHaveLength(1));
    expect(desk.marks[0]).toMatchObject({ tone: 'kept', headline: 'For Maria Wrona, shelf M' });
    expect(desk.marks[0]?.details).toEqual([
      'It is kept for Maria Wrona until 2100-11-26: put it with the holds at the desk.',
    ]);
    expect(desk.sounds).toEqual(['kept']);
    // It goes on saying what is owed.
    server.answers[DETAILS] = borrow({ fineAmount: 2, fineDue: 2 });
    await desk.carry({ mode: 'take-back', command });
    await waitFor(() => expect(desk.marks).toHaveLength(2));
    const headline = 'For Maria Wrona, shelf M; 2.00 PLN to pay';
    expect(desk.marks[1]).toMatchObject({ headline, remedy: 'pay', owes: 2 });
  });

  it('asks before a copy that is kept goes to somebody else, and sends it as a request of its own', async () => {
    const server = serverOf({
      [LEND]: ({ body }) =>
        (body as { evenIfHeld?: true }).evenIfHeld
          ? answered({ ...done, id: OTHER_ID })
          : refused('CopyHeldForOther', HELD),
      'POST Desk/scan': answered(scannedCopy),
      [DETAILS]: borrow(),
    });
    const desk = atDesk();
    const carried = desk.carry({ command: lend });
    const question = await openQuestion('This copy waits for Maria Wrona');
    expect(question.getByText(HELD)).toBeTruthy();
    // What goes against the queue is not the button to press.
    expect(screen.getByRole('button', { name: 'Keep it' }).className).toContain('primary');
    expect(screen.getByRole('button', { name: 'Hand it over anyway' }).className).not.toContain('primary');
    // The button that does nothing has the focus.
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    expect((await carried)?.tone).toBe('good');
    expect(server.asked(LEND).map(({ body }) => body)).toEqual([
      { bookIds: [7], copies: ['7-1-4'] },
      { bookIds: [], copies: ['7-1-4'], evenIfHeld: true },
    ]);
    // An attempt after a reload sends the same again, by the second key.
    expect(desk.remembered[0]?.command?.override?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(desk.remembered[0]?.command?.override?.key).not.toBe(KEY);
  });

  it('keeps it where the librarian says so', async () => {
    const server = serverOf({ [LEND]: refused('CopyHeldForOther', HELD) });
    const carried = atDesk().carry({ command: lend });
    await openQuestion();
    await userEvent.keyboard('{Enter}');
    expect(await carried).toMatchObject({ headline: 'Not lent: it stays kept', details: [HELD] });
    expect(server.asked(LEND)).toHaveLength(1);
  });

  it('asks before a return is undone whose copy waits for somebody by now', async () => {
    const server = serverOf({
      [DETAILS]: borrow(),
      'POST Borrow/undo': ({ body }) =>
        (body as { evenIfHeld?: true }).evenIfHeld ? answered(done) : refused('ReturnedCopyHeld', HELD),
    });
    const line: DeskLine = {
      ...{ key: 'line', at: 0, mode: 'take-back', text: '7-1-4', tone: 'kept', headline: '', details: [] },
      ...{ book, person, borrowId: OTHER_ID, did: 'take-back' },
    };
    const desk = atDesk([line]);
    const carried = desk.carry({ kind: 'undo', text: 'line' });
    await userEvent.click(await screen.findByRole('button', { name: 'Undo anyway' }));
    expect((await carried)?.headline).toBe('Undone');
    expect(desk.marks).toContainEqual({ undone: true });
    expect(server.asked('POST Borrow/undo').map(({ body }) => body)).toEqual([
      { revision: 5 },
      { revision: 5, evenIfHeld: true },
    ]);
  });

  it('counts what a scan changed before anything is asked for again, unless it counted already', async () => {
    serverOf({
      [LEND]: answered({ ...done, id: OTHER_ID }),
      'POST Borrow/issue-books': answered({ ...done, id: OTHER_ID }),
      [TAKE_BACK]: answered({ ...done, keptFor: [] }),
      [DETAILS]: borrow(),
    });
    const client = new QueryClient();
    const key = ['Reader', 'panel', { id: ID }];
    client.setQueryData(key, { books: { have: 2, most: 10 } });
    const desk = atDesk([], client);
    const counts: unknown[] = [];
    for (const kind of ['lend', 'lend', 'issue', 'take-back'] as const) {
      await desk.carry({ command: { ...lend, kind, borrowId: OTHER_ID } });
      counts.push(client.getQueryData<{ books: { have: number } }>(key)?.books.have);
    }
    expect(counts).toEqual([3, 4, 4, 3]);
  });

  it('has the reader wait for what could not be lent', async () => {
    const server = serverOf({ 'POST Hold': answered({ id: OTHER_ID, place: 3, position: '1' }) });
    const line = await atDesk().carry({ kind: 'reserve', command: lend });
    expect(line).toMatchObject({ tone: 'good', headline: 'Reserved: 3rd in line' });
    expect(server.calls.map(({ query, body }) => [query, body])).toEqual([[{ userId: ID }, { bookId: 7 }]]);
  });
});
