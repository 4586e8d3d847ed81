import pg from 'pg';
import type { SystemStatusView, Part } from '#contracts/dashboard/system-status.js';
import { LOCKS } from '#platform/database/locks.js';
import { createTestDatabase } from '../../../test-support/database/database.js';
import { startProduct, type TestAccount } from '../../../test-support/product/product.js';
import {
  startDatabaseRelay,
  startStoreRelay,
  type StoreRelay,
} from '../../../test-support/installation/relay.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';

const MINUTE = 60_000;

describe('the state of the house', () => {
  const clock = new TestClock();
  let store: StoreRelay;
  const testDatabase = shared(() => createTestDatabase('migrated'));
  const direct = shared(() => new pg.Pool({ connectionString: testDatabase.url }));
  const database = shared(() => startDatabaseRelay(testDatabase.url));
  const product = shared(
    () =>
      startProduct(clock, {
        databaseUrl: database.url,
        heartbeatMs: 100,
        before: async (url) => (store = await startStoreRelay(url)).url,
      }),
    async (started) => {
      await started.close();
      await store.close();
    },
  );
  const admin = shared(() => product.account('Admin'));

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
  const news = async ({ id }: TestAccount) => {
    const { rows } = await direct.query('select email from account where id = $1', [id]);
    const letters = await product.letters(rows[0].email as string);
    return letters.filter(({ subject }) => /Letters about/.test(subject));
  };

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
    expect(view.processes).toMatchObject([{ jobs: true, pid: product.pid, silent: false }]);
    expect(view.processes[0]?.kinds.sort()).toEqual(['projections', 'server']);
    const told = JSON.stringify(view);
    for (const secret of ['DATABASE_URL', 'EVENTSTORE_URL', 'SMTP_URL', 'JWT_SECRET'] as const) {
      expect(told).not.toContain(String(product.settings[secret]));
    }
    expect(told).not.toMatch(/postgres:|esdb:|smtp:|@/);
  });

  it('says which part is away, since when, and that it is back', async () => {
    const well = partOf(await until('eventStore', 'ok'), 'eventStore');
    store.refuse();
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
    store.restore();
    const back = await until('eventStore', 'ok');
    expect(Date.parse(partOf(back, 'eventStore')?.since ?? '')).toBeGreaterThan(Date.parse(since));
    expect(partOf(back, 'eventStore')?.incident).toEqual({ since, letter: 'none' });
  });

  it('writes to all who look after the system when a part was red for ten minutes and when it is working again, once the mail server takes letters', async () => {
    const setOf = async (permission: string) => {
      const { rows } = await direct.query<{ id: string }>(
        'insert into permission_set (name, permissions) values ($1, array[$1]) returning id',
        [permission],
      );
      return rows[0]?.id ?? '';
    };
    const operator = await product.account('Reader', await setOf('system'));
    const stranger = await product.account('Admin');
    await direct.query('update account set email_confirmed = false where id = $1', [stranger.id]);
    const others = [
      stranger,
      await product.account('Reader', await setOf('library')),
      await product.account('Reader', 'Librarian'),
    ];
    await until('letters', 'ok');
    // Another process does not reach the mail server.
    await direct.query(
      `insert into process_heartbeat (process, kind, host, pid, version, node, started, seen, checks, facts)
       values (gen_random_uuid(), 'worker', 'elsewhere', 1, '1', '1', now(), now() + interval '1 hour',
         '{"mailServer": {"ok": false}}', '{}')`,
    );
    await until('mailServer', 'warning');
    await stopLetters();
    await until('letters', 'bad');
    await pass(10.5 * MINUTE);
    expect(partOf(await house(), 'letters')?.incident?.letter).toBe('waiting');
    expect(await news(admin)).toEqual([]);
    await direct.query(`delete from process_heartbeat where host = 'elsewhere'`);
    await waitFor(async () => (await news(admin)).length > 0);
    expect(partOf(await house(), 'letters')?.incident?.letter).toBe('sent');
    await startLetters();
    await until('letters', 'ok');
    await pass(6 * MINUTE);
    for (const each of [admin, operator]) {
      const [again, red, ...more] = await waitFor(async () => {
        const told = await news(each);
        return told.length > 1 && told;
      });
      expect(more).toEqual([]);
      expect(red?.subject).toBe('Lectern: Letters about borrows needs attention');
      expect(red?.text).toMatch(/stopped at an event[^]*What to do: [^]*Down since: \d{4}-/);
      expect(red?.links).toEqual([expect.stringMatching(/\/#\/admin\/house$/)]);
      expect(again?.subject).toBe('Lectern: Letters about borrows is working again');
    }
    for (const each of others) expect(await news(each)).toEqual([]);
    expect(partOf(await house(), 'letters')?.incident).toBeNull();
  });

  it('says what it can while the database is away, and later since when it was, though another process was at it', async () => {
    const before = clock.now().getTime();
    // On a busy machine it may have seemed away a moment ago.
    await waitFor(async () => Date.parse((await house()).lookedAt ?? '') >= before);
    /** The next one that is written. */
    const heartbeat = async () => {
      const asked = new Date();
      await waitFor(async () => {
        const { rows } = await direct.query(
          `select from process_heartbeat where kind = 'server' and seen > $1`,
          [asked],
        );
        return rows.length > 0;
      });
    };
    // The holder of this lock looks at the parts. Taken before the silence, as a look of the product that is cut off would keep it.
    const holder = await direct.connect();
    await holder.query('select pg_advisory_lock($1)', [LOCKS.house]);
    database.silence();
    try {
      const view = await waitFor(async () => {
        const { status, body } = await admin.get('Dashboard/house');
        if (status !== 200) {
          // Who asks was forgotten before this process had seen it: once more.
          database.restore();
          await waitFor(async () => (await admin.get('Dashboard/house')).status === 200);
          database.silence();
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
      database.restore();
      await heartbeat();
      await heartbeat();
    } finally {
      database.restore();
      holder.release(true);
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
