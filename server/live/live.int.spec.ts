import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { DashboardStats } from '#contracts/dashboard/stats.js';
import type { ClientToServer, ResumeAnswer, ServerToClient } from '#contracts/live/live-messages.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { startProduct, type TestAccount, type TestProduct } from '../../test-support/product.js';
import { waitFor } from '../../test-support/wait-for.js';

type LiveSocket = Socket<ServerToClient, ClientToServer>;

describe('the live gateway', () => {
  let product: TestProduct;
  let admin: TestAccount;
  let reader: TestAccount;
  const sockets: LiveSocket[] = [];

  beforeAll(async () => {
    product = await startProduct();
    admin = await product.account('Reader', 'Admin');
    reader = await product.account();
  });
  afterAll(async () => {
    for (const socket of sockets) socket.disconnect();
    await product.close();
  });

  async function connect(token: string) {
    const socket: LiveSocket = io(product.url, {
      auth: { token },
      transports: ['websocket'],
      reconnection: false,
    });
    sockets.push(socket);
    const seen = { borrows: [] as BorrowView[], counters: [] as DashboardStats[], refetches: 0, ended: '' };
    socket.on('borrow', ({ borrow }) => seen.borrows.push(borrow));
    socket.on('counters', ({ stats }) => seen.counters.push(stats));
    socket.on('refetch', () => (seen.refetches += 1));
    socket.on('sessionEnded', ({ reason }) => (seen.ended = reason));
    const hello = await new Promise<{ position: string }>((resolve, reject) => {
      socket.once('hello', resolve);
      socket.once('connect_error', reject);
    });
    return { socket, seen, hello };
  }

  const rent = async (who: TestAccount, copies = 1) => {
    const bookId = await product.book(copies);
    const { body } = await who.post('Borrow/rent-books', { bookIds: [bookId] });
    return { bookId, borrowId: body.borrowId as string };
  };

  it('tells admins and the reader himself what is committed, and nobody else', async () => {
    const other = await product.account();
    const [librarian, owner, stranger] = await Promise.all(
      [admin, reader, other].map(({ token }) => connect(token)),
    );
    const { borrowId, bookId } = await rent(reader);
    await waitFor(async () => librarian?.seen.borrows.some(({ id }) => id === borrowId) ?? false);
    await waitFor(async () => owner?.seen.borrows.some(({ id }) => id === borrowId) ?? false);
    const before = librarian?.seen.counters.length ?? 0;
    await admin.post(`Borrow/issue-books?borrowId=${borrowId}&userId=${reader.id}`, { bookIds: [bookId] });
    await waitFor(async () => owner?.seen.borrows.at(-1)?.status === 'Issued');
    await waitFor(async () => (librarian?.seen.counters.length ?? 0) > before);
    expect(librarian?.seen.counters.at(-1)?.activeBorrows).toBeGreaterThan(0);
    expect(owner?.seen.counters).toEqual([]);
    expect(stranger?.seen.borrows).toEqual([]);
    expect(stranger?.seen.counters).toEqual([]);
  });

  it('counts a new reader and a new book on an open dashboard', async () => {
    const { seen } = await connect(admin.token);
    await product.account();
    await waitFor(async () => seen.counters.length > 0);
    const users = seen.counters.at(-1)?.totalUsers ?? 0;
    const books = seen.counters.at(-1)?.totalBooks ?? 0;
    await product.account();
    await waitFor(async () => seen.counters.at(-1)?.totalUsers === users + 1);
    await product.book(1);
    await waitFor(async () => seen.counters.at(-1)?.totalBooks === books + 1);
  });

  it('tells a client that was away what it missed, or to ask again', async () => {
    const away = await connect(reader.token);
    away.socket.disconnect();
    const { borrowId } = await rent(reader);
    await rent(await product.account());
    const back = await connect(reader.token);
    const resume = (position: unknown) =>
      new Promise<ResumeAnswer>((resolve) =>
        back.socket.emit('resume', { position } as { position: string }, resolve),
      );
    const answer = await resume(away.hello.position);
    expect(answer.kind).toBe('missed');
    expect(answer.kind === 'missed' && answer.borrows.map(({ id }) => id)).toEqual([borrowId]);
    expect(BigInt(answer.position)).toBeGreaterThan(BigInt(away.hello.position));
    expect((await resume('nonsense')).kind).toBe('refetch');
    const librarian = await connect(admin.token);
    const all = await new Promise<ResumeAnswer>((resolve) =>
      librarian.socket.emit('resume', { position: '-1' }, resolve),
    );
    expect(all).toMatchObject({ kind: 'missed', stats: { activeBorrows: expect.any(Number) } });
  });

  it.each(['', 'nonsense', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.'])('refuses the token %j', async (token) => {
    await expect(connect(token)).rejects.toThrow('NotSignedIn');
  });

  it('cuts a revoked session off at once', async () => {
    const leaving = await product.account();
    const { socket, seen } = await connect(leaving.token);
    await product.database.query('update account set session = session + 1 where id = $1', [leaving.id]);
    await product.database.query('select pg_notify($1, $2)', [CHANNELS.accounts, leaving.id]);
    await waitFor(async () => seen.ended === 'revoked' && !socket.connected);
    await expect(connect(leaving.token)).rejects.toThrow('SessionEnded');
  });

  it('takes a role away and gives it, on the open socket', async () => {
    const promoted = await product.account();
    const { seen } = await connect(promoted.token);
    const setRoles = async (roles: string) => {
      await product.database.query(`update account set roles = $2::text[] where id = $1`, [
        promoted.id,
        roles,
      ]);
      await product.database.query('select pg_notify($1, $2)', [CHANNELS.accounts, promoted.id]);
      await sleep(100);
    };
    await setRoles('{Reader,Admin}');
    await rent(reader);
    await waitFor(async () => seen.counters.length > 0);
    await setRoles('{Reader}');
    const told = seen.borrows.length;
    await rent(reader);
    await sleep(300);
    expect(seen.borrows.length).toBe(told);
  });

  it('says to ask again when the notification link was away', async () => {
    const { seen } = await connect(reader.token);
    await product.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query like 'listen %' and pid <> pg_backend_pid()`,
    );
    await waitFor(async () => seen.refetches > 0);
    const { borrowId } = await rent(reader);
    await waitFor(async () => seen.borrows.some(({ id }) => id === borrowId));
  });
});
