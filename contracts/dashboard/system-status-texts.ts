import type { BackupFailure, Part, PartFacts, Reason } from './system-status.js';

/** What a part is called, on the page and in letters. */
export const PART_NAMES: Record<Part, string> = {
  database: 'Database',
  eventStore: 'Event log',
  projection: 'Lists',
  letters: 'Letters about borrows',
  jobs: 'Job queues',
  worker: 'Work on jobs',
  mailServer: 'Mail server',
  notifications: 'Live updates',
  payments: 'Payments',
  printing: 'Printing',
  disk: 'Disk',
  backup: 'Backups',
};

/** What it is for. */
export const PART_PURPOSES: Record<Part, string> = {
  database: 'Keeps accounts, the catalogue and the lists',
  eventStore: 'Keeps every borrow, return and payment',
  projection: 'Keep the lists up to date',
  letters: 'Follow the log and queue letters',
  jobs: 'Hold background work',
  worker: 'Sends letters, prints, charges fees',
  mailServer: 'Sends the letters',
  notifications: 'Update open screens',
  payments: 'Check payments with the provider',
  printing: 'Prints inventories and labels',
  disk: 'Room for the data folder',
  backup: 'Copies of the library, each tried out',
};

/** What is wrong, and what to do about it: a line each. */
export interface PartTexts {
  what: string;
  todo: string | null;
}

/** Why a backup failed, and what to do about it. */
export const BACKUP_FAILURE_LABELS: Record<BackupFailure, PartTexts> = {
  'no-room': {
    what: 'There is not enough room on the disk for a backup and its trial.',
    todo: 'Free some room where BACKUP_FOLDER and DATA_DIR are, or lower BACKUP_KEEP.',
  },
  'not-writable': {
    what: 'The folder for backups cannot be written to.',
    todo: 'Check that the disk of BACKUP_FOLDER is there and that the user running Lectern can write to it.',
  },
  'inside-data': {
    what: 'The backup folder is inside the data folder and would be lost with it.',
    todo: 'Set BACKUP_FOLDER to a folder outside DATA_DIR, on another disk.',
  },
  damaged: {
    what: 'The backup could not be read back as written.',
    todo: 'Check the disk of BACKUP_FOLDER; it may be failing. Then back up again.',
  },
  'not-whole': {
    what: 'The copy could not be opened as a library.',
    todo: 'Run npm run verify, then back up again. The server’s log has the cause.',
  },
  interrupted: {
    what: 'The backup was interrupted: Lectern or its backup process ended.',
    todo: 'Nothing of it was kept. Back up again.',
  },
  busy: {
    what: 'Another process is making backups into the same folder.',
    todo: 'Give each library a folder of its own in BACKUP_FOLDER.',
  },
  other: {
    what: 'The backup failed.',
    todo: 'The server’s log has the cause. Back up again.',
  },
};

const count = (value: PartFacts[string] | undefined, one: string, many: string) =>
  value === 1 ? `1 ${one}` : `${value ?? 'Some'} ${many}`;

type Words = (facts: PartFacts) => PartTexts;

const SOME_PROCESSES = (what: string): Words => {
  return ({ bad, of }) => ({
    what: `${bad ?? 'Some'} of ${of ?? 'several'} processes ${what}.`,
    todo: 'Check the network between that process and the others; its log has the cause.',
  });
};

