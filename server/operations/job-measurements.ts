import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import type { Jobs } from '#platform/jobs/jobs.js';
import { lettersDue } from '#letters/due-letter.js';
import type { Metrics } from '#platform/operations/metrics.js';
import type { Probe } from '#platform/operations/probes.js';
import type { Settings } from '#platform/settings.js';
import { MailServerCheck } from './mail-server-check.js';

/** Whether the job queues are reachable, and how many jobs have failed. */
export function jobsProbe(jobs: Jobs, required: boolean): Probe {
  return {
    name: 'jobs',
    required,
    check: async () => {
      const depths = [...(await jobs.depths()).values()];
      return { failed: depths.reduce((sum, { failed = 0 }) => sum + failed, 0) };
    },
  };
}

/** Whether letters leave the library: without a mail server they wait. */
export function mailServerProbe(settings: Pick<Settings, 'SMTP_URL' | 'SMTP_TIMEOUT_SECONDS'>): Probe {
  const server = new MailServerCheck(settings);
  return {
    name: 'mailServer',
    required: false,
    check: async () => {
      if (settings.SMTP_URL === undefined) return { ok: false, state: 'not set' };
      const isOpen = await server.isOpen();
      return isOpen === undefined ? { ok: true, state: 'not known yet' } : { ok: isOpen };
    },
  };
}

/** Measures the queues, the outbox, and the connection pool that jobs and calls share. */
export function measureJobs(metrics: Metrics, jobs: Jobs, database: Database): void {
  metrics.gauge('lectern_queue_jobs', 'Jobs by queue and state.', 'queue_state', async () => {
    const depths = await jobs.depths();
    return new Map(
      [...depths].flatMap(([queue, counts]) =>
        Object.entries(counts).map(([state, count]) => [`${queue}:${state}`, count] as const),
      ),
    );
  });
  metrics.gauge('lectern_outbox_jobs', 'Jobs that wait to be taken into their queue.', '', async () => {
    const outbox = await queryRow(
      database,
      z.object({ n: z.int() }),
      'select count(*)::integer as n from outbox',
    );
    return new Map([['', outbox?.n ?? 0]]);
  });
  metrics.gauge('lectern_letters_due', 'Letters that the ledger shows as due.', '', async () => {
    const { due } = await lettersDue(database);
    return new Map([['', due]]);
  });
  metrics.gauge(
    'lectern_letters_oldest_due_seconds',
    'Age of the oldest letter that is due; 0 when there is none.',
    '',
    async () => {
      const { oldestSeconds } = await lettersDue(database);
      return new Map([['', oldestSeconds]]);
    },
  );
  metrics.gauge('lectern_database_connections', 'Connections of the pool, by use.', 'use', async () => {
    const { totalCount, idleCount, waitingCount } = database;
    return new Map([
      ['idle', idleCount],
      ['busy', totalCount - idleCount],
      ['waited_for', waitingCount],
    ]);
  });
}
