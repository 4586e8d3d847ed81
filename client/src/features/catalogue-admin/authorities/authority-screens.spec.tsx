import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ComponentType } from 'react';
import { openDialog, sees, textsOf } from '../../../../test-support/on-screen.js';
import { asAdmin, show } from '../../../../test-support/screen.js';
import { answered, pageOf, refused, serverOf } from '../../../../test-support/server.js';
import { pasteInto } from '../../../../test-support/paste-into.js';
import { AuthorsPage, GenresPage, PublishersPage } from './authority-screen.js';

interface Kind {
  Page: ComponentType;
  path: string;
  noun: string;
  heading: string;
  addButton: string;
  search: string;
  columns: string[];
  sorts: string[];
  /** The second choice of the sort, and what it sends. */
  otherSort: [label: string, value: string];
  authority: { id: number; version: number } & Record<string, unknown>;
  name: string;
  /** Labels, what is typed, and what is said while it is empty. */
  fields: [label: string, name: string, typed: string, required: string][];
  deleteRoute: string;
  question: string;
  toasts: { added: string; updated: string; deleted: string; notAdded: string; notUpdated: string };
}

const KINDS: Record<string, Kind> = {
  Author: {
    Page: AuthorsPage,
    path: '/admin/authors',
    noun: 'author',
    heading: 'Authors',
    addButton: 'Add author',
    search: 'Search authors by name',
    columns: ['ID', 'First name', 'Last name', 'Nationality', 'Actions'],
    sorts: ['First name', 'Last name', 'Nationality'],
    otherSort: ['Nationality', 'Nationality'],
    authority: {
      id: 7,
      version: 3,
      firstname: 'Olga',
      lastname: 'Tokarczuk',
      nationality: 'Polish',
      biography: 'Wrote Flights and many others.',
      otherNames: [],
      fullname: 'Olga Tokarczuk',
    },
    name: 'Olga Tokarczuk',
    fields: [
      ['First name', 'firstname', 'Stanisław', 'First name is required (2-50 characters).'],
      ['Last name', 'lastname', 'Lem', 'Last name is required (2-50 characters).'],
      ['Nationality', 'nationality', 'Polish', 'Nationality is required (2-50 characters).'],
      ['Biography', 'biography', 'Wrote Solaris.', 'Biography is required (10-1000 characters).'],
    ],
    deleteRoute: 'DELETE Author/7',
    question: 'Are you sure you want to delete this author?',
    toasts: {
      added: 'Author added',
      updated: 'Author updated',
      deleted: 'Author deleted',
      notAdded: 'Failed to add author',
      notUpdated: 'Failed to update author',
    },
  },
  Genre: {
    Page: GenresPage,
    path: '/admin/genres',
    noun: 'genre',
    heading: 'Genres',
    addButton: 'Add genre',
    search: 'Search genres by name',
    columns: ['ID', 'Name', 'Description', 'Actions'],
    sorts: ['Name A-Z', 'Name Z-A'],
    otherSort: ['Name Z-A', 'NameZ-A'],
    authority: { id: 7, version: 3, name: 'Poetry', description: 'Verse of all times.' },
    name: 'Poetry',
    fields: [
      ['Name', 'name', 'Essays', 'Name is required (2-50 characters).'],
      ['Description', 'description', 'Thoughts at length.', 'Description is required (10-500 characters).'],
    ],
    deleteRoute: 'DELETE Genre',
    question: 'Are you sure you want to delete this genre?',
    toasts: {
      added: 'Genre added',
      updated: 'Genre updated',
      deleted: 'Genre deleted',
      notAdded: 'Failed to add genre',
      notUpdated: 'Failed to update genre',
    },
  },
  Publisher: {
    Page: PublishersPage,
    path: '/admin/publishers',
    noun: 'publisher',
    heading: 'Publishers',
    addButton: 'Add publisher',
    search: 'Search publishers by name',
    columns: ['ID', 'Name', 'Address', 'Phone', 'Website', 'Actions'],
    sorts: ['Name A-Z', 'Name Z-A', 'Address A-Z', 'Address Z-A'],
    otherSort: ['Name Z-A', 'NameZ-A'],
    authority: {
      id: 7,
      version: 3,
      name: 'Znak',
      adress: 'Kościuszki 37, Kraków',
      phone: '+48 126-199-500',
      website: 'https://www.znak.com.pl',
    },
    name: 'Znak',
    fields: [
      ['Name', 'name', 'Iskry', 'Name is required (2-100 characters).'],
      ['Address', 'adress', 'Smolna 11, Warszawa', 'Address is required (5-200 characters).'],
      ['Phone', 'phone', '+48 228-279-415', 'Invalid phone number format (e.g., +48 123-456-789)'],
      ['Website', 'website', 'https://iskry.com.pl', 'Invalid website URL (e.g., https://www.example.com)'],
    ],
    deleteRoute: 'DELETE Publisher/7',
    question: 'Are you sure you want to delete this publisher?',
    toasts: {
      added: 'Publisher added',
      updated: 'Publisher updated',
      deleted: 'Publisher deleted',
      notAdded: 'Failed to add publisher',
      notUpdated: 'Failed to update publisher',
    },
  },
};