const WORDS: Record<Part, Partial<Record<Reason, Words>>> = {
  database: {
    away: () => ({
      what: 'The database does not answer. Nothing can be lent or looked up until it is back.',
      todo: 'Start PostgreSQL again, or Lectern where it brings its own. Nothing that was confirmed is lost.',
    }),
  },
  eventStore: {
    away: () => ({
      what: 'The event log does not answer. Lists can be read, nothing can be lent or returned.',
      todo: 'Start the event store again, or look at EVENTSTORE_URL. The rest comes back by itself.',
    }),
    partly: SOME_PROCESSES('cannot reach the event log'),
  },
  projection: {
    stopped: () => ({
      what: 'The lists have stopped at an event that cannot be applied. Nothing new is shown.',
      todo: 'See the notice above: install a release that can apply the event, or skip it.',
    }),
    retrying: () => ({
      what: 'The lists are behind: the database or the event log cannot be reached. Lectern keeps trying.',
      todo: 'Check the database and the event log first; the lists will catch up.',
    }),
    behind: ({ seconds }) => ({
      what: `The lists are ${seconds ?? 'many'} seconds behind the log.`,
      todo: 'Wait if a lot has just happened. If it grows, check that a projections process is running.',
    }),
    nobody: () => ({
      what: 'No process is updating the lists: nothing new is shown.',
      todo: 'Start the projections (node dist/projections/main.js).',
    }),
    unknown: () => ({
      what: 'The state of the lists is not known while the event log is away.',
      todo: 'Check the event log first.',
    }),
  },
  letters: {
    stopped: () => ({
      what: 'Letters about borrows have stopped at an event. Nothing new is being sent.',
      todo: 'See the notice above: install a release that can read the event, or skip it.',
    }),
    retrying: () => ({
      what: 'Letters about borrows are waiting: the database or the event log cannot be reached.',
      todo: 'Check the database and the event log first; letters will follow.',
    }),
    nobody: () => ({
      what: 'No process is queuing letters about borrows.',
      todo: 'Start the projections (node dist/projections/main.js).',
    }),
  },
  jobs: {
    away: () => ({
      what: 'The job queues do not answer. Letters, reports and fees are waiting.',
      todo: 'Start Redis again where REDIS_URL names one. What was asked for is kept and done then.',
    }),
    'failed-jobs': ({ failed }) => ({
      what: `${count(failed, 'job was', 'jobs were')} given up after all attempts.`,
      todo: 'Open the queues, read the reason and retry them.',
    }),
  },
  worker: {
    nobody: () => ({
      what: 'No process is working on jobs: letters, reports and fees are waiting.',
      todo: 'Start a worker (node dist/server/worker.js), or a server without JOBS=off.',
    }),
  },
  mailServer: {
    'not-set': () => ({
      what: 'There is no mail server: letters are waiting and nobody can register.',
      todo: 'Set SMTP_URL and start Lectern again.',
    }),
    away: () => ({
      what: 'The mail server does not accept letters. They are waiting and will be retried.',
      todo: 'Check the mail server, and the name, port and password in SMTP_URL.',
    }),
  },
  notifications: {
    away: () => ({
      what: 'Live updates are not reaching screens: reload to see changes.',
      todo: 'Check the connections to the database. The link reconnects by itself.',
    }),
    partly: SOME_PROCESSES('do not hear what changes'),
  },
  payments: {
    away: () => ({
      what: 'The payment provider does not answer. Fees can be paid at the desk.',
      todo: 'Check whether the provider has an outage and whether this machine can reach it. Payments will be recorded later.',
    }),
    'stuck-refunds': ({ refunds }) => ({
      what: `${count(refunds, 'payment was', 'payments were')} made twice and could not be refunded yet.`,
      todo: 'Refund the money in the provider’s dashboard; the log names the payment.',
    }),
  },
  printing: {
    away: () => ({
      what: 'There is no browser to print with, so no inventories or labels can be made.',
      todo: 'Install Chromium, or set PUPPETEER_EXECUTABLE_PATH to where it is.',
    }),
    partly: SOME_PROCESSES('have no browser to print with'),
  },
  disk: {
    low: ({ percent }) => ({
      what: `Only ${percent ?? 'a few'} % of the disk are free.`,
      todo: 'Make room before it is full: old backups, logs, or a larger disk.',
    }),
    full: ({ percent }) => ({
      what: `The disk is nearly full: ${percent ?? 'hardly any'} % are free. Soon nothing can be lent.`,
      todo: 'Make room now: old backups, logs, or a larger disk. Nothing that was confirmed is lost.',
    }),
  },
  backup: {
    'not-scheduled': () => ({
      what: 'There are no automatic backups.',
      todo: 'Set BACKUP_FOLDER to a folder on another disk, and start Lectern again.',
    }),
    'own-means': () => ({
      what: 'You back up your own database and event store.',
      todo: null,
    }),
    'first-due': () => ({ what: 'The first one has not been made yet.', todo: null }),
    failed: ({ failure }) =>
      BACKUP_FAILURE_LABELS[(failure as BackupFailure | undefined) ?? 'other'] ?? BACKUP_FAILURE_LABELS.other,
    overdue: () => ({
      what: 'A backup is long overdue.',
      todo: 'Check that the process with the data folder is running, and make one backup by hand.',
    }),
    differs: ({ differences }) => ({
      what: `The last backup is complete, but its lists differ from its log in ${count(differences, 'place', 'places')}.`,
      todo: 'Run npm run verify, then npm run rebuild: it rebuilds the lists from the log.',
    }),
    missing: () => ({
      what: 'The last good backup is no longer in its folder.',
      todo: 'Check that the disk of BACKUP_FOLDER is there, and back up again.',
    }),
  },
};

/** What to say of a part that is not simply well. */
export function partText(part: Part, reason: Reason | null, facts: PartFacts): PartTexts | null {
  if (reason === null) return null;
  const words = WORDS[part][reason] ?? (reason === 'partly' ? SOME_PROCESSES('cannot reach it') : undefined);
  return (
    words?.(facts) ?? {
      what: `${PART_NAMES[part]}: something is wrong.`,
      todo: 'The server’s log has the cause.',
    }
  );
}
