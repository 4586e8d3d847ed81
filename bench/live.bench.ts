/**
 * How long after its event was stored a change shows in a librarian's browser: from the time that the event
 * store wrote into the event to the change of the row in the DOM, on the same clock. Against the floor: a bare
 * socket.io server that sends a text to a bare page in the same Chromium, in turns with it.
 * Run it by `npm run bench:live`.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'puppeteer';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import { PERMISSIONS } from '#contracts/permissions.js';
import type { BorrowEventType } from '#contracts/borrowing/borrow-events.js';
import type { CommandAnswer } from '#contracts/borrowing/borrow-views.js';
import { borrowEventsIn } from '#platform/event-log/reader-events-in.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { answerOf } from './child-answer.js';
import { startChromium } from './chromium.js';
import { httpCaller } from './http-caller.js';
import { makeBooks, makePeople, type Person } from './library-people.js';
import { recordChanges } from './record-changes.js';
import { runLiveFloor, type FloorAnswer, type FloorOrder } from './live-floor.js';
import { inTurn, latencyColumns, percentile, printTable, type Measured } from './measure.js';
import { startProductProcess, type ProductProcess } from './product-process.js';

const READERS = 9;
const ROUNDS = 2;
/** A multiple of three: each borrow is rented, issued and returned. */
const COMMANDS_A_ROUND = 90;
const EVERY_MS = 100;
const WARM_UP_COMMANDS = 30;
/** Time for the last change to be shown. */
const SETTLE_MS = 1_000;
/** The goal for p99, in milliseconds. */
const GOAL = 50;

/** What the screen shows after an event. */
const STATUS_AFTER: Partial<Record<BorrowEventType, string>> = {
  BooksRented: 'Rented',
  BooksIssued: 'Issued',
  BooksReturned: 'Returned',
};

const [, , role] = process.argv;
if (role === 'floor') runLiveFloor();
else await runBenchmark();

async function runBenchmark(): Promise<void> {
  const product = await startProductProcess();
  const floor = fork(fileURLToPath(import.meta.url), ['floor']);
  let browser: Browser | undefined;
  try {
    const floorUrl = await answerOf<string>(floor);
    browser = await startChromium();
    const [librarian] = await makePeople(product, 1, ['Reader', 'Admin']);
    if (!librarian) throw new Error('There is no librarian.');
    const bare = await openFloor(browser, floorUrl);
    const queue = await openQueue(browser, product.url, librarian);
    const desk = await openDesk(product, librarian);
    await desk.work(WARM_UP_COMMANDS);
    await floorRound(floor, bare, WARM_UP_COMMANDS);
    await sleep(SETTLE_MS);
    const rounds: Record<'floor' | 'live', Measured[]> = { floor: [], live: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.floor.push(await floorRound(floor, bare, COMMANDS_A_ROUND));
      rounds.live.push(await liveRound(desk, queue));
    }
    report(inTurn(rounds.floor), inTurn(rounds.live));
    await desk.close();
  } finally {
    await browser?.close();
    if (floor.connected) floor.disconnect();
    await product.stop();
  }
}

async function openFloor(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(recordChanges('#text', '(element) => element.textContent'));
  await page.goto(url);
  return page;
}

