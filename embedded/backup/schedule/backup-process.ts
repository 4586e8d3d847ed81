import { setPriority } from 'node:os';
import { readSettings } from '#platform/settings.js';
import { BackupFailed, makeVerifiedBackup, type BackupStep } from './make-verified-backup.js';
import type { BackupMessage } from './backup-messages.js';

/** Milliseconds between two messages about the same step. */
const PAUSE = 500;
/** Below others, a third of their share: a machine that is always busy gets to it too. (10 is a tenth.) */
const NICENESS = 5;

/**
 * The process that makes one backup: of a low priority, with the PostgreSQL that it starts too, so that nobody at the
 * desk notices. It ends with whoever asked for it.
 */
const stop = new AbortController();
for (const end of ['SIGINT', 'SIGTERM', 'disconnect'] as const) {
  process.on(end, () => stop.abort(new Error('Stopped.')));
}
setPriority(NICENESS);

let [lastStep, lastAt]: [BackupStep | undefined, number] = [undefined, 0];
const progress = (step: BackupStep, done: number) => {
  if (step === lastStep && performance.now() - lastAt < PAUSE) return;
  [lastStep, lastAt] = [step, performance.now()];
  void send({ kind: 'progress', step, done });
};

void work().then(() => {
  if (process.connected) process.disconnect();
  process.exit();
});

async function work(): Promise<void> {
  try {
    const { BACKUP_FOLDER, ...settings } = readSettings();
    if (BACKUP_FOLDER === undefined) throw new Error('BACKUP_FOLDER is not set.');
    const options = { settings: { ...settings, BACKUP_FOLDER }, signal: stop.signal, progress };
    await send({ kind: 'good', backup: await makeVerifiedBackup(options) });
  } catch (error) {
    const failure = error instanceof BackupFailed ? error.failure : 'other';
    await send({ kind: 'failed', failure, why: (error as Error).message });
  }
}

/** Whoever asked may be gone. */
function send(message: BackupMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}
