import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as m from '#words/messages.js';
import { MIGRATIONS } from '#platform/database/migrate.js';
import { copyFile, isAbsent, type FileContent } from './copied-file.js';
import { BackupUnusable, ofThisProgram, readManifest, type BackupFile, type Manifest } from './manifest.js';

/** Told how many bytes are copied or unpacked. */
export type RestoreProgress = (bytes: number, what: 'copied' | 'unpacked') => void;

export interface FillOptions {
  /** The major version of the embedded PostgreSQL. */
  postgres: string;
  /** Stops it; a restore is then as if it had not begun. */
  signal: AbortSignal;
  /** Whether it is only tried out and then removed: nothing waits for the disk. */
  forTrial?: boolean;
  progress?: RestoreProgress;
}

/** A backup that was opened. */
export interface BackupSource {
  /**
   * Puts everything that is in it into a new data folder, and compares it with what was written.
   * @throws BackupUnusable; the signal's reason
   */
  fill(draft: string, options: FillOptions): Promise<Manifest>;
}

/** Where something of a backup belongs in a data folder. */
export function placeIn(draft: string, path: string): string {
  return /^(?:cluster|password)(?:\/|$)/.test(path) ? join(draft, 'postgres', path) : join(draft, path);
}

/** Makes the folders that a data folder has, before files come into them. */
export async function makeFolders(draft: string, folders: readonly string[]): Promise<void> {
  await mkdir(join(draft, 'postgres'), { recursive: true, mode: 0o711 });
  for (const path of folders) await mkdir(placeIn(draft, path), { recursive: true, mode: 0o700 });
}

/** What was written by programs that these ones cannot take over from. */
export function refuseIncompatible(manifest: Manifest, postgres: string): void {
  const { platform } = ofThisProgram();
  if (manifest.platform !== platform) {
    throw new BackupUnusable(m.cli_backup_other_platform({ theirs: manifest.platform, ours: platform }));
  }
  if (manifest.postgres.split('.')[0] !== postgres) {
    throw new BackupUnusable(
      m.cli_backup_other_postgres({ theirs: manifest.postgres, ours: postgres, release: manifest.lectern }),
    );
  }
  if (!manifest.migrations.includes(MIGRATIONS[0].name)) {
    throw new BackupUnusable(m.cli_backup_too_old({ release: manifest.lectern }));
  }
  const unknown = manifest.migrations.find((name) => !MIGRATIONS.some((each) => each.name === name));
  if (unknown !== undefined) {
    throw new BackupUnusable(m.cli_backup_too_new({ release: manifest.lectern, migration: unknown }));
  }
}

export function refuseOther(file: BackupFile, content: FileContent | undefined): void {
  if (!content) throw new BackupUnusable(m.cli_backup_file_missing({ file: file.path }));
  if (content.bytes !== file.bytes) {
    throw new BackupUnusable(
      m.cli_backup_file_length({
        ...{ file: file.path, found: String(content.bytes), wanted: String(file.bytes) },
      }),
    );
  }
  if (content.sha256 !== file.sha256) {
    throw new BackupUnusable(m.cli_backup_file_changed({ file: file.path }));
  }
}

/** A backup that is a folder. */
export class FolderSource implements BackupSource {
  private constructor(
    private readonly folder: string,
    private readonly manifest: Manifest,
  ) {}

  /** @throws BackupUnusable */
  static async open(folder: string): Promise<FolderSource> {
    return new FolderSource(folder, await readManifest(folder));
  }

  async fill(draft: string, { postgres, signal, forTrial, progress }: FillOptions): Promise<Manifest> {
    const { manifest } = this;
    refuseIncompatible(manifest, postgres);
    await makeFolders(draft, manifest.folders);
    let copied = 0;
    for (const file of manifest.files) {
      signal.throwIfAborted();
      const from = join(this.folder, file.path);
      const content = await copyFile(from, placeIn(draft, file.path), !forTrial).catch((error: unknown) => {
        if (isAbsent(error) && (error as NodeJS.ErrnoException).path === from) return undefined;
        throw error;
      });
      refuseOther(file, content);
      progress?.((copied += file.bytes), 'copied');
    }
    return manifest;
  }
}
