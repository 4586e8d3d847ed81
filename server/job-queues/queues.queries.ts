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
      z.object({ queue: z.string(), n: z.int() }),
      `select queue, count(*)::integer as n from (
         select queue from outbox
         union all
         select queue from letters.letter where state = 'waiting' and queued_at is null and due_at <= now()
       ) waiting group by queue`,
    );
    const outbox = new Map(rows.map(({ queue, n }) => [queue, n]));
    try {
      const counts = Promise.all(QUEUES.map((name) => this.count(name, outbox.get(name) ?? 0)));
      return await within(PATIENCE, counts, 'The queues did not answer in time.');
    } catch (cause) {
      const refusal = new DomainError('DatabaseUnavailable', 'The job queues are out of reach for a moment.');
      refusal.cause = cause;
      throw refusal;
    }
  }

  private async count(name: QueueName, outbox: number): Promise<QueuesView[number]> {
    const queue = this.jobs.queue(name);
    const [counts, paused] = await Promise.all([
      queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed', 'completed'),
      queue.isPaused(),
    ]);
    const of = (state: string) => counts[state] ?? 0;
    return {
      name,
      outbox,
      waiting: of('waiting') + of('prioritized'),
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
