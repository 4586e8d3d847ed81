import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Cluster } from 'ioredis';
import { handleOthers, JobsUnderTest } from '../../test-support/product/jobs-under-test.js';
import {
  REDIS_INSTALLED,
  startKeepingRedis,
  startTestRedis,
  TestCluster,
  TestSentinel,
  type TestRedis,
} from '../../test-support/installation/redis.js';
import { waitFor } from '../../test-support/wait-for.js';
import { readSettings } from '../settings.js';
import type { Jobs } from './jobs.js';
import { redisAddress } from './redis-address.js';
import { RedisConnections } from './redis-connections.js';

/** Job queues on a Redis that the tests of a group share, and whom they wrote to. */
class Stage<Redis extends TestRedis> {
  seen: string[] = [];

  private constructor(
    readonly redis: Redis,
    readonly under: JobsUnderTest,
  ) {}

  static async open<Redis extends TestRedis>(redis: Redis): Promise<Stage<Redis>> {
    return new Stage(redis, await JobsUnderTest.start(redis.environment));
  }

  /** A process with a relay and a worker. */
  async work(): Promise<Jobs> {
    const jobs = await this.under.work(async ({ accountId }) => this.seen.push(accountId));
    this.under.openRelay(jobs).start();
    return jobs;
  }

  async wish(): Promise<string[]> {
    const wanted = Array.from({ length: 3 }, () => randomUUID());
    for (const accountId of wanted) await this.under.wish(accountId);
    return wanted;
  }

  async allSeen(wanted: string[]): Promise<void> {
    await waitFor(() => wanted.every((id) => this.seen.includes(id)));
  }

  async expectEachOnce(...wanted: string[][]): Promise<void> {
    await this.allSeen(wanted.flat());
    expect([...this.seen].sort()).toEqual(wanted.flat().sort());
    // A job may be done before the relay's transaction that moved it is committed.
    await waitFor(async () => (await this.under.waiting()) === 0);
  }

  async reset(): Promise<void> {
    await this.under.reset();
    this.seen = [];
  }

  async close(): Promise<void> {
    await this.under.stop();
    await this.redis.stop();
  }
}

function onStage<Redis extends TestRedis>(start: () => Promise<Redis>): () => Stage<Redis> {
  let stage: Stage<Redis>;
  beforeAll(async () => (stage = await Stage.open(await start())));
  afterEach(() => stage.reset());
  afterAll(() => stage.close());
  return () => stage;
}

/** The last test of its group: Redis is away from then on. */
function closesThereAndAway(stage: () => Stage<TestRedis>): void {
  it('lets the queues be closed while it is there and while it is away, and no connection is left', async () => {
    const { redis, under } = stage();
    const stays = await stage().work();
    await stage().allSeen(await stage().wish());
    await stays.close();
    await waitFor(async () => (await redis.connections()).length === 0);
    const leaves = await stage().work();
    await stage().allSeen(await stage().wish());
    await redis.kill();
    await leaves.close();
    expect(under.log.filter((line) => line.includes('left without ceremony'))).toEqual([]);
  });
}

// Where redis-server is not installed these are reported as skipped.
const describeRedis = REDIS_INSTALLED ? describe : describe.skip;

