import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';
import { temporaryFolder } from './temporary-folder.js';
import { waitFor } from '../wait-for.js';

/** Whether this machine has a Redis to test with. */
export const REDIS_INSTALLED = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis of a test, and what leads to it. */
export interface TestRedis {
  environment: NodeJS.ProcessEnv;
  /** The connections that are open, beside those of Redis's own. */
  connections(): Promise<string[]>;
  /** Ends all of it as `kill -9` does. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds that a server may take to open on a busy machine. */
const TIMEOUT = 30_000;

const FORGETFUL = ['save ""', 'appendonly no', 'maxmemory-policy noeviction'];
/** Nothing that was acknowledged is lost. */
const KEEPING = ['save ""', 'appendonly yes', 'appendfsync always', 'maxmemory-policy noeviction'];

/** A Redis of the test's own, on loopback, that keeps nothing. */
export const startTestRedis = (): Promise<RedisServer> => RedisServer.start(FORGETFUL);

/** One that keeps what it acknowledged. */
export const startKeepingRedis = (): Promise<RedisServer> => RedisServer.start(KEEPING);

/** One process of Redis. Started again, it is at its port, and has what it kept. */
export class RedisServer implements TestRedis {
  private child: ChildProcess | undefined;
  private readonly folder = temporaryFolder();

  private constructor(
    readonly port: number,
    private readonly settings: readonly string[],
    private readonly password?: string,
  ) {}

