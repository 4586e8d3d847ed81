/**
 * How long a trial of rules takes over a log of a million events, from the start of its process to its answer, and what of that is
 * the fold. Floor: a process that reads the same log in the same way, and does nothing with it. Both in turns; the event
 * store has a process of its own, so that both have the two cores that they have in an installation. The fold is also measured alone,
 * beside that of commands. Run it by `npm run bench:what-if -- [events] [--keep FOLDER] [--json FILE]`: the folder keeps the log for
 * the next run, which begins at once.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BORROW_POLICY } from '#circulation/rules/borrow.policy.js';
import { fold } from '#circulation/borrow/borrow-state.js';
import { RuleBook, ruleSetOf } from '#circulation/rules/rule-book.js';
import { Simulation, type SimulationInput } from '#circulation/simulation/simulation.js';
import { CATEGORIES, type CategoryName } from '#contracts/event-log/categories.js';
import { migrate } from '#platform/database/migrate.js';
import { encodedEvents, readEncoded } from '#platform/event-log/encoded-events.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { ANY_LOG, type ExpectedLog } from '#platform/event-log/log-proof.js';
import { LogRecord } from '#platform/event-log/log-record.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { writeDurably } from '../embedded/private-files.js';
import { startPostgres } from '../embedded/postgres/postgres-server.js';
import { simulateInProcess } from '../server/rules/what-if/simulation-runner.js';
import { borrowHistory, storeHistories } from './borrow-histories.js';
import { answerOf } from './child-answer.js';
import { median, printTable } from './measure.js';
import { processorSeconds } from './processor-time.js';
import { writeRawFigures } from './raw-figures.js';
import { startStoreProcess, type StoreProcess } from './store-process.js';

const EVENTS_OF_READER = 50;
const ROUNDS = 3;
/** Seconds. */
const GOAL = 20;
const ALL = Object.keys(CATEGORIES) as CategoryName[];

const [, , role, address = ''] = process.argv;
const EVENTS = Number(/^\d+$/.test(role ?? '') ? role : 1_000_000);
const ORDER: SimulationInput = {
  rules: { ...ruleSetOf(BORROW_POLICY), loanDays: 7, finePerBookAndDay: 80, maxRenewals: 1, collectDays: 2 },
  timeZone: 'Europe/Warsaw',
  from: '2025-03-01T00:00:00.000Z',
  until: '2026-03-01T00:00:00.000Z',
};

if (role === 'floor') await runFloor(address);
else await runBenchmark();

/** Reads the log as a trial does, and says whether it came to its end and what that cost. */
async function runFloor(connectionString: string): Promise<void> {
  const client = eventStoreClient(connectionString, ANY_LOG);
  const end = await new EventLog(client).last();
  let last = new Uint8Array();
  for await (const piece of readEncoded(client, ALL)) last = piece;
  await client.dispose();
  const reached = encodedEvents(last).at(-1)?.getCommitPosition();
  const isWhole = end !== undefined && BigInt(reached ?? 0) === end.commit;
  process.send?.({ isWhole, used: process.cpuUsage() }, () => process.disconnect());
}

interface Run {
  seconds: number;
  /** Of processor time: of the process that reads, where that is told, and of the event store. */
  own: number;
  store: number;
}

