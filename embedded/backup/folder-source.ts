import { join } from 'node:path';
import {
  makeFolders,
  placeIn,
  refuseOther,
  refuseStrange,
  type BackupSource,
  type RestoreProgress,
} from './backup-source.js';
import { contentOf, copyFile, isAbsent } from './copied-file.js';
import { readManifest, type Manifest } from './manifest.js';

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

  async fill(
    draft: string,
    postgres: string,
    signal: AbortSignal,
    progress?: RestoreProgress,
  ): Promise<Manifest> {
    const { manifest } = this;
    refuseStrange(manifest, postgres);
    let checked = 0;
    for (const file of manifest.files) {
      signal.throwIfAborted();
      const content = await contentOf(join(this.folder, file.path)).catch((error: unknown) => {
        if (isAbsent(error)) return undefined;
        throw error;
      });
      refuseOther(file, content);
      progress?.((checked += file.bytes), 'checked');
    }
    await makeFolders(draft, manifest.folders);
    let copied = 0;
    for (const file of manifest.files) {
      signal.throwIfAborted();
      refuseOther(file, await copyFile(join(this.folder, file.path), placeIn(draft, file.path)));
      progress?.((copied += file.bytes), 'copied');
    }
    return manifest;
  }
}
