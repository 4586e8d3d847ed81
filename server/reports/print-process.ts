import { fork, type ChildProcess } from 'node:child_process';
import { realpathSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentLanguage } from '#platform/language.js';
import { packageRoot } from '#platform/package-root.js';
import { browserUser, firstInaccessibleFolder, type UnixUser } from '#platform/unprivileged-user.js';
import { PRINT_FLAGS } from './print/print-flags.js';
import type { PrintFailure, PrintRequest, PrintMessage } from './print/print-messages.js';

export interface PrintLimits {
  milliseconds: number;
  /** Of the process and its browser together. */
  megabytes: number;
}

/** Printing ended without a file. */
export class PrintFailed extends Error {
  /** @param reason for the log; the user sees the text of the code */
  constructor(
    readonly code: PrintFailure,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/** Milliseconds between two checks of the memory. */
const CHECK_INTERVAL = 500;
/** Timeout for killed processes to end, in milliseconds. */
const GONE_WITHIN = 5_000;

/** Environment variables that the process and its browser need. The others contain secrets. */
const PASSED_ON = [
  ...['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'USER', 'LD_LIBRARY_PATH', 'XDG_RUNTIME_DIR'],
  ...['FONTCONFIG_FILE', 'FONTCONFIG_PATH', 'SystemRoot', 'LOCALAPPDATA', 'ProgramFiles'],
];

/**
 * Prints in a separate process, in the language of whoever asks here, and ends it with its browser when it exceeds its time or memory, or is cancelled.
 * @throws PrintFailed
 */
export async function printInProcess(
  order: Omit<PrintRequest, 'folder' | 'mayDoWithoutSandbox' | 'language'>,
  limits: PrintLimits,
  signal: AbortSignal,
  onReport: (report: PrintMessage) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-print-'));
  try {
    const user = userFor(order.chromium.executablePath, onReport);
    if (user) await chown(folder, user.uid, user.gid);
    const mayDoWithoutSandbox = user !== undefined;
    await new PrintProcess(folder, user).run(
      { ...order, folder, mayDoWithoutSandbox, language: currentLanguage() },
      limits,
      signal,
      onReport,
    );
  } finally {
    // A killed browser takes a moment to release its files.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** The compiled file, even when run from sources: Node runs no TypeScript. */
const worker = () => join(packageRoot(), 'dist/server/reports/print/print-worker.js');

/** Whom to print as where this process is root, if they can reach what printing takes. */
function userFor(browser: string, tell: (report: PrintMessage) => void): UnixUser | undefined {
  const user = browserUser();
  if (!user) return undefined;
  const closed = [process.execPath, worker(), browser]
    .map((path) => firstInaccessibleFolder(realpathSync(path), user))
    .find((folder) => folder !== undefined);
  if (closed === undefined) return user;
  const message = `The browser runs as root and without its sandbox: an unprivileged user may not enter ${closed}. Start Lectern as an ordinary user.`;
  tell({ kind: 'warning', message });
  return undefined;
}

class PrintProcess {
  private readonly child: ChildProcess;
  private browser: number | undefined;
  private errors = '';
  /** Every process of this run that was seen. */
  private readonly seen = new Set<number>();

  constructor(folder: string, user: UnixUser | undefined) {
    const passed = PASSED_ON.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    const own = { TMPDIR: folder, TEMP: folder, TMP: folder, ...(user && { HOME: folder }) };
    this.child = fork(worker(), {
      env: { ...Object.fromEntries(passed), ...own },
      ...(user && { uid: user.uid, gid: user.gid, cwd: folder }),
      execArgv: PRINT_FLAGS,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child.stderr?.on(
      'data',
      (text: Buffer) => (this.errors = (this.errors + String(text)).slice(-2000)),
    );
  }

  async run(
    order: PrintRequest,
    { milliseconds, megabytes }: PrintLimits,
    signal: AbortSignal,
    onReport: (report: PrintMessage) => void,
  ): Promise<void> {
    let outcome: Extract<PrintMessage, { kind: 'done' | 'failed' }> | undefined;
    let ended: PrintFailed | undefined;
    const end = (reason: string) => {
      ended ??= new PrintFailed('ReportFailed', reason);
      this.kill();
    };
    this.child.on('message', (report: PrintMessage) => {
      if (report.kind === 'browser') this.browser = report.pid;
      else if (report.kind === 'done' || report.kind === 'failed') outcome = report;
      else onReport(report);
    });
    const exited = new Promise<string>((resolve) => {
      this.child.once('error', (error) => resolve(error.message));
      this.child.once('exit', (code, by) => resolve(by ?? `code ${code}`));
    });
    const timer = setTimeout(
      () => end(`it took longer than ${Math.round(milliseconds / 1000)} seconds`),
      milliseconds,
    );
    const look = setInterval(() => {
      const used = ownMemory(this.look()) / 2 ** 20;
      if (used > megabytes) end(`it used ${Math.round(used)} MB, more than the ${megabytes} it may`);
    }, CHECK_INTERVAL);
    const abort = () => end('the server is closing');
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    else this.child.send(order, () => undefined);
    const how = await exited;
    clearTimeout(timer);
    clearInterval(look);
    signal.removeEventListener('abort', abort);
    this.killBrowser();
    await this.allGone();
    if (outcome?.kind === 'done') return;
    if (outcome) {
      const cause = Object.assign(new Error(outcome.message), { stack: outcome.stack });
      throw new PrintFailed(outcome.code, outcome.message, { cause });
    }
    throw (
      ended ??
      new PrintFailed('ReportFailed', `the printing process ended with ${how}. ${this.errors}`.trim())
    );
  }

  private kill(): void {
    // All at once, while the process tree is intact.
    for (const pid of this.look()) kill(pid);
    this.killBrowser();
  }

  /** The process ends by itself; this is for one that hangs. */
  private killBrowser(): void {
    // The group contains all its children.
    if (this.browser !== undefined) kill(-this.browser);
    this.browser = undefined;
  }

  private look(): number[] {
    const tree = this.child.pid === undefined ? [] : processTree(this.child.pid);
    for (const pid of tree) this.seen.add(pid);
    return tree;
  }

  /** Until they end, they may still write files. */
  private async allGone(): Promise<void> {
    const until = Date.now() + GONE_WITHIN;
    while (Date.now() < until && ownMemory([...this.seen]) > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

const PAGE_BYTES = 4096;

/** A process with all its descendants; only the process itself where `/proc` is missing (not Linux). */
export function processTree(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const other of runningProcesses()) {
    const parent = parentOf(other);
    if (parent === undefined) continue;
    const siblings = children.get(parent);
    if (siblings) siblings.push(other);
    else children.set(parent, [other]);
  }
  const tree = [pid];
  for (const each of tree) tree.push(...(children.get(each) ?? []));
  return tree;
}

/** Private memory of these processes in bytes; 0 where the system does not tell. */
export function ownMemory(pids: number[]): number {
  return pids.reduce((sum, pid) => {
    const [, resident = 0, shared = 0] = read(`/proc/${pid}/statm`)?.split(' ').map(Number) ?? [];
    return sum + (resident - shared) * PAGE_BYTES;
  }, 0);
}

function runningProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function parentOf(pid: number): number | undefined {
  // The program's name is in brackets and may itself contain blanks and brackets.
  const fields = read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
  return fields ? Number(fields[1]) : undefined;
}

/** Undefined if the process has ended. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
