import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { io } from 'socket.io-client';
import {
  builtInOf,
  covers,
  PERMISSIONS,
  rightsOf,
  type Permission,
  type Rights,
} from '#contracts/permissions.js';
import { readRoleChanges } from '#contracts/accounts/readers.js';
import { forAllInTime } from '../../../test-support/arbitraries/for-all.js';
import { startProduct, type TestAccount } from '../../../test-support/product/product.js';
import { shared } from '../../../test-support/shared.js';
import { waitFor } from '../../../test-support/wait-for.js';

const product = shared(() => startProduct());
const admin = shared(() => product.account('Reader', 'Admin'));
const rows = async <Row>(sql: string, ...values: unknown[]) =>
  (await product.database.query(sql, values)).rows as Row[];
const give = (by: TestAccount, whom: { id: string }, ...roles: string[]) =>
  by.put(`User/roles?id=${whom.id}`, { roles });
/** The changes of a person's roles, or of a permission set. */
const recordOf = async ({ id }: { id: string }) =>
  readRoleChanges.answer.parse((await admin.get(`User/role-changes?id=${id}`)).body);

describe('roles over HTTP', () => {
  const rolesOf = async (whom: TestAccount) => (await whom.get('User/profile')).body.roles as string[];
  const admins = async () => (await rows(`select from account where 'Admin' = any(roles)`)).length;

  // spec 6.5
  it('are given and taken, hold from the next call, and are recorded with who did it', async () => {
    const reader = await product.account();
    expect((await reader.get('User')).status).toBe(403);
    const given = await give(admin, reader, 'Admin', 'Auditor', 'Admin');
    expect([given.status, given.body.roles]).toEqual([200, ['Reader', 'Auditor', 'Admin']]);
    expect((await reader.get('User')).status).toBe(200);
    await give(admin, reader, 'Auditor', 'Reader');
    expect((await reader.get('User')).body.code).toBe('NotAllowed');
    expect((await reader.get(`User/role-changes?id=${reader.id}`)).status).toBe(200);
    const record = await recordOf(reader);
    expect(record.map(({ given: plus, taken: minus }) => [plus, minus])).toEqual([
      [[], ['Admin']],
      [['Auditor', 'Admin'], []],
    ]);
    expect(record[0]?.by).toEqual({ id: admin.id, fullname: expect.stringContaining('Zofia') });
  });

  it('that are the present ones change and record nothing; everybody stays a reader', async () => {
    const reader = await product.account('Reader', 'Auditor');
    const { body: before } = await reader.get('User/profile');
    expect((await give(admin, reader, 'Auditor')).body).toEqual(before);
    expect(await recordOf(reader)).toEqual([]);
    expect((await give(admin, reader)).body.roles).toEqual(['Reader']);
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
    const last = await give(admin, admin);
    expect([last.status, last.body.code]).toEqual([409, 'LastAdmin']);
    // Who has not confirmed their address cannot sign in.
    const unconfirmed = await product.account('Reader', 'Admin');
    await rows('update account set email_confirmed = false where id = $1', unconfirmed.id);
    expect((await give(admin, admin)).body.code).toBe('LastAdmin');
    expect(await rolesOf(admin)).toEqual(['Reader', 'Admin']);
    expect(await recordOf(admin)).toEqual([]);
    // With another one they may go.
    const second = await product.account('Reader', 'Admin');
    expect((await give(admin, admin)).status).toBe(200);
    expect((await give(second, admin, 'Admin')).status).toBe(200);
    expect((await give(admin, second)).status).toBe(200);
    expect((await give(admin, unconfirmed)).status).toBe(200);
  });

  it('keep an admin when the last two take the role from each other at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      expect(await admins()).toBe(1);
      const other = await product.account('Reader', 'Admin');
      const answers = await Promise.all([give(admin, other), give(other, admin)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await admins()).toBe(1);
      if (!(await rolesOf(admin)).includes('Admin')) {
        await give(other, admin, 'Admin');
        await give(admin, other);
      }
    }
  });

  it('cannot be given by who lost the role a moment ago', async () => {
    const [leaving, friend] = [await product.account('Reader', 'Admin'), await product.account()];
    const answers = await Promise.all([
      give(admin, leaving),
      give(leaving, friend, 'Admin'),
      give(leaving, friend, 'Admin', 'Auditor'),
    ]);
    expect(answers[0].status).toBe(200);
    for (const { status, body } of answers.slice(1)) {
      // Before the loss, or refused.
      if (status !== 200) expect(body.code).toBe('NotAllowed');
    }
    expect((await give(leaving, friend, 'Admin')).body.code).toBe('NotAllowed');
    await give(admin, friend);
  });

  it('have a record that nobody can change', async () => {
    const reader = await product.account();
    await give(admin, reader, 'Auditor');
    for (const change of [
      'update role_change set changed_by = account_id',
      'delete from role_change',
      'truncate role_change',
    ])
      await expect(rows(change)).rejects.toThrow('role_change is only ever added to');
    expect(await recordOf(reader)).toHaveLength(1);
  });
});