describeRedis('a Redis that goes away (needs redis-server)', () => {
  const stage = onStage(() => startKeepingRedis());

  it('leaves jobs in the outbox, and does once what it kept when it is back', async () => {
    const { redis, under } = stage();
    // Nobody works yet: these are in Redis alone.
    const asking = under.openJobs();
    const relay = under.openRelay(asking);
    const kept = await stage().wish();
    await asking.queue('mail').waitUntilReady();
    await relay.relay();
    expect(await under.waiting()).toBe(0);
    await redis.kill();
    const meanwhile = await stage().wish();
    await expect(relay.relay()).rejects.toThrow();
    expect(await under.waiting()).toBe(meanwhile.length);
    await redis.start();
    await stage().work();
    await stage().allSeen([...kept, ...meanwhile]);
    const after = await stage().wish();
    await stage().expectEachOnce(kept, meanwhile, after);
  });

  it('has its schedules again, each once, when it comes back with nothing', async () => {
    const { redis, under } = stage();
    let rounds = 0;
    const start = async () => {
      const jobs = under.openJobs();
      jobs.repeat('upkeep', 'sweep-borrows', 500, async () => (rounds += 1));
      jobs.repeat('upkeep', 'reconcile-payments', 3_600_000, async () => undefined);
      handleOthers(jobs, 'upkeep', ['sweep-borrows', 'reconcile-payments']);
      await jobs.start(['upkeep']);
      return jobs;
    };
    const [first] = await Promise.all([start(), start()]);
    const schedules = async () => {
      const schedulers = await first.queue('upkeep').getJobSchedulers();
      return schedulers.map(({ key, every }) => `${key} every ${every}`).sort();
    };
    const both = async () => (await schedules().catch(() => [])).length === 2;
    await waitFor(both);
    await waitFor(() => rounds >= 2);
    await redis.lose();
    await redis.start();
    await waitFor(both);
    expect(await schedules()).toEqual(['reconcile-payments every 3600000', 'sweep-borrows every 500']);
    const before = rounds;
    await waitFor(() => rounds >= before + 3);
  });

  it('need not be there when the app starts', async () => {
    const { redis } = stage();
    await redis.kill();
    await stage().work();
    const wanted = await stage().wish();
    await redis.start();
    await stage().expectEachOnce(wanted);
  });

  closesThereAndAway(stage);

  it('is left where it says nothing, as a machine that is gone', async () => {
    const redis = await startTestRedis();
    const connections = new RedisConnections(
      { kind: 'server', server: { host: '127.0.0.1', port: redis.port }, database: 0, tls: false },
      'test',
      300,
    );
    try {
      const connection = connections.open('worker');
      await waitFor(() => connections.inReach());
      let left = false;
      connection.once('close', () => (left = true));
      redis.signal('SIGSTOP');
      const asked = connection.exists('one');
      await waitFor(() => left);
      expect(await connections.inReach()).toBe(false);
      redis.signal('SIGCONT');
      expect(await asked).toBe(0);
      await waitFor(() => connections.inReach());
    } finally {
      connections.disconnect();
      await redis.kill();
      await redis.stop();
    }
  });
});

/** Jobs before, in Redis alone while it fails, asked for meanwhile, and after it: each is done once. */
async function losesNothing<Redis extends TestRedis>(
  stage: Stage<Redis>,
  fail: (stage: Stage<Redis>, wish: () => Promise<string[]>) => Promise<string[]>,
): Promise<void> {
  const wish = () => stage.wish();
  const noneWaits = () => waitFor(async () => (await stage.under.waiting()) === 0);
  const queue = (await stage.work()).queue('mail');
  const before = await wish();
  await waitFor(async () => (await queue.getCompletedCount()) === before.length);
  // Held back, these are in Redis alone.
  await queue.pause();
  const kept = await wish();
  await noneWaits();
  const meanwhile = await fail(stage, wish);
  await noneWaits();
  await queue.resume();
  const after = await wish();
  await stage.expectEachOnce(before, kept, meanwhile, after);
}

describeRedis('a Redis behind Sentinels (needs redis-server)', () => {
  const stage = onStage(() => TestSentinel.start());

  it('loses nothing when a replica takes the place of the master', () =>
    losesNothing(stage(), async ({ redis }, wish) => {
      await redis.killMaster();
      const meanwhile = await wish();
      await redis.promoted();
      return meanwhile;
    }));

  closesThereAndAway(stage);
});

describeRedis('a cluster of Redis (needs redis-server)', () => {
  const stage = onStage(() => TestCluster.start());

  it('loses nothing when the node that has the queues is killed and comes back', () =>
    losesNothing(stage(), async ({ redis }, wish) => {
      const holder = await redis.holderOf('{lectern_jobs}');
      await holder.kill();
      const meanwhile = await wish();
      await holder.start();
      await redis.whole();
      return meanwhile;
    }));

  it('keeps no connection when it is connected again before its old connections have ended', async () => {
    const { redis } = stage();
    const address = redisAddress(readSettings(redis.environment));
    if (!address) throw new Error('The environment names no Redis.');
    const connections = new RedisConnections(address, 'test');
    const { unnamed } = redis;
    try {
      const connection = connections.open('worker') as Cluster;
      await connection.exists(await redis.keyOn(unnamed));
      unnamed.signal('SIGSTOP');
      const ended = once(connection, 'end');
      connection.disconnect();
      await ended;
      const again = connection.connect();
      const found = await waitFor(() =>
        connection.nodes().find(({ options }) => options.port === unnamed.port),
      );
      const asked = found.ping();
      unnamed.signal('SIGCONT');
      await Promise.all([again, asked]);
    } finally {
      unnamed.signal('SIGCONT');
      connections.disconnect();
    }
    await waitFor(async () => (await redis.connections()).length === 0);
  });

  closesThereAndAway(stage);
});
