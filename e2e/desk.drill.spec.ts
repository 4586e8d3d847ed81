import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { copyCode, readCopyCode } from '#contracts/catalogue/copy-code.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { createLogger } from '#platform/logging.js';
import { hashPassword } from '../server/accounts/passwords/passwords.js';
import type { BrowserPage } from '../test-support/browser/browser-page.js';
import type { TestBrowser } from '../test-support/browser/browser.js';
import { openBrowser } from '../test-support/browser/worker-browser.js';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';
import { makeBook } from '../test-support/product/make-book.js';
import { makeAccount, type TestAccount } from '../test-support/product/product.js';
import { readLog, verifyRows } from './crash/log-account.js';
import { Random } from './crash/random.js';
import { signIn } from './people.js';
import { finished, scan, scanned, turnTo } from './scanner.js';

/** DESK_SEED repeats the order of an earlier run. */
const SEED = Number(process.env['DESK_SEED'] ?? randomInt(1, 1_000_000));
const READERS = 5;
const BOOKS_EACH = 8;
const PASSWORD = 'Sekret#2026';

interface Customer extends TestAccount {
  card: string;
  labels: string[];
}

describe(`two librarians with scanners, and a server that is killed (seed ${SEED})`, () => {
  const random = new Random(SEED);
  let installation: CrashInstallation;
  let browser: TestBrowser;
  let database: Database;
  let desks: BrowserPage[];
  let customers: Customer[];

  beforeAll(async () => {
    installation = await CrashInstallation.create({ LOG_LEVEL: 'warn' });
    await installation.start();
    database = openDatabase(installation.addresses().databaseUrl, 2, createLogger('silent'));
    customers = await people(installation, database);
    browser = await openBrowser();
    desks = [];
    for (let turn = 0; turn < 2; turn += 1) {
      const username = await librarian(installation, database);
      const desk = await (await browser.window()).page(`${installation.url}/#/login`);
      await signIn(desk, username, PASSWORD);
      await desk.goTo('/admin/desk');
      await desk.has('[data-mode] input');
      desks.push(desk);
    }
  });
  afterAll(async () => {
    await browser?.close();
    await database?.end();
    await installation?.remove();
  });

  it('hands over 40 books to five readers and takes them back in any order, none lost and none doubled', async () => {
    const [first, second] = desks as [BrowserPage, BrowserPage];
    const [one = [], other = []] = [customers.slice(0, 3), customers.slice(3)];
    await Promise.all([
      ...[[first, one] as const, [second, other] as const].map(([desk, queue]) =>
        scan(desk, ...queue.flatMap(({ card, labels }) => [card, ...labels])),
      ),
      killAmidst(installation),
    ]);
    for (const desk of desks) await finished(desk);
    for (const desk of desks) await expectAllGood(desk);

    const labels = shuffled(
      customers.flatMap((customer) => customer.labels),
      random,
    );
    const halves = [labels.slice(0, labels.length / 2), labels.slice(labels.length / 2)];
    for (const desk of desks) await turnTo(desk, 'take-back');
    await Promise.all([
      ...desks.map((desk, turn) => scan(desk, ...(halves[turn] ?? []))),
      killAmidst(installation),
    ]);
    for (const [turn, desk] of desks.entries()) {
      await finished(desk);
      await expectAllGood(desk);
      const rows = (await scanned(desk)).slice(0, halves[turn]?.length);
      expect(rows.map((row) => row.scan).reverse()).toEqual(halves[turn]);
    }
    await expectOnce(installation, customers);
  });
});

/** Ends the server while scans are on their way, and starts it again. */
async function killAmidst(installation: CrashInstallation): Promise<void> {
  await sleep(700);
  await installation.kill();
  await installation.start();
}

async function expectAllGood(desk: BrowserPage): Promise<void> {
  expect((await scanned(desk)).filter(({ tone }) => tone !== 'good')).toEqual([]);
}

/** Each book was handed to its reader and came back once, by the log; and rows and counters say the same. */
async function expectOnce(installation: CrashInstallation, customers: readonly Customer[]): Promise<void> {
  const log = await readLog(installation.addresses().eventStoreUrl);
  const told = log.map(({ event }) => event.type);
  const count = (type: string) => told.filter((each) => each === type).length;
  const all = READERS * BOOKS_EACH;
  expect({
    rented: count('BooksRented'),
    issued: count('BooksIssued'),
    returned: count('BooksReturned'),
  }).toEqual({
    ...{ rented: all, issued: all, returned: all },
  });
  const returned = log.flatMap(({ event }) => (event.type === 'BooksReturned' ? event.data.bookIds : []));
  expect(returned.sort((a, b) => a - b)).toEqual(
    customers
      .flatMap(({ labels }) => labels.map((label) => readCopyCode(label)?.bookId ?? 0))
      .sort((a, b) => a - b),
  );
  expect(await verifyRows(installation.addresses())).toMatchObject({ differences: [], pendingHolds: 0 });
}

async function people(installation: CrashInstallation, database: Database): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (let turn = 0; turn < READERS; turn += 1) {
    const account = await makeAccount(installation.addresses());
    const card = await queryRow(
      database,
      z.object({ number: z.string() }),
      'select number from reader_card where account_id = $1 and replaced_at is null',
      [account.id],
    );
    const labels: string[] = [];
    // Every title has a second copy, which another reader gets.
    for (let book = 0; book < BOOKS_EACH; book += 1) {
      const before = customers.at(-1)?.labels[book];
      const copy = turn % 2 === 1 && before !== undefined ? readCopyCode(before) : undefined;
      const bookId = copy?.bookId ?? (await makeBook(database, 2, `Book ${turn}.${book}`));
      labels.push(copyCode({ bookId, copy: copy ? 2 : 1 }));
    }
    customers.push({ ...account, card: card?.number ?? '', labels });
  }
  return customers;
}

async function librarian(installation: CrashInstallation, database: Database): Promise<string> {
  const { id } = await makeAccount(installation.addresses(), ['Admin']);
  const row = await queryRow(
    database,
    z.object({ username: z.string() }),
    'update account set password_hash = $2 where id = $1 returning username',
    [id, await hashPassword(PASSWORD)],
  );
  return row?.username ?? '';
}

function shuffled<Each>(all: readonly Each[], random: Random): Each[] {
  const left = [...all];
  const order: Each[] = [];
  while (left.length > 0) order.push(...left.splice(Math.floor(random.next() * left.length), 1));
  return order;
}
