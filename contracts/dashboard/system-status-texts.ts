import * as m from '#words/messages.js';
import type { BackupFailure, Part, PartFacts, Reason } from './system-status.js';

/** What a part is called, on the page and in letters. */
export const PART_NAMES: Record<Part, () => string> = {
  database: m.status_part_database,
  eventStore: m.status_part_event_log,
  projection: m.status_part_lists,
  letters: m.status_part_letters,
  jobs: m.status_part_jobs,
  worker: m.status_part_worker,
  mailServer: m.status_part_mail_server,
  notifications: m.status_part_notifications,
  payments: m.status_part_payments,
  printing: m.status_part_printing,
  disk: m.status_part_disk,
  backup: m.status_part_backup,
};

/** What it is for. */
export const PART_PURPOSES: Record<Part, () => string> = {
  database: m.status_purpose_database,
  eventStore: m.status_purpose_event_log,
  projection: m.status_purpose_lists,
  letters: m.status_purpose_letters,
  jobs: m.status_purpose_jobs,
  worker: m.status_purpose_worker,
  mailServer: m.status_purpose_mail_server,
  notifications: m.status_purpose_notifications,
  payments: m.status_purpose_payments,
  printing: m.status_purpose_printing,
  disk: m.status_purpose_disk,
  backup: m.status_purpose_backup,
};

/** What is wrong, and what to do about it: a line each. */
export interface PartTexts {
  what: string;
  todo: string | null;
}

/** Why a backup failed, and what to do about it. */
export const BACKUP_FAILURE_LABELS: Record<BackupFailure, () => PartTexts> = {
  'no-room': () => ({ what: m.status_backup_no_room(), todo: m.status_backup_no_room_todo() }),
  'not-writable': () => ({ what: m.status_backup_not_writable(), todo: m.status_backup_not_writable_todo() }),
  'inside-data': () => ({ what: m.status_backup_inside_data(), todo: m.status_backup_inside_data_todo() }),
  damaged: () => ({ what: m.status_backup_damaged(), todo: m.status_backup_damaged_todo() }),
  'not-whole': () => ({ what: m.status_backup_not_whole(), todo: m.status_backup_not_whole_todo() }),
  interrupted: () => ({ what: m.status_backup_interrupted(), todo: m.status_backup_interrupted_todo() }),
  busy: () => ({ what: m.status_backup_busy(), todo: m.status_backup_busy_todo() }),
  other: () => ({ what: m.status_backup_failed(), todo: m.status_backup_failed_todo() }),
};

type Words = (facts: PartFacts) => PartTexts;

const SOME_PROCESSES = (what: typeof m.status_part_partly): Words => {
  return ({ bad = 0, of = 0 }) => ({ what: what({ bad, of }), todo: m.status_partly_todo() });
};

const WORDS: Record<Part, Partial<Record<Reason, Words>>> = {
  database: {
    away: () => ({ what: m.status_database_away(), todo: m.status_database_away_todo() }),
  },
  eventStore: {
    away: () => ({ what: m.status_event_log_away(), todo: m.status_event_log_away_todo() }),
    partly: SOME_PROCESSES(m.status_event_log_partly),
  },
  projection: {
    stopped: () => ({ what: m.status_lists_stopped(), todo: m.status_lists_stopped_todo() }),
    retrying: () => ({ what: m.status_lists_retrying(), todo: m.status_lists_retrying_todo() }),
    behind: ({ seconds = 0 }) => ({
      what: m.status_lists_behind({ seconds }),
      todo: m.status_lists_behind_todo(),
    }),
    nobody: () => ({ what: m.status_lists_nobody(), todo: m.status_start_projections() }),
    unknown: () => ({ what: m.status_lists_unknown(), todo: m.status_lists_unknown_todo() }),
  },
  letters: {
    stopped: () => ({ what: m.status_letters_stopped(), todo: m.status_letters_stopped_todo() }),
    retrying: () => ({ what: m.status_letters_retrying(), todo: m.status_letters_retrying_todo() }),
    nobody: () => ({ what: m.status_letters_nobody(), todo: m.status_start_projections() }),
  },
  jobs: {
    away: () => ({ what: m.status_jobs_away(), todo: m.status_jobs_away_todo() }),
    'failed-jobs': ({ failed = 0 }) => ({
      what: m.status_jobs_failed({ count: failed }),
      todo: m.status_jobs_failed_todo(),
    }),
  },
  worker: {
    nobody: () => ({ what: m.status_worker_nobody(), todo: m.status_worker_nobody_todo() }),
  },
  mailServer: {
    'not-set': () => ({ what: m.status_mail_server_not_set(), todo: m.status_mail_server_not_set_todo() }),
    away: () => ({ what: m.status_mail_server_away(), todo: m.status_mail_server_away_todo() }),
  },
  notifications: {
    away: () => ({ what: m.status_notifications_away(), todo: m.status_notifications_away_todo() }),
    partly: SOME_PROCESSES(m.status_notifications_partly),
  },
  payments: {
    away: () => ({ what: m.status_payments_away(), todo: m.status_payments_away_todo() }),
    'stuck-refunds': ({ refunds = 0 }) => ({
      what: m.status_payments_stuck({ count: refunds }),
      todo: m.status_payments_stuck_todo(),
    }),
  },
  printing: {
    away: () => ({ what: m.status_printing_away(), todo: m.status_printing_away_todo() }),
    partly: SOME_PROCESSES(m.status_printing_partly),
  },
  disk: {
    low: ({ percent = 0 }) => ({ what: m.status_disk_low({ percent }), todo: m.status_disk_low_todo() }),
    full: ({ percent = 0 }) => ({ what: m.status_disk_full({ percent }), todo: m.status_disk_full_todo() }),
  },
  backup: {
    'not-scheduled': () => ({
      what: m.status_backup_not_scheduled(),
      todo: m.status_backup_not_scheduled_todo(),
    }),
    'own-means': () => ({ what: m.status_backup_own_means(), todo: null }),
    'first-due': () => ({ what: m.status_backup_first_due(), todo: null }),
    failed: ({ failure }) =>
      (BACKUP_FAILURE_LABELS[failure as BackupFailure] ?? BACKUP_FAILURE_LABELS.other)(),
    overdue: () => ({ what: m.status_backup_overdue(), todo: m.status_backup_overdue_todo() }),
    differs: ({ differences = 0 }) => ({
      what: m.status_backup_differs({ count: differences }),
      todo: m.status_backup_differs_todo(),
    }),
    missing: () => ({ what: m.status_backup_missing(), todo: m.status_backup_missing_todo() }),
  },
};

/** What to say of a part that is not simply well. */
export function partText(part: Part, reason: Reason | null, facts: PartFacts): PartTexts | null {
  if (reason === null) return null;
  const words =
    WORDS[part][reason] ?? (reason === 'partly' ? SOME_PROCESSES(m.status_part_partly) : undefined);
  return (
    words?.(facts) ?? {
      what: m.status_part_wrong({ part: PART_NAMES[part]() }),
      todo: m.status_part_wrong_todo(),
    }
  );
}
