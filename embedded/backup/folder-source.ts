import { join } from 'node:path';
import {
  makeFolders,
  placeIn,
  refuseOther,
  refuseStrange,
  type BackupSource,
  type FillOptions,
} from './backup-source.js';
import { copyFile, isAbsent } from './copied-file.js';
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

  async fill(draft: string, { postgres, signal, forTrial, progress }: FillOptions): Promise<Manifest> {
    const { manifest } = this;
    refuseStrange(manifest, postgres);
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
