import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { QueuesView } from '#contracts/dashboard/queues.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { QUEUES, processableQueues, type QueueName } from '#platform/jobs/job-map.js';
import { Jobs } from '#platform/jobs/jobs.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { withTimeout } from '#platform/with-timeout.js';

/** Timeout of queues that were never reachable, in milliseconds. */
const TIMEOUT = 5000;

/** As long as the queues keep completed jobs. */
const COUNTED = '2 days';

const count = z.int();
const workRow = z.object({
  queue: z.string(),
  outbox: count,
  waiting: count,
  active: count,
  delayed: count,
  completed: count,
});
type Work = z.output<typeof workRow>;

@Injectable()
export class QueuesQueries {
  constructor(
    private readonly jobs: Jobs,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  /**
   * The number of jobs in each queue, with the letters that need none.
   * @throws DomainError DatabaseUnavailable when the queues are unreachable
   */
  async find(): Promise<QueuesView> {
    const rows = await queryRows(
      this.database,
      workRow,
      // Letters are sent without a job, but for those that were not sent the first time.
      `select queue, count(*)::integer as outbox, 0 as waiting, 0 as active, 0 as delayed, 0 as completed
       from outbox group by queue
       union all
       select queue, 0, count(*) filter (where state = 'waiting' and due_at <= now())::integer,
         count(*) filter (where state = 'sending')::integer,
         count(*) filter (where state = 'waiting' and due_at > now() and rounds = 0)::integer, 0
       from letters.letter where settled_at is null and queued_at is null group by queue
       union all
       select queue, 0, 0, 0, 0, count(*)::integer
       from letters.letter
       where caused_at > now() - $1::interval and settled_at > now() - $1::interval and rounds = 0 and state in ('sent', 'dropped')
       group by queue`,
      [COUNTED],
    );
    const work = (name: QueueName) => rows.filter(({ queue }) => queue === name);
    try {
      const counts = Promise.all(QUEUES.map((name) => this.count(name, work(name))));
      return await withTimeout(TIMEOUT, counts, 'The queues did not answer in time.');
    } catch (cause) {
      const refusal = new DomainError('DatabaseUnavailable', m.jobs_out_of_reach());
      refusal.cause = cause;
      throw refusal;
    }
  }

  /** @param work beside the queue's own jobs */
  private async count(name: QueueName, work: readonly Work[]): Promise<QueuesView[number]> {
    const queue = this.jobs.queue(name);
    const [counts, paused] = await Promise.all([
      queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed', 'completed'),
      queue.isPaused(),
    ]);
    const of = (state: string) => counts[state] ?? 0;
    const beside = (what: Exclude<keyof Work, 'queue'>) =>
      work.reduce((sum, { [what]: count }) => sum + count, 0);
    return {
      name,
      outbox: beside('outbox'),
      waiting: of('waiting') + of('prioritized') + beside('waiting'),
      active: of('active') + beside('active'),
      delayed: of('delayed') + beside('delayed'),
      failed: of('failed'),
      completed: of('completed') + beside('completed'),
      paused,
      // Without jobs of its own, this process does not know what the workers have.
      needsMailServer: this.settings.JOBS === 'on' && !processableQueues(this.settings).includes(name),
    };
  }
}