async function openQueue(browser: Browser, url: string, { id, username, token }: Person): Promise<Page> {
  const page = await browser.newPage();
  const user: SignedInUser = {
    id,
    username,
    token,
    roles: ['Reader', 'Admin'],
    permissions: [...PERMISSIONS],
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const stored = JSON.stringify(JSON.stringify(user));
  await page.evaluateOnNewDocument(`localStorage.setItem('user', ${stored})`);
  await page.evaluateOnNewDocument(
    recordChanges('[data-borrow-id]', '({ dataset }) => `${dataset.borrowId} ${dataset.status}`'),
  );
  await page.goto(`${url}/#/admin/borrows`);
  await page.waitForSelector('[data-live="live"]');
  return page;
}

function shownIn(page: Page): Promise<Record<string, number>> {
  return page.evaluate('window.shown') as Promise<Record<string, number>>;
}

/** Who makes borrows move, one command every moment. */
interface Desk {
  /** @returns when each change was stored (milliseconds since 1970), by borrow and status */
  work: (commands: number) => Promise<Record<string, number>>;
  close: () => Promise<void>;
}

async function openDesk(product: ProductProcess, librarian: Person): Promise<Desk> {
  const readers = await makePeople(product, READERS, ['Reader']);
  const books = await makeBooks(product.databaseUrl, READERS, 3);
  const { call, close } = httpCaller(product.url, 8);
  const client = eventStoreClient(product.eventStoreUrl, ANY_LOG, { batched: true });
  const log = new EventLog(client);
  let borrows = 0;

  /** The three commands of a borrow, each a tick after the last one, whenever that was answered. */
  const borrow = async () => {
    const reader = readers[borrows % READERS];
    const body = { bookIds: [books[borrows % READERS]] };
    borrows += 1;
    if (!reader) throw new Error('There are no readers.');
    const rented = call('/api/Borrow/rent-books', reader.token, body) as Promise<CommandAnswer>;
    await sleep(EVERY_MS);
    const { borrowId } = await rented;
    for (const what of ['issue-books', 'return-books']) {
      const path = `/api/Borrow/${what}?borrowId=${borrowId}&userId=${reader.id}`;
      await Promise.all([call(path, librarian.token, body), sleep(EVERY_MS)]);
    }
  };
  return {
    work: async (commands) => {
      const began = Date.now();
      for (let done = 0; done < commands; done += 3) await borrow();
      const histories = await Promise.all(
        readers.map(({ pseudonym }) => log.readStream('borrows', pseudonym)),
      );
      return Object.fromEntries(
        borrowEventsIn(histories.flat())
          .filter(({ created }) => created.getTime() >= began)
          .map(({ event, created }) => [
            `${event.data.borrowId} ${STATUS_AFTER[event.type]}`,
            created.getTime(),
          ]),
      );
    },
    close: async () => {
      close();
      await client.dispose();
    },
  };
}

async function liveRound(desk: Desk, page: Page): Promise<Measured> {
  await page.bringToFront();
  const stored = await desk.work(COMMANDS_A_ROUND);
  await sleep(SETTLE_MS);
  return delays(stored, await shownIn(page));
}

async function floorRound(floor: ChildProcess, page: Page, messages: number): Promise<Measured> {
  await page.bringToFront();
  floor.send({ messages, every: EVERY_MS } satisfies FloorOrder);
  const sent = await answerOf<FloorAnswer>(floor);
  await sleep(SETTLE_MS);
  return delays(sent, await shownIn(page));
}

/** @throws when something was never shown: a mean over the rest would hide it */
function delays(begun: Record<string, number>, shown: Record<string, number>): Measured {
  const latencies = Object.entries(begun).map(([change, at]) => {
    const seen = shown[change];
    if (seen === undefined) throw new Error(`${change} was not shown.`);
    return seen - at;
  });
  return { count: latencies.length, seconds: (latencies.length * EVERY_MS) / 1000, latencies };
}

function report(floor: Measured, live: Measured): void {
  const p99 = percentile(live.latencies, 0.99);
  const ratio = (p99 / Math.max(1, percentile(floor.latencies, 0.99))).toFixed(1);
  const row = (what: string, measured: Measured, of = '') => ({
    what,
    changes: measured.count,
    ...latencyColumns(measured),
    ratio: of,
  });
  printTable([
    row('message sent to text shown (bare socket.io)', floor),
    row('event stored to row changed (product)', live, `${ratio} x p99`),
  ]);
  process.stdout.write(`Goal: p99 at most ${GOAL} ms ${p99 <= GOAL ? 'reached' : 'missed'}.\n`);
}
