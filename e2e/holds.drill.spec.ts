import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { HoldEvent } from '#contracts/holds/hold-events.js';
import { openDatabase } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { createLogger } from '#platform/logging.js';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';
import type { Answer } from '../test-support/product/caller.js';
import { makeBook } from '../test-support/product/make-book.js';
import { makeAccount, type TestAccount } from '../test-support/product/product.js';
import { TIMEOUT, waitFor } from '../test-support/wait-for.js';
import { shared } from '../test-support/shared.js';
import { readLog, verifyRows } from './crash/log-account.js';
import { Random } from './crash/random.js';

const READERS = 60;
const COPIES = 3;
/** Times that each reader waits for the title. HOLD_ROUNDS=30 by hand. */
const ROUNDS = Number(process.env['HOLD_ROUNDS'] ?? 3);
const SEED = Number(process.env['HOLD_SEED'] ?? randomInt(1, 1_000_000));

const say = (line: string) => process.stdout.write(`${line}\n`);

describe(`readers who race for few copies while the product is killed (seed ${SEED})`, () => {
  const installation = shared(() =>
    CrashInstallation.create({ HOLD_STALE_SECONDS: '3', LOG_LEVEL: 'error' }),
  );
  beforeAll(async () => {
    await installation.start();
  });

  /** The same call with the same key until it is answered, whatever is killed meanwhile. */
  const surely = async (
    account: TestAccount,
    path: string,
    body: unknown,
    key = randomUUID(),
  ): Promise<Answer> =>
    waitFor(async () => {
      const answer = await account
        .post(path, body, { 'idempotency-key': key })
        .catch((): Answer => ({ status: 0, body: {} }));
      return answer.status > 0 && answer.status < 500 && answer.body.code !== 'ConcurrentChange' && answer;
    });

  it(
    `get them in the order in which they came, ${ROUNDS} times each`,
    async () => {
      const site = installation.addresses();
      const first = openDatabase(site.databaseUrl, 2, createLogger('silent'));
      const readers = await Promise.all(Array.from({ length: READERS }, () => makeAccount(site)));
      const admin = await makeAccount(site, ['Admin']);
      const bookId = await makeBook(first, COPIES, 'Solaris');
      await first.end();
      const random = new Random(SEED);

      let isOver = false;
      let kills = 0;
      const killing = (async () => {
        while (!isOver) {
          await sleep(random.between(1_000, 5_000));
          if (isOver) return;
          await (random.chance(0.3) ? installation.cutPower() : installation.kill());
          kills += 1;
          await installation.start();
        }
      })();

      /** Reserves, waits, collects, brings back. */
      const once = async (reader: TestAccount) => {
        const placed = await surely(reader, 'Hold', { bookId });
        expect(placed.status).toBe(200);
        const hold = await waitFor(async () => {
          await sleep(200);
          const { body } = await reader.get('Hold/mine').catch((): Answer => ({ status: 0, body: [] }));
          const all = Array.isArray(body) ? (body as { id: string; state: string; borrowId: string }[]) : [];
          return all.find(({ id, state }) => id === placed.body.id && state === 'Ready');
        }, 20 * TIMEOUT);
        const desk = `borrowId=${hold.borrowId}&userId=${reader.id}`;
        expect((await surely(admin, `Borrow/issue-books?${desk}`, { bookIds: [bookId] })).status).toBe(200);
        expect((await surely(admin, `Borrow/take-back-books?${desk}`, { bookIds: [bookId] })).status).toBe(
          200,
        );
      };
      try {
        for (let round = 0; round < ROUNDS; round += 1) await Promise.all(readers.map(once));
      } finally {
        isOver = true;
        await killing;
      }

      // Every start has its own secrets.
      const now = installation.addresses();
      const database = openDatabase(now.databaseUrl, 2, createLogger('silent'));
      try {
        await waitFor(async () => {
          const row = await queryRow(
            database,
            z.object({ free: z.int() }),
            'select copies_available as free from book where id = $1',
            [bookId],
          );
          return row?.free === COPIES;
        });
        expect((await verifyRows(now)).differences).toEqual([]);
      } finally {
        await database.end();
      }
      const log = (await readLog(now.eventStoreUrl)).map(({ event }) => event as unknown as HoldEvent);
      const order = log.flatMap(({ type, data }) => (type === 'HoldPlaced' ? data.holdId : []));
      const ready = log.flatMap(({ type, data }) => (type === 'HoldReady' ? data.holdId : []));
      expect(order).toHaveLength(READERS * ROUNDS);
      expect(new Set(ready).size).toBe(ready.length);
      expect([...ready].sort()).toEqual([...order].sort());
      // Those who have a copy at the same time may be told of it in any order.
      const late = ready.map((id, at) => Math.abs(at - order.indexOf(id)));
      expect(Math.max(...late)).toBeLessThan(COPIES);
      let out = 0;
      let most = 0;
      for (const { type } of log as { type: string }[]) {
        if (type === 'BooksRented') out += 1;
        if (type === 'BooksReturned') out -= 1;
        most = Math.max(most, out);
      }
      expect({ out, most }).toEqual({ out: 0, most: COPIES });
      say(`seed ${SEED}: ${ready.length} copies given in order, ${kills} kills`);
    },
    300_000 + ROUNDS * 120_000,
  );
});
