import { act, screen, waitFor } from '@testing-library/react';
import type { ComponentType } from 'react';
import { openDialog, openQuestion, sees, textsOf } from '../../../../test-support/on-screen.js';
import { pasteInto } from '../../../../test-support/paste-into.js';
import { asAdmin, showPage } from '../../../../test-support/screen.js';
import { answered, pageOf, refused, type Answers } from '../../../../test-support/server.js';
import { authorView, publisherView } from '../../../../test-support/views.js';
import { AuthorsPage, GenresPage, PublishersPage } from './authority-screen.js';

interface Kind {
  Page: ComponentType;
  columns: string[];
  sorts: string[];
  authority: { id: number; version: number } & Record<string, unknown>;
  name: string;
  /** Labels, what is typed, and what is said while it is empty. */
  fields: [label: string, name: string, typed: string, required: string][];
  deleteRoute: string;
}

const KINDS = {
  Author: {
    Page: AuthorsPage,
    columns: ['ID', 'First name', 'Last name', 'Nationality', 'Actions'],
    sorts: ['First name', 'Last name', 'Nationality'],
    authority: { ...authorView(7, 'Olga', 'Tokarczuk'), version: 3 },
    name: 'Olga Tokarczuk',
    fields: [
      ['First name', 'firstname', 'Stanisław', 'First name is required (2-50 characters).'],
      ['Last name', 'lastname', 'Lem', 'Last name is required (2-50 characters).'],
      ['Nationality', 'nationality', 'Polish', 'Nationality is required (2-50 characters).'],
      ['Biography', 'biography', 'Wrote Solaris.', 'Biography is required (10-1000 characters).'],
    ],
    deleteRoute: 'DELETE Author/7',
  },
  Genre: {
    Page: GenresPage,
    columns: ['ID', 'Name', 'Description', 'Actions'],
    sorts: ['Name A-Z', 'Name Z-A'],
    authority: { id: 7, version: 3, name: 'Poetry', description: 'Verse of all times.' },
    name: 'Poetry',
    fields: [
      ['Name', 'name', 'Essays', 'Name is required (2-50 characters).'],
      ['Description', 'description', 'Thoughts at length.', 'Description is required (10-500 characters).'],
    ],
    deleteRoute: 'DELETE Genre',
  },
  Publisher: {
    Page: PublishersPage,
    columns: ['ID', 'Name', 'Address', 'Phone', 'Website', 'Actions'],
    sorts: ['Name A-Z', 'Name Z-A', 'Address A-Z', 'Address Z-A'],
    authority: {
      ...{ ...publisherView(7, 'Znak'), version: 3, adress: 'Kościuszki 37, Kraków' },
      ...{ phone: '+48 126-199-500', website: 'https://www.znak.com.pl' },
    },
    name: 'Znak',
    fields: [
      ['Name', 'name', 'Iskry', 'Name is required (2-100 characters).'],
      ['Address', 'adress', 'Smolna 11, Warszawa', 'Address is required (5-200 characters).'],
      ['Phone', 'phone', '+48 228-279-415', 'Invalid phone number format (e.g., +48 123-456-789)'],
      ['Website', 'website', 'https://iskry.com.pl', 'Invalid website URL (e.g., https://www.example.com)'],
    ],
    deleteRoute: 'DELETE Publisher/7',
  },
} satisfies Record<string, Kind>;

asAdmin();

/** The screen of a kind, and its dialog. */
function screenOf(Noun: keyof typeof KINDS) {
  const kind: Kind = KINDS[Noun];
  const noun = Noun.toLowerCase();
  const list = `GET ${Noun}/paginated`;
  const shown = (answers: Answers = {}, search = '') =>
    showPage(<kind.Page />, `/admin/${noun}s${search}`, { [list]: pageOf(kind.authority), ...answers });
  const opened = async (button: string, answers: Answers = {}) => {
    const page = shown(answers);
    await page.press(button);
    const dialog = await openDialog();
    const field = (label: string) => dialog.getByLabelText<HTMLInputElement>(label);
    const retype = async (label: string, text: string) => {
      await page.person.clear(field(label));
      await pasteInto(page.person, field(label), text);
    };
    return { ...page, dialog, field, retype };
  };
  return { ...kind, noun, list, shown, opened };
}

