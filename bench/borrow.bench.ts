/**
 * How many rents, issues and returns a second the whole product acknowledges over HTTP, against the floor: a
 * bare HTTP server that does one durable insert for each request, on the same PostgreSQL, in turns with it.
 * Product, floor and load have a process each. Run it by `npm run bench:borrow`.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { CommandAnswer } from '#contracts/borrowing/borrow-views.js';
import { answerOf } from './child-answer.js';
import { httpCaller, type Call } from './http-caller.js';
import { makeBooks, makePeople, type Person } from './library-people.js';
import {
  closedLoop,
  inTurn,
  latencyColumns,
  percentile,
  printTable,
  rate,
  type Measured,
} from './measure.js';
import { startProductProcess } from './product-process.js';

const CLIENTS = 64;
const ROUNDS = 3;
const SECONDS_A_ROUND = 4;
/** Long enough for the compiler of the product's process to be done with it. */
const WARM_UP_SECONDS = 12;
/** The goals: a share of the floor's rate, and a multiple of its p99. */
const GOAL = { rate: 0.5, p99: 3 };

const [, , role, floorUrl = ''] = process.argv;
if (role === 'floor') await runFloor(floorUrl);
else await runBenchmark();

/** Answers after a durable insert, and does nothing else. */
async function runFloor(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CLIENTS });
  await pool.query(
    'create table row (id bigint generated always as identity primary key, body text not null)',
  );
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      pool
        .query({ name: 'insert', text: 'insert into row (body) values ($1) returning id', values: [body] })
        .then(({ rows }) =>
          response.setHeader('content-type', 'application/json').end(JSON.stringify(rows[0])),
        )
        .catch(() => response.writeHead(500).end());
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
  });
  process.once('disconnect', () => {
    server.close();
    server.closeAllConnections();
    void pool.end();
  });
}

async function runBenchmark(): Promise<void> {
  const product = await startProductProcess();
  let floor: ChildProcess | undefined;
  try {
    floor = fork(fileURLToPath(import.meta.url), ['floor', await product.createDatabase('floor')]);
    const address = await answerOf<string>(floor);
    const readers = await makePeople(product, CLIENTS, ['Reader']);
    const [librarian] = await makePeople(product, 1, ['Reader', 'Admin']);
    if (!librarian) throw new Error('There is no librarian.');
    const books = await makeBooks(product.databaseUrl, CLIENTS, 2);

    const bare = httpCaller(address, CLIENTS);
    const whole = httpCaller(product.url, CLIENTS);
    const insert = (client: number) =>
      bare.call('/', readers[client]?.token ?? '', { bookIds: [books[client]] });
    const step = borrowSteps(whole.call, readers, librarian, books);
    const measured = await inTurns(insert, step);
    report(measured.floor, measured.borrows);
    bare.close();
    whole.close();
  } finally {
    if (floor?.connected) {
      floor.disconnect();
      await once(floor, 'exit');
    }
    await product.stop();
  }
}

type Operation = (client: number) => Promise<unknown>;

async function inTurns(insert: Operation, step: Operation): Promise<{ floor: Measured; borrows: Measured }> {
  const floor: Measured[] = [];
  const borrows: Measured[] = [];
  await closedLoop(CLIENTS, WARM_UP_SECONDS / 4, insert);
  await closedLoop(CLIENTS, WARM_UP_SECONDS, step);
  for (let round = 0; round < ROUNDS; round += 1) {
    floor.push(await closedLoop(CLIENTS, SECONDS_A_ROUND, insert));
    borrows.push(await closedLoop(CLIENTS, SECONDS_A_ROUND, step));
  }
  return { floor: inTurn(floor), borrows: inTurn(borrows) };
}

/** Each client is a reader with a book of his own; its requests are in turn his rent, its issue and its return. */
function borrowSteps(
  call: Call,
  readers: readonly Person[],
  librarian: Person,
  books: readonly number[],
): Operation {
  const underWay = readers.map(() => ({ next: 'rent', borrowId: '' }));
  return async (client) => {
    const reader = readers[client];
    const borrow = underWay[client];
    if (!reader || !borrow) throw new Error('More clients than readers.');
    const body = { bookIds: [books[client]] };
    const atTheDesk = (what: string) =>
      call(`/api/Borrow/${what}?borrowId=${borrow.borrowId}&userId=${reader.id}`, librarian.token, body);
    if (borrow.next === 'rent') {
      borrow.borrowId = acknowledged(await call('/api/Borrow/rent-books', reader.token, body)).borrowId;
      borrow.next = 'issue';
    } else if (borrow.next === 'issue') {
      acknowledged(await atTheDesk('issue-books'));
      borrow.next = 'return';
    } else {
      acknowledged(await atTheDesk('return-books'));
      borrow.next = 'rent';
    }
  };
}

/** An answer that could not wait for the lists would be a cheaper one than what is measured. */
function acknowledged(answer: unknown): CommandAnswer {
  const { borrowId, position, upToDate } = answer as CommandAnswer;
  if (!upToDate) throw new Error(`The lists did not catch up with position ${position}.`);
  return { borrowId, position, upToDate };
}

function report(floor: Measured, borrows: Measured): void {
  const row = (what: string, measured: Measured, ratio: string) => ({
    what,
    'per second': Math.round(rate(measured)),
    ...latencyColumns(measured),
    ratio,
  });
  const ofRate = rate(borrows) / rate(floor);
  const ofP99 = percentile(borrows.latencies, 0.99) / percentile(floor.latencies, 0.99);
  printTable([
    row('one durable insert (bare HTTP)', floor, ''),
    row('rent, issue, return (product)', borrows, `${ofRate.toFixed(2)} x rate, ${ofP99.toFixed(2)} x p99`),
  ]);
  process.stdout.write(
    `Goal: ${GOAL.rate} x rate ${ofRate >= GOAL.rate ? 'reached' : 'missed'}, ` +
      `at most ${GOAL.p99} x p99 ${ofP99 <= GOAL.p99 ? 'reached' : 'missed'}. ${CLIENTS} clients.\n`,
  );
}