async function runBenchmark(): Promise<void> {
  const kept = keptFolder();
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'lectern-bench-'));
  mkdirSync(folder, { recursive: true });
  // The unprivileged user that PostgreSQL runs as where we are root has to pass through.
  chmodSync(folder, 0o711);
  const filled = join(folder, `filled-${EVENTS}`);
  const isFilled = existsSync(filled);
  const postgres = await startPostgres(join(folder, 'postgres'));
  let store: StoreProcess | undefined;
  try {
    const databaseUrl = postgres.url('product');
    if (!isFilled) {
      await postgres.createDatabase('product');
      await migrate(databaseUrl);
    }
    store = await startStoreProcess(databaseUrl, folder);
    const { child, connectionString } = store;
    if (!isFilled) {
      await fill(connectionString);
      writeDurably(filled, '');
    }
    const log = { logId: await logIdOf(connectionString), reached: [] };
    const runs: Record<'floor' | 'simulation', Run[]> = { floor: [], simulation: [] };
    const answers = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      runs.floor.push(await measured(child, () => floorOf(connectionString)));
      runs.simulation.push(await measured(child, () => simulationOf(connectionString, log, answers)));
    }
    if (answers.size !== 1) throw new Error('The same log and rules had several answers.');
    report(runs, foldAlone());
    await store.stop();
  } finally {
    store?.child.kill();
    await postgres.stop();
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function keptFolder(): string | undefined {
  const at = process.argv.indexOf('--keep');
  return at < 0 ? undefined : process.argv[at + 1];
}

async function fill(connectionString: string): Promise<void> {
  const client = eventStoreClient(connectionString, ANY_LOG, { batched: true });
  const books = Array.from({ length: 2_000 }, (_, index) => index + 1);
  await storeHistories(client, Math.ceil(EVENTS / EVENTS_OF_READER), EVENTS_OF_READER, books);
  await client.dispose();
}

async function logIdOf(connectionString: string): Promise<string> {
  const client = eventStoreClient(connectionString, ANY_LOG);
  const logId = await new LogRecord(client).logId();
  await client.dispose();
  return logId;
}

/** @param work gives its own processor time in seconds */
async function measured(store: ChildProcess, work: () => Promise<number>): Promise<Run> {
  const before = processorSeconds(store.pid);
  const began = performance.now();
  const own = await work();
  const seconds = (performance.now() - began) / 1000;
  return { seconds, own, store: processorSeconds(store.pid) - before };
}

async function floorOf(connectionString: string): Promise<number> {
  const child = fork(fileURLToPath(import.meta.url), ['floor', connectionString]);
  const { isWhole, used } = await answerOf<{ isWhole: boolean; used: NodeJS.CpuUsage }>(child);
  if (!isWhole) throw new Error('The log was not read to its end.');
  return (used.user + used.system) / 1_000_000;
}

async function simulationOf(
  connectionString: string,
  log: ExpectedLog,
  answers: Set<string>,
): Promise<number> {
  let pid: number | undefined;
  let own = NaN;
  const { answer, readers } = await simulateInProcess(
    { eventStoreUrl: connectionString, log, order: ORDER },
    60_000,
    new AbortController().signal,
    () => (own = processorSeconds(pid)),
    (started) => (pid = started),
  );
  if (answer.events !== EVENTS) throw new Error(`The trial had ${answer.events} events.`);
  answers.add(JSON.stringify({ answer, readers }));
  return own;
}

/** The fold alone, reader by reader in turns with that of commands: seconds of processor time for all events. */
function foldAlone(): { commands: number; simulation: number } {
  const used = { commands: 0, simulation: 0 };
  const simulation = new Simulation(ORDER, RuleBook.empty);
  const books = Array.from({ length: 2_000 }, (_, index) => index + 1);
  const timed = (what: keyof typeof used, work: () => void) => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    used[what] += (user + system) / 1_000_000;
  };
  for (let events = 0; events < EVENTS; events += EVENTS_OF_READER) {
    const reader = randomUUID();
    const history = borrowHistory(reader, EVENTS_OF_READER, books);
    timed('commands', () => void fold(history));
    timed('simulation', () => history.forEach((event, revision) => simulation.add(reader, event, revision)));
  }
  timed('simulation', () => void simulation.finish());
  return used;
}

function report(
  runs: Record<'floor' | 'simulation', Run[]>,
  alone: { commands: number; simulation: number },
): void {
  const of = (what: keyof typeof runs, figure: keyof Run) => median(runs[what].map((run) => run[figure]));
  const row = (what: string, name: keyof typeof runs) => ({
    what,
    'seconds (median)': of(name, 'seconds').toFixed(2),
    'events per second': Math.round(EVENTS / of(name, 'seconds')),
    'its processor time': of(name, 'own').toFixed(2),
    "the event store's": of(name, 'store').toFixed(2),
  });
  printTable([row('floor: read the log', 'floor'), row('a trial', 'simulation')]);
  const fold = (what: string, seconds: number) => ({
    what,
    seconds: seconds.toFixed(2),
    'µs an event': ((seconds * 1_000_000) / EVENTS).toFixed(2),
  });
  printTable([
    fold('the fold of commands, alone', alone.commands),
    fold('the fold of a trial, alone', alone.simulation),
  ]);
  const seconds = of('simulation', 'seconds');
  process.stdout.write(
    `Goal: a million events within ${GOAL} seconds ${(seconds * 1_000_000) / EVENTS <= GOAL ? 'reached' : 'missed'}. ${EVENTS} events, always the same answer.\n`,
  );
  writeRawFigures({ events: EVENTS, ...runs, alone });
}
