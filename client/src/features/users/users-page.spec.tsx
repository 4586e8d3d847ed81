import { screen, waitFor, within } from '@testing-library/react';
import type { RoleChange } from '#contracts/accounts/readers.js';
import type { Role } from '#contracts/permissions.js';
import { sees, textsOf, openDialog, openQuestion } from '../../../test-support/on-screen.js';
import { asAdmin, showPage } from '../../../test-support/screen.js';
import { answered, pageOf, refused, type Answers } from '../../../test-support/server.js';
import { ID, OTHER_ID, readerOf } from '../../../test-support/views.js';
import { session } from '../../lib/session.js';
import { UsersPage } from './users-page.js';

const LIST = 'GET User';
const CHANGES = 'GET User/role-changes';
const SAVE_ROLES = 'PUT User/roles';
const END = 'POST User/end-sessions';

const maria = readerOf({
  ...{ id: OTHER_ID, userName: 'maria', email: 'maria@example.org' },
  ...{ firstname: 'Maria', lastname: 'Kowalska', fullname: 'Maria Kowalska' },
});

const shown = (answers: Answers = {}, search = '') =>
  showPage(<UsersPage />, `/admin/users${search}`, {
    'GET PermissionSet': answered([]),
    [LIST]: pageOf(readerOf({ roles: ['Reader', 'Admin'] }), maria),
    [CHANGES]: answered([]),
    ...answers,
  });

async function opened(answers: Answers = {}, name = 'Maria Kowalska') {
  const page = shown(answers);
  await page.press(new RegExp(name));
  await page.press(`Edit ${name}`);
  const dialog = await openDialog();
  return { ...page, dialog, save: (name: string) => page.press(name, dialog) };
}

asAdmin();

