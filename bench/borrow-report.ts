import { latencyColumns, percentile, printTable, rate, type Measured } from './measure.js';
import type { ProcessorTime, Written } from './process-costs.js';

/** What one side did, and what it cost. */
export interface Turn {
  measured: Measured;
  rest: { listMs: number; sentMeanwhile: number; restSeconds: number };
  worked: ProcessorTime;
  /** Bytes of the write-ahead log. */
  log: number;
}

/** One side in all its turns. */
interface Side extends Turn {
  written: Written;
}

export interface AtClients {
  clients: number;
  pool: { poolSize: number; tried: Record<number, number> };
  floor: Measured;
  product: Side;
  rival: Side;
}

/** A reader of many events beside one of few. */
export interface History {
  events: number;
  long: Turn;
  short: Turn;
}

/** The goals: multiples of the rival's rate by clients; bytes of log and transactions a command. */
const GOALS: Record<number, number> = { 1: 0.9, 8: 1.2, 64: 1.8 };
const GOAL_OF_COSTS = { wal: 4_096, transactions: 3 };

/** Prints the tables, and how the figures stand to the goals. */
export function report(all: readonly AtClients[], history?: History): void {
  printTable(
    all.flatMap(({ clients, floor, rival, product, pool }) => [
      row(clients, 'floor: one durable insert', floor),
      row(clients, `rival, ${pool.poolSize} connections`, rival.measured),
      row(clients, 'product', product.measured, rate(product.measured) / rate(rival.measured)),
    ]),
  );
  process.stdout.write('\nWhat a command costs (the letters that it causes included):\n');
  printTable(
    all.flatMap(({ clients, rival, product }) => [
      costs(clients, 'rival', rival),
      costs(clients, 'product', product),
    ]),
  );
  process.stdout.write('\n');
  for (const at of all) tellGoals(at);
  const eight = all.find(({ clients }) => clients === 8);
  const most = all.find(({ clients }) => clients === 64);
  if (eight && most && rate(most.rival.measured) < rate(eight.rival.measured)) {
    process.stdout.write('The rival falls with more clients: its figure at 64 does not count.\n');
  }
  if (history) tellHistory(history);
}

function row(clients: number, what: string, measured: Measured, ratio?: number) {
  return {
    clients,
    what,
    'per second': Math.round(rate(measured)),
    ...latencyColumns(measured),
    'of the rival': ratio === undefined ? '' : `${ratio.toFixed(2)} x`,
  };
}

function costs(clients: number, what: string, { measured, worked, log, written, rest }: Side) {
  const each = (sum: number, digits: number) => (sum / measured.count).toFixed(digits);
  return {
    clients,
    what,
    transactions: each(written.transactions, 2),
    'log, bytes': each(log, 0),
    'rows in / changed / out': [written.inserted, written.updated, written.deleted]
      .map((rows) => each(rows, 1))
      .join(' / '),
    'ms: thread / others / PostgreSQL': [
      worked.mainThread,
      worked.otherThreads + worked.children,
      worked.postgres,
    ]
      .map((time) => each(time, 2))
      .join(' / '),
    'letters: at once, rest': `${each(rest.sentMeanwhile, 2)}, ${rest.restSeconds.toFixed(1)} s`,
    'lists after, ms': rest.listMs.toFixed(0),
  };
}

function tellGoals({ clients, rival, product }: AtClients): void {
  const ratio = rate(product.measured) / rate(rival.measured);
  const goal = GOALS[clients];
  if (goal !== undefined) {
    process.stdout.write(
      `${clients} clients: ${ratio.toFixed(2)} x the rival, goal ${goal}: ${ratio >= goal ? 'reached' : 'missed'}.\n`,
    );
  }
  if (clients !== 64) return;
  const { written, log, measured } = product;
  const wal = log / measured.count;
  const transactions = written.transactions / measured.count;
  process.stdout.write(
    `${Math.round(wal)} bytes of log a command: ${wal <= GOAL_OF_COSTS.wal ? 'reached' : 'missed'}; ` +
      `${transactions.toFixed(2)} transactions: ${transactions <= GOAL_OF_COSTS.transactions ? 'reached' : 'missed'}.\n`,
  );
}

function tellHistory({ events, long, short }: History): void {
  const p50 = ({ measured }: Turn) => `${percentile(measured.latencies, 0.5).toFixed(2)} ms`;
  process.stdout.write(`\nOne client, by the length of the reader's history:\n`);
  printTable([
    { events: 0, 'per second': Math.round(rate(short.measured)), p50: p50(short), thread: thread(short) },
    { events, 'per second': Math.round(rate(long.measured)), p50: p50(long), thread: thread(long) },
  ]);
}

const thread = ({ worked, measured }: Turn) => `${(worked.mainThread / measured.count).toFixed(2)} ms`;