let server: ReturnType<typeof serverOf>;

type Person = ReturnType<typeof show>['person'];
const shown = ({ Page, path }: Kind, search = '') => show([{ path, element: <Page /> }], path + search);

asAdmin();

describe.each(Object.entries(KINDS))('the screen of each %s', (Noun, kind) => {
  const { noun, authority, name, fields, toasts } = kind;
  const list = `GET ${Noun}/paginated`;
  const dialog = () => within(screen.getByRole('dialog'));
  const openEdit = async (person: Person) =>
    person.click(await screen.findByRole('button', { name: `Edit: ${name}` }));
  const fill = async (person: Person) => {
    for (const [label, , typed] of fields) await pasteInto(person, dialog().getByLabelText(label), typed);
  };
  const typedBody = {
    ...Object.fromEntries(fields.map(([, field, typed]) => [field, typed])),
    ...(Noun === 'Author' && { otherNames: [] }),
  };

  beforeEach(() => {
    server = serverOf({ [list]: pageOf(authority) });
  });

  // spec 2.36, 2.37
  it('has the heading, button, search, sorts and columns of the specification', async () => {
    shown(kind);
    await sees(String(authority.id));
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(kind.heading);
    expect(screen.getByRole('button', { name: kind.addButton })).toBeTruthy();
    expect(screen.getByPlaceholderText(kind.search)).toBeTruthy();
    expect(textsOf(screen.getAllByRole('columnheader'))).toEqual(kind.columns);
    const sorts = within(screen.getByLabelText('Sort by')).getAllByRole('option');
    expect(textsOf(sorts)).toEqual(kind.sorts);
    expect(server.asked(list)[0]?.query).toMatchObject({ SearchTerm: '', pageNumber: '1', pageSize: '10' });
  });

  it('merges those that are selected, of several pages', async () => {
    const rows = [1, 2].map((id) => ({ ...authority, id }));
    server.answers[list] = ({ query }) =>
      answered({ items: [rows[Number(query.pageNumber) - 1]], totalCount: 20 });
    server.answers['GET Duplicate/compare'] = ({ query }) =>
      answered(
        query.ids
          ?.split(',')
          .map((id) => ({ id: Number(id), name, note: '', books: 3, copies: null, borrows: 0 })),
      );
    const { person, press } = shown(kind);
    await person.click(await screen.findByRole('checkbox', { name: `Select: ${name}` }));
    expect(screen.getByRole('button', { name: 'Merge…' })).toHaveProperty('disabled', true);
    await press('Next');
    expect(await screen.findByText('2', { selector: 'label' })).toBeTruthy();
    await person.click(await screen.findByRole('checkbox', { name: `Select: ${name}` }));
    await press('Merge…');
    const choice = await openDialog(`Merge ${noun}s`);
    expect(await choice.findAllByRole('radio')).toHaveLength(2);
    expect(server.asked('GET Duplicate/compare')[0]?.query).toMatchObject({ Kind: noun, ids: '1,2' });
  });

  it('searches, sorts and turns pages by its address', async () => {
    server.answers[list] = ({ query }) =>
      answered({ items: [{ ...authority, id: Number(query.pageNumber) }], totalCount: 25 });
    const { router, person, press } = shown(kind, '?page=2');
    await press('Page 3');
    await waitFor(() => expect(router.state.location.search).toBe('?page=3'));
    expect(screen.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true);
    await person.selectOptions(screen.getByLabelText('Sort by'), kind.otherSort[0]);
    await person.type(screen.getByPlaceholderText(kind.search), 'zna{Enter}');
    await waitFor(() =>
      expect(server.asked(list).at(-1)?.query).toMatchObject({
        SearchTerm: 'zna',
        SortBy: kind.otherSort[1],
        pageNumber: '1',
      }),
    );
    expect(router.state.location.search).toBe(`?q=zna&sort=${kind.otherSort[1]}`);
  });

  it('offers the next step where nothing is found', async () => {
    server.answers[list] = pageOf();
    const { router, press } = shown(kind, '?q=xyz');
    await press(`Show all ${noun}s`);
    expect(router.state.location.search).toBe('');
  });

  it('keeps every change of its address that comes before the first is drawn', async () => {
    server.answers[list] = pageOf();
    const { router } = shown(kind, '?q=xyz');
    const showAll = await screen.findByRole('button', { name: `Show all ${noun}s` });
    act(() => {
      fireEvent.click(showAll);
      fireEvent.change(screen.getByLabelText('Sort by'), { target: { value: kind.otherSort[1] } });
    });
    expect(router.state.location.search).toBe(`?sort=${kind.otherSort[1]}`);
  });

  it('goes to the last page there is when its own is gone', async () => {
    server.answers[list] = ({ query }) =>
      answered({ items: query.pageNumber === '3' ? [] : [authority], totalCount: 11 });
    const { router } = shown(kind, '?page=3');
    await waitFor(() => expect(router.state.location.search).toBe('?page=2'));
  });

  it('can be asked for again when it could not be loaded', async () => {
    server.answers[list] = refused('DatabaseUnavailable', 'The database does not answer.');
    const { press } = shown(kind);
    await sees('The database does not answer.');
    server.answers[list] = pageOf(authority);
    await press('Retry');
    expect(await screen.findByRole('button', { name: `Edit: ${name}` })).toBeTruthy();
  });

  // spec 2.38
  it('says what is required, each once it is touched, and saves nothing before', async () => {
    const { person, press } = shown(kind);
    await press(kind.addButton);
    const save = dialog().getByRole('button', { name: `Add ${noun}` });
    expect(save).toHaveProperty('disabled', true);
    for (const [label, , , required] of fields) {
      expect(dialog().queryByText(required)).toBeNull();
      await person.click(dialog().getByLabelText(label));
      await person.tab();
      expect(await dialog().findByText(required)).toBeTruthy();
    }
    await person.type(dialog().getByLabelText(fields[0]?.[0] ?? ''), '   {Enter}');
    expect(save).toHaveProperty('disabled', true);
    expect(server.calls.every(({ call }) => call.startsWith('GET'))).toBe(true);
  });

  // spec 4.9
  it('adds one, once: the dialog closes, the list is asked for again, and it is said', async () => {
    server.answers[`POST ${Noun}/add`] = answered({ ...authority, ...typedBody, id: 8, version: 1 });
    const { person, press } = shown(kind);
    await press(kind.addButton);
    expect(dialog().getByRole('heading').textContent).toBe(`Add ${noun}`);
    await fill(person);
    const before = server.asked(list).length;
    await person.dblClick(dialog().getByRole('button', { name: `Add ${noun}` }));
    await sees(toasts.added);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(server.asked(`POST ${Noun}/add`).map(({ body }) => body)).toEqual([typedBody]);
    await waitFor(() => expect(server.asked(list).length).toBeGreaterThan(before));
  });

  // spec 5.13
  it('keeps what was typed when adding is refused, with the reason under its field', async () => {
    const message = fields[0]?.[3] ?? '';
    server.answers[`POST ${Noun}/add`] = refused('ValidationFailed', 'Please check the fields.', {
      [fields[0]?.[1] ?? '']: [message],
    });
    const { person, press } = shown(kind);
    await press(kind.addButton);
    await fill(person);
    await press(`Add ${noun}`, dialog());
    await sees(toasts.notAdded);
    expect(dialog().getByText(message)).toBeTruthy();
    for (const [label, , typed] of fields)
      expect(dialog().getByLabelText(label)).toHaveProperty('value', typed);
    expect(document.activeElement).toBe(dialog().getByLabelText(fields[0]?.[0] ?? ''));
  });

  // spec 8.16
  it('sends the version it was opened with, and says when it is updated', async () => {
    server.answers[`PUT ${Noun}/7`] = answered({ ...authority, version: 4 });
    const { person, press } = shown(kind);
    await openEdit(person);
    expect(dialog().getByRole('heading').textContent).toBe(`Edit ${noun}`);
    const [label = '', field = '', typed = ''] = fields[0] ?? [];
    await person.clear(dialog().getByLabelText(label));
    await person.type(dialog().getByLabelText(label), typed);
    await press(`Edit ${noun}`, dialog());
    await sees(toasts.updated);
    expect(server.asked(`PUT ${Noun}/7`)[0]?.body).toMatchObject({ version: 3, [field]: typed });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('brings in what somebody else changed meanwhile, and keeps what was changed here', async () => {
    const [first, second] = fields;
    const newer = { ...authority, version: 9, [second?.[1] ?? '']: 'Changed elsewhere' };
    server.answers[`PUT ${Noun}/7`] = refused('EditedMeanwhile', 'Somebody else has changed it.');
    server.answers[`GET ${Noun}/7`] = answered(newer);
    const { person, press } = shown(kind);
    await openEdit(person);
    await person.clear(dialog().getByLabelText(first?.[0] ?? ''));
    await person.type(dialog().getByLabelText(first?.[0] ?? ''), 'Mine');
    await press(`Edit ${noun}`, dialog());
    await sees(toasts.notUpdated);
    expect(dialog().getByText(/Somebody else has changed it\./)).toBeTruthy();
    await press('Load the newer version', dialog());
    await waitFor(() =>
      expect(dialog().getByLabelText(second?.[0] ?? '')).toHaveProperty('value', 'Changed elsewhere'),
    );
    expect(dialog().getByLabelText(first?.[0] ?? '')).toHaveProperty('value', 'Mine');
    server.answers[`PUT ${Noun}/7`] = answered({ ...newer, version: 10 });
    await press(`Edit ${noun}`, dialog());
    await sees(toasts.updated);
    expect(server.asked(`PUT ${Noun}/7`).at(-1)?.body).toMatchObject({
      version: 9,
      [first?.[1] ?? '']: 'Mine',
    });
  });

  // spec 2.38
  it.each(['Cancel', 'Escape'])('closes with nothing by %s, and gives the focus back', async (way) => {
    const { person, press } = shown(kind);
    await openEdit(person);
    await person.type(dialog().getByLabelText(fields[0]?.[0] ?? ''), 'x');
    if (way === 'Cancel') await press('Cancel', dialog());
    else await person.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: `Edit: ${name}` })),
    );
    expect(server.calls.every(({ call }) => call.startsWith('GET'))).toBe(true);
  });

  // spec 5.16, 8.20
  it('deletes nothing where the question is declined', async () => {
    const { press } = shown(kind);
    await press(`Delete: ${name}`);
    const question = within(screen.getByRole('alertdialog', { name: kind.question }));
    expect(question.getByText(name)).toBeTruthy();
    await press('Cancel', question);
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(server.calls.every(({ call }) => call.startsWith('GET'))).toBe(true);
  });

  // spec 8.16
  it('deletes, says so, and asks for the list again', async () => {
    server.answers[kind.deleteRoute] = answered({ deleted: 1 });
    const { press } = shown(kind);
    await press(`Delete: ${name}`);
    server.answers[list] = pageOf();
    await press('Delete');
    await sees(toasts.deleted, `No ${noun}s yet`);
    if (Noun === 'Genre') expect(server.asked(kind.deleteRoute)[0]?.query).toEqual({ id: '7' });
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('region', { name: kind.heading })),
    );
  });

  // spec 8.16
  it('shows why deleting was refused, where it was asked', async () => {
    server.answers[kind.deleteRoute] = refused('InUse', '2 books have it. Nothing was deleted.');
    const { press } = shown(kind);
    await press(`Delete: ${name}`);
    await press('Delete');
    const question = await screen.findByRole('alertdialog');
    expect(await within(question).findByText('2 books have it. Nothing was deleted.')).toBeTruthy();
    expect(screen.queryByText(toasts.deleted)).toBeNull();
  });
});
