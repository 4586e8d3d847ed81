import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { openDatabase } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { CrashInstallation } from '../test-support/crash-installation.js';
import { makeBook } from '../test-support/make-book.js';
import { makeAccount } from '../test-support/product.js';
import { waitFor } from '../test-support/wait-for.js';
import { BorrowLoad, type Library } from './crash/borrow-load.js';
import { compareAnswers, holdersOf, readLog, verifyRows } from './crash/log-account.js';
import { borrowersSince } from './crash/old-loans.js';
import { Random } from './crash/random.js';
import { READ_MODEL } from '#platform/database/read-model.js';

/** How often the product is killed. By hand: CRASH_KILLS=60; CRASH_SEED repeats the choices of an earlier run. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? 4);
const SEED = Number(process.env['CRASH_SEED'] ?? randomInt(1, 1_000_000));
/** Milliseconds of a restart beyond which its log is shown. */
const SLOW = 8_000;
const COPIES = [1, 1, 2, 1, 2];
const READERS = 12;
const LIBRARIANS = 4;
/** Loans of some days ago, each of which can be renewed once. */
const OLD_LOANS = { readers: 4 + Math.ceil(KILLS / 5), loans: 8, days: 5 };
/** Milliseconds between two renewals of one reader: they last for all kills, of some eight seconds each. */
const RENEW_EVERY = KILLS * 1_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

describe(`a product that is killed (seed ${SEED})`, () => {
  let installation: CrashInstallation;
  const random = new Random(SEED);

  beforeEach(async () => {
    installation = await CrashInstallation.create({ HOLD_STALE_SECONDS: '3', LOG_LEVEL: 'warn' });
  });
  afterEach(() => installation.remove());

  it('opens without help after its first start was broken off at any moment', async () => {
    const moments = [200, 700, 1200, 1700, 2400, 3200].map((moment) => moment + random.between(0, 400));
    for (const [index, moment] of moments.entries()) {
      installation.launch();
      await sleep(moment);
      await (index % 2 === 0 ? installation.kill() : installation.cutPower());
    }
    say(`after ${moments.length} broken first starts: open in ${seconds(await installation.start())}`);
    expect((await installation.stop()).code).toBe(0);
    expect(installation.processes()).toEqual([]);
  });

  it(
    `loses no acknowledged answer and lends no copy twice, killed ${KILLS} times`,
    async () => {
      await installation.start();
      const library = await populate(installation);
      const before = new Set((await readLog(installation.addresses().eventStoreUrl)).map(({ id }) => id));
      const load = new BorrowLoad(library, random);
      load.start();
      const restarts: number[] = [];
      try {
        for (let kill = 1; kill <= KILLS; kill += 1) {
          // Every other time the load is well under way, however slow the machine is: one that had come to a standstill
          // would prove nothing. The other times it may just have begun again.
          const known = acknowledgedOf(load).length;
          if (kill % 2 === 0) await waitFor(async () => acknowledgedOf(load).length > known);
          restarts.push(await crash(installation, random));
        }
        // The clients go on for a moment, so that what was cut off is asked for again.
        await sleep(2_000);
      } finally {
        await load.stop();
      }
      await expectSound(installation, library, load, before);
      const acknowledged = acknowledgedOf(load);
      say(
        `seed ${SEED}: ${KILLS} kills, ${load.commands.length} commands, ${acknowledged.length} acknowledged ` +
          `(${acknowledged.filter(({ unanswered }) => unanswered > 0).length} only when asked again), ` +
          `restarts ${seconds(Math.min(...restarts))} to ${seconds(Math.max(...restarts))}`,
      );
      expect((await installation.stop()).code).toBe(0);
      expect(installation.processes()).toEqual([]);
    },
    180_000 + KILLS * 60_000,
  );
});

const acknowledgedOf = ({ commands }: BorrowLoad) => commands.filter(({ acknowledged }) => acknowledged);

/** Lets the load run, kills, and starts again on the same folder; some starts are killed too. */
async function crash(installation: CrashInstallation, random: Random): Promise<number> {
  await sleep(random.between(200, 3_000));
  const kinds = random.chance(0.35) ? 'power' : 'process';
  await (kinds === 'power' ? installation.cutPower() : installation.kill());
  if (random.chance(0.25)) {
    installation.launch();
    await sleep(random.between(50, 2_500));
    await (random.chance(0.5) ? installation.cutPower() : installation.kill());
  }
  const milliseconds = await installation.start();
  say(`killed (${kinds}); open again in ${seconds(milliseconds)}`);
  if (milliseconds > SLOW) say(installation.output());
  return milliseconds;
}

async function populate(installation: CrashInstallation): Promise<Library> {
  const addresses = installation.addresses();
  const database = openDatabase(addresses.databaseUrl, 2, createLogger('silent'));
  const site = { ...addresses, database };
  try {
    const people = (count: number, role: 'Reader' | 'Admin') =>
      Promise.all(Array.from({ length: count }, () => makeAccount(site, [role])));
    return {
      url: site.url,
      borrowers: await borrowersSince(site, OLD_LOANS),
      renewEvery: RENEW_EVERY,
      readers: await people(READERS, 'Reader'),
      librarians: await people(LIBRARIANS, 'Admin'),
      bookIds: await Promise.all(COPIES.map((copies, index) => makeBook(database, copies, `Book ${index}`))),
    };
  } finally {
    await database.end();
  }
}

/** Answers, log, rows, holds and copies agree, at the end and at every moment of the log. @param before events that no client sent */
async function expectSound(
  installation: CrashInstallation,
  { bookIds }: Library,
  { commands }: BorrowLoad,
  before: ReadonlySet<string>,
): Promise<void> {
  const { databaseUrl, eventStoreUrl } = installation.addresses();
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  try {
    await waitFor(async () => {
      const { rowCount } = await connection.query("select from copy_allocation where state = 'pending'");
      return rowCount === 0;
    });
    const log = await readLog(eventStoreUrl);
    expect(
      compareAnswers(
        commands,
        log.filter(({ id }) => !before.has(id)),
      ),
    ).toEqual([]);
    const renewals = log.filter(({ event }) => event.type === 'BorrowRenewed').length;
    expect(renewals).toBeGreaterThan(0);
    await waitFor(async () => {
      const row = await queryRow(
        connection,
        z.object({ commit_position: z.string() }),
        `select commit_position from ${READ_MODEL}.checkpoint`,
      );
      return row?.commit_position === (log.at(-1)?.position ?? '-1');
    });

    const rows = await queryRows(
      connection,
      z.object({ id: z.int(), total: z.int(), available: z.int() }),
      'select id, copies_total as total, copies_available as available from book where id = any($1)',
      [bookIds],
    );
    const holders = holdersOf(log);
    for (const { id, total, available } of rows) {
      const { most = 0, now = 0 } = holders.get(id) ?? {};
      expect({ id, overlent: Math.max(0, most - total) }).toEqual({ id, overlent: 0 });
      expect({ id, copies: available + now }).toEqual({ id, copies: total });
    }
    const report = await verifyRows({ databaseUrl, eventStoreUrl });
    expect(report).toMatchObject({ differences: [], pendingHolds: 0, events: log.length });
    const fences = log.filter(({ event }) => event.type === 'RentAbandoned').length;
    say(
      `${log.length} events in the log, ${renewals} renewals, ${fences} rents fenced off, ` +
        `${report.differences.length} differences`,
    );
  } finally {
    await connection.end();
  }
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
