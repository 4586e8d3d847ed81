import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { Role } from '#contracts/permissions.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { DashboardStats } from '#contracts/dashboard/stats.js';
import type {
  ClientToServer,
  ResumeAnswer,
  ServerToClient,
  WatchAnswer,
} from '#contracts/live/live-messages.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { startProduct, type TestAccount } from '../../test-support/product.js';
import { waitFor } from '../../test-support/wait-for.js';
import { atEnd, shared } from '../../test-support/shared.js';

const log: string[] = [];
const sockets: Pick<Socket, 'disconnect'>[] = [];
const product = shared(() => startProduct(undefined, { log }));
atEnd(() => {
  for (const socket of sockets) socket.disconnect();
});

type LiveSocket = Socket<ServerToClient, ClientToServer>;

describe('the live gateway', () => {
  const admin = shared(() => product.account('Reader', 'Admin'));
  const reader = shared(() => product.account());
  async function connect(token: string) {
    const socket: LiveSocket = io(product.url, {
      auth: { token },
      transports: ['websocket'],
      reconnection: false,
    });
    sockets.push(socket);
    const seen = {
      ...{ borrows: [] as BorrowView[], counters: [] as DashboardStats[], roles: [] as string[] },
      ...{ refetches: 0, ended: '' },
    };
    socket.on('borrow', ({ borrow }) => seen.borrows.push(borrow));
    socket.on('counters', ({ stats }) => seen.counters.push(stats));
    socket.on('roles', ({ roles }) => (seen.roles = roles));
    socket.on('refetch', () => (seen.refetches += 1));
    socket.on('sessionEnded', ({ reason }) => (seen.ended = reason));
    const hello = await new Promise<{ position: string; log: string | null }>((resolve, reject) => {
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

  /** As another process gives them. */
  const giveRoles = async ({ id }: TestAccount, roles: readonly Role[]) => {
    await product.database.query(`update account set roles = $2 where id = $1`, [id, roles]);
    await product.database.query('select pg_notify($1, $2)', [CHANNELS.accounts, id]);
  };

  it('tells admins and the reader concerned what is committed, and nobody else', async () => {
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

  it('tells that the rules or their drafts changed, which are then asked for', async () => {
    const { socket } = await connect(reader.token);
    let told = 0;
    socket.on('rules', () => (told += 1));
    const { current } = (await admin.get('Rules')).body;
    const draft = { name: 'Summer', rules: current.rules, from: null, why: '', basedOn: current.version };
    const { body } = await admin.post('Rules/draft', draft);
    await waitFor(async () => told === 1);
    await admin.delete(`Rules/draft/${body.id}`);
    await waitFor(async () => told === 2);
  });

  // spec 3.8
  it('counts a new reader and a new book on an open dashboard', async () => {
    const { seen } = await connect(admin.token);
    const { rows } = await product.database.query(
      'select (select count(*)::integer from account) as users, (select count(*)::integer from book) as books',
    );
    const [{ users, books }] = rows;
    await product.account();
    await waitFor(async () => seen.counters.at(-1)?.totalUsers === users + 1);
    await product.book(1);
    await waitFor(async () => seen.counters.at(-1)?.totalBooks === books + 1);
  });

  it('tells a client that was away what it missed, or to ask again', async () => {
    const away = await connect(reader.token);
    const { rows } = await product.database.query(`select log_id from ${READ_MODEL}.checkpoint`);
    expect(rows).toEqual([{ log_id: away.hello.log }]);
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
    expect(answer.kind === 'missed' && BigInt(answer.position)).toBeGreaterThan(BigInt(away.hello.position));
    for (const unknown of [
      'nonsense',
      '-2',
      '9223372036854775808',
      '9'.repeat(20),
      '9'.repeat(4000),
      7,
      null,
    ]) {
      expect(await resume(unknown)).toMatchObject({ kind: 'refused', code: 'ValidationFailed' });
    }
    expect((await resume('9223372036854775807')).kind).not.toBe('refused');
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

  it('cuts the sockets of one session off when it ends, and none of its owner’s others', async () => {
    const here = await product.account();
    const there = await product.signIn(here);
    const [stays, goes] = [await connect(here.token), await connect(there.token)];
    expect((await here.delete(`Account/sessions/${there.sid}`)).status).toBe(200);
    await waitFor(async () => goes.seen.ended === 'revoked' && !goes.socket.connected);
    expect(stays.socket.connected).toBe(true);
    expect((await here.post('Account/logout')).status).toBe(200);
    await waitFor(async () => stays.seen.ended === 'revoked' && !stays.socket.connected);
  });

  it('takes a role away and gives it, on the open socket', async () => {
    const promoted = await product.account();
    const { seen } = await connect(promoted.token);
    const witness = await connect(admin.token);
    const setRoles = async (...roles: Role[]) => {
      await giveRoles(promoted, roles);
      await waitFor(() => seen.roles.join() === roles.join());
    };
    await setRoles('Reader', 'Admin');
    await rent(reader);
    await waitFor(async () => seen.counters.length > 0);
    await setRoles('Reader');
    const told = seen.borrows.length;
    const { borrowId } = await rent(reader);
    await waitFor(() => witness.seen.borrows.some(({ id }) => id === borrowId));
    // What follows is told after what was on its way before.
    await setRoles('Reader', 'Auditor');
    expect(seen.borrows.length).toBe(told);
  });

  describe('a watched history', () => {
    const watch = (socket: LiveSocket, readerId: string) =>
      new Promise<WatchAnswer>((resolve) => socket.emit('watchReader', { readerId }, resolve));

    async function watching(...roles: Role[]) {
      const account = await product.account(...roles);
      const { socket, seen } = await connect(account.token);
      const told: { readerId: string; revision: number }[] = [];
      socket.on('readerEvents', (message) => told.push(message));
      return { account, socket, seen, told };
    }

    it('tells auditors of its new events, of that reader alone, until they leave', async () => {
      const [watched, other] = [await product.account(), await product.account()];
      const { account, socket, told } = await watching('Auditor');
      expect(await watch(socket, watched.id)).toEqual({ kind: 'watching', revision: -1 });
      await rent(other);
      await rent(watched);
      await waitFor(async () => told.length > 0);
      await rent(watched);
      await waitFor(async () => told.at(-1)?.revision === 1);
      expect(new Set(told.map(({ readerId }) => readerId))).toEqual(new Set([watched.id]));
      const { body } = await account.get(`Audit/looks?readerId=${watched.id}`);
      expect(body.items).toMatchObject([{ what: 'watch', who: { id: account.id } }]);

      socket.emit('unwatchReader', { readerId: watched.id });
      // Answered after what was sent before it.
      await new Promise((resolve) => socket.emit('resume', { position: '0' }, resolve));
      const back = await watching('Admin');
      expect(await watch(back.socket, watched.id)).toEqual({ kind: 'watching', revision: 1 });
      const before = told.length;
      await rent(watched);
      await waitFor(async () => back.told.at(-1)?.revision === 2);
      expect(told.length).toBe(before);
    });

    it('tells of a rent that was given up, which no list shows', async () => {
      const watched = await product.account();
      const { socket, told } = await watching('Auditor');
      await watch(socket, watched.id);
      const borrowId = randomUUID();
      await product.log.append(
        'borrows',
        watched.pseudonym,
        [
          {
            id: randomUUID(),
            event: { type: 'RentAbandoned', data: { borrowId, abandonedAt: new Date().toISOString() } },
            metadata: {
              actor: 'hold-reconciler',
              $correlationId: borrowId,
              $causationId: borrowId,
              commandId: borrowId,
              commandDigest: 'x',
            },
          },
        ],
        -1n,
      );
      await waitFor(async () => told.at(-1)?.revision === 0);
    });

    it('is refused to readers, for nobody, and where the look cannot be recorded', async () => {
      const watched = await product.account();
      const mere = await watching();
      expect(await watch(mere.socket, watched.id)).toMatchObject({ kind: 'refused', code: 'NotAllowed' });
      const { socket, told } = await watching('Auditor');
      expect(await watch(socket, randomUUID())).toMatchObject({ kind: 'refused', code: 'NotFound' });
      expect(await watch(socket, 'x')).toMatchObject({ kind: 'refused', code: 'ValidationFailed' });
      await product.database.query('alter table audit_look rename to audit_look_away');
      try {
        expect(await watch(socket, watched.id)).toMatchObject({ kind: 'refused', code: 'LookNotRecorded' });
      } finally {
        await product.database.query('alter table audit_look_away rename to audit_look');
      }
      await rent(watched);
      await sleep(300);
      expect([...told, ...mere.told]).toEqual([]);
    });

    it('ends with the role', async () => {
      const watched = await product.account();
      const { account, socket, seen, told } = await watching('Auditor');
      const witness = await watching('Auditor');
      await watch(socket, watched.id);
      await watch(witness.socket, watched.id);
      await giveRoles(account, ['Reader']);
      await waitFor(() => seen.roles.join() === 'Reader');
      await rent(watched);
      await waitFor(async () => witness.told.length > 0);
      await giveRoles(account, ['Reader', 'Admin']);
      await waitFor(() => seen.roles.includes('Admin'));
      expect(told).toEqual([]);
    });
  });

  it('says to ask again when the notification link was away', async () => {
    const { seen } = await connect(reader.token);
    await product.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'lectern notifications'`,
    );
    await waitFor(async () => seen.refetches > 0);
    const { borrowId } = await rent(reader);
    await waitFor(async () => seen.borrows.some(({ id }) => id === borrowId));
  });
});

describe('an open socket', () => {
  const admin = shared(() => product.account('Reader', 'Admin'));
  async function connect({ token }: TestAccount) {
    const socket: Socket<ServerToClient, ClientToServer> = io(product.url, {
      auth: { token },
      transports: ['websocket'],
      reconnection: false,
    });
    sockets.push(socket);
    const seen = { borrows: [] as string[], counters: 0, roles: [] as string[][], refetches: 0 };
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

const JUNK = [
  '',
  'nonsense',
  '{',
  'null',
  '[]',
  '{"position":1}',
  '{"position":"1.5"}',
  '{"position":"1","borrows":[["x"]]}',
  '{"reportId":"nobody","progress":"most"}',
];

describe('a server that is notified of nonsense', () => {
  it.each(Object.entries(CHANNELS))('serves on after junk on the channel of %s', async (_, channel) => {
    const admin = await product.account('Reader', 'Admin');
    const socket: Socket<ServerToClient> = io(product.url, {
      auth: { token: admin.token },
      transports: ['websocket'],
    });
    sockets.push(socket);
    const seen = { borrows: [] as string[], reports: 0, ended: 0 };
    socket.on('borrow', ({ borrow }) => seen.borrows.push(borrow.id));
    socket.on('report', () => (seen.reports += 1));
    socket.on('sessionEnded', () => (seen.ended += 1));
    await new Promise<void>((resolve) => socket.once('hello', () => resolve()));

    for (const payload of JUNK) {
      await product.database.query('select pg_notify($1, $2)', [channel, payload]);
    }
    const { body } = await admin.post('Borrow/rent-books', { bookIds: [await product.book(1)] });
    await waitFor(async () => seen.borrows.includes(body.borrowId as string));
    expect(seen).toMatchObject({ reports: 0, ended: 0 });
    expect(socket.connected).toBe(true);
    expect((await admin.get('Borrow')).status).toBe(200);
    // Payloads that are any text. Of the catalogue, an empty one says that many books changed.
    const { outbox, letters, timeZone, holds, rules, simulations, library } = CHANNELS;
    const unread: string[] = [outbox, letters, timeZone, holds, rules, simulations, library];
    const malformed = JUNK.filter((text) => channel !== CHANNELS.catalogue || text !== '');
    const told = () => log.filter((line) => line.includes('malformed') && line.includes(`"${channel}"`));
    // The server alone listens to the others; the projections read none.
    if (!unread.includes(channel)) await waitFor(async () => told().length === malformed.length);
    else expect(told()).toEqual([]);
    expect(told().filter((line) => line.includes('nonsense'))).toEqual([]);
  });

  it('has every screen ask again where nobody can say what changed in the lists', async () => {
    const reader = await product.account();
    const socket: Socket<ServerToClient> = io(product.url, {
      auth: { token: reader.token },
      transports: ['websocket'],
    });
    sockets.push(socket);
    await new Promise<void>((resolve) => socket.once('hello', () => resolve()));
    let refetches = 0;
    socket.on('refetch', () => (refetches += 1));
    await product.database.query('select pg_notify($1, $2)', [CHANNELS.readModels, 'nonsense']);
    await waitFor(async () => refetches > 0);
  });
});
