import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { QUEUES } from '#platform/jobs/job-map.js';
import type { Jobs } from '#platform/jobs/jobs.js';
import { ready, type Topology } from '../../test-support/installation/topology.js';
import { READ_MODEL } from '#platform/database/read-model.js';

const openWork = z.object({
  allocations: z.int(),
  letters: z.int(),
  outbox: z.int(),
  payments: z.int(),
  projected: z.coerce.bigint(),
  lettered: z.coerce.bigint(),
});

/**
 * What the installation still has to do, a line each; nothing when it has come to rest.
 * @param end position of the last borrow event
 */
export async function unfinished(
  topology: Topology,
  database: Database,
  jobs: Jobs,
  end: bigint,
): Promise<string[]> {
  const row = await queryRow(
    database,
    openWork,
    `select (select count(*)::integer from copy_allocation where state = 'pending') as allocations,
       (select count(*)::integer from letters.letter where state in ('waiting', 'sending')) as letters,
       (select count(*)::integer from outbox) as outbox,
       (select count(*)::integer from payment_transaction where status in ('open', 'refunding')) as payments,
       (select commit_position::text from ${READ_MODEL}.checkpoint) as projected,
       (select commit_position::text from letters.checkpoint) as lettered`,
  );
  if (!row) return ['the database does not answer'];
  const lines: string[] = [];
  if (row.allocations > 0) lines.push(`${row.allocations} rents are neither confirmed nor given up`);
  if (row.letters > 0) lines.push(`${row.letters} letters are due and not sent`);
  if (row.outbox > 0) lines.push(`${row.outbox} jobs are in the outbox`);
  if (row.payments > 0) lines.push(`${row.payments} payments are open`);
  if (row.projected < end) lines.push(`the read model is at ${row.projected}, the log at ${end}`);
  if (row.lettered < end) lines.push(`the letters are at ${row.lettered}, the log at ${end}`);
  for (const queue of QUEUES) {
    const open = await jobs.queue(queue).getJobs(['waiting', 'active', 'delayed', 'prioritized']);
    // What is scheduled waits there for its time.
    const names = open.flatMap((job) => (job && job.repeatJobKey === undefined ? [job.name] : []));
    if (names.length > 0)
      lines.push(`${names.length} jobs are in the queue ${queue}: ${names.slice(0, 5).join()}`);
  }
  for (const part of [...topology.servers, ...topology.projections, topology.worker]) {
    const { status, checks } = await ready(part);
    const bad = Object.entries(checks).flatMap(([name, { ok }]) => (ok ? [] : [name]));
    if (status !== 'ready') lines.push(`${part.process.name} is ${status} (${bad.join()})`);
  }
  return lines;
}

/** Puts the clocks forward of what waits for its time: letters and jobs that are tried again later, open payments. */
export async function hasten(database: Database, jobs: Jobs): Promise<void> {
  await database.query(
    `with hastened as (update letters.letter set due_at = now() where state = 'waiting' and due_at > now() returning cause)
     select pg_notify('lectern_letters', '') from hastened limit 1`,
  );
  for (const queue of QUEUES) {
    for (const job of await jobs.queue(queue).getDelayed()) {
      // Somebody may do it at this moment.
      if (job.repeatJobKey === undefined) await job.promote().catch(() => undefined);
    }
  }
}

/** Clock ticks a second, on every Linux. */
const TICKS = 100;
const PAGE = 4096;

interface Effort {
  pid: number;
  /** Per cent of a processor. */
  processor: number;
  megabytes: number;
}

/** What processes that have nothing to do take for some seconds; nothing where the system does not tell. */
export async function effortAtRest(pids: readonly number[], milliseconds: number): Promise<Effort[]> {
  const before = pids.map(ticksOf);
  await sleep(milliseconds);
  return pids.flatMap((pid, index) => {
    const [then, now] = [before[index], ticksOf(pid)];
    if (then === undefined || now === undefined) return [];
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    const processor = (((now - then) / TICKS) * 1000 * 100) / milliseconds;
    return [{ pid, processor, megabytes: (pages * PAGE) / 1024 ** 2 }];
  });
}

/** The processor's time that a process has had, its own and the system's for it. */
function ticksOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return undefined;
  }
}
