import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreCluster } from '../test-support/event-store/event-store-cluster.js';
import { startProduct, type TestProduct } from '../test-support/product/product.js';
import { waitFor } from '../test-support/wait-for.js';
import { BorrowLoad, populate, type Library } from './crash/borrow-load.js';
import { compareAnswers, settledLog } from './crash/log-account.js';
import { Random } from './crash/random.js';
import type { SentCommand } from './crash/sent-command.js';

const SEED = Number(process.env['CLUSTER_SEED'] ?? randomInt(1, 1_000_000));
/** Commands that are to be acknowledged before the next thing happens. */
const SOME = 15;
/** Milliseconds until the others of a cluster miss a leader that hangs, and those that they take to elect another one. */
const UNNOTICED = 4_000;
const ELECTION = 2_000;
const AWAY = '503, again in 2';

const say = (line: string) => process.stdout.write(`${line}\n`);

describe(`a cluster of three nodes (seed ${SEED})`, () => {
  let cluster: EventStoreCluster;
  let storeUrl = '';
  let product: TestProduct;
  let library: Library;
  const random = new Random(SEED);
  const sent: SentCommand[] = [];

  beforeAll(async () => {
    product = await startProduct(undefined, {
      environment: { HOLD_STALE_SECONDS: '2' },
      before: async (url) => {
        storeUrl = url;
        cluster = await EventStoreCluster.start(url);
        await cluster.killAll();
        return `esdb+discover://${cluster.hosts}?tls=false`;
      },
    });
    const { url, database, settings } = product;
    const site = { url, databaseUrl: settings.DATABASE_URL, secret: settings.JWT_SECRET };
    library = await populate(site, database, { readers: 6, librarians: 3, copies: [1, 2, 1, 2] });
  });
  afterAll(async () => {
    await product?.close();
    await cluster?.stop();
  });

  it('is waited for by a product that starts before it', async () => {
    expect((await product.lines()).join('')).toMatch(/"hosts":\["127.0.0.1:\d+",.*the event store is away/);
    const [reader] = library.readers;
    const rent = () =>
      fetch(`${product.url}/api/Borrow/rent-books`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${reader?.token}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify({ bookIds: [library.bookIds[1]] }),
      });
    const refused = await rent();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    const readiness = (await (await fetch(`${product.url}/readyz`)).json()) as object;
    expect(readiness).toMatchObject({ status: 'degraded', checks: { eventStore: { ok: false } } });

    for (const index of [0, 1, 2]) await cluster.revive(index);
    cluster.elect(0);
    await underLoad(async (acknowledged) => acknowledged(SOME));
    await waitFor(
      async () => (await (await fetch(`${product.url}/readyz?strict`)).json()).status === 'ready',
    );
    await expectSound();
  });

  it('changes its leader under load, and nobody sees more than a call to repeat', async () => {
    const before = cluster.refusals;
    await underLoad(async (acknowledged) => {
      for (const next of [1, 2, 0]) {
        await acknowledged(SOME);
        cluster.elect(next);
      }
      await acknowledged(SOME);
    });
    expect(cluster.refusals).toBeGreaterThan(before);
    await expectSound();
  });

  it('loses its leader under load: calls are refused until another leads, and then answered', async () => {
    const load = await underLoad(async (acknowledged, commands) => {
      await acknowledged(SOME);
      await cluster.kill(0);
      await waitFor(() => commands().some(({ failures }) => failures.length > 0));
      cluster.elect(2);
      await acknowledged(SOME);
      await cluster.revive(0);
      await acknowledged(SOME);
    });
    const refused = load.commands.filter(({ failures }) => failures.length > 0);
    expect(refused.length).toBeGreaterThan(0);
    // Who gave up asks once more: each is answered now, by what was done or by why it cannot be.
    for (const command of refused) expect(await command.send(library.url)).toBe(true);
    await expectSound();
  });

  it('has leaders that hang under load: each is left for the next one, and the lists follow from there', async () => {
    const load = await underLoad(async (acknowledged) => {
      cluster.elect(0);
      for (const [from, to] of [
        [0, 1],
        [1, 2],
        [2, 0],
      ] as const) {
        await acknowledged(SOME);
        cluster.pause(from);
        const paused = performance.now();
        // The others name it as their leader until they miss it, and then elect.
        await sleep(UNNOTICED);
        cluster.elect(undefined);
        await sleep(ELECTION);
        cluster.elect(to);
        const elected = performance.now();
        await acknowledged(1);
        const back = performance.now();
        say(
          `back ${Math.round(back - paused)} ms after the leader was paused, ${Math.round(back - elected)} ms after there was another one`,
        );
        await acknowledged(SOME);
        cluster.resume(from);
        await acknowledged(SOME);
      }
    });
    for (const command of load.commands.filter(({ failures }) => failures.length > 0)) {
      expect(await command.send(library.url)).toBe(true);
    }
    await expectSound();
  });

  async function underLoad(
    work: (
      acknowledged: (more: number) => Promise<unknown>,
      commands: () => readonly SentCommand[],
    ) => Promise<unknown>,
  ): Promise<BorrowLoad> {
    const load = new BorrowLoad(library, random);
    const done = () => load.commands.filter(({ acknowledged }) => acknowledged).length;
    load.start();
    try {
      await work(
        async (more) => {
          const enough = done() + more;
          await waitFor(() => done() >= enough);
        },
        () => load.commands,
      );
    } finally {
      await load.stop();
      sent.push(...load.commands);
    }
    return load;
  }

  /** Nothing hung, what was told is what the log has, and the rows are what the log says. */
  async function expectSound(): Promise<void> {
    expect(new Set(sent.flatMap(({ failures }) => failures).filter((failure) => failure !== AWAY))).toEqual(
      new Set(),
    );
    const log = await settledLog(product.database, storeUrl);
    expect(compareAnswers(sent, log)).toEqual([]);
    await waitFor(async () => {
      const state = await product.projectionState();
      return state?.kind === 'leading' && String(state.position) === log.at(-1)?.position;
    });
    expect(await product.differences()).toEqual([]);
  }
});
