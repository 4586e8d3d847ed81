import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';
import { waitFor } from '../test-support/wait-for.js';
import { BorrowLoad, populate, type Library } from './crash/borrow-load.js';
import { compareAnswers, readLog, settledLog, verifyRows } from './crash/log-account.js';
import { borrowersSince } from './crash/old-loans.js';
import { Random } from './crash/random.js';
import { compareCopies } from './kills/account.js';

/** How often the product is killed. By hand: CRASH_KILLS=60; CRASH_SEED repeats the choices of an earlier run. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? 4);
const SEED = Number(process.env['CRASH_SEED'] ?? randomInt(1, 1_000_000));
/** Milliseconds of a restart beyond which its log is shown. */
const SLOW = 8_000;
const PEOPLE_AND_COPIES = { readers: 12, librarians: 4, copies: [1, 1, 2, 1, 2] };
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
      const library = await libraryOf(installation);
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
      await expectSound(installation, load, before);
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

async function libraryOf(installation: CrashInstallation): Promise<Library> {
  const addresses = installation.addresses();
  const database = openDatabase(addresses.databaseUrl, 2, createLogger('silent'));
  const site = { ...addresses, database };
  try {
    return {
      ...(await populate(site, database, PEOPLE_AND_COPIES)),
      borrowers: await borrowersSince(site, OLD_LOANS),
      renewEvery: RENEW_EVERY,
    };
  } finally {
    await database.end();
  }
}

/** Answers, log, rows, holds and copies agree, at the end and at every moment of the log. @param before events that no client sent */
async function expectSound(
  installation: CrashInstallation,
  { commands }: BorrowLoad,
  before: ReadonlySet<string>,
): Promise<void> {
  const addresses = installation.addresses();
  const database = openDatabase(addresses.databaseUrl, 1, createLogger('silent'));
  try {
    const log = await settledLog(database, addresses.eventStoreUrl);
    const sent = log.filter(({ id }) => !before.has(id));
    expect(compareAnswers(commands, sent)).toEqual([]);
    const renewals = log.filter(({ event }) => event.type === 'BorrowRenewed').length;
    expect(renewals).toBeGreaterThan(0);
    expect(await compareCopies(database, log)).toEqual([]);
    const report = await verifyRows(addresses);
    expect(report).toMatchObject({ differences: [], pendingHolds: 0, events: log.length });
    const fences = log.filter(({ event }) => event.type === 'RentAbandoned').length;
    say(`${log.length} events in the log, ${renewals} renewals, ${fences} rents fenced off`);
  } finally {
    await database.end();
  }
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
