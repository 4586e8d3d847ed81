/**
 * How long the inventory of many books and the labels of their copies take, asked for over HTTP as a librarian does,
 * and how much memory the printing process and its browser have to themselves at most.
 * Run it from the build: `node dist/bench/reports.bench.js [--books 10000] [--labels 12000]`.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { z } from 'zod';
import { openDatabase } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { queryRow } from '#platform/database/query-rows.js';
import { loadGeneratedBooks } from '../embedded/generate/load-generated.js';
import { ownMemory, processTree } from '../server/reports/print-process.js';
import { makePeople } from './library-people.js';
import { printTable } from './measure.js';
import { startProductProcess } from './product-process.js';

const SAMPLE_EVERY = 100;

await new Command('reports.bench')
  .option('--books <n>', 'generated', '10000')
  .option('--labels <n>', 'at least so many', '12000')
  .action(run)
  .parseAsync();

async function run({ books, labels }: { books: string; labels: string }): Promise<void> {
  const product = await startProductProcess();
  try {
    const database = openDatabase(product.databaseUrl, 2, createLogger('warn'));
    await loadGeneratedBooks(database, Number(books), 1, () => undefined);
    // Copies of many books, so that the labels are as many as they are asked to be.
    const row = await queryRow(
      database,
      z.object({ ids: z.array(z.int()) }),
      'select array(select id from book order by id desc limit 1000) as ids',
    );
    const ids = row?.ids ?? [];
    const each = Math.ceil(Number(labels) / ids.length);
    await database.query('update book set copies_total = $2, copies_available = $2 where id = any($1)', [
      ids,
      each,
    ]);
    await database.end();
    const [admin] = await makePeople(product, 1, ['Admin']);
    const get = (path: string) => measured(`${product.url}/api/Dashboard/${path}`, admin?.token ?? '');
    const rowsOfTable = [
      { report: 'inventory', ...(await get('bookRaport')) },
      { report: 'labels', ...(await get(`generate-stickers?bookIds=${ids.join(',')}`)) },
    ];
    printTable(rowsOfTable);
  } finally {
    await product.stop();
  }
}

async function measured(url: string, token: string) {
  let done = false;
  const began = performance.now();
  const answer = fetch(url, { headers: { authorization: `Bearer ${token}` } })
    .then(async (response) => {
      if (response.status !== 200) throw new Error(await response.text());
      return Buffer.from(await response.arrayBuffer());
    })
    .finally(() => (done = true));
  let [most, mostOfOne] = [0, 0];
  while (!done) {
    const tree = printingProcesses();
    most = Math.max(most, ownMemory(tree));
    mostOfOne = Math.max(mostOfOne, ...tree.map((pid) => ownMemory([pid])));
    await Promise.race([sleep(SAMPLE_EVERY), answer.catch(() => undefined)]);
  }
  const pdf = await answer;
  const pages = Math.max(...[...pdf.toString('latin1').matchAll(/\/Count (\d+)/g)].map(([, n]) => Number(n)));
  return {
    pages,
    seconds: Number(((performance.now() - began) / 1000).toFixed(1)),
    'MB of file': Number((pdf.length / 2 ** 20).toFixed(1)),
    'MB of memory, at most': Math.round(most / 2 ** 20),
    'in one process': Math.round(mostOfOne / 2 ** 20),
  };
}

/** The printing process and its browser. Empty where the system does not tell (it is no Linux). */
function printingProcesses(): number[] {
  const printing = processTree(process.pid).find((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('print-worker.js');
    } catch {
      return false;
    }
  });
  return printing === undefined ? [] : processTree(printing);
}