describe('permission sets', () => {
  let made = 0;

  const fields = (permissions: readonly Permission[], waiverLimit: number | null = 0) => ({
    name: `Set ${(made += 1)}`,
    ...{ permissions, waiverLimit },
  });
  const add = async (by: TestAccount, ...wanted: Parameters<typeof fields>) =>
    by.post('PermissionSet', fields(...wanted));
  const setOf = async (...wanted: Parameters<typeof fields>) => (await add(admin, ...wanted)).body;

  it('open the calls of their permissions at once, and close them at once when they are changed or removed', async () => {
    const set = await setOf(['queue']);
    const person = await product.account();
    expect((await person.get('Borrow')).status).toBe(403);
    expect((await give(admin, person, set.id as string)).body.roles).toEqual(['Reader', set.id]);
    expect((await person.get('Borrow')).status).toBe(200);
    const changed = await admin.put(`PermissionSet/${set.id}`, { ...fields(['till']), version: 1 });
    expect([changed.status, changed.body.version, changed.body.holders]).toEqual([200, 2, 1]);
    const till = 'Payment/till?day=2026-11-05';
    expect([(await person.get('Borrow')).status, (await person.get(till)).status]).toEqual([403, 200]);
    const again = await admin.put(`PermissionSet/${set.id}`, { ...fields(['till']), version: 1 });
    expect(again.body.code).toBe('EditedMeanwhile');
    expect((await admin.delete(`PermissionSet/${set.id}`)).status).toBe(200);
    expect((await person.get(till)).status).toBe(403);
    expect((await person.get('User/profile')).body.roles).toEqual(['Reader']);
    expect((await give(admin, person, set.id as string)).body.code).toBe('NotFound');
    expect((await recordOf(person)).map(({ given, taken }) => [given, taken])).toEqual([
      [[], [changed.body.name]],
      [[changed.body.name], []],
    ]);
    expect((await recordOf(set)).map(({ given, taken }) => [given, taken])).toEqual([
      [[], ['till']],
      [['till'], ['queue']],
      [['queue'], []],
    ]);
  });

  it('reach open sockets: who loses a permission hears no more of what it showed', async () => {
    const set = await setOf(['queue']);
    const person = await product.account();
    await give(admin, person, set.id as string);
    const socket = io(product.url, { auth: { token: person.token }, transports: ['websocket'] });
    const heard = { permissions: [] as string[][], counters: 0 };
    socket.on('roles', ({ permissions }: { permissions: string[] }) => heard.permissions.push(permissions));
    socket.on('counters', () => (heard.counters += 1));
    try {
      await waitFor(() => heard.permissions.length === 1);
      await product.book(1);
      await waitFor(() => heard.counters > 0);
      await admin.put(`PermissionSet/${set.id}`, { ...fields(['till']), version: 1 });
      await waitFor(() => heard.permissions.length === 2);
      expect(heard.permissions).toEqual([['queue'], ['till']]);
      const witness = io(product.url, { auth: { token: admin.token }, transports: ['websocket'] });
      const before = heard.counters;
      const seen = new Promise((resolve) => witness.once('counters', resolve));
      await new Promise((resolve) => witness.once('hello', resolve));
      await product.book(1);
      await seen;
      witness.disconnect();
      expect(heard.counters).toBe(before);
    } finally {
      socket.disconnect();
    }
  });

  it('hold nothing that whoever makes or changes them may not do, and are given by nobody who may not do it all', async () => {
    const giving = await setOf(['roles', 'readers', 'waive'], 1_000);
    const giver = await product.account('Reader', giving.id as string);
    const other = await product.account();
    const second = await product.account('Reader', 'Admin');
    const refused = async (answer: ReturnType<typeof add>) =>
      expect((await answer).body.code).toBe('NotAllowed');
    await refused(add(giver, ['desk']));
    await refused(add(giver, ['waive'], 1_001));
    await refused(add(giver, ['waive'], null));
    await refused(give(giver, other, 'Admin'));
    await refused(give(giver, giver, giving.id as string, 'Librarian'));
    // Nor by changing the one that they have, nor do they take from others what they could not give back.
    await refused(giver.put(`PermissionSet/${giving.id}`, { ...fields([...PERMISSIONS]), version: 1 }));
    await refused(give(giver, second));
    const wide = await setOf(['roles', 'desk']);
    await refused(giver.put(`PermissionSet/${wide.id}`, { ...fields(['roles']), version: 1 }));
    await refused(giver.delete(`PermissionSet/${wide.id}`));
    const own = await add(giver, ['readers', 'waive'], 1_000);
    expect(own.status).toBe(201);
    expect((await give(giver, other, own.body.id as string)).status).toBe(200);
  });

  it('have one name each, at least one permission, and are told by their names', async () => {
    const { name } = await setOf(['desk']);
    const again = await admin.post('PermissionSet', {
      ...fields(['desk']),
      name: String(name).toUpperCase(),
    });
    expect(again.body.code).toBe('NameTaken');
    expect((await add(admin, [])).status).toBe(400);
    expect((await admin.get('PermissionSet')).body).toContainEqual(
      expect.objectContaining({ name, permissions: ['desk'], holders: 0 }),
    );
  });

  it('let nobody gain what no giver had, whatever is tried in which order', async () => {
    const SOME = ['roles', 'desk', 'waive', 'till'] as const;
    const wanted = fc.record({
      permissions: fc.subarray([...SOME], { minLength: 1 }),
      waiverLimit: fc.constantFrom(0, 500, 1_000, null),
    });
    const step = fc.oneof(
      fc.record({ do: fc.constant('add' as const), by: fc.nat(2), set: wanted }),
      fc.record({ do: fc.constant('change' as const), by: fc.nat(2), of: fc.nat(5), set: wanted }),
      fc.record({
        do: fc.constant('give' as const),
        by: fc.nat(2),
        to: fc.nat(2),
        of: fc.array(fc.nat(5), { maxLength: 3 }),
      }),
    );
    await forAllInTime(
      [wanted, fc.array(step, { minLength: 4, maxLength: 12 })],
      { numRuns: 12, quick: 4 },
      async (first, steps) => {
        const begin = { ...first, permissions: [...new Set(['roles' as const, ...first.permissions])] };
        const given = await setOf(begin.permissions, begin.waiverLimit);
        const sets: { id: string; version: number }[] = [{ id: given.id as string, version: 1 }];
        const people = await Promise.all([
          product.account('Reader', given.id as string),
          product.account(),
          product.account(),
        ]);
        const all = rightsOf([begin]);
        for (const each of steps) {
          const by = people[each.by] ?? admin;
          if (each.do === 'add') {
            const answer = await add(by, each.set.permissions, each.set.waiverLimit);
            if (answer.status === 201) sets.push({ id: answer.body.id as string, version: 1 });
          } else if (each.do === 'change') {
            const set = sets[each.of % sets.length];
            if (!set) continue;
            const body = { ...fields(each.set.permissions, each.set.waiverLimit), version: set.version };
            const answer = await by.put(`PermissionSet/${set.id}`, body);
            if (answer.status === 200) set.version += 1;
          } else {
            const ids = [...new Set(each.of.flatMap((at) => sets[at % sets.length]?.id ?? []))];
            await give(by, people[each.to] ?? by, ...ids);
          }
          const known = await rows<Rights & { id: string }>(
            `select id, permissions, waiver_limit as "waiverLimit" from permission_set where removed_at is null`,
          );
          const held = await rows<{ roles: string[] }>(
            'select roles from account where id = any($1)',
            people.map(({ id }) => id),
          );
          for (const { roles } of held) {
            const rights = rightsOf([...builtInOf(roles), ...known.filter(({ id }) => roles.includes(id))]);
            expect([rights, covers(all, rights)]).toEqual([rights, true]);
          }
        }
        // There is room for so many.
        await Promise.all(sets.map(({ id }) => admin.delete(`PermissionSet/${id}`)));
      },
    );
  });
});
