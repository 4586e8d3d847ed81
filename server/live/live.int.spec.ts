import { randomUUID } from 'node:crypto';
import type { Role } from '#contracts/permissions.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { DashboardStats } from '#contracts/dashboard/stats.js';
import type { ResumeAnswer, WatchAnswer } from '#contracts/live/live-messages.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { doAtDesk, rent } from '../../test-support/product/borrow-steps.js';
import { metadataOf } from '../../test-support/event-store/event-metadata.js';
import { openLive, type LiveSocket } from '../../test-support/product/live-socket.js';
import { startProduct, type TestAccount } from '../../test-support/product/product.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';

describe('the live gateway', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Reader', 'Admin'));
  const reader = shared(() => product.account());
  async function connect({ token }: { token: string }) {
    const seen = {
      ...{ borrows: [] as BorrowView[], counters: [] as DashboardStats[], roles: [] as string[][] },
      ...{
        watched: [] as { readerId: string; revision: number }[],
        refetches: 0,
        rules: 0,
        reports: 0,
        ended: '',
      },
    };
    const socket = await openLive(product.url, token, {
      borrow: ({ borrow }) => void seen.borrows.push(borrow),
      counters: ({ stats }) => void seen.counters.push(stats),
      roles: ({ roles }) => void seen.roles.push(roles),
      readerEvents: (message) => void seen.watched.push(message),
      refetch: () => void (seen.refetches += 1),
      rules: () => void (seen.rules += 1),
      report: () => void (seen.reports += 1),
      sessionEnded: ({ reason }) => void (seen.ended = reason),
    });
    const hears = ({ borrowId }: { borrowId: string }) =>
      waitFor(() => seen.borrows.some(({ id }) => id === borrowId));
    return { socket, seen, hears };
  }
  const rents = async (who?: TestAccount) => rent(product, who ?? (await product.account()));
  const resume = (socket: LiveSocket, position: unknown) =>
    new Promise<ResumeAnswer>((resolve) =>
      socket.emit('resume', { position } as { position: string }, resolve),
    );
  const notify = (channel: string, payload: string) =>
    product.database.query('select pg_notify($1, $2)', [channel, payload]);

  it('tells admins and the reader concerned what is committed, and nobody else', async () => {
    const other = await product.account();
    const [librarian, owner, stranger] = [await connect(admin), await connect(reader), await connect(other)];
    const borrow = await rents(reader);
    await librarian.hears(borrow);
    await owner.hears(borrow);
    const before = librarian.seen.counters.length;
    await doAtDesk(admin, 'issue-books', borrow);
    await waitFor(() => owner.seen.borrows.at(-1)?.status === 'Issued');
    await waitFor(() => librarian.seen.counters.length > before);
    expect(librarian.seen.counters.at(-1)?.activeBorrows).toBeGreaterThan(0);
    expect([owner.seen.counters, stranger.seen.counters, stranger.seen.borrows]).toEqual([[], [], []]);
  });

  it('tells that the rules or their drafts changed, which are then asked for', async () => {
    const { seen } = await connect(reader);
    const { current } = (await admin.get('Rules')).body;
    const draft = { name: 'Summer', rules: current.rules, from: null, why: '', basedOn: current.version };
    const { body } = await admin.post('Rules/draft', draft);
    await waitFor(() => seen.rules === 1);
    await admin.delete(`Rules/draft/${body.id}`);
    await waitFor(() => seen.rules === 2);
  });

  // spec 3.8
  it('counts a new reader and a new book on an open dashboard', async () => {
    const { seen } = await connect(admin);
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
    const { socket: away } = await connect(reader);
    const { rows } = await product.database.query(`select log_id from ${READ_MODEL}.checkpoint`);
    expect(rows).toEqual([{ log_id: away.hello.log }]);
    away.disconnect();
    const { borrowId } = await rents(reader);
    await rents();
    const { socket: back } = await connect(reader);
    const answer = await resume(back, away.hello.position);
    expect(answer.kind).toBe('missed');
    expect(answer.kind === 'missed' && answer.borrows.map(({ id }) => id)).toEqual([borrowId]);
    expect(answer.kind === 'missed' && BigInt(answer.position)).toBeGreaterThan(BigInt(away.hello.position));
    for (const position of [
      'nonsense',
      '-2',
      '9223372036854775808',
      '9'.repeat(20),
      '9'.repeat(4000),
      7,
      null,
    ])
      expect(await resume(back, position)).toMatchObject({ kind: 'refused', code: 'ValidationFailed' });
    expect((await resume(back, '9223372036854775807')).kind).not.toBe('refused');
    const all = await resume((await connect(admin)).socket, '-1');
    expect(all).toMatchObject({ kind: 'missed', stats: { activeBorrows: expect.any(Number) } });
  });

  it('cuts a revoked session off at once', async () => {
    const leaving = await product.account();
    const { socket, seen } = await connect(leaving);
    await product.database.query('update account set session = session + 1 where id = $1', [leaving.id]);
    await notify(CHANNELS.accounts, leaving.id);
    await waitFor(async () => seen.ended === 'revoked' && !socket.connected);
    await expect(connect(leaving)).rejects.toThrow('SessionEnded');
  });

  it('cuts the sockets of one session off when it ends, and none of its owner’s others', async () => {
    const here = await product.account();
    const there = await product.signIn(here);
    const [stays, goes] = [await connect(here), await connect(there)];
    expect((await here.delete(`Account/sessions/${there.sid}`)).status).toBe(200);
    await waitFor(async () => goes.seen.ended === 'revoked' && !goes.socket.connected);
    expect(stays.socket.connected).toBe(true);
    expect((await here.post('Account/logout')).status).toBe(200);
    await waitFor(async () => stays.seen.ended === 'revoked' && !stays.socket.connected);
  });

  describe('a watched history', () => {
    const watch = ({ socket }: { socket: LiveSocket }, readerId: string) =>
      new Promise<WatchAnswer>((resolve) => socket.emit('watchReader', { readerId }, resolve));
    const watching = async (...roles: Role[]) => {
      const account = await product.account(...roles);
      return { account, ...(await connect(account)) };
    };
    const refused = (code: string) => ({ kind: 'refused', code });

    it('tells auditors of its new events, of that reader alone, until they leave', async () => {
      const [watched, other] = [await product.account(), await product.account()];
      const auditor = await watching('Auditor');
      const told = auditor.seen.watched;
      expect(await watch(auditor, watched.id)).toEqual({ kind: 'watching', revision: -1 });
      await rents(other);
      await rents(watched);
      await waitFor(() => told.length > 0);
      await rents(watched);
      await waitFor(() => told.at(-1)?.revision === 1);
      expect(new Set(told.map(({ readerId }) => readerId))).toEqual(new Set([watched.id]));
      const { body } = await auditor.account.get(`Audit/looks?readerId=${watched.id}`);
      expect(body.items).toMatchObject([{ what: 'watch', who: { id: auditor.account.id } }]);

      auditor.socket.emit('unwatchReader', { readerId: watched.id });
      // Answered after what was sent before it.
      await resume(auditor.socket, '0');
      const back = await watching('Admin');
      expect(await watch(back, watched.id)).toEqual({ kind: 'watching', revision: 1 });
      const before = told.length;
      await rents(watched);
      await waitFor(() => back.seen.watched.at(-1)?.revision === 2);
      expect(told.length).toBe(before);
    });

    it('tells of a rent that was given up, which no list shows', async () => {
      const watched = await product.account();
      const auditor = await watching('Auditor');
      await watch(auditor, watched.id);
      const data = { borrowId: randomUUID(), abandonedAt: new Date().toISOString() };
      const fence = {
        id: randomUUID(),
        event: { type: 'RentAbandoned' as const, data },
        metadata: metadataOf(),
      };
      await product.log.append('borrows', watched.pseudonym, [fence], -1n);
      await waitFor(() => auditor.seen.watched.at(-1)?.revision === 0);
    });

    it('is refused to readers, for nobody, and where the look cannot be recorded', async () => {
      const watched = await product.account();
      const [mere, auditor, witness] = [
        await watching(),
        await watching('Auditor'),
        await watching('Auditor'),
      ];
      await watch(witness, watched.id);
      expect(await watch(mere, watched.id)).toMatchObject(refused('NotAllowed'));
      expect(await watch(auditor, randomUUID())).toMatchObject(refused('NotFound'));
      expect(await watch(auditor, 'x')).toMatchObject(refused('ValidationFailed'));
      await product.database.query('alter table audit_look rename to audit_look_away');
      try {
        expect(await watch(auditor, watched.id)).toMatchObject(refused('LookNotRecorded'));
      } finally {
        await product.database.query('alter table audit_look_away rename to audit_look');
      }
      await rents(watched);
      await waitFor(() => witness.seen.watched.length > 0);
      for (const { socket } of [auditor, mere]) await resume(socket, '0');
      expect([...auditor.seen.watched, ...mere.seen.watched]).toEqual([]);
    });

    it('ends with the role', async () => {
      const watched = await product.account();
      const [auditor, witness] = [await watching('Auditor'), await watching('Auditor')];
      for (const each of [auditor, witness]) await watch(each, watched.id);
      /** As another process gives them. */
      const giveRoles = async (...roles: Role[]) => {
        const { id } = auditor.account;
        await product.database.query(`update account set roles = $2 where id = $1`, [id, roles]);
        await notify(CHANNELS.accounts, id);
        await waitFor(() => auditor.seen.roles.at(-1)?.join() === roles.join());
      };
      await giveRoles('Reader');
      await rents(watched);
      await waitFor(() => witness.seen.watched.length > 0);
      await giveRoles('Reader', 'Admin');
      expect(auditor.seen.watched).toEqual([]);
    });
  });

  it('says to ask again when the notification link was away', async () => {
    const { seen, hears } = await connect(reader);
    await product.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'lectern notifications'`,
    );
    await waitFor(() => seen.refetches > 0);
    await hears(await rents(reader));
  });

  describe('an open socket', () => {
    const setRoles = async (whom: TestAccount, ...roles: Role[]) => {
      expect((await admin.put(`User/roles?id=${whom.id}`, { roles })).status).toBe(200);
    };

    // spec 6.5
    it('is told its roles, and hears and stops hearing what admins hear, when they are given and taken', async () => {
      const [person, watcher] = [await product.account(), await connect(admin)];
      const { seen, hears } = await connect(person);
      await waitFor(() => seen.roles.length === 1);
      expect(seen.roles).toEqual([['Reader']]);

      await setRoles(person, 'Admin');
      await waitFor(() => seen.roles.length === 2);
      expect(seen.roles[1]).toEqual(['Reader', 'Admin']);
      await hears(await rents());
      await waitFor(() => seen.counters.length > 0);

      await setRoles(person);
      await waitFor(() => seen.roles.length === 3);
      expect(seen.roles[2]).toEqual(['Reader']);
      const counters = seen.counters.length;
      const missed = await rents();
      await watcher.hears(missed);
      // Its own borrow is told after the stranger's: whatever was on its way before it has arrived.
      await hears(await rents(person));
      expect(seen.borrows.map(({ id }) => id)).not.toContain(missed.borrowId);
      expect(seen.counters).toHaveLength(counters);
    });

    it('ends at the last of many changes', async () => {
      const person = await product.account();
      const { seen, hears } = await connect(person);
      for (let round = 0; round < 5; round += 1) {
        await setRoles(person, 'Admin');
        await setRoles(person);
      }
      await setRoles(person, 'Auditor');
      await waitFor(() => seen.roles.at(-1)?.includes('Auditor') ?? false);
      await hears(await rents(person));
      expect(seen.roles.at(-1)).toEqual(['Reader', 'Auditor']);
    });

    it.each([
      ['a new name', 'firstname', 'Jadwiga'],
      // What may be renewed is another by then.
      ['another kind', 'kind', 'child'],
    ])(
      'is asked to look again when a reader has %s: the admins and the reader',
      async (_what, field, value) => {
        const person = await product.account();
        const [librarian, owner, stranger] = [
          await connect(admin),
          await connect(person),
          await connect(await product.account()),
        ];
        const { body } = await admin.get(`User/userId/${person.id}`);
        const put = async (change: object) =>
          expect(
            (await admin.put(`User?id=${person.id}`, { ...body, version: undefined, ...change })).status,
          ).toBe(200);
        await put({ city: 'Gdynia' });
        await put({ [field]: value });
        await waitFor(() => librarian.seen.refetches > 0 && owner.seen.refetches > 0);
        expect([librarian, owner, stranger].map(({ seen }) => seen.refetches)).toEqual([1, 1, 0]);
      },
    );
  });

  describe('a server that is notified of nonsense', () => {
    const JUNK = [
      ...['', 'nonsense', '{', 'null', '[]', '{"position":1}', '{"position":"1.5"}'],
      ...['{"position":"1","borrows":[["x"]]}', '{"reportId":"nobody","progress":"most"}'],
    ];

    it('serves on after junk on any channel', async () => {
      const { socket, seen, hears } = await connect(admin);
      // The server alone listens to these, and their payloads are any text.
      const { outbox, letters, timeZone, holds, rules, simulations, library } = CHANNELS;
      const unread: string[] = [outbox, letters, timeZone, holds, rules, simulations, library];
      const told = async (channel: string) =>
        (await product.lines()).filter((line) => line.includes('malformed') && line.includes(`"${channel}"`));
      for (const channel of Object.values(CHANNELS)) {
        for (const payload of JUNK) await notify(channel, payload);
        // An empty message about the catalogue says that many books changed.
        const malformed = JUNK.filter((text) => channel !== CHANNELS.catalogue || text !== '');
        const warned = unread.includes(channel) ? 0 : malformed.length;
        await waitFor(async () => (await told(channel)).length >= warned);
      }
      await hears(await rents());
      for (const channel of Object.values(CHANNELS)) {
        const warnings = await told(channel);
        expect([channel, warnings.length > 0]).toEqual([channel, !unread.includes(channel)]);
        expect(warnings.filter((line) => line.includes('nonsense'))).toEqual([]);
      }
      expect(seen).toMatchObject({ reports: 0, ended: '' });
      expect(socket.connected).toBe(true);
      expect((await admin.get('Borrow')).status).toBe(200);
    });

    it('has every screen ask again where nobody can say what changed in the lists', async () => {
      const { seen } = await connect(reader);
      await notify(CHANNELS.readModels, 'nonsense');
      await waitFor(() => seen.refetches > 0);
    });
  });
});
