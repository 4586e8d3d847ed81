import { randomUUID } from 'node:crypto';
import { projectionLock } from '#platform/database/locks.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { LogIdentity } from '#platform/event-log/log-identity.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { createLogger } from '#platform/logging.js';
import { Metrics } from '#platform/operations/metrics.js';
import type { RunningOperations } from '#platform/operations/operations-port.js';
import { cutLeader } from '../test-support/cut-leader.js';
import { startProduct, type TestAccount } from '../test-support/product.js';
import { startDatabaseRelay } from '../test-support/relay.js';
import { TIMEOUT, waitFor } from '../test-support/wait-for.js';
import { shared } from '../test-support/shared.js';
import type { Follower, FollowerServices, FollowerTiming } from './follower.js';
import { LetterReactor } from './letters/letter-reactor.js';
import { startProjectionOperations } from './projection-operations.js';
import { Projector } from './projector.js';
import { READ_MODEL, READ_MODEL_RELEASE } from '#platform/database/read-model.js';

/** Ends of each subscription, and events in one append, which is more than is kept for a live subscriber. */
const ENDS = 3;
const BURST = 1000;
/** A follower that is at an earlier burst still is not ended by the next: on a busy machine it takes some more. */
const MAX_BURSTS = 50;

interface Told {
  status: string;
  checks: Record<string, { ok: boolean; state?: string; failure?: string }>;
}

/** A release that cannot apply what it reads. */
class BrokenProjector extends Projector {
  protected override apply(): Promise<never> {
    return Promise.reject(new TypeError('row is not a function'));
  }

  protected override applyAtOnce(): Promise<never> {
    return this.apply();
  }
}

