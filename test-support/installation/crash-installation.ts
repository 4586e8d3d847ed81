import { spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runningPostgres } from '../../embedded/postgres/postgres-server.js';
import { runCommand, type CommandEnd } from './command-line.js';
import { freePort } from './free-port.js';
import { findMailbox } from '../mail/mailed.js';
import { postgresProcesses, signalPostgres } from '../database/postgres-processes.js';
import type { Site } from '../product/product.js';
import { openedBefore, temporaryFolder } from './temporary-folder.js';

const ENTRY = fileURLToPath(new URL('../../dist/embedded/start.js', import.meta.url));
/** Milliseconds that a start or an end may take on a busy machine before the test gives up. */
const BOUND = 90_000;

/** How a process ended, and what it had said. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

/** One run of the built product, as its own process. */
export interface Run {
  child: ChildProcess;
  /** Resolves with the milliseconds from the start until the banner was out. */
  open: Promise<number>;
  ended: Promise<Ended>;
  output(): string;
}

/** The built product on a data folder and a port of its own, to be killed in every way there is. */
export class CrashInstallation {
  readonly folder = temporaryFolder();
  readonly dataDir = join(this.folder, 'data');
  private run: Run | undefined;
  private readonly runs: Run[] = [];

  private constructor(
    readonly port: number,
    private readonly environment: NodeJS.ProcessEnv,
    /** Whom it runs as, if not as the tests do. */
    private readonly user?: { uid: number; gid: number },
  ) {
    if (user) chownSync(this.folder, user.uid, user.gid);
  }

  /** Reserves the folder and the port; starts nothing. Its first start is the first one on that folder. */
  static async create(
    environment: NodeJS.ProcessEnv = {},
    user?: { uid: number; gid: number },
  ): Promise<CrashInstallation> {
    return new CrashInstallation(await freePort(), environment, user);
  }

  /** The same on a folder in which the product was open before: what it starts with is there. */
  static async createOpened(environment: NodeJS.ProcessEnv = {}): Promise<CrashInstallation> {
    const installation = await CrashInstallation.create(environment);
    mkdirSync(installation.dataDir, { mode: 0o711 });
    openedBefore(installation.dataDir);
    return installation;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What the present run has printed. */
  output(): string {
    return this.run?.output() ?? '';
  }

  /** Starts the product and does not wait. */
  launch(environment: NodeJS.ProcessEnv = {}): Run {
    const run = startProcess(
      {
        ...process.env,
        NODE_ENV: 'development',
        NODE_OPTIONS: '',
        DATA_DIR: this.dataDir,
        PORT: String(this.port),
        ...this.environment,
        ...environment,
      },
      this.user,
    );
    this.runs.push(run);
    return (this.run = run);
  }

  /** Starts the product and waits until it is open. Resolves with the milliseconds that took. */
  async start(): Promise<number> {
    return await this.launch().open;
  }

  /** Runs a command line on its data folder, to the end. */
  command(
    name: string,
    args: readonly string[] = [],
    environment: NodeJS.ProcessEnv = {},
    input = '',
  ): Promise<CommandEnd> {
    return runCommand(name, args, { DATA_DIR: this.dataDir, ...environment }, input, this.user);
  }

  /** Ends the process as `kill -9` does: PostgreSQL stays behind. */
  async kill(): Promise<void> {
    this.run?.child.kill('SIGKILL');
    await this.run?.ended;
  }

  /** Ends everything at once: what PostgreSQL had not written is gone. */
  async cutPower(): Promise<void> {
    this.run?.child.kill('SIGKILL');
    signalPostgres(this.dataDir, 'SIGKILL');
    await this.run?.ended;
  }

  /** Takes PostgreSQL away from under the process. */
  killPostgres(): void {
    signalPostgres(this.dataDir, 'SIGKILL');
  }

  /** Asks for an orderly end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.run?.child.kill(signal);
    return await this.end();
  }

  /** Waits for the end of the process. */
  async end(): Promise<Ended> {
    if (!this.run) throw new Error('It was not started.');
    return await withinBound(this.run.ended, 'end', this.run);
  }

  /** The processes that this installation has left, by their ids: those of PostgreSQL first. */
  processes(): number[] {
    const node = this.runs
      .map(({ child }) => child)
      .filter((child) => child.exitCode === null && !child.killed);
    return [...postgresProcesses(this.dataDir), ...node.flatMap(({ pid }) => pid ?? [])];
  }

  /** Where it is and what lies behind it, while it runs. Contain the password. */
  addresses(): Site & { eventStoreUrl: string } {
    const read = (...path: string[]) => readFileSync(join(this.dataDir, ...path), 'utf8');
    return {
      url: this.url,
      databaseUrl: runningPostgres(join(this.dataDir, 'postgres')).url('lectern'),
      eventStoreUrl: (JSON.parse(read('running.json')) as { eventStoreUrl: string }).eventStoreUrl,
      secret: read('jwt-secret').trim(),
    };
  }

  /** Leaves no process and no file of it, whatever state it is in. */
  async remove(): Promise<void> {
    for (const { child, ended } of this.runs) {
      child.kill('SIGKILL');
      await ended;
    }
    // A start that was under way may bring PostgreSQL up a moment later; one that ended in order left none.
    const looks = this.runs.at(-1)?.child.exitCode === 0 ? 1 : 4;
    for (let look = 0; look < looks; look += 1) {
      signalPostgres(this.dataDir, 'SIGKILL');
      await sleep(150);
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Starts the built product with exactly this environment. */
function startProcess(environment: NodeJS.ProcessEnv, user?: { uid: number; gid: number }): Run {
  const child = spawn(process.execPath, [ENTRY], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  const began = performance.now();
  let output = '';
  const ended = new Promise<Ended>((resolve) => {
    // `exit`, not `close`: an orphan that kept a pipe open must not hold the test up.
    child.once('exit', (code, signal) => resolve({ code, signal, output }));
  });
  const banner = new Promise<number>((resolve) => {
    const listen = (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes('Ctrl-C closes it.')) return;
      findMailbox(output);
      resolve(performance.now() - began);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
  });
  const run: Run = { child, ended, output: () => output, open: banner };
  const early = ended.then(({ code, signal }) => {
    throw new Error(`The product ended (${signal ?? code}) before it was open:\n${output}`);
  });
  run.open = withinBound(Promise.race([banner, early]), 'open', run);
  run.open.catch(() => undefined);
  return run;
}

async function withinBound<Result>(promise: Promise<Result>, what: string, run: Run): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`It did not ${what} within ${BOUND} ms:\n${run.output()}`)),
      BOUND,
    );
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
