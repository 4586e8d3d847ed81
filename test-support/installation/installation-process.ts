import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.js';
import { findMailbox } from '../mail/mailed.js';
import { dataFolder } from './temporary-folder.js';
import { waitFor } from '../wait-for.js';

const ROOT = resolve(import.meta.dirname, '../..');
const START = join(ROOT, 'dist/embedded/start.js');
const MAX_STARTING = 60_000;
/** The product itself gives up an orderly end after 29 s. */
const MAX_CLOSING = 32_000;

/** The built product in a process of its own, as `npm start` runs it. */
export interface InstallationProcess {
  url: string;
  /** What it wrote on its standard output. */
  told(): string;
  dataDir: string;
  /** What it wrote on its standard error, for the message of a failing test. */
  complaints(): string;
  /** Runs a command line of the built product on the same data folder, and gives what it printed. */
  command(path: string, ...args: string[]): Promise<string>;
  /** Ends only the process of the product, as a power cut would: PostgreSQL stays behind. */
  kill(): Promise<void>;
  /** Ends whatever still runs, and removes the data folder if it was made here. */
  stop(): Promise<void>;
}

/**
 * Starts the product on a free port and waits until it is open.
 * @param options.dataDir an existing data folder, which then stays; else one is made for this process
 * @param options.environment further settings
 * @throws an Error with what the product said when it does not open
 */
export async function startInstallation(
  options: { dataDir?: string; environment?: NodeJS.ProcessEnv } = {},
): Promise<InstallationProcess> {
  if (!existsSync(START)) throw new Error('The product is not built: run `npm run build`.');
  const dataDir = options.dataDir ?? dataFolder();
  const environment = {
    ...process.env,
    NODE_OPTIONS: '',
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    ...options.environment,
  };
  const run = (...args: string[]) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, env: environment });
    return { child, output: written(child) };
  };
  const { child, output } = run(START);
  const endWithUs = () => void child.kill('SIGKILL');
  process.once('exit', endWithUs);

  const kill = async () => {
    child.kill('SIGKILL');
    await ended(child);
  };
  const stop = async () => {
    process.off('exit', endWithUs);
    child.kill('SIGTERM');
    await Promise.race([ended(child), new Promise((done) => setTimeout(done, MAX_CLOSING).unref())]);
    await kill();
    await stopLeftPostgres(join(dataDir, 'postgres/cluster/postmaster.pid'));
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };

  try {
    const url = await waitFor(() => {
      if (hasEnded(child)) throw new Error('The product ended while it was starting.');
      return /Lectern is open\.[^]*?Address +(\S+)[^]*?Ctrl-C closes it/.exec(output.out)?.[1];
    }, MAX_STARTING);
    findMailbox(output.out);
    return {
      url,
      dataDir,
      complaints: () => output.err,
      told: () => output.out,
      command: async (path, ...args) => {
        const command = run(join(ROOT, 'dist', path), ...args);
        const code = await ended(command.child);
        if (code === 0) return command.output.out;
        throw new Error(`${path} ended with ${code}.\n${command.output.out}${command.output.err}`);
      },
      kill,
      stop,
    };
  } catch (error) {
    await stop();
    throw new Error(`The product did not open.\n${output.out}${output.err}`, { cause: error });
  }
}

function written(child: ChildProcess): { out: string; err: string } {
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  return output;
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function ended(child: ChildProcess): Promise<number | null> {
  if (!hasEnded(child)) await new Promise((done) => child.once('close', done));
  return child.exitCode;
}

/** Stops the PostgreSQL of a killed product, by the signal for a fast shutdown; its last act is to remove its file. */
async function stopLeftPostgres(pidFile: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // A file without its process: PostgreSQL was killed too.
    return;
  }
  await waitFor(() => !existsSync(pidFile));
}
