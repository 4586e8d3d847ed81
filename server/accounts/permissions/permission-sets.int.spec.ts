import fc from 'fast-check';
import { io } from 'socket.io-client';
import { builtInOf, covers, PERMISSIONS, rightsOf, type Permission } from '#contracts/permissions.js';
import { readRoleChanges } from '#contracts/accounts/readers.js';
import { forAllInTime } from '../../../test-support/for-all.js';
import { startProduct, type TestAccount } from '../../../test-support/product.js';
import { shared } from '../../../test-support/shared.js';
import { waitFor } from '../../../test-support/wait-for.js';

describe('permission sets', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Reader', 'Admin'));
  let made = 0;

  const fields = (permissions: readonly Permission[], waiverLimit: number | null = 0) => ({
    name: `Set ${(made += 1)}`,
    ...{ permissions, waiverLimit },
  });
  const add = async (by: TestAccount, ...wanted: Parameters<typeof fields>) =>
    by.post('PermissionSet', fields(...wanted));
  const setOf = async (...wanted: Parameters<typeof fields>) => (await add(admin, ...wanted)).body;
  const give = (by: TestAccount, whom: TestAccount, ...roles: string[]) =>
    by.put(`User/roles?id=${whom.id}`, { roles });

  it('open the calls of their permissions at once, and close them at once when they are changed or removed', async () => {
    const set = await setOf(['queue']);
    const person = await product.account();
    expect((await person.get('Borrow')).status).toBe(403);
    expect((await give(admin, person, set.id as string)).body.roles).toEqual(['Reader', set.id]);
    expect((await person.get('Borrow')).status).toBe(200);
    const changed = await admin.put(`PermissionSet/${set.id}`, { ...fields(['till']), version: 1 });
    expect([changed.status, changed.body.version, changed.body.holders]).toEqual([200, 2, 1]);
    expect([
      (await person.get('Borrow')).status,
      (await person.get('Payment/till?day=2026-11-05')).status,
    ]).toEqual([403, 200]);
    expect((await admin.put(`PermissionSet/${set.id}`, { ...fields(['till']), version: 1 })).body.code).toBe(
      'EditedMeanwhile',
    );
    expect((await admin.delete(`PermissionSet/${set.id}`)).status).toBe(200);
    expect((await person.get('Payment/till?day=2026-11-05')).status).toBe(403);
    expect((await person.get('User/profile')).body.roles).toEqual(['Reader']);
    expect((await give(admin, person, set.id as string)).body.code).toBe('NotFound');
    const record = readRoleChanges.answer.parse((await admin.get(`User/role-changes?id=${person.id}`)).body);
    expect(record.map(({ given, taken }) => [given, taken])).toEqual([
      [[], [changed.body.name]],
      [[changed.body.name], []],
    ]);
    const ofSet = readRoleChanges.answer.parse((await admin.get(`User/role-changes?id=${set.id}`)).body);
    expect(ofSet.map(({ given, taken }) => [given, taken])).toEqual([
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
          const { body } = await admin.get('PermissionSet');
          const known = body as unknown as {
            id: string;
            permissions: Permission[];
            waiverLimit: number | null;
          }[];
          for (const person of people) {
            const { roles } = (await person.get('User/profile')).body as { roles: string[] };
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
