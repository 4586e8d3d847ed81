import * as m from '#words/messages.js';
import { join, resolve, sep } from 'node:path';
import { contentOf, copyFile, type FileContent } from './copied-file.js';
import { MANIFEST_FILE, manifestText, type Manifest } from './manifest.js';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { writeDurably, refuseForeignFolder } from '../private-files.js';
import { syncFolder } from './folder-swap.js';

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

export function refuseNested(dataDir: string, target: string): void {
  if (!`${resolve(target)}${sep}`.startsWith(`${resolve(dataDir)}${sep}`)) return;
  throw new Error(m.cli_backup_inside({ folder: resolve(dataDir) }));
}

/** A backup as a folder of files that only their owner may read. */
export class BackupFolder implements BackupTarget {
  private readonly folders = [''];

  private constructor(
    private readonly folder: string,
    private readonly wasThere: boolean,
  ) {}

  /** Makes the folder where it is not there, closed to all but its owner. */
  static async create(path: string, dataDir: string): Promise<BackupFolder> {
    const folder = resolve(path);
    refuseNested(dataDir, folder);
    const wasThere = existsSync(folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (wasThere) refuseForeignFolder(m.cli_the_backup(), folder);
    if ((await readdir(folder)).length > 0) throw new Error(m.cli_folder_not_empty({ folder }));
    await chmod(folder, 0o700);
    return new BackupFolder(folder, wasThere);
  }

  async addFolder(path: string): Promise<void> {
    await mkdir(this.place(path), { mode: 0o700 });
    this.folders.push(path);
  }

  copy(from: string, path: string): Promise<FileContent> {
    return copyFile(from, this.place(path));
  }

  async write(path: string, content: string | Buffer): Promise<FileContent> {
    await writeFile(this.place(path), content, { mode: 0o600, flag: 'wx', flush: true });
    return contentOf(this.place(path));
  }

  async complete(manifest: Manifest): Promise<void> {
    // Until then a power cut may take the names of files back that are on the disk.
    for (const path of this.folders) await syncFolder(this.place(path));
    writeDurably(join(this.folder, MANIFEST_FILE), manifestText(manifest));
  }

  async abandon(): Promise<void> {
    if (!this.wasThere) return rm(this.folder, { recursive: true, force: true });
    for (const name of await readdir(this.folder)) await rm(join(this.folder, name), { recursive: true });
  }

  private place(path: string): string {
    return join(this.folder, ...path.split('/'));
  }
}
