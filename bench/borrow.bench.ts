/**
 * How many rents, issues and returns a second the whole product acknowledges over HTTP, with its letters being written and
 * sent all the while, against a rival (`rival/`: what most would write instead) and a floor (a bare HTTP server that does
 * one durable insert for each request). All on the same PostgreSQL, in turns, each in a process of its own; the rival's
 * pool has the size that serves it best. Run it by `npm run bench:borrow`; `-- --keys` sends an Idempotency-Key with each
 * command, as the screens do; `-- --clients 1,64` measures with fewer; `-- --minutes 10` runs
 * the product alone and tells whether anything grows; `-- --json FILE` writes the figures down.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { answerOf } from './child-answer.js';
import { borrowSteps, newKey, type Operation } from './borrow-clients.js';
import { runFloor } from './borrow-floor.js';
import { giveHistory, lettersDone, lettersSent } from './borrow-letters.js';
import { soak } from './borrow-soak.js';
import { report, type AtClients, type History, type Turn } from './borrow-report.js';
import { httpCaller } from './http-caller.js';
import { makeBooks, makePeople, type Person } from './library-people.js';
import { closedLoop, inTurn } from './measure.js';
import { added, logBytes, processorTime, summed, written } from './process-costs.js';
import { startProductProcess, type ProductProcess } from './product-process.js';
import { writeRawFigures } from './raw-figures.js';
import { runRival } from './rival/rival-server.js';
import { startRival, type Rival } from './rival/start-rival.js';

const ROUNDS = 3;
const SECONDS_A_ROUND = 4;
const SECONDS_OF_FLOOR = 2;
/** The compiler of the product's process is done with what it often runs after some thousand commands. */
const WARM_UP = { commands: 10_000, atMostSeconds: 60, aStep: 5 };
const HISTORY = 10_000;

const FILE = fileURLToPath(import.meta.url);
const [, , role, childsDatabase = ''] = process.argv;
const CLIENTS = (argument('--clients') ?? '1,8,64').split(',').map(Number);
const MOST = Math.max(...CLIENTS);

if (role === 'floor') await runFloor(childsDatabase, 64);
else if (role === 'rival') await runRival(childsDatabase);
else await runBenchmark();

