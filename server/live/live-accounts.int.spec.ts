import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { Role } from '#contracts/accounts/account-views.js';
import type { ClientToServer, ServerToClient } from '#contracts/live/live-messages.js';
import { startProduct, type TestAccount } from '../../test-support/product.js';
import { waitFor } from '../../test-support/wait-for.js';
import { atEnd, shared } from '../../test-support/shared.js';

describe('an open socket', () => {
  const sockets: Socket[] = [];

  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Reader', 'Admin'));
  atEnd(() => {
    for (const socket of sockets) socket.disconnect();
  });

  async function connect({ token }: TestAccount) {
    const socket: Socket<ServerToClient, ClientToServer> = io(product.url, {
      auth: { token },
      transports: ['websocket'],
      reconnection: false,
    });
    sockets.push(socket);
    const seen = { borrows: [] as string[], counters: 0, roles: [] as Role[][], refetches: 0 };
    socket.on('borrow', ({ borrow }) => seen.borrows.push(borrow.id));
    socket.on('counters', () => (seen.counters += 1));
    socket.on('roles', ({ roles }) => seen.roles.push(roles));
    socket.on('refetch', () => (seen.refetches += 1));
    await waitFor(() => seen.roles.length > 0);
    return { socket, seen };
  }

  const setRoles = async (whom: TestAccount, ...roles: Role[]) => {
    expect((await admin.put(`User/roles?id=${whom.id}`, { roles })).status).toBe(200);
  };

  /** A stranger's borrow, which admins alone are told of. */
  const rent = async () => {
    const bookId = await product.book(1);
    const { body } = await (await product.account()).post('Borrow/rent-books', { bookIds: [bookId] });
    return body.borrowId as string;
  };

  // spec 6.5
  it('is told its roles, and hears and stops hearing what admins hear, when they are given and taken', async () => {
    const [person, watcher] = [await product.account(), await connect(admin)];
    const { seen } = await connect(person);
    expect(seen.roles).toEqual([['Reader']]);

    await setRoles(person, 'Admin');
    await waitFor(() => seen.roles.length === 2);
    expect(seen.roles[1]).toEqual(['Reader', 'Admin']);
    const heard = await rent();
    await waitFor(() => seen.borrows.includes(heard));
    await waitFor(() => seen.counters > 0);

    await setRoles(person);
    await waitFor(() => seen.roles.length === 3);
    expect(seen.roles[2]).toEqual(['Reader']);
    const counters = seen.counters;
    const missed = await rent();
    await waitFor(() => watcher.seen.borrows.includes(missed));
    // Its own borrow is told after the stranger's: whatever was on its way before it has arrived.
    const bookId = await product.book(1);
    const { body } = await person.post('Borrow/rent-books', { bookIds: [bookId] });
    await waitFor(() => seen.borrows.includes(body.borrowId));
    expect(seen.borrows).not.toContain(missed);
    expect(seen.counters).toBe(counters);
  });

  it('ends at the last of many changes', async () => {
    const person = await product.account();
    const { seen } = await connect(person);
    for (let round = 0; round < 5; round += 1) {
      await setRoles(person, 'Admin');
      await setRoles(person);
    }
    await setRoles(person, 'Auditor');
    await waitFor(() => seen.roles.at(-1)?.includes('Auditor') ?? false);
    await sleep(100);
    expect(seen.roles.at(-1)).toEqual(['Reader', 'Auditor']);
  });

  it('is asked to look again when a reader has a new name: the admins and the reader', async () => {
    const person = await product.account();
    const [librarian, owner, stranger] = [
      await connect(admin),
      await connect(person),
      await connect(await product.account()),
    ];
    const { body } = await person.get('User/profile');
    const same = await person.put(`User?id=${person.id}`, { ...body, city: 'Gdynia' });
    expect(same.status).toBe(200);
    await person.put(`User?id=${person.id}`, { ...body, firstname: 'Jadwiga', version: undefined });
    await waitFor(() => librarian.seen.refetches === 1 && owner.seen.refetches === 1);
    expect(stranger.seen.refetches).toBe(0);
  });

  it('is asked to look again when a reader is of another kind: what may be renewed is another by then', async () => {
    const person = await product.account();
    const [librarian, owner, stranger] = [
      await connect(admin),
      await connect(person),
      await connect(await product.account()),
    ];
    const { body } = await admin.get(`User/userId/${person.id}`);
    const put = await admin.put(`User?id=${person.id}`, { ...body, kind: 'child', version: undefined });
    expect(put.status).toBe(200);
    await waitFor(() => librarian.seen.refetches > 0 && owner.seen.refetches > 0);
    expect(stranger.seen.refetches).toBe(0);
  });
});
