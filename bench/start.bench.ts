/**
 * How long `npm start` takes until it says that the library is open: once on a new data folder, then again and again on
 * the same one. Floors, in the same run and in turns: what npm takes to run anything, a bare Nest app until it listens, and
 * PostgreSQL's own start on this data folder. The phases are of a start with the log level `debug`.
 * Run it by `npm run bench:start [-- --starts 10] [--json FILE]`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { packageRoot } from '#platform/package-root.js';
import { startPostgres } from '../embedded/postgres/postgres-server.js';
import { median, printTable } from './measure.js';
import { writeRawFigures } from './raw-figures.js';
import { runStartFloor } from './start-floor.js';

/** The goal for the second start, in milliseconds. */
const GOAL = 2_000;
/** Milliseconds from one start to the next: a product that is open keeps what was compiled for it. */
const STAYS_OPEN = 9_000;

const phaseLine = z.object({ msg: z.string(), sinceStartMs: z.number() });

const [, , role] = process.argv;
if (role === 'floor') await runStartFloor();
else await runBenchmark();

async function runBenchmark(): Promise<void> {
  const { values } = parseArgs({
    options: { starts: { type: 'string', default: '7' }, json: { type: 'string' } },
  });
  const folder = mkdtempSync(join(tmpdir(), 'lectern-start-'));
  // The unprivileged user that PostgreSQL runs as where we are root has to pass through.
  chmodSync(folder, 0o711);
  try {
    const cold = await timeOfStart(folder, STAYS_OPEN);
    const again: Record<'npm' | 'nest' | 'postgres' | 'product', number[]> = {
      npm: [],
      nest: [],
      postgres: [],
      product: [],
    };
    for (let start = 0; start < Number(values.starts); start += 1) {
      again.npm.push(await timeUntil(() => run('npm', ['run', 'env']), /PATH=/));
      again.nest.push(
        await timeUntil(() => run(process.execPath, [fileURLToPath(import.meta.url), 'floor']), /listens/),
      );
      again.postgres.push(await timeOfPostgres(folder));
      again.product.push((await timeOfStart(folder)).milliseconds);
    }
    const { phases } = await timeOfStart(folder, 0, { LOG_LEVEL: 'debug' });
    report(cold.milliseconds, again, phases);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(command: string, args: string[], environment: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(command, args, {
    cwd: packageRoot(),
    env: { ...process.env, NODE_ENV: 'development', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Milliseconds until a program writes what is looked for; it is then left to end. */
async function timeUntil(begin: () => ChildProcess, told: RegExp): Promise<number> {
  const began = performance.now();
  const child = begin();
  const ended = once(child, 'exit');
  const { at } = await output(child, told);
  child.kill('SIGTERM');
  await ended;
  return at - began;
}

async function output(child: ChildProcess, told: RegExp): Promise<{ text: string; at: number }> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (told.test(text)) resolve({ text, at: performance.now() });
    });
    child.once('exit', () => reject(new Error(`It ended without the words ${String(told)}:\n${text}`)));
  });
}

interface Phase {
  /** What is over. */
  phase: string;
  /** Milliseconds from the begin of the process. */
  at: number;
}

async function timeOfStart(
  folder: string,
  staysOpen = 0,
  settings: NodeJS.ProcessEnv = {},
): Promise<{ milliseconds: number; phases: Phase[] }> {
  const began = performance.now();
  const child = run('npm', ['start'], { ...settings, DATA_DIR: folder, PORT: '0', HOST: '127.0.0.1' });
  const ended = once(child, 'exit');
  const { text, at } = await output(child, /Address +\S+/);
  await sleep(staysOpen);
  const { pid } = z
    .object({ pid: z.int() })
    .parse(JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8')));
  process.kill(pid, 'SIGTERM');
  await ended;
  while (existsSync(join(folder, 'postgres/cluster/postmaster.pid'))) await sleep(20);
  const phases = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => phaseLine.safeParse(JSON.parse(line)).data ?? [])
    .map(({ msg, sinceStartMs }) => ({ phase: msg, at: sinceStartMs }));
  return { milliseconds: at - began, phases };
}

async function timeOfPostgres(folder: string): Promise<number> {
  const began = performance.now();
  const postgres = await startPostgres(join(folder, 'postgres'));
  const took = performance.now() - began;
  await postgres.stop();
  return took;
}

function report(
  cold: number,
  { npm, nest, postgres, product }: Record<'npm' | 'nest' | 'postgres' | 'product', number[]>,
  phases: Phase[],
): void {
  const milliseconds = (value: number) => `${Math.round(value)} ms`;
  const row = (what: string, times: number[]) => ({
    what,
    runs: times.length,
    median: milliseconds(median(times)),
    least: milliseconds(Math.min(...times)),
    most: milliseconds(Math.max(...times)),
  });
  const rows = [
    row('npm runs anything', npm),
    row('a bare Nest app listens', nest),
    row('PostgreSQL starts', postgres),
    row('npm start, new data folder', [cold]),
    row('npm start again', product),
  ];
  printTable(rows);
  process.stdout.write('\nPhases, from the begin of the process:\n');
  printTable(phases.map(({ phase, at }) => ({ phase, at: milliseconds(at) })));
  const reached = median(product) <= GOAL ? 'reached' : 'missed';
  process.stdout.write(`Goal: ${GOAL} ms for a second start ${reached}.\n`);
  writeRawFigures({ cold, npm, nest, postgres, product, phases });
}
