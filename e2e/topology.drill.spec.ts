import { randomInt } from 'node:crypto';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { z } from 'zod';
import type { ClientToServer, ServerToClient } from '#contracts/live/live-messages.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { queryRow } from '#platform/database/query-rows.js';
import type { TestBrowser } from '../test-support/browser/browser.js';
import { openBrowser } from '../test-support/browser/worker-browser.js';
import type { BrowserPage } from '../test-support/browser/browser-page.js';
import { caller } from '../test-support/product/caller.js';
import { makeAccount } from '../test-support/product/product.js';
import { REDIS_INSTALLED } from '../test-support/installation/redis.js';
import { ready, Topology } from '../test-support/installation/topology.js';
import { waitFor } from '../test-support/wait-for.js';
import { apiCaller } from './api-caller.js';
import { BorrowLoad, populate, type Library } from './crash/borrow-load.js';
import { compareAnswers, settledLog, verifyRows } from './crash/log-account.js';
import { Random } from './crash/random.js';
import type { SentCommand } from './crash/sent-command.js';
import { PASSWORDS, signIn } from './people.js';

const SEED = Number(process.env['TOPOLOGY_SEED'] ?? randomInt(1, 1_000_000));
const say = (line: string) => process.stdout.write(`${line}\n`);

describe(`several processes behind a proxy (seed ${SEED}, jobs in ${REDIS_INSTALLED ? 'Redis' : 'PostgreSQL'})`, () => {
  let topology: Topology;
  let database: Database;
  let library: Library;
  let browser: TestBrowser;
  let page: BrowserPage;
  const random = new Random(SEED);
  const sent: SentCommand[] = [];

  beforeAll(async () => {
    topology = await Topology.start({ HOLD_STALE_SECONDS: '3', DRAIN_SECONDS: '2' });
    database = openDatabase(topology.databaseUrl, 4, createLogger('silent'));
    const people = { readers: 6, librarians: 3 };
    library = await populate(topology.site, database, { ...people, copies: [1, 2, 1, 2] });
    browser = await openBrowser();
    page = await (await browser.window()).page(`${topology.proxy.url}/#/login`);
    await signIn(page, 'admin', PASSWORDS.admin);
    await page.goTo('/admin/dashboard');
    await page.has('[data-live="live"]');
    await page.mark();
  });
  afterAll(async () => {
    await browser?.close();
    await database?.end();
    await topology?.stop();
  });

  const account = (...roles: ('Reader' | 'Admin')[]) => makeAccount(topology.site, roles);

  async function underLoad(work: (load: BorrowLoad) => Promise<void>): Promise<BorrowLoad> {
    const load = new BorrowLoad(library, random);
    load.start();
    try {
      await work(load);
    } finally {
      await load.stop();
      sent.push(...load.commands);
    }
    return load;
  }

  /** The page shows what the library is like now, without having been loaded anew. */
  async function expectPageIsCurrent(): Promise<void> {
    await page.has('[data-live="live"]');
    const admin = await apiCaller(topology.proxy.url, 'admin', PASSWORDS.admin);
    await page.until(async () => {
      const { activeBorrows } = await admin.get<{ activeBorrows: number }>('Dashboard/stats');
      const shown = await page.text('[data-counter="activeBorrows"]');
      return /\d+/.exec(shown?.replace(/\s/g, '') ?? '')?.[0] === String(activeBorrows);
    }, 'the number of active borrows as it is now');
    expect(await page.isStillMarked()).toBe(true);
  }

  it('loses nothing when the leading projections and a server are killed under load', async () => {
    await underLoad(async () => {
      await sleep(1_500);
      const leader = await waitFor(() => topology.leader());
      const began = performance.now();
      await leader.process.kill();
      await waitFor(() => topology.leader());
      say(`the other projections took over after ${Math.round(performance.now() - began)} ms`);
      await sleep(1_000);
      await topology.servers[0]?.process.kill();
      await sleep(2_000);
      await topology.restart(0);
      await sleep(1_500);
    });
    await expectPageIsCurrent();
    await expectSound();
  });

  it('keeps what was acknowledged when the event store is killed under load and started again', async () => {
    const load = await underLoad(async ({ commands }) => {
      const done = () => commands.filter(({ acknowledged }) => acknowledged).length;
      await waitFor(() => done() > 10);
      await topology.killEventStore();
      await waitFor(() => commands.some(({ failures }) => failures.length > 0));
      const before = done();
      await topology.restartEventStore();
      await waitFor(() => done() > before + 10);
    });
    const told = new Set(load.commands.flatMap(({ failures }) => failures));
    expect(told).toEqual(new Set(['503, again in 2']));
    await expectPageIsCurrent();
    await expectSound();
  });

  it('cuts no call off when a server is asked to end under load, and browsers move by themselves', async () => {
    const lost = topology.proxy.lost;
    const [, server] = topology.servers;
    if (!server) throw new Error('There is no second server.');
    const seen = topology.servers.map(({ url }) => follow(url, library.librarians[0]?.token ?? ''));
    await Promise.all(seen.map(({ hello }) => hello));
    let load: BorrowLoad;
    try {
      load = await underLoad(async () => {
        await sleep(1_000);
        const direct = new KeptAlive(server.url, library.librarians[0]?.token ?? '');
        const asking = direct.askUntilRefused();
        server.process.signal('SIGTERM');
        await waitFor(async () => (await ready(server)).status === 'closing');
        expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
        expect(await asking).toMatchObject({ code: 'ECONNREFUSED' });
        expect(direct.statuses).toEqual(new Set([200]));
        say(`a caller on kept connections had ${direct.answers} answers and no reset`);
        expect(await server.process.end()).toBe(0);
        await sleep(1_000);
      });
    } finally {
      // The tests that follow need both servers, whatever this one found.
      await server.process.kill();
      await topology.restart(1);
      for (const { socket } of seen) socket.disconnect();
    }
    expect(topology.proxy.lost).toBe(lost);
    expect(load.commands.filter(({ unanswered }) => unanswered > 0)).toEqual([]);
    expect(load.commands.some(({ acknowledged }) => acknowledged)).toBe(true);
    expect(seen.map(({ restarting }) => restarting())).toEqual([false, true]);
    await expectPageIsCurrent();
    await expectSound();
  });

  (REDIS_INSTALLED ? it : it.skip)(
    'goes on when Redis is killed under load, and sends each letter once when it is back',
    async () => {
      const { redis, worker } = topology;
      if (!redis) throw new Error('The queues are not in Redis.');
      const parts = [...topology.servers, worker];
      const statuses = async () => (await Promise.all(parts.map(ready))).map(({ status }) => status);
      const become = (...wanted: string[]) =>
        waitFor(async () => String(await statuses()) === String(wanted));
      const load = await underLoad(async ({ commands }) => {
        const done = () => commands.filter(({ acknowledged }) => acknowledged).length;
        const moreAreDone = async (so = done()) => waitFor(() => done() >= so + 10);
        await moreAreDone();
        await redis.kill();
        // Servers have only to ask for jobs, which wait in the outbox; a worker has nothing else to do.
        await become('degraded', 'degraded', 'unavailable');
        await moreAreDone();
        await redis.start();
        await become('ready', 'ready', 'ready');
        await moreAreDone();
      });
      expect(load.commands.filter(({ unanswered }) => unanswered > 0)).toEqual([]);
      await expectPageIsCurrent();
      await expectSound();
    },
  );

  it('honours a change of roles and the end of a session on every server at once', async () => {
    const [admin, person] = [await account('Reader', 'Admin'), await account('Reader')];
    const everywhere = topology.servers.map(({ url }) => ({
      ...follow(url, person.token),
      ...caller(url, person.token),
    }));
    await Promise.all(everywhere.map(({ hello }) => hello));
    const statuses = async () => {
      const answers = await Promise.all(everywhere.map((at) => at.get('Dashboard/stats')));
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([403, 403]);
    expect((await admin.put(`User/roles?id=${person.id}`, { roles: ['Admin'] })).status).toBe(200);
    await waitFor(() => everywhere.every(({ roles }) => roles().includes('Admin')));
    expect(await statuses()).toEqual([200, 200]);

    const { email } = person;
    expect((await person.post('Account/forgot-password', { email })).status).toBe(200);
    const letter = await waitFor(() =>
      topology.letterBox.letters.find(({ to, text }) => to === email && /reset-password/.test(text)),
    );
    const link = /https?:\/\/\S*reset-password\S*/.exec(letter.text)?.[0] ?? '';
    const token = new URL(link.replace('/#/', '/')).searchParams.get('token');
    const reset = { email, token, newPassword: 'Sekret#2026' };
    expect(await person.post('Account/reset-password', reset)).toMatchObject({ status: 200 });
    await waitFor(() => everywhere.every(({ ended }) => ended() === 'revoked'));
    expect(await statuses()).toEqual([401, 401]);
  });

  /** Answers, log, rows and letters agree. */
  async function expectSound(): Promise<void> {
    const log = await settledLog(database, topology.eventStoreUrl);
    expect(compareAnswers(sent, log)).toEqual([]);
    const report = await verifyRows(topology.site);
    expect(report).toMatchObject({ differences: [], pendingHolds: 0, events: log.length });
    const letters = await waitFor(async () => {
      const row = await queryRow(
        database,
        z.object({ open: z.int(), sent: z.int(), at: z.string() }),
        `select (select count(*)::integer from letters.letter where state in ('waiting', 'sending')) as open,
           (select count(*)::integer from letters.letter where state = 'sent') as sent,
           (select commit_position from letters.checkpoint) as at`,
      );
      return row?.open === 0 && row.at === log.at(-1)?.position ? row : undefined;
    });
    const got = topology.letterBox.letters.map(({ messageId }) => messageId);
    expect(got.length).toBe(letters.sent);
    expect(new Set(got).size).toBe(got.length);
    expect(got.length).toBeGreaterThan(0);
    const told = sent.filter(({ acknowledged }) => acknowledged).length;
    say(`${told} commands acknowledged, ${log.length} events, ${got.length} letters, no difference`);
  }
});

/** A live socket to one server. */
function follow(url: string, token: string) {
  const socket: Socket<ServerToClient, ClientToServer> = io(url, {
    auth: { token },
    transports: ['websocket'],
    reconnection: false,
  });
  const heard = { restarting: false, ended: '', roles: [] as string[] };
  socket.on('restarting', () => (heard.restarting = true));
  socket.on('sessionEnded', ({ reason }) => (heard.ended = reason));
  socket.on('roles', ({ roles }) => (heard.roles = roles));
  const hello = new Promise((resolve, reject) => {
    socket.once('hello', resolve);
    socket.once('connect_error', reject);
  });
  return {
    socket,
    hello,
    restarting: () => heard.restarting,
    ended: () => heard.ended,
    roles: () => heard.roles,
  };
}

/** A caller that keeps its connection for as long as it may. */
class KeptAlive {
  readonly statuses = new Set<number | undefined>();
  answers = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** Asks one call after the other, and gives the error with which that ends. */
  async askUntilRefused(): Promise<unknown> {
    try {
      for (;;) {
        this.statuses.add(await this.ask());
        this.answers += 1;
        await sleep(5);
      }
    } catch (error) {
      return error;
    } finally {
      this.agent.destroy();
    }
  }

  private ask(): Promise<number | undefined> {
    const headers = { authorization: `Bearer ${this.token}` };
    return new Promise((resolve, reject) => {
      get(`${this.url}/api/Borrow?SortBy=All`, { agent: this.agent, headers }, (answer) => {
        answer.once('error', reject);
        answer.resume().once('end', () => resolve(answer.statusCode));
      }).once('error', reject);
    });
  }
}