describe('a follower of the event log', () => {
  let reader: TestAccount;

  const closers: (() => Promise<void>)[] = [];
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin'));
  beforeAll(async () => {
    await rent();
    await product.closeProjections();
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  /** A reader each time: nobody may have many books. */
  async function rent(): Promise<void> {
    reader = await product.account();
    const bookIds = [await product.book(1)];
    expect((await reader.post('Borrow/rent-books', { bookIds })).status).toBe(200);
    // Whoever reads waits for the rows.
    await reader.get('Borrow/history');
  }

  /** Runs it as projections that have a process of their own do. */
  async function run(
    Kind: new (services: FollowerServices, timing?: Partial<FollowerTiming>) => Follower = Projector,
    {
      timing = {},
      databaseUrl = product.settings.DATABASE_URL,
      log = product.log,
    }: { timing?: Partial<FollowerTiming>; databaseUrl?: string; log?: typeof product.log } = {},
  ) {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const services = { databaseUrl, database: product.database, log, logger };
    const follower = new Kind(services, { recheck: 50, held: 200, ...timing });
    const letters = new LetterReactor(services);
    const operations: RunningOperations = await startProjectionOperations(
      {
        database: product.database,
        schema: new ReadModelSchema(product.database),
        log: product.log,
        metrics: new Metrics(),
        projector: follower,
        letters,
      },
      '127.0.0.1',
      0,
    );
    await follower.start();
    closers.push(
      () => operations.close(),
      () => follower.stop(),
    );
    const ready = async () => {
      const answer = await fetch(`${operations.url}/readyz`);
      return { http: answer.status, ...((await answer.json()) as Told) };
    };
    const metrics = async () => (await fetch(`${operations.url}/metrics`)).text();
    return { follower, lines, ready, metrics };
  }

  const ofServer = async () => (await (await fetch(`${product.url}/readyz`)).json()) as Told;
  const metricsOfServer = async () => (await fetch(`${product.url}/metrics`)).text();
  const toldToAdmins = async () => (await admin.get('Dashboard/followers')).body as Record<string, unknown>[];
  const leads = (follower: Follower) => waitFor(() => follower.state.kind === 'leading');

  it('goes on where it was, and leaves no word of a trouble that is over', async () => {
    await rent();
    const { follower, ready } = await run();
    await leads(follower);
    await waitFor(async () => (await product.differences()).length === 0);
    expect(await ready()).toMatchObject({ checks: { projector: { ok: true, state: 'leading' } } });
    expect(await toldToAdmins()).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>, typeof Projector, RegExp]>([
    ['a TypeError', async () => undefined, BrokenProjector, /TypeError: row is not a function/],
    [
      'an SQL error',
      () => product.database.query(`alter table ${READ_MODEL}.borrow rename to borrow_away`),
      Projector,
      /DatabaseError 42P01/,
    ],
  ])(
    'stops at once at %s: ready no more, the event named everywhere',
    async (_what, damage, Kind, reason) => {
      const { rows } = await product.database.query<{ n: string }>(
        `select events as n from ${READ_MODEL}.checkpoint`,
      );
      await damage();
      await rent();
      const { follower, lines, ready, metrics } = await run(Kind);
      const state = await waitFor(() => (follower.state.kind === 'stopped' ? follower.state : undefined));
      const stream = `borrows-${reader.pseudonym}`;
      expect(state).toMatchObject({
        reason: expect.stringMatching(reason),
        event: { stream, type: 'BooksRented' },
      });
      expect(follower.losses).toBe(0);
      const { http, checks } = await ready();
      expect([http, checks['projector']]).toMatchObject([503, { ok: false, state: 'stopped' }]);
      expect(await metrics()).toContain('lectern_follower_stopped{follower="projection"} 1');

      const [told] = await waitFor(async () =>
        (await toldToAdmins()).length > 0 ? toldToAdmins() : undefined,
      );
      const place = {
        stream,
        type: 'BooksRented',
        revision: String(state.event?.revision),
        position: String(state.event?.position.commit),
      };
      expect(told).toMatchObject({ name: 'projection', state: 'stopped', event: place });
      const fatal = lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .find(({ level }) => level === 60);
      expect(fatal).toMatchObject({ event: place });
      expect((await ofServer()).checks['projection']).toMatchObject({ ok: false, state: 'stopped' });
      expect(await metricsOfServer()).toContain('lectern_follower_stopped{follower="projection"} 1');
      // Nothing of that event is in the rows, and it is tried no more.
      const length = lines.length;
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(lines.length).toBe(length);
      const after = await product.database.query<{ n: string }>(
        `select events as n from ${READ_MODEL}.checkpoint`,
      );
      expect(after.rows).toEqual(rows);

      if (Kind === Projector)
        await product.database.query(`alter table ${READ_MODEL}.borrow_away rename to borrow`);
      // Another process can, of a release that is in order: this one goes on behind it.
      const { follower: mended } = await run();
      await leads(mended);
      await waitFor(async () => (await product.differences()).length === 0);
      await waitFor(() => follower.state.kind === 'standby');
      await waitFor(async () => (await toldToAdmins()).length === 0);
      expect((await ofServer()).checks['projection']).toMatchObject({ ok: true });
    },
  );

  it('tries again where the database is gone, under the name of the error, and is not ready after a time', async () => {
    const relay = await startDatabaseRelay(product.settings.DATABASE_URL);
    let later = 0;
    const { follower, lines, ready, metrics } = await run(Projector, {
      timing: { redAfter: 2 * TIMEOUT, retry: 100, maxPause: 300, now: () => Date.now() + later },
      databaseUrl: relay.url,
    });
    await leads(follower);
    await relay.close();
    await waitFor(() => follower.state.kind === 'retrying');
    expect(await ready()).toMatchObject({ checks: { projector: { ok: true, state: 'retrying' } } });
    expect(await metrics()).toContain('lectern_follower_ready{follower="projection"} 1');
    later = 2 * TIMEOUT;
    expect(await ready()).toMatchObject({
      http: 503,
      checks: { projector: { state: 'retrying', failure: 'Error ECONNREFUSED' } },
    });
    expect(await metrics()).toContain('lectern_follower_ready{follower="projection"} 0');
    expect(await metrics()).toContain('lectern_follower_stopped{follower="projection"} 0');
    expect(lines.join('')).toContain('projection tries again after Error ECONNREFUSED');
    expect(await waitFor(async () => (await toldToAdmins())[0])).toMatchObject({
      state: 'retrying',
      reason: 'Error ECONNREFUSED',
      event: null,
    });
    expect((await ofServer()).checks['projection']).toMatchObject({ ok: false, state: 'retrying' });
  });

  it('is ready while a try fails now and then, as long as it gets on', async () => {
    let later = 0;
    const now = () => Date.now() + later;
    const { follower, ready } = await run(Projector, {
      timing: { redAfter: 2 * TIMEOUT, retry: 50, held: 100, now },
    });
    await leads(follower);
    for (let losses = 0; losses < 4; losses += 1) {
      await cutLeader(product.database, projectionLock(READ_MODEL_RELEASE.version));
      await waitFor(() => follower.losses > losses);
      await rent();
      // Two such steps without progress between them would be too long.
      later += TIMEOUT;
      expect((await ready()).checks['projector']?.ok).toBe(true);
      await leads(follower);
    }
    await leads(follower);
    await waitFor(async () => (await product.differences()).length === 0);
    expect(await toldToAdmins()).toEqual([]);
  });

  it('moves no checkpoint of another log, and goes on when its own is back', async () => {
    const { prove } = new LogIdentity(product.database);
    let refusals = 0;
    const client = eventStoreClient(product.settings.EVENTSTORE_URL, (...of) =>
      prove(...of).catch((error: unknown) => {
        refusals += 1;
        throw error;
      }),
    );
    closers.push(() => client.dispose());
    const { follower, lines } = await run(Projector, { log: new EventLog(client) });
    await leads(follower);
    await waitFor(async () => (await product.differences()).length === 0);
    const checkpoint = async () => {
      const { rows } = await product.database.query<{ log_id: string; at: string }>(
        `select log_id, commit_position::text as at from ${READ_MODEL}.checkpoint`,
      );
      return rows[0];
    };
    const before = await checkpoint();
    const stamp = (logId: string) =>
      product.database.query(`update ${READ_MODEL}.checkpoint set log_id = $1`, [logId]);
    await stamp(randomUUID());
    await rent();
    // Its subscription is that of before: the event comes, and neither rows nor checkpoint take it.
    await waitFor(() => follower.state.kind === 'stopped');
    expect((await checkpoint())?.at).toBe(before?.at);
    // It is tried again and again, and said once.
    await waitFor(() => refusals > 2);
    expect(lines.filter((line) => line.includes('projection stopped'))).toHaveLength(1);

    await stamp(before?.log_id ?? '');
    await leads(follower);
    await waitFor(async () => (await product.differences()).length === 0);
  });

  it('goes on at once where the event store ended its subscription as too slow, and nobody hears of it', async () => {
    const { follower, lines, ready, metrics } = await run();
    const { follower: letters } = await run(LetterReactor);
    const followers = [follower, letters];
    for (const each of followers) await leads(each);
    const counted = async () => {
      const { rows } = await product.database.query<{ n: string }>(
        `select events as n from ${READ_MODEL}.checkpoint union all select events from letters.checkpoint`,
      );
      return rows.map(({ n }) => Number(n));
    };
    // Letters stood still in the tests before.
    await waitFor(async () => {
      const { rowCount } = await product.database.query(
        `select commit_position from ${READ_MODEL}.checkpoint union select commit_position from letters.checkpoint`,
      );
      return rowCount === 1;
    });
    const before = await counted();
    let stored = 0;
    const allApplied = () =>
      waitFor(async () => (await counted()).every((n, index) => n >= (before[index] ?? 0) + stored));
    while (followers.some(({ resubscriptions }) => resubscriptions < ENDS) && stored < MAX_BURSTS * BURST) {
      await product.storeHistory(randomUUID(), BURST);
      stored += BURST;
      expect((await ready()).checks['projector']).toMatchObject({ ok: true, state: 'leading' });
      // Only who is live can be too slow.
      await allApplied();
    }
    expect(Math.min(...followers.map(({ resubscriptions }) => resubscriptions))).toBeGreaterThanOrEqual(ENDS);
    // Each event counts once.
    expect(await counted()).toEqual(before.map((n) => n + stored));
    // The books of these histories are none of the catalogue's.
    expect((await product.differences()).filter((one) => !one.endsWith('no copy is held'))).toEqual([]);
    expect(followers.map(({ losses }) => losses)).toEqual([0, 0]);
    expect(lines.join('')).not.toMatch(/tries again|"level":[456]0/);
    expect(await metrics()).toMatch(/lectern_follower_resubscriptions\{follower="projection"\} [1-9]/);
    expect(await toldToAdmins()).toEqual([]);
  });
});
