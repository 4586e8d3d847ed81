import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { RoleChange } from '#contracts/accounts/readers.js';
import type { Reader } from '#contracts/accounts/reader.js';
import { openDialog, openQuestion, sees, textsOf } from '../../../test-support/on-screen.js';
import { asAdmin, show } from '../../../test-support/screen.js';
import { type Answers, problem, serverOf } from '../../../test-support/server.js';
import { ID, OTHER_ID, readerOf } from '../../../test-support/views.js';
import { session } from '../../lib/session.js';
import { UsersPage } from './users-page.js';

const LIST = 'GET User';
const CHANGES = 'GET User/role-changes';
const SAVE_ROLES = 'PUT User/roles';
const END = 'POST User/end-sessions';

const maria = readerOf({
  id: OTHER_ID,
  userName: 'maria',
  email: 'maria@example.org',
  firstname: 'Maria',
  lastname: 'Kowalska',
  fullname: 'Maria Kowalska',
});
const page = (...items: Reader[]) => [200, { items, totalCount: items.length }] as const;

function shown(answers: Answers = {}, at = '/admin/users') {
  const server = serverOf({
    'GET PermissionSet': [200, []],
    [LIST]: page(readerOf({ roles: ['Reader', 'Admin'] }), maria),
    [CHANGES]: [200, []],
    ...answers,
  });
  return { server, ...show([{ path: '/admin/users', element: <UsersPage /> }], at) };
}

async function opened(answers: Answers = {}, name = 'Maria Kowalska') {
  const { person, press, ...rest } = shown(answers);
  await press(new RegExp(name));
  await press(`Edit ${name}`);
  return { person, ...rest, dialog: await openDialog() };
}

describe('the users', () => {
  asAdmin();

  // spec 2.40
  it('are an accordion of one open reader with every field of the specification', async () => {
    const { person, press } = shown();
    const trigger = await screen.findByRole('button', { name: /Maria Kowalska/ });
    expect(screen.queryByText('Postal code')).toBeNull();
    await person.click(trigger);
    const panel = within(screen.getByRole('region', { name: /Maria Kowalska/ }));
    for (const [name, value] of [
      ['Username', 'maria'],
      ['Email', 'maria@example.org'],
      ['First name', 'Maria'],
      ['Last name', 'Kowalska'],
      ['Date of birth', '1994-03-08'],
      ['User since', '2026-01-15'],
      ['Gender', 'Female'],
      ['Country', 'Poland'],
      ['City', 'Kraków'],
      ['Address', 'ul. Piękna 12'],
      ['Postal code', '30-001'],
      ['Kind of reader', 'Adult'],
    ] as const)
      expect(panel.getByText(name).nextElementSibling?.textContent).toBe(value);
    await press(/Anna Nowak/);
    expect(trigger.getAttribute('aria-expanded')).toBe('false');
    await person.click(screen.getByRole('button', { name: /Anna Nowak/, expanded: true }));
    expect(screen.queryByText('Postal code')).toBeNull();
  });

  // spec 9.2
  it('are asked for as the address says, ten at a time', async () => {
    const { server } = shown({}, '/admin/users?q=kow&sort=Name&page=2');
    await screen.findByRole('button', { name: /Maria Kowalska/ });
    expect(server.asked(LIST)[0]?.query).toEqual({
      SortBy: 'Name',
      SearchTerm: 'kow',
      pageNumber: '2',
      pageSize: '10',
    });
    expect(server.asked(LIST)[0]?.headers.Authorization).toBe('Bearer the-token');
  });

  it('are of one kind where that is chosen, and all again', async () => {
    const { server, person, press, address } = shown({}, '/admin/users?page=2');
    await screen.findByRole('button', { name: /Maria Kowalska/ });
    server.answers[LIST] = page();
    await person.selectOptions(screen.getByLabelText('Kind'), 'Child');
    expect(address()).toBe('/admin/users?kind=child');
    await sees('Only those of the kind “Child” are shown.');
    expect(server.asked(LIST).at(-1)?.query).toMatchObject({ Kind: 'child', pageNumber: '1' });
    await press('Show all readers');
    expect(address()).toBe('/admin/users');
    expect(server.asked(LIST)[0]?.query).not.toHaveProperty('Kind');
  });

  it('are searched, sorted and paged in the address', async () => {
    const { server, person, press, address } = shown({
      [LIST]: [200, { items: [readerOf(), maria], totalCount: 21 }],
    });
    await screen.findByRole('button', { name: /Maria Kowalska/ });
    const search = screen.getByPlaceholderText('Search by name, username or email');
    await person.type(search, 'maria');
    await waitFor(() => expect(address()).toBe('/admin/users?q=maria'));
    await waitFor(() => expect(server.asked(LIST).at(-1)?.query).toMatchObject({ SearchTerm: 'maria' }));
    await person.selectOptions(screen.getByLabelText('Sort by'), 'Name');
    expect(address()).toBe('/admin/users?q=maria&sort=Name');
    await press('Page 3');
    expect(address()).toBe('/admin/users?q=maria&sort=Name&page=3');
    await waitFor(() =>
      expect(server.asked(LIST).at(-1)?.query).toMatchObject({ SearchTerm: 'maria', pageNumber: '3' }),
    );
    expect(screen.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true);
  });

  it('keep every change of the address that comes before the first is drawn', async () => {
    const { address } = shown({ [LIST]: page() }, '/admin/users?q=xyz');
    const showAll = await screen.findByRole('button', { name: 'Show all readers' });
    act(() => {
      fireEvent.click(showAll);
      fireEvent.change(screen.getByLabelText('Sort by'), { target: { value: 'Name' } });
    });
    expect(address()).toBe('/admin/users?sort=Name');
  });

  it('say when nobody matches, and when they could not be fetched', async () => {
    const { person, press, server, address } = shown({ [LIST]: page() }, '/admin/users?q=xyz');
    await press('Show all readers');
    expect(address()).toBe('/admin/users');
    server.answers[LIST] = problem(503, 'DatabaseUnavailable', 'The library is away for a moment.');
    await person.type(screen.getByRole('searchbox'), 'a{Enter}');
    await sees('The library is away for a moment.');
    server.answers[LIST] = page(maria);
    await press('Retry');
    expect(await screen.findByRole('button', { name: /Maria Kowalska/ })).toBeTruthy();
  });

  // spec 2.41
  it('are edited in the reader dialog', async () => {
    const { server, person, press, dialog } = await opened({ 'PUT User': [200, maria] });
    await person.clear(dialog.getByLabelText('City'));
    await person.type(dialog.getByLabelText('City'), 'Gdynia');
    await person.selectOptions(dialog.getByLabelText('Kind of reader'), 'Child');
    await press('Save', dialog);
    await sees('Reader saved');
    expect(server.asked('PUT User')).toMatchObject([
      { query: { id: OTHER_ID }, body: { city: 'Gdynia', kind: 'child' } },
    ]);
    await waitFor(() => expect(server.asked(LIST)).toHaveLength(2));
  });

  it('are signed out everywhere when that is confirmed', async () => {
    const { server, press, dialog } = await opened({
      [END]: problem(503, 'DatabaseUnavailable', 'Try again.'),
    });
    const ask = async (answer: string) => {
      await press('Sign out everywhere', dialog);
      const question = await screen.findByRole('alertdialog', {
        name: 'Sign Maria Kowalska out everywhere?',
      });
      await press(answer, within(question));
    };
    await ask('Cancel');
    expect(server.asked(END)).toHaveLength(0);
    await ask('Sign out');
    expect((await dialog.findByRole('alert')).textContent).toBe('Try again.');
    server.answers[END] = [200, { message: 'Signed out on every device.' }];
    await ask('Sign out');
    await sees('Signed out on every device.');
    expect(dialog.queryByRole('alert')).toBeNull();
    expect(server.asked(END)).toMatchObject([{ query: { id: OTHER_ID } }, { query: { id: OTHER_ID } }]);
    expect(session.current()).not.toBeNull();
  });
});