function argument(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** The product with its clients. */
interface Library {
  product: ProductProcess;
  database: pg.Pool;
  step: Operation;
  librarian: Person;
  stepsOf: (readers: readonly Person[], books: readonly number[]) => Operation;
}

async function runBenchmark(): Promise<void> {
  const product = await startProductProcess();
  const database = new pg.Pool({ connectionString: product.databaseUrl, max: 2 });
  const closers: (() => Promise<unknown>)[] = [() => product.stop(), () => database.end()];
  try {
    const keys = process.argv.includes('--keys');
    const whole = httpCaller(product.url, MOST, keys ? newKey : undefined);
    closers.push(async () => whole.close());
    const readers = await makePeople(product, MOST, ['Reader']);
    const [librarian] = await makePeople(product, 1, ['Reader', 'Admin']);
    if (!librarian) throw new Error('There is no librarian.');
    const stepsOf = (of: readonly Person[], books: readonly number[]) =>
      borrowSteps(whole.call, of, librarian, books);
    const step = stepsOf(readers, await makeBooks(product.databaseUrl, MOST, 2));
    const library: Library = { product, database, step, librarian, stepsOf };

    const minutes = Number(argument('--minutes') ?? 0);
    if (minutes > 0) {
      await warmUp(step);
      await lettersDone(database);
      const soaked = await soak(minutes, MOST, step, database, product.pid);
      return writeRawFigures({ keys, clients: MOST, ...soaked });
    }

    const rival = await startRival(
      { file: FILE, role: 'rival' },
      await product.createDatabase('rival'),
      MOST,
    );
    closers.push(() => rival.stop());
    const rivals = new pg.Pool({ connectionString: await product.createDatabase('rival'), max: 1 });
    closers.push(() => rivals.end());
    const floor = await startFloor(await product.createDatabase('floor'));
    closers.push(floor.stop);

    await warmUp(step);
    await lettersDone(database);
    await warmUp(rival.step);
    const all: AtClients[] = [];
    for (const clients of CLIENTS) all.push(await compare(clients, library, rival, rivals, floor.step));
    const history = process.argv.includes('--no-history') ? undefined : await compareHistories(library);
    report(all, history);
    writeRawFigures({ keys, clients: all, history });
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function warmUp(step: Operation): Promise<void> {
  const { commands, atMostSeconds, aStep } = WARM_UP;
  for (let done = 0, seconds = 0; done < commands && seconds < atMostSeconds; seconds += aStep) {
    done += (await closedLoop(MOST, aStep, step)).count;
  }
}

async function startFloor(databaseUrl: string): Promise<{ step: Operation; stop: () => Promise<void> }> {
  const child = fork(FILE, ['floor', databaseUrl]);
  const bare = httpCaller(await answerOf<string>(child), MOST);
  return {
    step: (client) => bare.call('/', 'x'.repeat(300), { bookIds: [client] }),
    stop: async () => {
      bare.close();
      if (!child.connected) return;
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

async function compare(
  clients: number,
  library: Library,
  rival: Rival,
  rivals: pg.Pool,
  floorStep: Operation,
): Promise<AtClients> {
  const { product, database, step } = library;
  const pool = await rival.tune(clients);
  const turns: { product: Turn[]; rival: Turn[]; floor: Turn['measured'][] } = {
    product: [],
    rival: [],
    floor: [],
  };
  const rows = () => Promise.all([written(database), written(rivals)]);
  const [ofProduct, ofRival] = await rows();
  for (let round = 0; round < ROUNDS; round += 1) {
    turns.floor.push(await closedLoop(clients, SECONDS_OF_FLOOR, floorStep));
    turns.product.push(await costly(product.pid, product, database, clients, step, restOf(library)));
    turns.rival.push(await costly(rival.pid, product, rivals, clients, rival.step));
  }
  const [ofProductAfter, ofRivalAfter] = await rows();
  return {
    clients,
    pool,
    floor: inTurn(turns.floor),
    product: { ...joined(turns.product), written: added(ofProduct, ofProductAfter) },
    rival: { ...joined(turns.rival), written: added(ofRival, ofRivalAfter) },
  };
}

/**
 * What is left at the end of a turn: the milliseconds until a list has all of it, how many letters had been sent, and in how
 * many seconds the others were.
 */
type Rest = () => Promise<Turn['rest']>;

function restOf({ product, database, librarian }: Library): () => Promise<Rest> {
  return async () => {
    const before = await lettersSent(database);
    return async () => {
      const began = performance.now();
      const headers = { authorization: `Bearer ${librarian.token}` };
      const list = await fetch(`${product.url}/api/Borrow/history?pageNumber=1`, { headers });
      if (!list.ok) throw new Error(`The list was answered ${list.status}.`);
      const listMs = performance.now() - began;
      const sentMeanwhile = (await lettersSent(database)) - before;
      return { listMs, sentMeanwhile, restSeconds: await lettersDone(database) };
    };
  };
}

/** The rival sends no letters, and its lists are its only store. */
async function noRest(): Promise<Rest> {
  return async () => ({ listMs: 0, sentMeanwhile: 0, restSeconds: 0 });
}

/** One turn, with all that it cost until its last letter was sent. */
async function costly(
  pid: number,
  { postmaster }: ProductProcess,
  database: pg.Pool,
  clients: number,
  step: Operation,
  begin: () => Promise<Rest> = noRest,
): Promise<Turn> {
  const restOfTurn = await begin();
  const logBefore = await logBytes(database);
  const workedBefore = processorTime(pid, postmaster);
  const measured = await closedLoop(clients, SECONDS_A_ROUND, step);
  const rest = await restOfTurn();
  const worked = added(workedBefore, processorTime(pid, postmaster));
  return { measured, rest, worked, log: (await logBytes(database)) - logBefore };
}

function joined(turns: readonly Turn[]): Turn {
  return {
    measured: inTurn(turns.map(({ measured }) => measured)),
    rest: summed(turns.map(({ rest }) => rest)),
    worked: summed(turns.map(({ worked }) => worked)),
    log: turns.reduce((sum, { log }) => sum + log, 0),
  };
}

/** One reader with a long history and one without any, in turns. */
async function compareHistories(library: Library): Promise<History> {
  const { product, database, stepsOf } = library;
  const [long, short] = await makePeople(product, 2, ['Reader']);
  if (!long || !short) throw new Error('There are no readers.');
  const books = await makeBooks(product.databaseUrl, 100, 2);
  const events = await giveHistory(product, database, long, HISTORY, books);
  const stepOfLong = stepsOf([long], books);
  const stepOfShort = stepsOf([short], books.slice(1));
  await closedLoop(1, 2, stepOfLong);
  const turns = { long: [] as Turn[], short: [] as Turn[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    turns.short.push(await costly(product.pid, product, database, 1, stepOfShort, restOf(library)));
    turns.long.push(await costly(product.pid, product, database, 1, stepOfLong, restOf(library)));
  }
  return { events, long: joined(turns.long), short: joined(turns.short) };
}
