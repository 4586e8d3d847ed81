import { screen, waitFor, within } from '@testing-library/react';
import type { BookSource, BookSources } from '#contracts/catalogue/book-sources.js';
import { sees, openDialog, openQuestion } from '../../../test-support/on-screen.js';
import { pasteInto } from '../../../test-support/paste-into.js';
import { asAdmin, show } from '../../../test-support/screen.js';
import { answered, refused, serverOf } from '../../../test-support/server.js';
import { BookSourcesPage } from './book-sources-page.js';

const id = (n: number) => `3f2504e0-4f89-41d3-9a0c-0305e82c330${n}`;
const SOURCES: BookSource[] = [
  { kind: 'open-library', id: id(1), name: 'Open Library', timeLimit: 3500, on: true },
  {
    ...{ kind: 'sru', id: id(2), name: 'National Library', timeLimit: 2000, on: false },
    ...{ address: 'https://sru.nl.example/db', index: 'bath.isbn', format: 'marcxml' },
  },
  {
    ...{ kind: 'oai-pmh', id: id(3), name: 'Union catalogue', timeLimit: 30_000, on: true, set: 'books' },
    ...{ address: 'https://oai.union.example/oai', format: 'marc21', takesNew: false },
  },
];
const harvest = {
  ...{ sourceId: id(3), beganAt: '2026-11-27T01:00:00.000Z', endedAt: '2026-11-27T01:01:00.000Z' },
  ...{ outcome: null, detail: '', records: 12, deleted: 2, importId: id(9), since: '2026-11-27' },
};
const VIEW: BookSources = {
  ...{ sources: SOURCES, version: 4, changedAt: '2026-11-26T10:00:00.000Z', changedBy: 'Anna Nowak' },
  harvests: [harvest],
};

let server: ReturnType<typeof serverOf>;
const shown = () =>
  show([{ path: '/admin/imports/sources', element: <BookSourcesPage /> }], '/admin/imports/sources');
const row = async (name: string) => {
  const heading = await screen.findByRole('heading', { level: 3, name });
  return within(heading.closest('li') as HTMLElement);
};
const sent = () => server.asked('PUT BookSource').at(-1)?.body as { version: number; sources: BookSource[] };
const namesSent = () => sent().sources.map(({ name }) => name);

asAdmin();

describe('the sources of books', () => {
  beforeEach(() => {
    server = serverOf({
      'GET BookSource': answered(VIEW),
      'PUT BookSource': ({ body }) =>
        answered({
          ...VIEW,
          version: 5,
          sources: (body as BookSources).sources.map((each, n) => ({ ...each, id: each.id ?? id(n + 4) })),
        }),
    });
  });

  it('are listed in their order, with who changed them and how a set was followed last', async () => {
    shown();
    const union = await row('Union catalogue');
    expect(union.getByText(/records: 12, of them deleted there: 2/)).toBeTruthy();
    const link = union.getByRole('link', { name: 'See the import' });
    expect(link.getAttribute('href')).toContain(`/admin/imports/${id(9)}`);
    await (await row('National Library')).findByText(/sru\.nl\.example · up to 2 s · switched off/);
    await sees(/Last changed by Anna Nowak/);
  });

  it.each([
    [{ endedAt: null }, /under way, 12 records so far/],
    [
      { outcome: 'unreachable' as const, importId: null, detail: 'ENOTFOUND' },
      /Union catalogue cannot be reached\. \(ENOTFOUND\)/,
    ],
  ])('say what is with a set: %j', async (more, text) => {
    server.answers['GET BookSource'] = answered({ ...VIEW, harvests: [{ ...harvest, ...more }] });
    shown();
    expect((await row('Union catalogue')).getByText(text)).toBeTruthy();
  });

  it('are moved by buttons that keep the focus, and taken away once that was asked', async () => {
    const { person, press } = shown();
    const down = (await row('Open Library')).getByRole('button', { name: /^Down/ });
    await person.click(down);
    await waitFor(() => expect(namesSent()).toEqual(['National Library', 'Open Library', 'Union catalogue']));
    expect(sent().version).toBe(4);
    await press('Remove', await row('Union catalogue'));
    const dialog = await openQuestion('Remove Union catalogue?');
    await press('Cancel', dialog);
    expect(server.asked('PUT BookSource')).toHaveLength(1);
    await press('Remove', await row('Union catalogue'));
    await press('Remove', await openQuestion());
    await waitFor(() => expect(namesSent()).toEqual(['National Library', 'Open Library']));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  });

  it('are added with what their kind needs, and checked field by field', async () => {
    const { person, press } = shown();
    await press('Add source');
    const dialog = await openDialog('Add source');
    await person.selectOptions(dialog.getByLabelText('Kind'), 'Set of records (OAI-PMH)');
    await pasteInto(person, dialog.getByLabelText('Address'), 'oai.example');
    await press('Add source', dialog);
    expect(dialog.getByText('Give it a name of at most 60 characters.')).toBeTruthy();
    expect(dialog.getByText(/Give an address that begins with https?/)).toBeTruthy();
    expect(server.asked('PUT BookSource')).toHaveLength(0);
    await pasteInto(person, dialog.getByLabelText('Name'), 'Other library');
    await person.clear(dialog.getByLabelText('Address'));
    await pasteInto(person, dialog.getByLabelText('Address'), 'https://oai.example/oai');
    await person.clear(dialog.getByLabelText('Time limit in seconds'));
    await pasteInto(person, dialog.getByLabelText('Time limit in seconds'), '12,5');
    await person.click(dialog.getByLabelText(/^Add new books by themselves/));
    await press('Add source', dialog);
    await waitFor(() =>
      expect(sent().sources.at(-1)).toEqual({
        ...{ kind: 'oai-pmh', id: null, name: 'Other library', address: 'https://oai.example/oai', on: true },
        ...{ format: 'marc21', set: '', timeLimit: 12_500, takesNew: true },
      }),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((await row('Other library')).getByRole('button', { name: 'Fetch now' })).toBeTruthy();
  });

  it('are edited where they are; that somebody else changed them meanwhile is said in the window', async () => {
    server.answers['PUT BookSource'] = refused('ConcurrentChange', 'Somebody else has changed this.');
    const { person, press } = shown();
    await press('Edit', await row('National Library'));
    const dialog = await openDialog('Edit source');
    expect(dialog.getByLabelText('Index of ISBNs')).toHaveProperty('value', 'bath.isbn');
    await person.click(dialog.getByLabelText('Ask this source'));
    await press('Save', dialog);
    expect(await dialog.findByText('Somebody else has changed this.')).toBeTruthy();
    expect(sent().sources[1]).toEqual({ ...SOURCES[1], on: true });
  });
});
