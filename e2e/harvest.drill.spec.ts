import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { inTransaction, openDatabase, type Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { createLogger } from '#platform/logging.js';
import { packageRoot } from '#platform/package-root.js';
import { addNewBooks } from '../test-support/product/new-books.js';
import { Topology } from '../test-support/installation/topology.js';
import { textsOf } from '../test-support/services/xml-elements.js';

const BOOKS = 1_500;
/** Inside a page: the next one is asked for after what happens there. */
const PAUSE_EVERY = 450;

const harvestedSchema = z.object({
  identifier: z.string(),
  isDeleted: z.boolean(),
  title: z.string().optional(),
});
type Harvested = z.infer<typeof harvestedSchema>;

/** @param atPause what happens in the middle of it, by how many pauses there were before */
async function harvest(
  url: string,
  from?: string,
  atPause: (pause: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<Harvested[]> {
  const child = fork(join(packageRoot(), 'test-support/installation/harvester.mjs'), { execArgv: [] });
  const records: Harvested[] = [];
  let pauses = 0;
  let isDone = false;
  const working: Promise<unknown>[] = [];
  child.on('message', (message) => {
    if (message === 'done') return void (isDone = true);
    if (message !== 'paused') return void records.push(harvestedSchema.parse(message));
    working.push(atPause(pauses).then(() => child.send('on')));
    pauses += 1;
  });
  const options = { metadataPrefix: 'oai_dc', ...(from !== undefined && { from }) };
  child.send({ url, options, pauseEvery: PAUSE_EVERY });
  await once(child, 'close');
  await Promise.all(working);
  expect(isDone).toBe(true);
  return records;
}

describe('a harvest of the whole catalogue', () => {
  let topology: Topology;
  let database: Database;
  beforeAll(async () => {
    topology = await Topology.start({});
    database = openDatabase(topology.databaseUrl, 8, createLogger('silent'));
    await addNewBooks(
      database,
      Array.from({ length: BOOKS }, () => ({})),
    );
  });
  afterAll(async () => {
    await database?.end();
    await topology?.stop();
  });

  const books = () =>
    queryRows(
      database,
      z.object({ id: z.int(), title: z.string() }),
      'select id, title from book order by id',
    );
  const now = async () => {
    const answer = await fetch(`${topology.proxy.url}/oai?verb=Identify`);
    return textsOf(await answer.text(), 'responseDate')[0] ?? '';
  };
  const numberOf = ({ identifier }: Harvested) => Number(identifier.split(':').at(-1));

  it('gets each record once and misses none while books are saved and servers are killed, and then what changed', async () => {
    const before = await books();
    // Times are of whole seconds: these books are older than the beginning.
    await now();
    await sleep(1_100);
    const began = await now();
    let isOver = false;
    let saved = 0;
    /** Adds, changes and deletes; what it began is committed a while later. */
    const save = async (every: number) => {
      while (!isOver) {
        const [{ id } = { id: 0 }] = before.slice((saved * 37) % before.length);
        await inTransaction(database, async (connection) => {
          await connection.query('update book set title = $2 where id = $1', [id, `Saved ${saved}`]);
          if (saved % 10 === every) {
            await connection.query('delete from book where id = $1', [before[saved % before.length]?.id]);
          }
          await sleep(every * 40);
        });
        await addNewBooks(database, [{}]);
        saved += 1;
      }
    };
    const saving = [1, 2, 3].map(save);

    let whole: Harvested[];
    try {
      whole = await harvest(`${topology.proxy.url}/oai`, undefined, async (pause) => {
        await sleep(1_500);
        if (pause > 1) return;
        await topology.servers[pause]?.process.kill();
        // Until the proxy has seen it: the client gives up where a call of its own is lost.
        await sleep(1_000);
        if (pause === 0) await topology.restart(0);
      });
    } finally {
      isOver = true;
      await Promise.all(saving);
    }
    expect(saved).toBeGreaterThan(20);

    const numbers = whole.map(numberOf);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(before.filter(({ id }) => !numbers.includes(id))).toEqual([]);

    const changed = await harvest(`${topology.proxy.url}/oai`, began);
    const known = new Map([...whole, ...changed].map((record) => [numberOf(record), record]));
    const present = [...known].flatMap(([id, { isDeleted, title }]) => (isDeleted ? [] : [{ id, title }]));
    expect(present.sort((one, other) => one.id - other.id)).toEqual(await books());
    expect(changed.length).toBeLessThan(whole.length);
  });
});
