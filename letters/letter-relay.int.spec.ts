import { z } from 'zod';
import { JobsUnderTest } from '../test-support/product/jobs-under-test.js';
import { waitFor } from '../test-support/wait-for.js';
import { shared } from '../test-support/shared.js';
import { queryRow } from '#platform/database/query-rows.js';
import type { SendBatch } from './letter-queue-worker.js';
import { lettersDue } from './due-letter.js';

/** Letters that jobs may have in hand, and what two more processes may add at the same moment. */
const MAX_IN_HAND = 200 + 2 * 100;

/** Of a letter that was in somebody's hands already: another one is not sent with it. */
const TRIED = { problem: 'The mail server did not take the letter (451).' };

describe('letters that the ledger shows as due', () => {
  /** Causes, and with them the ids of jobs, are new in each test. */
  let batch = 0;

  const under = shared(() => JobsUnderTest.start());
  afterEach(async () => {
    await under.reset();
    await under.database.query('delete from letters.letter');
  });

  const request = (letters: number, { problem }: { problem?: string } = {}) =>
    under.database.query(
      `insert into letters.letter (cause, queue, kind, account_id, caused_at, data, problem)
       select $2 || n, 'mail', 'confirm-email', id, now() - interval '1 hour', jsonb_build_object('accountId', id), $3
       from (select n, gen_random_uuid() as id from generate_series(1, $1::integer) n) account`,
      [letters, `${(batch += 1)}-`, problem ?? null],
    );

  const count = async (condition: string) => {
    const row = await queryRow(
      under.database,
      z.object({ n: z.int() }),
      `select count(*)::integer as n from letters.letter where ${condition}`,
    );
    return row?.n ?? -1;
  };

  const IN_HAND = "queued_at is not null and state = 'waiting'";
  const SETTLED = "state = 'sent', queued_at = null, claims = claims + 1, settled_at = now()";

  const sendsNothing: SendBatch = async () => 'all';

  /** Takes ten letters at a time. */
  const sendsTen =
    (sent: string[][]): SendBatch =>
    async () => {
      const { rows } = await under.database.query<{ cause: string }>(
        `with due as (
           select cause from letters.letter where settled_at is null and problem is null limit 10 for update skip locked
         ) update letters.letter l set ${SETTLED} from due where l.cause = due.cause returning l.cause`,
      );
      sent.push(rows.map(({ cause }) => cause));
      return rows.length === 10 ? 'full' : 'all';
    };

  /** A process that works off what it and others queue. */
  async function work(seen: string[], send = sendsNothing) {
    const jobs = await under.work(async ({ cause = '' }) => {
      seen.push(cause);
      await under.database.query(`update letters.letter set ${SETTLED} where cause = $1`, [cause]);
    });
    under.openLetterRelay(jobs, send).start(['mail']);
    return jobs;
  }

  it('are sent in batches, one after the other, without a job', async () => {
    const sent: string[][] = [];
    await work([], sendsTen(sent));
    await request(35);
    await under.database.query(`select pg_notify('lectern_letters', '')`);
    await waitFor(async () => (await count("state = 'sent'")) === 35);
    expect(sent.flat()).toHaveLength(35);
    expect(await count('rounds > 0')).toBe(0);
    expect((await lettersDue(under.database)).due).toBe(0);
  });

  it('wait while an admin holds their queue', async () => {
    const sent: string[][] = [];
    const jobs = await work([], sendsTen(sent));
    await jobs.queue('mail').pause();
    await request(5);
    await under.database.query(`select pg_notify('lectern_letters', '')`);
    // A lane that looked once more has left them.
    await waitFor(async () => (await count('settled_at is null')) === 5 && jobs.isPaused('mail'));
    await under.database.query(`select pg_notify('lectern_letters', '')`);
    expect(sent.flat()).toEqual([]);
    await jobs.queue('mail').resume();
    await waitFor(async () => (await count("state = 'sent'")) === 5);
  });

  it('get jobs of their own where they could not be sent, some hundreds at once, with several processes at them', async () => {
    await request(600, TRIED);
    expect(await lettersDue(under.database)).toEqual({ due: 600, oldestSeconds: expect.any(Number) });
    under.openLetterRelay(under.openJobs(), sendsNothing).start(['mail']);
    await waitFor(async () => (await count(IN_HAND)) >= 200);
    const seen: string[] = [];
    let most = 0;
    await Promise.all([work(seen), work(seen)]);
    await waitFor(async () => {
      most = Math.max(most, await count(IN_HAND));
      return (await count("state = 'sent'")) === 600;
    });
    expect(most).toBeLessThanOrEqual(MAX_IN_HAND);
    expect(seen).toHaveLength(600);
    expect(new Set(seen).size).toBe(600);
    expect(await count('rounds <> 1')).toBe(0);
  });

  it('do not wait for those that could not be sent', async () => {
    await request(500, TRIED);
    const sent: string[][] = [];
    const jobs = under.openJobs();
    under.openLetterRelay(jobs, sendsTen(sent)).start(['mail']);
    await request(5);
    await under.database.query(`select pg_notify('lectern_letters', '')`);
    await waitFor(async () => (await count("state = 'sent'")) === 5);
    await waitFor(async () => (await count(IN_HAND)) === 200);
    await jobs.queue('mail').obliterate({ force: true });
  });

  it('wait where nobody sends letters, and where only a newer release knows them', async () => {
    await request(3, TRIED);
    under.openLetterRelay(under.openJobs(), sendsNothing).start(['upkeep', 'reports']);
    const seen: string[] = [];
    await under.database.query(`update letters.letter set kind = 'of-tomorrow' where cause = $1`, [
      `${batch}-2`,
    ]);
    await work(seen);
    await waitFor(() => seen.length === 2);
    expect([...seen].sort()).toEqual([`${batch}-1`, `${batch}-3`]);
    expect(await count("kind = 'of-tomorrow' and queued_at is null and rounds = 0")).toBe(1);
  });

  it('are queued again ever later by a queue that begins with none of them', async () => {
    await request(1, TRIED);
    under.openLetterRelay(under.openJobs(), sendsNothing).start(['mail']);
    const dueIn = async (rounds: number) => {
      const row = await waitFor(() =>
        queryRow(
          under.database,
          z.object({ seconds: z.int() }),
          `select round(extract(epoch from due_at - queued_at))::integer as seconds
           from letters.letter where rounds = $1`,
          [rounds],
        ),
      );
      await under.database.query(`update letters.letter set due_at = now()`);
      await under.database.query(`select pg_notify('lectern_letters', '')`);
      return row.seconds;
    };
    expect([await dueIn(1), await dueIn(2), await dueIn(3)]).toEqual([60, 120, 240]);
  });
});