describe.each(['Author', 'Genre', 'Publisher'] as const)('the screen of each %s', (Noun) => {
  const { noun, list, authority, name, fields, shown, opened, ...kind } = screenOf(Noun);
  const [first, second] = fields;
  const typedBody = {
    ...Object.fromEntries(fields.map(([, field, typed]) => [field, typed])),
    ...(Noun === 'Author' && { otherNames: [] }),
  };

  // spec 2.36, 2.37
  it('has the heading, button, search, sorts and columns of the specification', async () => {
    const { server } = shown();
    await sees(String(authority.id));
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(`${Noun}s`);
    expect(screen.getByRole('button', { name: `Add ${noun}` })).toBeTruthy();
    expect(screen.getByPlaceholderText(`Search ${noun}s by name`)).toBeTruthy();
    expect(textsOf(screen.getAllByRole('columnheader'))).toEqual(kind.columns);
    expect(textsOf(screen.getByLabelText('Sort by').children)).toEqual(kind.sorts);
    expect(server.asked(list)[0]?.query).toMatchObject({ SearchTerm: '', pageNumber: '1', pageSize: '10' });
  });

  // spec 2.38
  it('says what is required, each once it is touched, and saves nothing before', async () => {
    const { server, person, dialog, field } = await opened(`Add ${noun}`);
    const save = dialog.getByRole('button', { name: `Add ${noun}` });
    expect(save).toHaveProperty('disabled', true);
    for (const [label, , , required] of fields) {
      expect(dialog.queryByText(required)).toBeNull();
      await person.click(field(label));
      await person.tab();
      expect(await dialog.findByText(required)).toBeTruthy();
    }
    await person.type(field(first?.[0] ?? ''), '   {Enter}');
    expect(save).toHaveProperty('disabled', true);
    expect(server.calls.every(({ call }) => call.startsWith('GET'))).toBe(true);
  });

  // spec 4.9
  it('adds one, once: the dialog closes, the list is asked for again, and it is said', async () => {
    const added = answered({ ...authority, ...typedBody, id: 8, version: 1 });
    const { server, person, dialog, retype } = await opened(`Add ${noun}`, { [`POST ${Noun}/add`]: added });
    expect(dialog.getByRole('heading').textContent).toBe(`Add ${noun}`);
    for (const [label, , typed] of fields) await retype(label, typed);
    const before = server.asked(list).length;
    const save = dialog.getByRole('button', { name: `Add ${noun}` });
    await waitFor(() => expect(save).toHaveProperty('disabled', false));
    await person.dblClick(save);
    await sees(`${Noun} added`);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(server.asked(`POST ${Noun}/add`).map(({ body }) => body)).toEqual([typedBody]);
    await waitFor(() => expect(server.asked(list).length).toBeGreaterThan(before));
  });

  // spec 8.16
  it('sends the version it was opened with, and brings in what somebody else changed meanwhile', async () => {
    const [mine = '', theirs = ''] = [first?.[0], second?.[0]];
    const newer = { ...authority, version: 9, [second?.[1] ?? '']: 'Changed elsewhere' };
    const change = `PUT ${Noun}/7`;
    const { server, press, dialog, field, retype } = await opened(`Edit: ${name}`, {
      [change]: refused('EditedMeanwhile', 'Somebody else has changed it.'),
      [`GET ${Noun}/7`]: answered(newer),
    });
    expect(dialog.getByRole('heading').textContent).toBe(`Edit ${noun}`);
    await retype(mine, 'Mine');
    await press(`Edit ${noun}`, dialog);
    await sees(`Failed to update ${noun}`, /Somebody else has changed it\./);
    await press('Load the newer version', dialog);
    await waitFor(() => expect(field(theirs).value).toBe('Changed elsewhere'));
    expect(field(mine).value).toBe('Mine');
    server.answers[change] = answered({ ...newer, version: 10 });
    await press(`Edit ${noun}`, dialog);
    await sees(`${Noun} updated`);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(server.asked(change).map(({ body }) => body)).toMatchObject(
      [3, 9].map((version) => ({ version, [first?.[1] ?? '']: 'Mine' })),
    );
  });

  // spec 5.16, 8.16, 8.20
  it('deletes nothing where that is declined or refused, which is said there, and else says so', async () => {
    const { server, press } = shown({
      [kind.deleteRoute]: refused('InUse', '2 books have it. Nothing was deleted.'),
    });
    const ask = async () => {
      await press(`Delete: ${name}`);
      return openQuestion(`Are you sure you want to delete this ${noun}?`);
    };
    const declined = await ask();
    expect(declined.getByText(name)).toBeTruthy();
    await press('Cancel', declined);
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(server.calls.every(({ call }) => call.startsWith('GET'))).toBe(true);
    const question = await ask();
    await press('Delete', question);
    await question.findByText('2 books have it. Nothing was deleted.');
    expect(screen.queryByText(`${Noun} deleted`)).toBeNull();
    server.answers[kind.deleteRoute] = answered({ deleted: 1 });
    server.answers[list] = pageOf();
    await press('Delete', question);
    await sees(`${Noun} deleted`, `No ${noun}s yet`);
    if (Noun === 'Genre') expect(server.asked(kind.deleteRoute)[0]?.query).toEqual({ id: '7' });
    const region = screen.getByRole('region', { name: `${Noun}s` });
    await waitFor(() => expect(document.activeElement).toBe(region));
  });

  it('merges those that are selected, of several pages', async () => {
    const rows = [1, 2].map((id) => ({ ...authority, id }));
    const compared = (id: string) => ({ id: Number(id), name, note: '', books: 3, copies: null, borrows: 0 });
    const { server, person, press } = shown({
      [list]: ({ query }) => answered({ items: [rows[Number(query.pageNumber) - 1]], totalCount: 20 }),
      'GET Duplicate/compare': ({ query }) => answered(query.ids?.split(',').map(compared)),
    });
    const select = async () => person.click(await screen.findByRole('checkbox', { name: `Select: ${name}` }));
    await select();
    expect(screen.getByRole('button', { name: 'Merge…' })).toHaveProperty('disabled', true);
    await press('Next');
    await screen.findByText('2', { selector: 'label' });
    await select();
    await press('Merge…');
    const choice = await openDialog(`Merge ${noun}s`);
    expect(await choice.findAllByRole('radio')).toHaveLength(2);
    expect(server.asked('GET Duplicate/compare')[0]?.query).toMatchObject({ Kind: noun, ids: '1,2' });
  });
});