describe('the users', () => {
  const row = (name: RegExp) => screen.findByRole('button', { name });
  const asked = (server: ReturnType<typeof shown>['server']) => server.asked(LIST).at(-1)?.query;

  // spec 2.40
  it('are an accordion of one open reader with every field of the specification', async () => {
    const { person, press } = shown();
    const trigger = await row(/Maria Kowalska/);
    expect(screen.queryByText('Postal code')).toBeNull();
    await press(/Maria Kowalska/);
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
  it('are searched, sorted and paged in the address, ten at a time', async () => {
    const { server, person, press, address } = shown(
      { [LIST]: answered({ items: [maria], totalCount: 21 }) },
      '?q=kow&sort=Name&page=2',
    );
    await row(/Maria Kowalska/);
    const first = { SortBy: 'Name', SearchTerm: 'kow', pageNumber: '2', pageSize: '10' };
    expect(server.asked(LIST)[0]?.query).toEqual(first);
    expect(server.asked(LIST)[0]?.headers.Authorization).toBe('Bearer the-token');
    const search = screen.getByPlaceholderText('Search by name, username or email');
    await person.clear(search);
    await person.type(search, 'maria');
    await waitFor(() => expect(address()).toBe('/admin/users?q=maria&sort=Name'));
    await waitFor(() => expect(asked(server)).toMatchObject({ SearchTerm: 'maria' }));
    await person.selectOptions(screen.getByLabelText('Sort by'), 'Username');
    expect(address()).toBe('/admin/users?q=maria');
    await press('Page 3');
    expect(address()).toBe('/admin/users?q=maria&page=3');
    await waitFor(() => expect(asked(server)).toMatchObject({ SearchTerm: 'maria', pageNumber: '3' }));
    expect(screen.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true);
  });

  it('are of one kind where that is chosen, and all again; what cannot be fetched can be asked for again', async () => {
    const { server, person, press, address } = shown({}, '?page=2');
    await row(/Maria Kowalska/);
    expect(asked(server)).not.toHaveProperty('Kind');
    server.answers[LIST] = pageOf();
    await person.selectOptions(screen.getByLabelText('Kind'), 'Child');
    expect(address()).toBe('/admin/users?kind=child');
    await sees('Only those of the kind “Child” are shown.');
    expect(asked(server)).toMatchObject({ Kind: 'child', pageNumber: '1' });
    server.answers[LIST] = refused('DatabaseUnavailable', 'The library is away for a moment.');
    await person.type(screen.getByRole('searchbox'), 'a{Enter}');
    await sees('The library is away for a moment.');
    server.answers[LIST] = pageOf();
    await press('Retry');
    await press('Show all readers');
    expect(address()).toBe('/admin/users');
  });

  // spec 2.41
  it('are edited in the reader dialog', async () => {
    const { server, person, dialog, save } = await opened({ 'PUT User': answered(maria) });
    await person.clear(dialog.getByLabelText('City'));
    await person.type(dialog.getByLabelText('City'), 'Gdynia');
    await person.selectOptions(dialog.getByLabelText('Kind of reader'), 'Child');
    await save('Save');
    await sees('Reader saved');
    const sent = { query: { id: OTHER_ID }, body: { city: 'Gdynia', kind: 'child' } };
    expect(server.asked('PUT User')).toMatchObject([sent]);
    await waitFor(() => expect(server.asked(LIST)).toHaveLength(2));
  });

  it('are signed out everywhere when that is confirmed', async () => {
    const { server, press, dialog, save } = await opened({
      [END]: refused('DatabaseUnavailable', 'Try again.'),
    });
    const ask = async (answer: string) => {
      await save('Sign out everywhere');
      await press(answer, await openQuestion('Sign Maria Kowalska out everywhere?'));
    };
    await ask('Cancel');
    expect(server.asked(END)).toHaveLength(0);
    await ask('Sign out');
    expect((await dialog.findByRole('alert')).textContent).toBe('Try again.');
    server.answers[END] = answered({ message: 'Signed out on every device.' });
    await ask('Sign out');
    await sees('Signed out on every device.');
    expect(dialog.queryByRole('alert')).toBeNull();
    expect(server.asked(END).map(({ query }) => query)).toEqual([{ id: OTHER_ID }, { id: OTHER_ID }]);
    expect(session.current()).not.toBeNull();
  });
});

describe('the roles of a user', () => {
  it('are given at once; everybody stays a reader', async () => {
    const given = { ...maria, roles: ['Reader', 'Auditor'] as const, version: 4 };
    const { server, person, dialog, save } = await opened({
      [SAVE_ROLES]: answered(given),
      'PUT User': answered(given),
    });
    expect(dialog.getByLabelText(/^Reader/)).toMatchObject({ checked: true, disabled: true });
    const saveRoles = dialog.getByRole('button', { name: 'Save roles' });
    expect(saveRoles).toHaveProperty('disabled', true);
    await person.click(dialog.getByLabelText(/^Auditor/));
    server.answers[LIST] = pageOf(given);
    await person.click(saveRoles);
    await sees('Roles saved');
    const sent = { query: { id: OTHER_ID }, body: { roles: ['Reader', 'Auditor'] } };
    expect(server.asked(SAVE_ROLES)).toMatchObject([sent]);
    await waitFor(() => expect(saveRoles).toHaveProperty('disabled', true));
    expect(dialog.getByLabelText(/^Auditor/)).toHaveProperty('checked', true);
    // The version that the roles brought is no conflict for the fields.
    await save('Save');
    await waitFor(() => expect(server.asked('PUT User')[0]?.body).toMatchObject({ version: 4 }));
  });

  it('are recorded, with who gave and who took', async () => {
    const change = (day: string, fullname: string, given: Role[], taken: Role[]): RoleChange => ({
      ...{ at: `${day}T12:00:00Z`, by: { id: ID, fullname }, set: null, given, taken },
    });
    const changes = [
      change('2026-11-20', 'Maria Kowalska', ['Auditor'], []),
      change('2026-11-02', 'Jan Lis', ['Admin'], ['Auditor']),
    ];
    const { dialog, server } = await opened({ [CHANGES]: answered(changes) });
    expect(textsOf(await dialog.findAllByRole('listitem'))).toEqual([
      '2026-11-20 Maria Kowalska gave Auditor',
      '2026-11-02 Jan Lis gave Admin and took Auditor',
    ]);
    expect(server.asked(CHANGES)[0]?.query).toMatchObject({ id: OTHER_ID });
  });

  it('ask before Admin is taken away, and tell the sentence of the server', async () => {
    const LAST = 'This is the last admin. Give the role to somebody else first.';
    const { server, person, press, dialog, save } = await opened(
      { [SAVE_ROLES]: refused('LastAdmin', LAST) },
      'Anna Nowak',
    );
    const ask = async (answer: string) => {
      await save('Save roles');
      await press(answer, await openQuestion('Remove your own Admin role?'));
    };
    await person.click(dialog.getByLabelText(/^Admin/));
    await ask('Cancel');
    expect(server.asked(SAVE_ROLES)).toHaveLength(0);
    await ask('Remove it');
    expect(await dialog.findByText(LAST)).toBeTruthy();
    expect(session.current()?.roles).toContain('Admin');
    server.answers[SAVE_ROLES] = answered(readerOf({ roles: ['Reader'], version: 4 }));
    await ask('Remove it');
    await waitFor(() => expect(session.current()?.roles).toEqual(['Reader']));
  });
});
