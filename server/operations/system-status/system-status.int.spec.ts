import type { SystemStatusView, Part } from '#contracts/dashboard/system-status.js';
import { inTransaction } from '#platform/database/database.js';
import { LOCKS } from '#platform/database/locks.js';
import { createLogger } from '#platform/logging.js';
import { createTestDatabase, type TestDatabase } from '../../../test-support/database.js';
import { startProduct, type TestAccount, type TestProduct } from '../../../test-support/product.js';
import {
  startDatabaseRelay,
  startRelay,
  type DatabaseRelay,
  type Relay,
} from '../../../test-support/relay.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';
import { StatusMonitor, notifyOperators } from './status-monitor.js';
import type { PartState } from './part-state.js';

const MINUTE = 60_000;

describe('the state of the house', () => {
  const clock = new TestClock();
  let product: TestProduct;
  let relay: Relay | undefined;
  let database: DatabaseRelay | undefined;
  let testDatabase: TestDatabase | undefined;
  let admin: TestAccount;
  let email = '';

  beforeAll(async () => {
    testDatabase = await createTestDatabase('migrated');
    database = await startDatabaseRelay(testDatabase.url);
    product = await startProduct(clock, {
      databaseUrl: database.url,
      heartbeatMs: 100,
      before: async (url) => {
        const address = new URL(url);
        relay = await startRelay(Number(address.port));
        address.port = String(relay.port);
        return address.href;
      },
    });
    admin = await product.account('Admin');
    const { rows } = await product.database.query<{ email: string }>(
      'select email from account where id = $1',
      [admin.id],
    );
    email = rows[0]?.email ?? '';
  });
  afterAll(async () => {
    await product.close();
    await relay?.close();
    await database?.close();
    await testDatabase?.drop();
  });

  const house = async () => {
    const { status, body } = await admin.get('Dashboard/house');
    expect(status).toBe(200);
    return body as SystemStatusView;
  };
  const partOf = (view: SystemStatusView, part: Part) => view.parts.find((each) => each.part === part);
  const until = (part: Part, level: 'ok' | 'warning' | 'bad') =>
    waitFor(async () => {
      const view = await house();
      return partOf(view, part)?.level === level && view;
    });
  /** The time goes on, and the parts are looked at all the while. */
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 1.5 * MINUTE) {
      await clock.forward(1.5 * MINUTE);
      const now = clock.now().getTime();
      await waitFor(async () => Date.parse((await house()).lookedAt ?? '') >= now);
    }
  };
  /** As a follower that stops at an event tells it. */
  const stopLetters = () =>
    product.database.query(
      `insert into follower_state (name, state, since, reason) values ('letters', 'stopped', now(), 'a test')`,
    );
  const startLetters = () => product.database.query(`delete from follower_state where name = 'letters'`);
  const news = async () =>
    (await product.letters(email)).filter(({ subject }) => /Letters about/.test(subject));

  it('has every part, what waits, the versions and who runs, and tells no secret', async () => {
    // On a busy machine the database may seem away for a moment: it alone knows some of the parts.
    const view = await waitFor(async () => {
      const known = await house();
      return partOf(known, 'projection')?.level === 'ok' && known.level === 'ok' && known;
    });
    expect(view.parts.map(({ part, level }) => `${part} ${level}`)).toEqual([
      'database ok',
      'eventStore ok',
      'projection ok',
      'letters ok',
      'jobs ok',
      'worker ok',
      'mailServer ok',
      'notifications ok',
      'payments ok',
      'printing ok',
      'backup ok',
    ]);
    expect(view.parts.every(({ since }) => since !== null)).toBe(true);
    expect(view.waiting.letters).toEqual({ count: 0, oldest: null });
    expect(view.waiting.queues?.map(({ name }) => name).sort()).toEqual([
      'imports',
      'letters',
      'mail',
      'reports',
      'upkeep',
    ]);
    expect(view.backups.plan).toBe('own-means');
    expect(view.versions.node).toBe(process.versions.node);
    expect(view.disk.database).toBeGreaterThan(0);
    expect(view.processes).toMatchObject([{ jobs: true, pid: process.pid, silent: false }]);
    expect(view.processes[0]?.kinds.sort()).toEqual(['projections', 'server']);
    const told = JSON.stringify(view);
    for (const secret of ['DATABASE_URL', 'EVENTSTORE_URL', 'SMTP_URL', 'JWT_SECRET'] as const) {
      expect(told).not.toContain(String(product.settings[secret]));
    }
    expect(told).not.toMatch(/postgres:|esdb:|smtp:|@/);
  });

  it('says which part is away, since when, and that it is back', async () => {
    const well = partOf(await until('eventStore', 'ok'), 'eventStore');
    relay?.silence();
    const red = await until('eventStore', 'bad');
    expect(red.level).toBe('bad');
    const since = partOf(red, 'eventStore')?.since ?? '';
    expect(await (await fetch(`${product.url}/metrics`)).text()).toContain(
      'lectern_part_red{part="eventStore"} 1',
    );
    expect(Date.parse(since)).toBeGreaterThan(Date.parse(well?.since ?? ''));
    // What depends on it is no second trouble.
    expect(partOf(red, 'projection')?.level).not.toBe('bad');
    expect(partOf(await house(), 'eventStore')?.since).toBe(since);
    relay?.restore();
    const back = await until('eventStore', 'ok');
    expect(Date.parse(partOf(back, 'eventStore')?.since ?? '')).toBeGreaterThan(Date.parse(since));
    expect(partOf(back, 'eventStore')?.incident).toEqual({ since, letter: 'none' });
  });

  it('writes to the admins once when a part was red for ten minutes, and once when it is working again', async () => {
    await until('letters', 'ok');
    await stopLetters();
    await until('letters', 'bad');
    await pass(9 * MINUTE);
    expect(await news()).toEqual([]);
    await pass(30 * MINUTE);
    await waitFor(async () => (await news()).length > 0);
    expect(partOf(await house(), 'letters')?.incident?.letter).toBe('sent');
    await startLetters();
    await until('letters', 'ok');
    await pass(9 * MINUTE);
    await waitFor(async () => (await news()).length > 1);
    await pass(9 * MINUTE);
    const [again, red, ...others] = await news();
    expect(others).toEqual([]);
    expect(red?.subject).toBe('Lectern: Letters about borrows needs attention');
    expect(red?.text).toMatch(/stopped at an event[^]*What to do: [^]*Down since: \d{4}-/);
    expect(red?.links).toEqual([expect.stringMatching(/\/#\/admin\/house$/)]);
    expect(again?.subject).toBe('Lectern: Letters about borrows is working again');
    expect(partOf(await house(), 'letters')?.incident).toBeNull();
  });

  it('keeps letters back while the mail server takes none, and writes to all who look after the system, by a set of the library too, with a confirmed address', async () => {
    const stranger = await product.account('Admin');
    await product.database.query('update account set email_confirmed = false where id = $1', [stranger.id]);
    const setOf = async (permission: string) => {
      const { rows } = await product.database.query<{ id: string }>(
        'insert into permission_set (name, permissions) values ($1, array[$1]) returning id',
        [permission],
      );
      return rows[0]?.id ?? '';
    };
    const operator = await product.account('Reader', await setOf('system'));
    await product.account('Reader', await setOf('library'));
    await product.account('Reader', 'Librarian');
    const state = (level: PartState['level'], owed: PartState['owed'] = null): PartState => ({
      ...{ level, reason: level === 'ok' ? null : 'away', facts: {}, since: 0, seen: 0 },
      ...{ incident: null, owed, told: [] },
    });
    const jobs: unknown[] = [];
    const tell = (mail: PartState['level']) =>
      inTransaction(product.database, async (transaction) => {
        const parts = new Map([
          ['mailServer', state(mail)],
          ['jobs', state('bad', { kind: 'red', since: 0 })],
        ] as const);
        const after = await notifyOperators(transaction, parts);
        // Not yet committed, so nobody else has taken them.
        const { rows } = await transaction.query<{ data: unknown }>(
          `delete from letters.letter where kind = 'part-not-well' and state = 'waiting' returning data`,
        );
        jobs.push(...rows.map(({ data }) => data));
        return after.get('jobs')?.owed;
      });
    expect(await tell('bad')).toEqual({ kind: 'red', since: 0 });
    expect(await tell('warning')).toEqual({ kind: 'red', since: 0 });
    expect(jobs).toEqual([]);
    expect(await tell('ok')).toBeNull();
    const about = { part: 'jobs', since: '1970-01-01T00:00:00.000Z', reason: 'away', facts: {} };
    const told = [admin.id, operator.id].map((accountId) => ({ accountId, ...about }));
    expect(jobs).toHaveLength(told.length);
    expect(jobs).toEqual(expect.arrayContaining(told));
  });

  it('remembers that the database was away while another process looks', async () => {
    const logger = createLogger('silent');
    const watch = new StatusMonitor(product.database, clock, logger);
    const before = clock.now();
    await watch.look(false);
    const after = clock.now();
    const since = watch.awaySince;
    expect(since?.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(since?.getTime()).toBeLessThanOrEqual(after.getTime());
    const other = await product.database.connect();
    try {
      // The product itself looks too, now and then.
      await other.query('select pg_advisory_lock($1)', [LOCKS.house]);
      await watch.look(true);
    } finally {
      await other.query('select pg_advisory_unlock_all()');
      other.release();
    }
    expect(watch.awaySince).toEqual(since);
    await waitFor(async () => {
      await watch.look(true);
      return watch.awaySince === undefined;
    });
    const { incident } = partOf(await house(), 'database') ?? {};
    expect(Date.parse(incident?.since ?? '')).toBeGreaterThanOrEqual(before.getTime());
    // It is over before the next one.
    await pass(10 * MINUTE);
    expect(partOf(await house(), 'database')?.incident).toBeNull();
  });

  it('says what it can while the database is away, and later since when it was', async () => {
    const before = clock.now().getTime();
    // On a busy machine it may have seemed away a moment ago.
    await waitFor(async () => Date.parse((await house()).lookedAt ?? '') >= before);
    database?.silence();
    try {
      const view = await waitFor(async () => {
        const { status, body } = await admin.get('Dashboard/house');
        if (status !== 200) {
          // Who asks was forgotten before this process had seen it: once more.
          database?.restore();
          await waitFor(async () => (await admin.get('Dashboard/house')).status === 200);
          database?.silence();
          return false;
        }
        const known = body as SystemStatusView;
        return (
          partOf(known, 'database')?.level === 'bad' && partOf(known, 'database')?.since !== null && known
        );
      });
      expect(view.lookedAt).toBeNull();
      expect(view.disk.database).toBeNull();
      expect(view.versions.postgres).toBeNull();
      expect(Date.parse(partOf(view, 'database')?.since ?? '')).toBeGreaterThanOrEqual(before);
      expect(partOf(view, 'mailServer')?.level).toBe('ok');
    } finally {
      database?.restore();
    }
    const back = await waitFor(async () => {
      // Who asks may have been forgotten meanwhile; they are known again with the first answer of the database.
      const { status, body } = await admin.get('Dashboard/house');
      if (status !== 200) return false;
      const known = body as SystemStatusView;
      const state = partOf(known, 'database');
      return state?.level === 'ok' && state.incident !== null && known.lookedAt !== null && known;
    });
    expect(Date.parse(partOf(back, 'database')?.incident?.since ?? '')).toBeGreaterThanOrEqual(before);
  });
});
