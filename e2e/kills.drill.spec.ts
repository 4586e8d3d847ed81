import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type Database } from '#platform/database/database.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { queueBackend } from '#platform/jobs/queue-backend.js';
import { createLogger } from '#platform/logging.js';
import { BreakingMailServer } from '../test-support/mail/breaking-mail-server.js';
import { runJob } from '../test-support/product/run-job.js';
import { Topology } from '../test-support/installation/topology.js';
import { waitFor } from '../test-support/wait-for.js';
import { BorrowLoad, populate, type Library } from './crash/borrow-load.js';
import type { FeePayer } from './crash/fee-payer.js';
import { latePayers } from './crash/late-payers.js';
import { compareAnswers, readLog, verifyRows, type LoggedEvent } from './crash/log-account.js';
import { borrowersSince } from './crash/old-loans.js';
import { Random } from './crash/random.js';
import { compareCopies, compareLetters, comparePayments } from './kills/account.js';
import { ProcessVictim, victimsOf } from './kills/parts.js';
import { KILLS_OF_A_ROUND, killsIn, planOf } from './kills/plan.js';
import { effortAtRest, hasten, unfinished } from './kills/rest.js';
import { strike, type Fallen } from './kills/strokes.js';
import { seconds, tableOf } from './kills/table.js';

/** How many kills there are: by default so many that every part has each of its blows. By hand: KILLS=200; KILLS_SEED repeats the choices of an earlier run. */
const KILLS = Number(process.env['KILLS'] ?? KILLS_OF_A_ROUND);
const SEED = Number(process.env['KILLS_SEED'] ?? randomInt(1, 1_000_000));
/** Letters and jobs that are tried again later are tried at once when the kills are over, unless time is to take its course. */
const HASTENS = process.env['KILLS_AS_TIME_GOES'] === undefined;
/** Milliseconds in which the installation comes to rest. */
const RESTS_WITHIN = HASTENS ? 120_000 : 20 * 60_000;
const HOUR = 3_600_000;
/** A book that is so late by any reckoning of days. */
const LATE_BY = 30 * HOUR;
const PEOPLE_AND_COPIES = { readers: 6, librarians: 3, copies: [1, 1, 2, 1, 2, 1] };
/** Loans of some days ago, each of which can be renewed once: at least one for each kill. */
const OLD_LOANS = { readers: Math.ceil(KILLS / 5), loans: 8, days: 5 };
/** Milliseconds between two renewals of one reader: they last for all kills, of some two and a half seconds each. */
const RENEW_EVERY = KILLS * 300;
/** What a process takes at most that has nothing to do. */
const MAX_AT_REST = { processor: 20, megabytes: 500 };
const MEASURED_FOR = 5_000;
/** Milliseconds of a start beyond which its log is shown. */
const SLOW = 12_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

