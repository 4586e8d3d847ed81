import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import type { QueuesView } from '#contracts/dashboard/queues.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { QUEUES, workableQueues, type QueueName } from '#platform/jobs/job-map.js';
import { Jobs } from '#platform/jobs/jobs.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { within } from '#platform/within.js';

/** Timeout of queues that were never reachable, in milliseconds. */
const PATIENCE = 5000;

/** The number of jobs in each queue. */
export class CountQueues extends Query<QueuesView> {}

@QueryHandler(CountQueues)
export class CountQueuesHandler implements IQueryHandler<CountQueues> {
  constructor(
    private readonly jobs: Jobs,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  /** @throws DomainError DatabaseUnavailable when the queues are unreachable */
  async execute(): Promise<QueuesView> {
    const rows = await queryRows(
      this.database,
      z.object({ queue: z.string(), outbox: z.int(), letters: z.int() }),
      `select queue, count(*) filter (where not is_letter)::integer as outbox,
         count(*) filter (where is_letter)::integer as letters
       from (
         select queue, false as is_letter from outbox
         union all
         select queue, true from letters.letter where state = 'waiting' and queued_at is null and due_at <= now()
       ) asked group by queue`,
    );
    const asked = new Map(rows.map(({ queue, ...counts }) => [queue, counts]));
    try {
      const counts = Promise.all(QUEUES.map((name) => this.count(name, asked.get(name))));
      return await within(PATIENCE, counts, 'The queues did not answer in time.');
    } catch (cause) {
      const refusal = new DomainError('DatabaseUnavailable', 'The job queues are out of reach for a moment.');
      refusal.cause = cause;
      throw refusal;
    }
  }

  private async count(
    name: QueueName,
    { outbox, letters } = { outbox: 0, letters: 0 },
  ): Promise<QueuesView[number]> {
    const queue = this.jobs.queue(name);
    const [counts, paused] = await Promise.all([
      queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed', 'completed'),
      queue.isPaused(),
    ]);
    const of = (state: string) => counts[state] ?? 0;
    return {
      name,
      outbox,
      waiting: of('waiting') + of('prioritized') + letters,
      active: of('active'),
      delayed: of('delayed'),
      failed: of('failed'),
      completed: of('completed'),
      paused,
      // Without jobs of its own, this process does not know what the workers have.
      needsMailServer: this.settings.JOBS === 'on' && !workableQueues(this.settings).includes(name),
    };
  }
}
