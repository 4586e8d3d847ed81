import type { Queryable } from '#platform/database/database.js';
import { lastBackups } from '#platform/operations/backup-runs.js';
import type { ProcessReport } from '#platform/operations/heartbeat.js';
import type { Observation } from './part-state.js';

/** How the backups do, according to the plan of the process that makes them; nothing where no process has one. */
export async function observeBackups(
  database: Queryable,
  reports: readonly ProcessReport[],
  now: number,
): Promise<Observation | undefined> {
  const [plan] = reports.flatMap(({ silent, facts }) => (silent || !facts.backups ? [] : [facts.backups]));
  if (!plan) return undefined;
  if (plan.plan === 'own-means') return { level: 'ok', reason: 'own-means', facts: {} };
  const { running, lastGood, lastFailed } = await lastBackups(database);
  const hasFailedSince = lastFailed && (!lastGood || lastFailed.at > lastGood.at);
  if (hasFailedSince) {
    return { level: 'bad', reason: 'failed', facts: { failure: lastFailed.failure ?? 'other' } };
  }
  if (plan.plan === 'not-scheduled') return { level: 'warning', reason: 'not-scheduled', facts: {} };
  const due = plan.nextDue === null ? undefined : Date.parse(plan.nextDue);
  if (!running && due !== undefined && plan.lateAfter !== null && now > due + plan.lateAfter) {
    return { level: 'bad', reason: 'overdue', facts: {} };
  }
  if (!lastGood) return { level: 'ok', reason: 'first-due', facts: {} };
  if (plan.missing === true) return { level: 'bad', reason: 'missing', facts: {} };
  const { differences } = lastGood;
  if (differences) return { level: 'warning', reason: 'differs', facts: { differences } };
  return { level: 'ok', reason: null, facts: {} };
}