describe(`an installation whose parts are killed (seed ${SEED})`, () => {
  let topology: Topology;
  let mailServer: BreakingMailServer;
  let database: Database;
  let jobs: Jobs;
  let library: Library;
  let payers: FeePayer[];
  let processes: ProcessVictim[] = [];

  beforeAll(
    async () => {
      mailServer = await BreakingMailServer.open();
      topology = await Topology.start(
        { HOLD_STALE_SECONDS: '3', DRAIN_SECONDS: '0', SMTP_TIMEOUT_SECONDS: '3' },
        mailServer,
      );
      database = openDatabase(topology.databaseUrl, 4, createLogger('silent'));
      const site = { ...topology.site, database };
      library = {
        ...(await populate(site, database, PEOPLE_AND_COPIES)),
        borrowers: await borrowersSince(site, OLD_LOANS),
        renewEvery: RENEW_EVERY,
      };
      payers = await latePayers(site, KILLS, LATE_BY, new Random(SEED + 1));
    },
    120_000 + KILLS * 1_000,
  );
  afterAll(async () => {
    for (const each of processes) each.leave();
    await jobs?.close();
    await database?.end();
    await topology?.stop();
  });

  it(
    `loses nothing and does nothing twice, killed ${KILLS} times`,
    async () => {
      const before = new Set((await readLog(topology.eventStoreUrl)).map(({ id }) => id));
      const victims = victimsOf(topology, mailServer);
      processes = victims.filter((victim) => victim instanceof ProcessVictim);
      const plan = planOf(KILLS, victims, new Random(SEED));
      const load = new BorrowLoad(library, new Random(SEED + 2));
      const acknowledged = () => load.commands.filter((command) => command.acknowledged);
      const fallen: Fallen[] = [];
      const paying: Promise<void>[] = [];
      const waiting = [...payers];
      const nextPays = () => {
        const payer = waiting.pop();
        if (payer) paying.push(payer.finish(library.url));
        paying.at(-1)?.catch(() => undefined);
      };
      const began = performance.now();
      load.start();
      try {
        const everybody = sleep(0).then(async () => {
          // Spread over the kills.
          while (waiting.length > 0 && fallen.length < plan.length) {
            if (paying.length <= fallen.length * 1.5) nextPays();
            await sleep(200);
          }
        });
        await strike(
          plan,
          () => acknowledged().length,
          (one) => {
            fallen.push(one);
            const { part, role, blow, from, started, open, output } = one;
            say(
              `${String(fallen.length).padStart(3)} ${part} ${role} ${blow}: away for ${seconds(started - from)}, ` +
                `open ${seconds(open - started)} later`,
            );
            if (open - started > SLOW) say(output);
          },
        );
        await everybody;
        while (waiting.length > 0) nextPays();
        const sofar = acknowledged().length;
        await waitFor(() => acknowledged().length > sofar + 5);
        await Promise.all(paying);
      } finally {
        await load.stop();
      }
      const took = performance.now() - began;

      const queues = { DATABASE_URL: topology.databaseUrl, REDIS_URL: topology.redis?.url };
      jobs = new Jobs(queueBackend(queues), createLogger('silent'));
      const differences = processes.flatMap(({ endedByItself }) => endedByItself);
      const rested = performance.now();
      differences.push(...(await comeToRest()));
      const restTook = performance.now() - rested;

      const log = await readLog(topology.eventStoreUrl);
      differences.push(
        ...compareAnswers(
          load.commands,
          log.filter((logged) => !before.has(logged.id) && !isOfFees(logged)),
        ),
        ...(await compareCopies(database, log)),
        ...(await comparePayments(database, log, payers)),
      );
      const letters = await compareLetters(database, log, mailServer.letters, fallen);
      differences.push(...letters.differences);
      const report = await verifyRows(topology.site);
      differences.push(...report.differences.map((line) => `verify: ${line}`));
      if (report.events !== log.length) differences.push(`verify: ${report.events} of ${log.length} events`);
      const effort = await effortAtRest(
        processes.map(({ pid }) => pid),
        MEASURED_FOR,
      );
      for (const { pid, processor, megabytes } of effort) {
        const part = processes.find((each) => each.pid === pid)?.part;
        if (processor > MAX_AT_REST.processor || megabytes > MAX_AT_REST.megabytes) {
          differences.push(
            `the ${part} takes ${processor.toFixed(0)} % and ${megabytes.toFixed(0)} MB at rest`,
          );
        }
      }

      const successes = acknowledged().flatMap(({ acknowledgedAt = 0 }) => acknowledgedAt);
      const unclear = acknowledged().filter(({ unanswered }) => unanswered > 0).length;
      const failedStarts = processes.reduce((sum, each) => sum + each.failedStarts, 0);
      const payments = new Set(
        log.flatMap(({ event }) => (event.type === 'FinePaid' ? event.data.transactionId : [])),
      );
      const count = (type: LoggedEvent['event']['type']) =>
        log.filter(({ event }) => event.type === type).length;
      if (count('BorrowRenewed') === 0) differences.push('nothing was renewed');
      const failed = await Promise.all(
        (['letters', 'mail', 'upkeep'] as const).map((queue) => jobs.queue(queue).getFailedCount()),
      );
      for (const line of [
        ...tableOf(fallen, successes),
        `seed ${SEED}: ${fallen.reduce((sum, { blow }) => sum + killsIn(blow), 0)} kills in ${seconds(took)}, ` +
          `at rest ${seconds(restTook)} later`,
        `${load.commands.length} commands, ${acknowledged().length} acknowledged (${unclear} only when asked again); ` +
          `${log.length} events, ${count('BorrowRenewed')} renewals, ${count('RentAbandoned')} rents fenced off`,
        `${payers.length} fees, ${count('FineCharged')} charges, ${payments.size} payments`,
        `${letters.due} letters, ${letters.sent} sent, ${letters.dropped} had nothing to say any more, ` +
          `${mailServer.letters.length} came, ${letters.unrecorded} of them unrecorded for a kill in between`,
        `${failedStarts} starts failed for want of another part; ${failed.join(' + ')} jobs failed on the way`,
        `at rest: at most ${Math.max(...effort.map(({ processor }) => processor)).toFixed(1)} % of a processor, ` +
          `${Math.max(...effort.map(({ megabytes }) => megabytes)).toFixed(0)} MB`,
        ...differences.map((line) => `DIFFERENCE (seed ${SEED}) ${line}`),
      ]) {
        say(line);
      }
      expect(differences).toEqual([]);
    },
    RESTS_WITHIN + 180_000 + KILLS * 30_000,
  );

  /** Waits until nothing is left to do. Gives what is left when that takes too long. */
  async function comeToRest(): Promise<string[]> {
    const log = await readLog(topology.eventStoreUrl);
    const end = BigInt(log.at(-1)?.position ?? -1);
    // Who left their payment between two steps is looked after a minute later.
    await database.query(`update payment_transaction set created = created - interval '2 minutes'`);
    await runJob(jobs, 'upkeep', 'reconcile-payments', {});
    let lines: string[] = [];
    const isAtRest = async () => {
      try {
        if (HASTENS) await hasten(database, jobs);
        lines = await unfinished(topology, database, jobs, end);
      } catch (error) {
        lines = [`it cannot be asked: ${(error as Error).message}`];
      }
      return lines.length === 0 || sleep(500).then(() => false as const);
    };
    await waitFor(isAtRest, RESTS_WITHIN).catch(() => undefined);
    return lines;
  }
});

/** Fees are charged by the library itself, and paid through the provider. */
const isOfFees = ({ event: { type } }: LoggedEvent) => type === 'FineCharged' || type === 'FinePaid';
