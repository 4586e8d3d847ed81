import pg from 'pg';
import { LOCKS } from '#platform/database/locks.js';
import { cutLeader } from '../../test-support/event-store/cut-leader.js';
import { startProduct } from '../../test-support/product/product.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';

interface Told {
  status: string;
  checks: Record<string, { ok: boolean; lagSeconds?: number; failed?: number }>;
}

describe('what the installation tells those who run it', () => {
  const product = shared(() => startProduct());
  const reader = shared(() => product.account());

  const ask = (path: string) => fetch(`${product.url}${path}`);
  const ready = async (path = '/readyz') => {
    const answer = await ask(path);
    return { status: answer.status, body: (await answer.json()) as Told };
  };
  /** A connection that does not need the product's own database. */
  const otherDatabase = async () => {
    const url = new URL(product.settings.DATABASE_URL);
    url.pathname = 'postgres';
    const client = new pg.Client({ connectionString: url.toString() });
    await client.connect();
    return client;
  };
  /** One measurement of a scrape. */
  const measured = async (line: RegExp) => {
    const text = await (await ask('/metrics')).text();
    const found = line.exec(text);
    return found ? Number(found[1]) : undefined;
  };

  it('says that the process answers', async () => {
    const answer = await ask('/healthz');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ok' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('names every part that it needs', async () => {
    // Those that follow the log lead a moment after the server listens.
    const { status, body } = await waitFor(async () => {
      const answer = await ready();
      return answer.body.status === 'ready' && answer;
    });
    expect(status).toBe(200);
    expect(Object.keys(body.checks).sort()).toEqual([
      'database',
      'eventStore',
      'jobs',
      'letters',
      'mailServer',
      'notifications',
      'projection',
    ]);
    expect(Object.values(body.checks).every(({ ok }) => ok)).toBe(true);
  });

  it('opens as a worker alone, which handles every job of its queues', async () => {
    const answer = await fetch(`${await product.startWorker()}/readyz`);
    const { status, checks } = (await answer.json()) as Told;
    expect([answer.status, status]).toEqual([200, 'ready']);
    expect(Object.keys(checks).sort()).toEqual([
      'database',
      'eventStore',
      'jobs',
      'mailServer',
      'notifications',
    ]);
  });

  it('measures calls by their route, never by an id', async () => {
    const book = await product.book(1);
    await reader.get(`Book/${book}`);
    await reader.get('Book/999999');
    await reader.get('Book?pageNumber=1&pageSize=12');
    await reader.post('Borrow/rent-books', { bookIds: [book] });
    const text = await (await ask('/metrics')).text();
    const calls = text
      .split('\n')
      .filter((line) => line.startsWith('lectern_http_request_duration_seconds_count'));
    expect(calls).toEqual(
      expect.arrayContaining([
        expect.stringContaining('method="GET",route="/api/Book/:id",status="200"} 1'),
        expect.stringContaining('method="GET",route="/api/Book/:id",status="404"} 1'),
        expect.stringContaining('method="POST",route="/api/Borrow/rent-books",status="200"} 1'),
      ]),
    );
    expect(text).not.toContain(reader.id);
    // Of each line all but the number: a duration may happen to have these digits.
    expect(text.replaceAll(/ \S+$/gm, '')).not.toContain('999999');
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  });

  it('measures queues, sockets, the outbox, the letters that are due and the pool', async () => {
    expect(await measured(/^lectern_queue_jobs\{queue_state="mail:failed"\} (\d+)$/m)).toBe(0);
    expect(await measured(/^lectern_live_sockets (\d+)$/m)).toBe(0);
    // The letter about the rent may still be under way.
    for (const name of ['outbox_jobs', 'letters_due', 'letters_oldest_due_seconds']) {
      await waitFor(async () => (await measured(new RegExp(`^lectern_${name} (\\d+)$`, 'm'))) === 0);
    }
    expect(await measured(/^lectern_database_connections\{use="idle"\} (\d+)$/m)).toBeGreaterThanOrEqual(0);
  });

  it('is degraded while it does not hear what the database tells, and counts the returns', async () => {
    expect(await measured(/^lectern_notifications_connected (\d)$/m)).toBe(1);
    const name = new URL(product.settings.DATABASE_URL).pathname.slice(1);
    const allow = (whether: boolean) =>
      elsewhere.query(`alter database ${name} allow_connections ${whether}`);
    const elsewhere = await otherDatabase();
    // Connections that are open stay, so everything else works.
    await product.database.query('select 1');
    await allow(false);
    try {
      await elsewhere.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = $1 and application_name = 'lectern notifications'`,
        [name],
      );
      const deaf = await waitFor(async () => {
        const answer = await ready();
        return answer.body.checks['notifications']?.ok === false ? answer : undefined;
      });
      expect(deaf).toMatchObject({ status: 200, body: { status: 'degraded' } });
      expect((await ready('/readyz?strict')).status).toBe(503);
      expect(await measured(/^lectern_notifications_connected (\d)$/m)).toBe(0);
    } finally {
      await allow(true);
      await elsewhere.end();
    }
    const well = await waitFor(async () => {
      const answer = await ready();
      return answer.body.checks['notifications']?.ok === true ? answer : undefined;
    });
    expect(well.body.status).toBe('ready');
    expect(await measured(/^lectern_notifications_reconnects (\d+)$/m)).toBe(1);
  });

  it('tells how far the lists are behind the log, once the projections are away', async () => {
    const projections = await product.projectionOperations();
    const told = await waitFor(async () => {
      const answer = (await (await fetch(`${projections}/readyz`)).json()) as Told;
      return answer.status === 'ready' && answer;
    });
    expect(told).toMatchObject({
      checks: { projector: { ok: true, state: 'leading' }, letters: { ok: true, state: 'leading' } },
    });
    const measurements = async () => (await fetch(`${projections}/metrics`)).text();
    const followers = await waitFor(async () => {
      const text = await measurements();
      return /^lectern_letters_lag_seconds 0$/m.test(text) && text;
    });
    for (const follower of ['projection', 'letters']) {
      expect(followers).toContain(`lectern_follower_leads{follower="${follower}"} 1`);
      expect(followers).toContain(`lectern_follower_stopped{follower="${follower}"} 0`);
      expect(followers).toMatch(
        new RegExp(`^lectern_follower_reconnects\\{follower="${follower}"\\} \\d+$`, 'm'),
      );
      expect(followers).toContain(`lectern_follower_resubscriptions{follower="${follower}"} 0`);
      expect(followers).toMatch(new RegExp(`^lectern_${follower}_lag_seconds 0$`, 'm'));
    }
    const reconnects = (text: string, follower: string) =>
      Number(new RegExp(`follower_reconnects\\{follower="${follower}"\\} (\\d+)`).exec(text)?.[1]);
    // The connection that holds the lock is the one that writes.
    await cutLeader(product.database, LOCKS.letters);
    const returned = await waitFor(async () => {
      const text = await measurements();
      const isBack = reconnects(text, 'letters') > reconnects(followers, 'letters');
      return isBack && text.includes('lectern_follower_leads{follower="letters"} 1') && text;
    });
    expect(reconnects(returned, 'projection')).toBe(reconnects(followers, 'projection'));

    await product.closeProjections();
    const book = await product.book(1);
    const rent = await reader.post('Borrow/rent-books', { bookIds: [book] });
    expect(rent.status).toBe(200);
    await waitFor(async () => ((await ready()).body.checks['projection']?.lagSeconds ?? 0) > 1);
    expect(await measured(/^lectern_projection_lag_seconds ([\d.]+)$/m)).toBeGreaterThan(1);
  });

  it('is degraded, not out of service, while the event log is away; strictly asked it is', async () => {
    await product.stopEventStore();
    const told = await waitFor(async () => {
      const answer = await ready();
      return answer.body.checks['eventStore']?.ok === false ? answer : undefined;
    });
    expect(told).toMatchObject({ status: 200, body: { status: 'degraded' } });
    const strict = await ready('/readyz?strict');
    expect(strict.status).toBe(503);
    expect((await reader.get('Book?pageNumber=1&pageSize=12')).status).toBe(200);
    const refused = await reader.post('Borrow/rent-books', { bookIds: [await product.book(1)] });
    expect(refused.status).toBe(503);
  });
});
