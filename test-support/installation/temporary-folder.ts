import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes that the data folders of a run take at most, and some more. */
const ROOM = 3 * 1024 ** 3;

/**
 * Where there is room, memory: PostgreSQL makes and removes hundreds of small files for each database, which takes a
 * disk's file system more of a processor's time than the tests themselves.
 */
function scratch(): string {
  const chosen = process.env['TEST_SCRATCH'];
  if (chosen) return chosen;
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > ROOM ? '/dev/shm' : tmpdir();
  } catch {
    // Other systems have none.
    return tmpdir();
  }
}

/** A new folder that the unprivileged user of the embedded PostgreSQL may pass through. The caller removes it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(scratch(), 'lectern-test-'));
  chmodSync(folder, 0o711);
  return folder;
}

/**
 * A new data folder, in which the product opens as it does the second time: a copy of the one that was opened before
 * the tests; empty where there is none. The caller removes it.
 */
export function dataFolder(): string {
  const folder = temporaryFolder();
  openedBefore(folder);
  return folder;
}

/** Makes an empty folder such a copy. */
export function openedBefore(folder: string): void {
  const opened = process.env['TEST_DATA_FOLDER'];
  // Not by Node: the files are PostgreSQL's user's, and stay so.
  if (opened && spawnSync('cp', ['-a', `${opened}/.`, folder]).status !== 0)
    throw new Error(`The data folder ${opened} could not be copied.`);
}
