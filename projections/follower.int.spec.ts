import { randomUUID } from 'node:crypto';
import { runInThisContext } from 'node:vm';
import { projectionLock } from '#platform/database/locks.js';
import { createLogger } from '#platform/logging.js';
import { ANY_LOG, built, EventLog, eventStoreClient } from '../test-support/event-store/event-store-parts.js';
import { cutLeader } from '../test-support/event-store/cut-leader.js';
import { startProduct, type TestAccount } from '../test-support/product/product.js';
import { startDatabaseRelay } from '../test-support/installation/relay.js';
import { TIMEOUT, waitFor } from '../test-support/wait-for.js';
import { shared } from '../test-support/shared.js';
import type { Follower, FollowerServices, FollowerTiming } from './follower.js';
import { READ_MODEL, READ_MODEL_RELEASE } from '#platform/database/read-model.js';

const { openDatabase } = await built<typeof import('#platform/database/database.js')>(
  'platform/database/database',
);
const { ReadModelSchema } = await built<typeof import('#platform/database/read-model-schema.js')>(
  'platform/database/read-model-schema',
);
const { LogIdentity } = await built<typeof import('#platform/event-log/log-identity.js')>(
  'platform/event-log/log-identity',
);
const { Metrics } = await built<typeof import('#platform/operations/metrics.js')>(
  'platform/operations/metrics',
);
const { Projector } = await built<typeof import('./projector.js')>('projections/projector');
const { LetterReactor } = await built<typeof import('./letters/letter-reactor.js')>(
  'projections/letters/letter-reactor',
);
const { startProjectionOperations } = await built<typeof import('./projection-operations.js')>(
  'projections/projection-operations',
);

interface Told {
  status: string;
  checks: Record<string, { ok: boolean; state?: string; failure?: string }>;
}

/** A release that cannot apply what it reads. */
class BrokenProjector extends Projector {
  protected override apply(): Promise<never> {
    // Of the realm in which the build runs.
    return runInThisContext(`Promise.reject(new TypeError('row is not a function'))`) as Promise<never>;
  }

  protected override applyAtOnce(): Promise<never> {
    return this.apply();
  }
}

describe('a follower of the event log', () => {
  let reader: TestAccount;

  const closers: (() => Promise<void>)[] = [];
  const product = shared(() => startProduct());
  const database = shared(() => openDatabase(product.settings.DATABASE_URL, 8, createLogger('silent')));
  const client = shared(() => eventStoreClient(product.settings.EVENTSTORE_URL, ANY_LOG));
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
      log = new EventLog(client),
    }: { timing?: Partial<FollowerTiming>; databaseUrl?: string; log?: EventLog } = {},
  ) {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const services = { databaseUrl, database, log, logger };
    const follower = new Kind(services, { recheck: 50, held: 200, ...timing });
    const letters = new LetterReactor(services);
    const operations = await startProjectionOperations(
      {
        ...{ database, log, letters, projector: follower },
        ...{ schema: new ReadModelSchema(database), metrics: new Metrics() },
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
  const checkpoint = async () => {
    const { rows } = await database.query(
      `select log_id, commit_position::text as at, events::integer from ${READ_MODEL}.checkpoint`,
    );
    return rows[0] as { log_id: string; at: string; events: number };
  };
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
      () => database.query(`alter table ${READ_MODEL}.borrow rename to borrow_away`),
      Projector,
      /DatabaseError 42P01/,
    ],
  ])(
    'stops at once at %s: ready no more, the event named everywhere',
    async (_what, damage, Kind, reason) => {
      const before = await checkpoint();
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
      const fatal = () =>
        lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ level }) => level === 60);
      expect(fatal()).toMatchObject([{ event: place }]);
      expect((await ofServer()).checks['projection']).toMatchObject({ ok: false, state: 'stopped' });
      expect(await metricsOfServer()).toContain('lectern_follower_stopped{follower="projection"} 1');
      // Nothing of that event is in the rows.
      expect((await checkpoint()).events).toBe(before.events);

      if (Kind === Projector) await database.query(`alter table ${READ_MODEL}.borrow_away rename to borrow`);
      // Another process can, of a release that is in order: this one goes on behind it.
      const { follower: mended } = await run();
      await leads(mended);
      await waitFor(async () => (await product.differences()).length === 0);
      await waitFor(() => follower.state.kind === 'standby');
      await waitFor(async () => (await toldToAdmins()).length === 0);
      expect((await ofServer()).checks['projection']).toMatchObject({ ok: true });
      // It was not tried again meanwhile.
      expect(fatal()).toHaveLength(1);
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
      await cutLeader(database, projectionLock(READ_MODEL_RELEASE.version));
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
    const { prove } = new LogIdentity(database);
    let refusals = 0;
    const proved = eventStoreClient(product.settings.EVENTSTORE_URL, (...of) =>
      prove(...of).catch((error: unknown) => {
        refusals += 1;
        throw error;
      }),
    );
    closers.push(() => proved.dispose());
    const { follower, lines } = await run(Projector, { log: new EventLog(proved) });
    await leads(follower);
    await waitFor(async () => (await product.differences()).length === 0);
    const before = await checkpoint();
    const stamp = (logId: string) =>
      database.query(`update ${READ_MODEL}.checkpoint set log_id = $1`, [logId]);
    await stamp(randomUUID());
    await rent();
    // Its subscription is that of before: the event comes, and neither rows nor checkpoint take it.
    await waitFor(() => follower.state.kind === 'stopped');
    expect((await checkpoint()).at).toBe(before.at);
    // It is tried again and again, and said once.
    await waitFor(() => refusals > 2);
    expect(lines.filter((line) => line.includes('projection stopped'))).toHaveLength(1);

    await stamp(before.log_id);
    await leads(follower);
    await waitFor(async () => (await product.differences()).length === 0);
  });
});
