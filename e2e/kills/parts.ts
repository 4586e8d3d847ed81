import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BreakingMailServer } from '../../test-support/mail/breaking-mail-server.js';
import type { OwnProcess } from '../../test-support/installation/own-process.js';
import type { RedisServer } from '../../test-support/installation/redis.js';
import { ready, type App, type Part, type Topology } from '../../test-support/installation/topology.js';

export const PARTS = [
  'server',
  'projector',
  'worker',
  'database',
  'event store',
  'Redis',
  'mail server',
] as const;
export type PartName = (typeof PARTS)[number];

/** Milliseconds that a part may take to open on a busy machine, started again and again where it ends. */
const TIMEOUT = 90_000;
/** Milliseconds until one that ended while it started is started again, as by whoever looks after it. */
const AGAIN_AFTER = 200;

/** Milliseconds in which letters gather in the queue. */
const LETTERS_GATHER = 1_000;

/** A part of the installation that can be taken away and comes back at its address. */
export interface Victim {
  readonly part: PartName;
  /** What it is doing, where that makes a difference. */
  role?(): Promise<string>;
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
  /** Starts it, and does not wait. */
  launch(): void;
  /** What it has said since it was started, where it says something. */
  readonly output?: string;
  /** Waits until it is open; starts it again where it ended before that. */
  opened(): Promise<void>;
  pause(): void;
  resume(): void;
}

/** A part that is a process. What it does by itself is remembered. */
export class ProcessVictim implements Victim {
  /** Starts that ended before the part was open: what it needs was away. */
  failedStarts = 0;
  /** How often it ended by itself after it was open, and what it said last. */
  readonly endedByItself: string[] = [];
  private isMeantToEnd = false;
  private isOver = false;

  constructor(
    readonly part: PartName,
    private process: OwnProcess,
    private readonly start: () => OwnProcess,
    private readonly isOpen: () => Promise<boolean>,
    readonly role: () => Promise<string> = async () => '',
  ) {
    this.watch(process);
  }

  get output(): string {
    return this.process.output;
  }

  get pid(): number {
    return this.process.pid;
  }

  async kill(): Promise<void> {
    this.isMeantToEnd = true;
    await this.process.kill();
  }

  launch(): void {
    if (!this.isOver) this.process = this.start();
  }

  async opened(): Promise<void> {
    const deadline = Date.now() + TIMEOUT;
    while (!this.isOver && !(await this.isOpen().catch(() => false))) {
      if (Date.now() > deadline) throw new Error(`The ${this.part} did not open:\n${this.lastWords(40)}`);
      if (!this.process.isRunning) {
        this.failedStarts += 1;
        await sleep(AGAIN_AFTER);
        this.launch();
      }
      await sleep(50);
    }
    this.isMeantToEnd = false;
    this.watch(this.process);
  }

  pause(): void {
    this.process.signal('SIGSTOP');
  }

  resume(): void {
    this.process.signal('SIGCONT');
  }

  /** From here on it is not started again, however it ends. */
  leave(): void {
    this.isOver = true;
  }

  private watch(process: OwnProcess): void {
    void process.end().then((code) => {
      if (this.process !== process || this.isMeantToEnd || this.isOver) return;
      this.endedByItself.push(`the ${this.part} ended by itself (${code}): ${this.lastWords(3)}`);
      this.launch();
      this.opened().catch((error: Error) => this.endedByItself.push(error.message));
    });
  }

  private lastWords(lines: number): string {
    return this.process.output.trimEnd().split('\n').slice(-lines).join('\n');
  }
}

/** PostgreSQL with its children: killed at once, it repairs itself from its log when it starts. */
class DatabaseVictim implements Victim {
  readonly part = 'database';
  private starting: Promise<void> | undefined;

  constructor(private readonly topology: Topology) {}

  async kill(): Promise<void> {
    this.topology.signalPostgres('SIGKILL');
  }

  launch(): void {
    this.starting ??= this.untilStarted().finally(() => (this.starting = undefined));
    this.starting.catch(() => undefined);
  }

  async opened(): Promise<void> {
    // A start may have been over at the very moment in which it was killed.
    while (!(await this.answers())) {
      this.launch();
      await this.starting;
    }
  }

  pause(): void {
    this.topology.signalPostgres('SIGSTOP');
  }

  resume(): void {
    this.topology.signalPostgres('SIGCONT');
  }

  private async answers(): Promise<boolean> {
    await this.starting;
    const client = new pg.Client({ connectionString: this.topology.databaseUrl });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private async untilStarted(): Promise<void> {
    const deadline = Date.now() + TIMEOUT;
    for (;;) {
      try {
        return await this.topology.restartPostgres();
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await sleep(AGAIN_AFTER);
      }
    }
  }
}

/** Redis, which keeps what it acknowledged, or comes back with nothing. */
export class RedisVictim implements Victim {
  readonly part = 'Redis';
  private starting: Promise<void> | undefined;

  constructor(
    private readonly redis: RedisServer,
    private readonly mailServer: BreakingMailServer,
  ) {}

  kill(): Promise<void> {
    return this.redis.kill();
  }

  /** Has it lose all that it has, and sees to it that letters are among that: they wait to be tried again. */
  async lose(): Promise<void> {
    await this.mailServer.kill();
    await sleep(LETTERS_GATHER);
    await this.redis.lose();
    await this.mailServer.start();
  }

  launch(): void {
    this.starting = this.redis.start();
    this.starting.catch(() => undefined);
  }

  async opened(): Promise<void> {
    await this.starting;
  }

  pause(): void {
    this.redis.signal('SIGSTOP');
  }

  resume(): void {
    this.redis.signal('SIGCONT');
  }
}

/** The mail server. */
export class MailVictim implements Victim {
  readonly part = 'mail server';
  private starting: Promise<void> | undefined;

  constructor(readonly server: BreakingMailServer) {}

  kill(): Promise<void> {
    return this.server.kill();
  }

  launch(): void {
    this.starting = this.server.start();
  }

  async opened(): Promise<void> {
    await this.starting;
  }

  pause(): void {
    this.server.silence();
  }

  resume(): void {
    this.server.restore();
  }
}

/** All parts of the installation, the processes of one app one after the other. */
export function victimsOf(topology: Topology, mailServer: BreakingMailServer): Victim[] {
  const app = (
    part: PartName,
    name: App,
    first: Part,
    environment: NodeJS.ProcessEnv,
    role?: () => Promise<string>,
  ) =>
    new ProcessVictim(
      part,
      first.process,
      () => topology.launch(name, environment, first.url).process,
      async () => (await fetch(`${first.url}/readyz`, { signal: AbortSignal.timeout(2_000) })).status === 200,
      role,
    );
  const projector = (first: Part) =>
    app('projector', 'projections', first, {}, async () => {
      const said = await ready(first).catch(() => undefined);
      return said?.checks['projector']?.state ?? '';
    });
  const store = topology.eventStore;
  if (!store) throw new Error('There is no event store.');
  return [
    ...topology.servers.map((each) => app('server', 'server', each, { JOBS: 'off' })),
    ...topology.projections.map(projector),
    app('worker', 'worker', topology.worker, {}),
    new DatabaseVictim(topology),
    new ProcessVictim(
      'event store',
      store,
      () => topology.launchEventStore(),
      () => topology.isEventStoreOpen(),
    ),
    ...(topology.redis ? [new RedisVictim(topology.redis, mailServer)] : []),
    new MailVictim(mailServer),
  ];
}
