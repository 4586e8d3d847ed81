import type { Part, PartFacts, Reason } from '#contracts/dashboard/system-status.js';
import type { ProcessKind, ProcessReport } from '#platform/operations/heartbeat.js';
import type { Observation } from './part-state.js';
import type { Queryable } from '#platform/database/database.js';
import { lastBackups } from '#platform/operations/backup-runs.js';

/** Percent of the disk that is free: below the first somebody should make room, below the second it is urgent. */
const LOW_DISK = 10;
const FULL_DISK = 3;
/** Bytes: a large disk is not nearly full with a small share free. */
const PLENTY = 50 * 1024 ** 3;

const WELL: Observation = { level: 'ok', reason: null, facts: {} };
const bad = (reason: Reason, facts: PartFacts = {}): Observation => ({ level: 'bad', reason, facts });
const warning = (reason: Reason, facts: PartFacts = {}): Observation => ({ level: 'warning', reason, facts });

type Check = ProcessReport['checks'][string];

/**
 * How each part does, according to what the processes found that were heard of lately. Parts that no process knows, as
 * those of an older release, are left out. Backups are not among them: what became of them is in rows of their own.
 */
export function observeParts(reports: readonly ProcessReport[]): Map<Part, Observation> {
  const living = reports.filter(({ silent }) => !silent);
  const checks = (name: string, ...kinds: ProcessKind[]) =>
    living.flatMap(({ kind, checks: all }) => {
      const check = all[name];
      return check && (kinds.length === 0 || kinds.includes(kind)) ? [check] : [];
    });
  const seen = new Map<Part, Observation | undefined>([
    ['database', fromAll(checks('database'))],
    ['eventStore', fromAll(checks('eventStore'))],
    ['projection', ofFollower(living, checks('projection', 'server'))],
    ['letters', ofFollower(living, checks('letters', 'server'))],
    ['jobs', ofJobs(checks('jobs'))],
    ['worker', living.some(({ facts }) => facts.jobs === true) ? WELL : bad('nobody')],
    ['mailServer', ofMailServer(checks('mailServer'))],
    ['notifications', fromAll(checks('notifications'))],
    ['payments', ofPayments(checks('payments'))],
    ['printing', fromAll(checks('printing'))],
    ['disk', ofDisk(living)],
  ]);
  return new Map([...seen].flatMap(([part, each]) => (each ? [[part, each] as const] : [])));
}

/** Red if all processes find it so; if only some do, it is a matter of theirs. */
function fromAll(checks: readonly Check[]): Observation | undefined {
  if (checks.length === 0) return undefined;
  const away = checks.filter(({ ok }) => !ok).length;
  if (away === 0) return WELL;
  return away === checks.length ? bad('away') : warning('partly', { bad: away, of: checks.length });
}

/** Of the follower that has this check on the servers, which read its state in the database. */
function ofFollower(living: readonly ProcessReport[], checks: readonly Check[]): Observation | undefined {
  if (checks.length === 0) return undefined;
  const states = checks.map((check) => check['state']);
  if (states.includes('stopped')) return bad('stopped');
  if (states.includes('retrying')) return bad('retrying');
  if (!living.some(({ kind }) => kind === 'projections')) return bad('nobody');
  const failing = checks.filter(({ ok }) => !ok);
  if (failing.length < checks.length) return WELL;
  const lags = failing.map((check) => check['lagSeconds']).filter((lag) => typeof lag === 'number');
  return lags.length > 0 ? bad('behind', { seconds: Math.round(Math.max(...lags)) }) : warning('unknown');
}

function ofJobs(checks: readonly Check[]): Observation | undefined {
  const state = fromAll(checks);
  if (state?.level !== 'ok') return state;
  const failed = Math.max(...checks.map((check) => Number(check['failed'] ?? 0)));
  return failed > 0 ? warning('failed-jobs', { failed }) : state;
}

function ofMailServer(checks: readonly Check[]): Observation | undefined {
  if (checks.length > 0 && checks.every((check) => check['state'] === 'not set')) return warning('not-set');
  return fromAll(checks);
}

function ofPayments(checks: readonly Check[]): Observation | undefined {
  const state = fromAll(checks);
  if (state?.level !== 'ok') return state;
  const refunds = Math.max(...checks.map((check) => Number(check['stuckRefunds'] ?? 0)));
  return refunds > 0 ? warning('stuck-refunds', { refunds }) : state;
}

function ofDisk(living: readonly ProcessReport[]): Observation | undefined {
  const disks = living.flatMap(({ facts: { disk } }) => disk ?? []);
  const [fullest] = disks.sort((one, other) => one.free / one.total - other.free / other.total);
  if (!fullest) return undefined;
  const percent = Math.floor((fullest.free / fullest.total) * 100);
  if (fullest.free >= PLENTY || percent >= LOW_DISK) return WELL;
  return percent < FULL_DISK ? bad('full', { percent }) : warning('low', { percent });
}

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