  /** @param settings lines of its configuration file */
  static async start(settings: readonly string[], password?: string): Promise<RedisServer> {
    const protection = password === undefined ? [] : [`requirepass "${password}"`];
    const server = new RedisServer(await freePort(), [...settings, ...protection], password);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get environment(): NodeJS.ProcessEnv {
    return { REDIS_URL: this.url };
  }

  async start(): Promise<void> {
    const file = join(this.folder, 'redis.conf');
    const own = [`port ${this.port}`, 'bind 127.0.0.1', `dir ${this.folder}`];
    // Sentinels and replicas write into theirs what they learnt.
    if (!existsSync(file)) writeFileSync(file, [...own, ...this.settings].join('\n'));
    const sentinel = this.settings.some((line) => line.startsWith('sentinel '));
    this.child = spawn('redis-server', [file, ...(sentinel ? ['--sentinel'] : [])], { stdio: 'ignore' });
    await waitFor(() => this.ask('ping').catch(() => undefined), TIMEOUT);
  }

  /** Asks it something on a connection of its own. */
  async ask(command: string, ...rest: (string | number)[]): Promise<unknown> {
    const client = new Redis({
      port: this.port,
      host: '127.0.0.1',
      ...(this.password !== undefined && { password: this.password }),
      lazyConnect: true,
      retryStrategy: () => null,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.call(command, ...rest);
    } finally {
      client.disconnect();
    }
  }

  async connections(): Promise<string[]> {
    const lines = String(await this.ask('client', 'list', 'type', 'normal'))
      .trim()
      .split('\n');
    return lines.filter((line) => !/ name=sentinel-| cmd=client\|list /.test(line));
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Ends it, and it has nothing when it starts again. */
  async lose(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder);
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

const PASSWORD = 'p@ss/w:rd 100%';
const SENTINEL_PASSWORD = 'sent+inel&';
const MASTER = 'library';

/** A master and a replica of it, and a Sentinel that puts the one in the other's place. All of them want passwords. */
export class TestSentinel implements TestRedis {
  private readonly dead = new Set<RedisServer>();

  private constructor(
    private readonly servers: RedisServer[],
    private readonly sentinel: RedisServer,
  ) {}

  static async start(): Promise<TestSentinel> {
    const settings = [...FORGETFUL, 'repl-diskless-sync-delay 0', `masterauth "${PASSWORD}"`];
    const master = await RedisServer.start(settings, PASSWORD);
    const replica = await RedisServer.start([...settings, `replicaof 127.0.0.1 ${master.port}`], PASSWORD);
    const sentinel = await RedisServer.start(
      [
        `sentinel monitor ${MASTER} 127.0.0.1 ${master.port} 1`,
        `sentinel auth-pass ${MASTER} "${PASSWORD}"`,
        // No busy machine looks like a dead one; `killMaster` makes it quick.
        `sentinel down-after-milliseconds ${MASTER} 60000`,
        `sentinel failover-timeout ${MASTER} 3000`,
      ],
      SENTINEL_PASSWORD,
    );
    const started = new TestSentinel([master, replica], sentinel);
    await waitFor(
      async () => String(await replica.ask('info', 'replication')).includes('master_link_status:up'),
      TIMEOUT,
    );
    await waitFor(async () => String(await sentinel.ask('info', 'sentinel')).includes('slaves=1'), TIMEOUT);
    return started;
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      REDIS_SENTINELS: `127.0.0.1:${this.sentinel.port}`,
      REDIS_SENTINEL_NAME: MASTER,
      REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD,
      REDIS_PASSWORD: PASSWORD,
    };
  }

  /** The one that the Sentinel sends everybody to. */
  async master(): Promise<RedisServer> {
    const address = (await this.sentinel.ask('sentinel', 'get-master-addr-by-name', MASTER)) as string[];
    const master = this.servers.find(({ port }) => String(port) === address[1]);
    if (!master) throw new Error('The Sentinel names a master that the test did not start.');
    return master;
  }

  /** Waits until the replica has all that the master has, and kills the master. */
  async killMaster(): Promise<void> {
    const master = await this.master();
    const replica = this.servers.find((server) => server !== master) ?? master;
    const offset = async (server: RedisServer, name: string) =>
      new RegExp(`${name}:(\\d+)`).exec(String(await server.ask('info', 'replication')))?.[1];
    await waitFor(async () => {
      const held = await offset(master, 'master_repl_offset');
      return held !== undefined && held === (await offset(replica, 'slave_repl_offset'));
    }, TIMEOUT);
    await master.kill();
    this.dead.add(master);
    await this.sentinel.ask('sentinel', 'set', MASTER, 'down-after-milliseconds', 500);
  }

  /** Waits until the replica of the master that was killed is the master. */
  async promoted(): Promise<RedisServer> {
    return waitFor(async () => {
      const next = await this.master();
      if (this.dead.has(next)) return undefined;
      return String(await next.ask('info', 'replication')).includes('role:master') && next;
    }, TIMEOUT);
  }

  async connections(): Promise<string[]> {
    return (await this.master()).connections();
  }

  async kill(): Promise<void> {
    await Promise.all([this.sentinel, ...this.servers].map((server) => server.kill()));
  }

  async stop(): Promise<void> {
    await Promise.all([this.sentinel, ...this.servers].map((server) => server.stop()));
  }
}

const SLOTS = 16_384;

/** A cluster of three masters that keep what they acknowledged, and want a password. */
export class TestCluster implements TestRedis {
  private constructor(private readonly nodes: RedisServer[]) {}

  static async start(): Promise<TestCluster> {
    const nodes: RedisServer[] = [];
    const busPorts: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const busPort = await freePort();
      busPorts.push(busPort);
      nodes.push(
        await RedisServer.start([...KEEPING, 'cluster-enabled yes', `cluster-port ${busPort}`], PASSWORD),
      );
    }
    const share = Math.ceil(SLOTS / nodes.length);
    for (const [n, node] of nodes.entries()) {
      await node.ask('cluster', 'addslotsrange', n * share, Math.min((n + 1) * share, SLOTS) - 1);
      await node.ask('cluster', 'set-config-epoch', n + 1);
      if (n > 0) await nodes[0]?.ask('cluster', 'meet', '127.0.0.1', node.port, busPorts[n] ?? 0);
    }
    const cluster = new TestCluster(nodes);
    await cluster.whole();
    return cluster;
  }

  /** It names two of the three: the third is found. */
  get environment(): NodeJS.ProcessEnv {
    const hosts = this.nodes.slice(1).map(({ port }) => `127.0.0.1:${port}`);
    return { REDIS_CLUSTER_NODES: hosts.join(','), REDIS_PASSWORD: PASSWORD };
  }

  /** The node that the environment does not name. */
  get unnamed(): RedisServer {
    return this.nodes[0]!;
  }

  /** Resolves when every node says that all of it is there. */
  async whole(): Promise<void> {
    for (const node of this.nodes) {
      await waitFor(async () => {
        const info = String(await node.ask('cluster', 'info'));
        return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${this.nodes.length}`);
      }, TIMEOUT);
    }
  }

  /** The node on which a key lies. */
  async holderOf(key: string): Promise<RedisServer> {
    const slot = Number(await this.nodes[0]?.ask('cluster', 'keyslot', key));
    const holder = this.nodes[Math.floor(slot / Math.ceil(SLOTS / this.nodes.length))];
    if (!holder) throw new Error(`Nobody holds the slot ${slot}.`);
    return holder;
  }

  /** A key that lies on the node. */
  async keyOn(node: RedisServer): Promise<string> {
    for (let n = 0; ; n += 1) if ((await this.holderOf(`key-${n}`)) === node) return `key-${n}`;
  }

  async connections(): Promise<string[]> {
    return (await Promise.all(this.nodes.map((node) => node.connections()))).flat();
  }

  async kill(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }
}