describe('the roles of a user', () => {
  asAdmin();

  it('are given at once; everybody stays a reader', async () => {
    const given = { ...maria, roles: ['Reader', 'Auditor'] as const, version: 4 };
    const { server, person, press, dialog } = await opened({
      [SAVE_ROLES]: [200, given],
      'PUT User': [200, given],
    });
    expect(dialog.getByLabelText(/^Reader/)).toMatchObject({ checked: true, disabled: true });
    const save = dialog.getByRole('button', { name: 'Save roles' });
    expect(save).toHaveProperty('disabled', true);
    await person.click(dialog.getByLabelText(/^Auditor/));
    server.answers[LIST] = [200, { items: [given], totalCount: 1 }];
    await person.click(save);
    await sees('Roles saved');
    expect(server.asked(SAVE_ROLES)).toMatchObject([
      { query: { id: OTHER_ID }, body: { roles: ['Reader', 'Auditor'] } },
    ]);
    await waitFor(() => expect(save).toHaveProperty('disabled', true));
    expect(dialog.getByLabelText(/^Auditor/)).toHaveProperty('checked', true);
    // The version that the roles brought is no conflict for the fields.
    await press('Save', dialog);
    await waitFor(() => expect(server.asked('PUT User')[0]?.body).toMatchObject({ version: 4 }));
  });

  it('are recorded, with who gave and who took', async () => {
    const changes: RoleChange[] = [
      {
        at: '2026-11-20T12:00:00Z',
        by: { id: ID, fullname: 'Maria Kowalska' },
        set: null,
        given: ['Auditor'],
        taken: [],
      },
      {
        at: '2026-11-02T12:00:00Z',
        by: { id: ID, fullname: 'Jan Lis' },
        set: null,
        given: ['Admin'],
        taken: ['Auditor'],
      },
    ];
    const { dialog, server } = await opened({ [CHANGES]: [200, changes] });
    const items = await dialog.findAllByRole('listitem');
    expect(textsOf(items)).toEqual([
      '2026-11-20 Maria Kowalska gave Auditor',
      '2026-11-02 Jan Lis gave Admin and took Auditor',
    ]);
    expect(server.asked(CHANGES)[0]?.query).toMatchObject({ id: OTHER_ID });
  });

  it('ask before Admin is taken away, and tell the sentence of the server', async () => {
    const LAST = 'This is the last admin. Give the role to somebody else first.';
    const { server, person, press, dialog } = await opened(
      { [SAVE_ROLES]: problem(409, 'LastAdmin', LAST) },
      'Anna Nowak',
    );
    await person.click(dialog.getByLabelText(/^Admin/));
    await press('Save roles', dialog);
    const question = await openQuestion('Remove your own Admin role?');
    await press('Cancel', question);
    expect(server.asked(SAVE_ROLES)).toHaveLength(0);
    await press('Save roles', dialog);
    await press('Remove it');
    expect(await dialog.findByText(LAST)).toBeTruthy();
    expect(session.current()?.roles).toContain('Admin');
    server.answers[SAVE_ROLES] = [200, readerOf({ roles: ['Reader'], version: 4 })];
    await press('Save roles', dialog);
    await press('Remove it');
    await waitFor(() => expect(session.current()?.roles).toEqual(['Reader']));
  });
});
