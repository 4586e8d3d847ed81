import { z } from 'zod';
import { call } from '../call.js';
import { MAX_QUEUES } from './queues.js';

/** The parts of an installation, in the order in which they are shown. */
export const PARTS = [
  'database',
  'eventStore',
  'projection',
  'letters',
  'jobs',
  'worker',
  'mailServer',
  'notifications',
  'payments',
  'printing',
  'disk',
  'backup',
] as const;
export const partSchema = z.enum(PARTS);
export type Part = z.infer<typeof partSchema>;

/** `warning`: somebody should look, and the library works. `bad`: something does not work. */
export const levelSchema = z.enum(['ok', 'warning', 'bad']);
export type Level = z.infer<typeof levelSchema>;

/** Why a part is not well, or not at work; the words for it are in `system-status-texts.ts`. */
const REASONS = [
  'away',
  'partly',
  'stopped',
  'retrying',
  'behind',
  'nobody',
  'unknown',
  'failed-jobs',
  'not-set',
  'stuck-refunds',
  'low',
  'full',
  'not-scheduled',
  'own-means',
  'first-due',
  'failed',
  'overdue',
  'differs',
  'missing',
] as const;
export const reasonSchema = z.enum(REASONS);
export type Reason = z.infer<typeof reasonSchema>;

/** Numbers and codes for the words: never a name, an address or an error's text. */
export const partFactsSchema = z
  .record(z.string(), z.union([z.number(), z.string()]))
  .meta({ maxProperties: 20 });
export type PartFacts = z.infer<typeof partFactsSchema>;

const partStateSchema = z.object({
  part: partSchema,
  level: levelSchema,
  reason: reasonSchema.nullable(),
  facts: partFactsSchema,
  /** Since when it is so; null where no process could record it. */
  since: z.iso.datetime().nullable(),
  /** It is red, or was until a moment ago: over once it has been well for some minutes. */
  incident: z
    .object({
      since: z.iso.datetime(),
      /** Whether the admins were told by mail; `waiting`: the letter waits for the mail server. */
      letter: z.enum(['none', 'waiting', 'sent']),
    })
    .nullable(),
});
export type PartView = z.infer<typeof partStateSchema>;

const count = z.int().min(0);

/** Work that waits, and since when its oldest does; null where it could not be counted in time. */
const waitingSchema = z.object({ count, oldest: z.iso.datetime().nullable() }).nullable();
export type Waiting = z.infer<typeof waitingSchema>;

export const BACKUP_STEPS = ['copying', 'restoring', 'comparing'] as const;
/** Why there is no good backup; the words for it are in `system-status-texts.ts`. */
export const BACKUP_FAILURES = [
  'no-room',
  'not-writable',
  'inside-data',
  'damaged',
  'not-whole',
  'interrupted',
  'busy',
  'other',
] as const;
export type BackupFailure = (typeof BACKUP_FAILURES)[number];

const backupRunSchema = z.object({
  state: z.enum(['asked', 'running', 'good', 'failed']),
  at: z.iso.datetime(),
  ended: z.iso.datetime().nullable(),
  step: z.enum(BACKUP_STEPS).nullable(),
  /** Bytes that this step has been through. */
  done: count,
  /** Its name in the folder for backups. */
  name: z.string().nullable(),
  bytes: count.nullable(),
  events: count.nullable(),
  /** Between the lists in it and its event log. */
  differences: count.nullable(),
  failure: z.enum(BACKUP_FAILURES).nullable(),
});
export type BackupRunView = z.infer<typeof backupRunSchema>;

const PROCESS_KINDS = ['server', 'projections', 'worker'] as const;
export const PROCESSES_SHOWN = 100;

/** The state of the house. */
const houseViewSchema = z.object({
  level: levelSchema,
  /** When the parts were last looked at; null where that could not be asked. */
  lookedAt: z.iso.datetime().nullable(),
  parts: z.array(partStateSchema).max(PARTS.length),
  waiting: z.object({
    letters: waitingSchema,
    outbox: waitingSchema,
    payments: waitingSchema,
    queues: z
      .array(z.object({ name: z.string(), waiting: count, active: count, delayed: count, failed: count }))
      .max(MAX_QUEUES)
      .nullable(),
  }),
  backups: z.object({
    /** `own-means`: the database is not the embedded one. */
    plan: z.enum(['scheduled', 'not-scheduled', 'own-means']),
    encrypted: z.boolean(),
    keep: count.nullable(),
    nextDue: z.iso.datetime().nullable(),
    running: backupRunSchema.nullable(),
    lastGood: backupRunSchema.nullable(),
    lastFailed: backupRunSchema.nullable(),
  }),
  /** In bytes. */
  disk: z.object({
    free: count.nullable(),
    total: count.nullable(),
    database: count.nullable(),
    /** The event log, where it is the embedded one. */
    log: count.nullable(),
    events: count.nullable(),
  }),
  versions: z.object({
    lectern: z.string(),
    node: z.string(),
    postgres: z.string().nullable(),
    eventStore: z.enum(['embedded', 'own']),
    readModel: count,
    migrations: count.nullable(),
    lastMigration: z.string().nullable(),
  }),
  /** Those that began last, where there are more. */
  processes: z
    .array(
      z.object({
        id: z.string(),
        /** What it does. */
        kinds: z.array(z.enum(PROCESS_KINDS)).max(PROCESS_KINDS.length),
        /** Whether it works off jobs. */
        jobs: z.boolean(),
        host: z.string(),
        pid: z.int(),
        version: z.string(),
        node: z.string(),
        started: z.iso.datetime(),
        seen: z.iso.datetime(),
        /** It was not heard of for longer than a process at work would be silent. */
        silent: z.boolean(),
      }),
    )
    .max(PROCESSES_SHOWN),
});
export type SystemStatusView = z.infer<typeof houseViewSchema>;

export const readHouse = call('GET Dashboard/house', {
  may: ['system'],
  answer: houseViewSchema,
  tag: 'Dashboard/house',
});

/** Asks for a backup now, unless one is asked for or under way. */
export const backUpNow = call('POST Dashboard/house/backup', {
  may: ['system'],
  answer: z.object({ asked: z.boolean() }),
  tag: 'Dashboard/house',
});
