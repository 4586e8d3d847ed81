import { resolve, sep } from 'node:path';
import type { FileContent } from './copied-file.js';
import type { Manifest } from './manifest.js';

/** What a backup is written into. Paths are relative to it, with slashes. */
export interface BackupTarget {
  /** Adds a folder after the one that it is in. */
  addFolder(path: string): Promise<void>;
  /** @throws an error with the code ENOENT where the file is not there; then nothing was added */
  copy(from: string, path: string): Promise<FileContent>;
  write(path: string, content: string | Buffer): Promise<FileContent>;
  /** Adds the manifest, and waits until everything is on the disk. */
  complete(manifest: Manifest): Promise<void>;
  /** Leaves the place as it was before. */
  abandon(): Promise<void>;
}

export function refuseInside(dataDir: string, target: string): void {
  if (!`${resolve(target)}${sep}`.startsWith(`${resolve(dataDir)}${sep}`)) return;
  throw new Error(
    `A backup inside the data folder would be lost with it. Choose a place outside ${resolve(dataDir)}.`,
  );
}