/** All three are one screen: what follows is of none of them alone. */
describe('a screen of authorities', () => {
  const { list, authority, name, fields, shown, opened } = screenOf('Genre');
  const [[label]] = fields as [Kind['fields'][number]];

  it('searches, sorts and turns pages by its address', async () => {
    const { server, router, person, press } = shown(
      {
        [list]: ({ query }) =>
          answered({ items: [{ ...authority, id: Number(query.pageNumber) }], totalCount: 25 }),
      },
      '?page=2',
    );
    await press('Page 3');
    await waitFor(() => expect(router.state.location.search).toBe('?page=3'));
    expect(screen.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true);
    await person.selectOptions(screen.getByLabelText('Sort by'), 'Name Z-A');
    await person.type(screen.getByPlaceholderText('Search genres by name'), 'poe{Enter}');
    const query = { SearchTerm: 'poe', SortBy: 'NameZ-A', pageNumber: '1' };
    await waitFor(() => expect(server.asked(list).at(-1)?.query).toMatchObject(query));
    expect(router.state.location.search).toBe('?q=poe&sort=NameZ-A');
  });

  it('offers the next step where nothing is found, and goes to the last page there is', async () => {
    const { server, router, press } = shown({ [list]: pageOf() }, '?q=xyz');
    await press('Show all genres');
    expect(router.state.location.search).toBe('');
    server.answers[list] = ({ query }) =>
      answered({ items: query.pageNumber === '3' ? [] : [authority], totalCount: 11 });
    await act(() => router.navigate('/admin/genres?page=3'));
    await waitFor(() => expect(router.state.location.search).toBe('?page=2'));
  });

  // spec 5.13
  it('keeps what was typed when adding is refused, with the reason under its field', async () => {
    const { press, dialog, field, retype } = await opened('Add genre', {
      'POST Genre/add': refused('ValidationFailed', 'Please check the fields.', { name: ['It is taken.'] }),
    });
    for (const [label, , typed] of fields) await retype(label, typed);
    await press('Add genre', dialog);
    await sees('Failed to add genre', 'It is taken.');
    for (const [label, , typed] of fields) expect(field(label).value).toBe(typed);
    expect(document.activeElement).toBe(field(label));
  });

  // spec 2.38
  it.each(['Cancel', 'Escape'])('closes with nothing by %s, and gives the focus back', async (way) => {
    const { server, person, press, dialog, field } = await opened(`Edit: ${name}`);
    await person.type(field(label), 'x');
    if (way === 'Cancel') await press('Cancel', dialog);
    else await person.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    const edit = screen.getByRole('button', { name: `Edit: ${name}` });
    await waitFor(() => expect(document.activeElement).toBe(edit));
    expect(server.calls.every(({ call }) => call.startsWith('GET'))).toBe(true);
  });
});
