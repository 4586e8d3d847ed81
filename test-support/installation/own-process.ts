import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import type { ResolvedSettings } from '#platform/settings.js';
import { waitFor } from '../wait-for.js';

const ROOT = resolve(import.meta.dirname, '../..');
/** Milliseconds that a part may take to open on a busy machine. */
const TIMEOUT = 60_000;

/** One part of the built product, or of what it stands on, as a process of its own. */
export class OwnProcess {
  private said = '';
  private readonly ended: Promise<number | NodeJS.Signals>;

  private constructor(
    readonly name: string,
    private readonly child: ChildProcess,
    private readonly isGroup = false,
  ) {
    const listen = (chunk: Buffer) => (this.said += chunk.toString());
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    this.ended = new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal ?? -1)));
  }

  /** @param entry a file below the project's folder */
  static start(name: string, entry: string, environment: NodeJS.ProcessEnv): OwnProcess {
    const child = spawn(process.execPath, [resolve(ROOT, entry)], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: 'development', NODE_OPTIONS: '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new OwnProcess(name, child);
  }

  /** A worker of a product. */
  static worker(
    { url, settings }: { url: string; settings: ResolvedSettings & { TIME_ZONE: string } },
    environment: NodeJS.ProcessEnv = {},
  ): OwnProcess {
    const { DATABASE_URL, EVENTSTORE_URL, JWT_SECRET } = settings;
    return OwnProcess.start('a worker', 'dist/server/worker.js', {
      ...{ DATABASE_URL, EVENTSTORE_URL, JWT_SECRET, PUBLIC_URL: url },
      ...environment,
    });
  }

  /** @param line what a shell runs, in the foreground; it is signalled with all its children */
  static command(name: string, line: string): OwnProcess {
    const child = spawn(line, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    return new OwnProcess(name, child, true);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** What it has written. */
  get output(): string {
    return this.said;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits until the probe gives something. */
  async until<Result>(probe: () => Promise<Result | undefined | false>): Promise<Result> {
    try {
      return await waitFor(() => {
        if (!this.isRunning) throw new Error('It has ended.');
        return probe().catch(() => undefined);
      }, TIMEOUT);
    } catch (cause) {
      throw new Error(`${this.name} did not come to it:\n${this.said}`, { cause });
    }
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.isRunning) return;
    if (this.isGroup) process.kill(-this.pid, signal);
    else this.child.kill(signal);
  }

  /** Resolves with its exit code, or the signal that ended it. */
  end(): Promise<number | NodeJS.Signals> {
    return this.ended;
  }

  /** Ends it as `kill -9` does. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }
}
