import { screen, waitFor } from '@testing-library/react';
import type { Candidate, Duplicate } from '#contracts/catalogue/duplicate.js';
import type { Merge } from '#contracts/catalogue/merge.js';
import { sees, openDialog } from '../../../../test-support/on-screen.js';
import { asAdmin, showPage } from '../../../../test-support/screen.js';
import { answered, pageOf, refused, type Answers } from '../../../../test-support/server.js';
import { DuplicatesPage } from './duplicates-page.js';

const AT = '2026-11-20T10:00:00.000Z';
const ID = '0b8f9f8e-3a51-4f0e-9d0f-6e0d0c1a2b3c';
const candidate = (id: number, name: string, more: Partial<Candidate> = {}): Candidate => ({
  ...{ id, name, note: '', books: 1, copies: null, borrows: 0 },
  ...more,
});
const ROWLINGS = [
  candidate(4, 'J.K. Rowling', { books: 2 }),
  candidate(9, 'J. K. Rowling', { books: 7, borrows: 1204, note: 'British' }),
  candidate(12, 'Rowling, J. K.'),
];
const duplicate = (members: Candidate[], more: Partial<Duplicate> = {}): Duplicate => ({
  ...{ reason: 'order', sure: true, members },
  ...more,
});
const merge = (more: Partial<Merge> = {}): Merge => ({
  ...{ id: ID, kind: 'author', kept: { id: 9, name: 'J. K. Rowling' }, books: 3 },
  merged: [{ id: 4, name: 'J.K. Rowling' }],
  ...{ mergedBy: 'Anna Nowak', mergedAt: AT, undoneBy: null, undoneAt: null },
  ...more,
});
const page = (items: Duplicate[], next: string | null = null) => answered({ items, next });

const UNDO = `POST Merge/${ID}/undo`;

const shown = (answers: Answers, search = '') =>
  showPage(<DuplicatesPage />, `/admin/duplicates${search}`, answers);

describe('proposed duplicates', () => {
  asAdmin();

  it('merge into the one that most is known of, unless another is chosen, and are undone from the toast', async () => {
    const { server, person, press } = shown({
      'GET Duplicate': page([duplicate(ROWLINGS)]),
      'GET Duplicate/compare': answered(ROWLINGS),
      'POST Author/merge': refused('NotFound', 'The author 4 is not in the catalogue. Nothing was merged.'),
      [UNDO]: answered(merge({ undoneAt: AT, undoneBy: 'Anna Nowak' })),
    });
    await press(/^Merge: J\.K\. Rowling/);
    const dialog = await openDialog('Merge authors');
    const known = { name: /J\. K\. Rowling.*British.*7 books.*1,204 borrows/ };
    const stays = await dialog.findByRole('radio', known);
    expect(stays).toHaveProperty('checked', true);
    await person.click(dialog.getByRole('checkbox', { name: 'Merge: Rowling, J. K., 12' }));
    await person.click(dialog.getByRole('radio', { name: /^J\.K\. Rowling/ }));
    await press('Merge 1 into J.K. Rowling', dialog);
    // It is refused where it was asked for.
    expect((await dialog.findByRole('alert')).textContent).toContain('Nothing was merged.');
    server.answers['POST Author/merge'] = answered(merge());
    await person.click(stays);
    await press('Merge 1 into J. K. Rowling', dialog);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const [first, second] = server.asked('POST Author/merge');
    expect(first?.body).toEqual({ keep: 4, merge: [9] });
    expect(second?.body).toEqual({ keep: 9, merge: [4] });
    expect(second?.headers['idempotency-key']).toBeTruthy();
    await sees('Merged into J. K. Rowling');
    await press('Undo merge');
    await sees('Merge undone');
    expect(server.asked(UNDO)).toHaveLength(1);
    expect(server.asked('GET Duplicate').length).toBeGreaterThanOrEqual(3);
  });

  it('are not the same, which is taken back from the toast', async () => {
    const { server, press } = shown({
      'GET Duplicate': page([duplicate(ROWLINGS.slice(0, 2))]),
      'POST Duplicate/not-the-same': answered({ pairs: 1 }),
      'DELETE Duplicate/not-the-same': answered({ pairs: 1 }),
    });
    await press(/^Not the same: /);
    await sees('Noted: not the same');
    expect(server.asked('POST Duplicate/not-the-same')[0]?.body).toEqual({ kind: 'author', ids: [4, 9] });
    await press('Undo');
    const query = { Kind: 'author', one: '4', other: '9' };
    await waitFor(() => expect(server.asked('DELETE Duplicate/not-the-same')).toMatchObject([{ query }]));
  });

  it('are walked through page by page, and there may be none', async () => {
    const poems = duplicate([candidate(1, 'Poem'), candidate(2, 'Poems')], { reason: 'plural' });
    const { server, press } = shown(
      { 'GET Duplicate': ({ query }) => (query['After'] === 'poetry' ? page([]) : page([poems], 'poetry')) },
      '?part=genres',
    );
    await sees('Singular and plural');
    await press('Next');
    await sees('No more proposals');
    await press('Previous');
    await sees('Singular and plural');
    expect(server.asked('GET Duplicate')[0]?.query).toEqual({ Kind: 'genre', pageSize: '20' });
  });

  it('lists what was merged, by whom, and undoes what stands', async () => {
    const undone = merge({ id: ID.replace('0b', '1b'), undoneAt: AT, undoneBy: 'Jan Kos' });
    const sentence = 'J. K. Rowling was itself merged into Robert since.';
    const { server, press } = shown(
      { 'GET Merge': pageOf(merge(), undone), [UNDO]: refused('UndoBlocked', sentence) },
      '?part=merges',
    );
    await sees(/by Jan Kos/);
    await press('Undo merge: J.K. Rowling');
    await sees(sentence);
    expect(server.asked(UNDO)).toHaveLength(1);
  });
});
