import { randomUUID } from 'node:crypto';
import type { Role } from '#contracts/permissions.js';
import { readRoleChanges } from '#contracts/accounts/readers.js';
import { startProduct, type TestAccount } from '../../../test-support/product.js';
import { shared } from '../../../test-support/shared.js';

describe('roles over HTTP', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Reader', 'Admin'));

  const setRoles = (by: TestAccount, whom: TestAccount, ...roles: Role[]) =>
    by.put(`User/roles?id=${whom.id}`, { roles });
  const rolesOf = async (whom: TestAccount) => (await whom.get('User/profile')).body.roles as Role[];
  const recordOf = async (whom: TestAccount) =>
    readRoleChanges.answer.parse((await admin.get(`User/role-changes?id=${whom.id}`)).body);
  const admins = async () => {
    const { rows } = await product.database.query<{ n: number }>(
      `select count(*)::integer as n from account where 'Admin' = any(roles)`,
    );
    return rows[0]?.n;
  };

  // spec 6.5
  it('are given and taken, hold from the next call, and are recorded with who did it', async () => {
    const reader = await product.account();
    expect((await reader.get('User')).status).toBe(403);
    const given = await setRoles(admin, reader, 'Admin', 'Auditor');
    expect([given.status, given.body.roles]).toEqual([200, ['Reader', 'Auditor', 'Admin']]);
    expect((await reader.get('User')).status).toBe(200);
    await setRoles(admin, reader, 'Auditor', 'Reader');
    expect((await reader.get('User')).body.code).toBe('NotAllowed');
    expect((await reader.get(`User/role-changes?id=${reader.id}`)).status).toBe(200);
    const record = await recordOf(reader);
    expect(record.map(({ given: plus, taken: minus }) => [plus, minus])).toEqual([
      [[], ['Admin']],
      [['Auditor', 'Admin'], []],
    ]);
    expect(record[0]?.by).toEqual({ id: admin.id, fullname: expect.stringContaining('Zofia') });
  });

  it('leave everybody a reader', async () => {
    const reader = await product.account('Reader', 'Auditor');
    expect((await setRoles(admin, reader)).body.roles).toEqual(['Reader']);
  });

  it('that are the present ones change and record nothing', async () => {
    const reader = await product.account('Reader', 'Auditor');
    const { body: before } = await reader.get('User/profile');
    expect((await setRoles(admin, reader, 'Auditor')).body).toEqual(before);
    expect(await recordOf(reader)).toEqual([]);
  });

  it('are refused where they do not exist, or the account does not', async () => {
    const reader = await product.account();
    const { status, body } = await admin.put(`User/roles?id=${reader.id}`, { roles: ['King'] });
    expect([status, body.errors]).toEqual([400, { 'roles.0': ['This is not a valid id.'] }]);
    expect((await admin.put(`User/roles?id=${randomUUID()}`, { roles: [] })).body.code).toBe('NotFound');
    expect((await admin.get(`User/role-changes?id=${randomUUID()}`)).body.code).toBe('NotFound');
  });

  it('keep one admin who can sign in', async () => {
    expect(await admins()).toBe(1);
    const last = await setRoles(admin, admin);
    expect([last.status, last.body.code]).toEqual([409, 'LastAdmin']);
    // Who has not confirmed their address cannot sign in.
    const unconfirmed = await product.account('Reader', 'Admin');
    await product.database.query('update account set email_confirmed = false where id = $1', [
      unconfirmed.id,
    ]);
    expect((await setRoles(admin, admin)).body.code).toBe('LastAdmin');
    expect(await rolesOf(admin)).toEqual(['Reader', 'Admin']);
    expect(await recordOf(admin)).toEqual([]);
    // With another one they may go.
    const second = await product.account('Reader', 'Admin');
    expect((await setRoles(admin, admin)).status).toBe(200);
    expect((await setRoles(second, admin, 'Admin')).status).toBe(200);
    expect((await setRoles(admin, second)).status).toBe(200);
    expect((await setRoles(admin, unconfirmed)).status).toBe(200);
  });

  it('keep an admin when the last two take the role from each other at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      expect(await admins()).toBe(1);
      const other = await product.account('Reader', 'Admin');
      const answers = await Promise.all([setRoles(admin, other), setRoles(other, admin)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await admins()).toBe(1);
      if (!(await rolesOf(admin)).includes('Admin')) {
        await setRoles(other, admin, 'Admin');
        await setRoles(admin, other);
      }
    }
  });

  it('cannot be given by who lost the role a moment ago', async () => {
    const [leaving, friend] = [await product.account('Reader', 'Admin'), await product.account()];
    const answers = await Promise.all([
      setRoles(admin, leaving),
      setRoles(leaving, friend, 'Admin'),
      setRoles(leaving, friend, 'Admin', 'Auditor'),
    ]);
    expect(answers[0].status).toBe(200);
    for (const { status, body } of answers.slice(1)) {
      // Before the loss, or refused.
      if (status !== 200) expect(body.code).toBe('NotAllowed');
    }
    expect((await setRoles(leaving, friend, 'Admin')).body.code).toBe('NotAllowed');
    await setRoles(admin, friend);
  });

  it('have a record that nobody can change', async () => {
    const reader = await product.account();
    await setRoles(admin, reader, 'Auditor');
    for (const statement of [
      `update role_change set changed_by = account_id`,
      `delete from role_change`,
      `truncate role_change`,
    ]) {
      await expect(product.database.query(statement)).rejects.toThrow('role_change is only ever added to');
    }
    expect(await recordOf(reader)).toHaveLength(1);
  });
});
