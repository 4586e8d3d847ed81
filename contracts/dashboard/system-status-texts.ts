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
  projection: 'Bring what happens into the lists',
  letters: 'Follow the log and ask for letters',
  jobs: 'Hold what is to be done in the background',
  worker: 'Sends letters, prints, charges fees',
  mailServer: 'Takes the letters',
  notifications: 'Tell open screens what has changed',
  payments: 'Ask the provider what was paid',
  printing: 'Makes inventory and labels',
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
    todo: 'See that the disk of BACKUP_FOLDER is there, and that the user who runs Lectern may write to it.',
  },
  'inside-data': {
    what: 'The folder for backups is inside the data folder, and would be lost with it.',
    todo: 'Set BACKUP_FOLDER to a folder outside DATA_DIR, on another disk.',
  },
  damaged: {
    what: 'What was written could not be read back as it was written.',
    todo: 'Look at the disk of BACKUP_FOLDER, it may be failing. Then back up once more.',
  },
  'not-whole': {
    what: 'The copy could not be opened as a library.',
    todo: 'Run npm run verify, and back up once more. The log of the server has the cause.',
  },
  interrupted: {
    what: 'The backup was broken off: Lectern or its backup process ended meanwhile.',
    todo: 'Nothing of it is kept. Back up once more.',
  },
  busy: {
    what: 'Another process is making backups into the same folder.',
    todo: 'Give each library a folder of its own in BACKUP_FOLDER.',
  },
  other: {
    what: 'The backup failed.',
    todo: 'The log of the server has the cause. Back up once more.',
  },
};

const count = (value: PartFacts[string] | undefined, one: string, many: string) =>
  value === 1 ? `1 ${one}` : `${value ?? 'Some'} ${many}`;

type Words = (facts: PartFacts) => PartTexts;

const SOME_PROCESSES = (what: string): Words => {
  return ({ bad, of }) => ({
    what: `${bad ?? 'Some'} of ${of ?? 'several'} processes ${what}.`,
    todo: 'Look at the network between that process and the others; its log has the cause.',
  });
};

const WORDS: Record<Part, Partial<Record<Reason, Words>>> = {
  database: {
    away: () => ({
      what: 'The database does not answer. Nothing can be lent or looked up until it is back.',
      todo: 'Start PostgreSQL again, or Lectern where it brings its own. Nothing acknowledged is lost.',
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
      what: 'The lists have stopped at an event that cannot be applied. What happens now is not shown in them.',
      todo: 'See the notice above: install a release that can apply the event, or skip it.',
    }),
    retrying: () => ({
      what: 'The lists are behind: what they are made of is out of reach, and is tried again and again.',
      todo: 'Look at the database and the event log first; the lists catch up by themselves.',
    }),
    behind: ({ seconds }) => ({
      what: `The lists are ${seconds ?? 'many'} seconds behind the log.`,
      todo: 'Wait if much has just happened. If it grows, see that a process for the projections runs.',
    }),
    nobody: () => ({
      what: 'No process keeps the lists: what happens now is not shown in them.',
      todo: 'Start the projections (node dist/projections/main.js).',
    }),
    unknown: () => ({
      what: 'How far the lists are cannot be told while the event log is away.',
      todo: 'Look at the event log first.',
    }),
  },
  letters: {
    stopped: () => ({
      what: 'Letters about borrows have stopped at an event. None is written about what happens now.',
      todo: 'See the notice above: install a release that can read the event, or skip it.',
    }),
    retrying: () => ({
      what: 'Letters about borrows wait: what they need is out of reach.',
      todo: 'Look at the database and the event log first; letters follow by themselves.',
    }),
    nobody: () => ({
      what: 'No process asks for letters about borrows.',
      todo: 'Start the projections (node dist/projections/main.js).',
    }),
  },
  jobs: {
    away: () => ({
      what: 'The job queues do not answer. Letters, reports and fees wait.',
      todo: 'Start Redis again where REDIS_URL names one. What was asked for is kept and done then.',
    }),
    'failed-jobs': ({ failed }) => ({
      what: `${count(failed, 'job was', 'jobs were')} given up after all tries.`,
      todo: 'Open the queues, read the reason, and have them tried again.',
    }),
  },
  worker: {
    nobody: () => ({
      what: 'No process works on jobs: letters, reports and fees wait.',
      todo: 'Start a worker (node dist/server/worker.js), or a server without JOBS=off.',
    }),
  },
  mailServer: {
    'not-set': () => ({
      what: 'There is no mail server: letters wait, and nobody can register.',
      todo: 'Set SMTP_URL and start Lectern again.',
    }),
    away: () => ({
      what: 'The mail server does not take letters. They wait and are tried again.',
      todo: 'Look at the mail server, and at the name, port and password in SMTP_URL.',
    }),
  },
  notifications: {
    away: () => ({
      what: 'Screens are not told what changes: they show what was, until loaded again.',
      todo: 'Look at the connections to the database; the link is made anew by itself.',
    }),
    partly: SOME_PROCESSES('do not hear what changes'),
  },
  payments: {
    away: () => ({
      what: 'The payment provider does not answer. Fees can be paid at the desk.',
      todo: 'See whether the provider has an outage, and whether this machine reaches it. What was paid is recorded later.',
    }),
    'stuck-refunds': ({ refunds }) => ({
      what: `${count(refunds, 'payment was', 'payments were')} made twice and could not be given back yet.`,
      todo: 'Give the money back in the dashboard of the provider; the log names the payment.',
    }),
  },
  printing: {
    away: () => ({
      what: 'There is no browser to print with: no inventory and no labels.',
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
      todo: 'Make room now: old backups, logs, or a larger disk. Nothing acknowledged is lost.',
    }),
  },
  backup: {
    'not-scheduled': () => ({
      what: 'No backups are made by themselves.',
      todo: 'Set BACKUP_FOLDER to a folder on another disk, and start Lectern again.',
    }),
    'own-means': () => ({
      what: 'Backups of your database and event store are in your own hands.',
      todo: null,
    }),
    'first-due': () => ({ what: 'The first one has not been made yet.', todo: null }),
    failed: ({ failure }) =>
      BACKUP_FAILURE_LABELS[(failure as BackupFailure | undefined) ?? 'other'] ?? BACKUP_FAILURE_LABELS.other,
    overdue: () => ({
      what: 'A backup was due long ago, and none was made.',
      todo: 'See that the process with the data folder runs, and back up once by hand.',
    }),
    differs: ({ differences }) => ({
      what: `The last backup is whole, and its lists differ from its log in ${count(differences, 'place', 'places')}.`,
      todo: 'Run npm run verify, then npm run rebuild: it makes the lists anew from the log.',
    }),
    missing: () => ({
      what: 'The last good backup is not in its folder any more.',
      todo: 'See that the disk of BACKUP_FOLDER is there, and back up once more.',
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
      todo: 'The log of the server has the cause.',
    }
  );
}
