import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Encrypter } from 'age-encryption';
import { pack, type Pack } from 'tar-stream';
import * as m from '#words/messages.js';
import { refuseNested, type BackupTarget } from './backup-folder.js';
import { writeAll, type FileContent } from './copied-file.js';
import { syncFolder } from './folder-swap.js';
import { MANIFEST_FILE, manifestText, type Manifest } from './manifest.js';

const CHUNK = 1024 * 1024;

/** Whom a backup is encrypted for: whoever knows the passphrase, or has the key of one of these (`age1…`). */
export type BackupLock = { passphrase: string } | { recipients: string[] };

/**
 * A backup as one file in the format of `age`, a tar inside it with the names of a backup folder: `age -d FILE | tar x`
 * makes such a folder of it. It is written as it goes; no part of it is ever on the disk unencrypted.
 */
export class EncryptedArchive implements BackupTarget {
  private readonly written: Promise<void>;
  private broken: Error | undefined;

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
    private readonly tar: Pack,
    sealed: ReadableStream<Uint8Array>,
  ) {
    this.written = this.writeThrough(sealed);
    this.written.catch((error: Error) => {
      this.broken = error;
      // Whoever waits to write more is told so.
      tar.destroy(error);
    });
    tar.on('error', (error) => (this.broken ??= error));
  }

  /** @throws an Error where a recipient is none, or the file is there already */
  static async create(path: string, dataDir: string, lock: BackupLock): Promise<EncryptedArchive> {
    const file = resolve(path);
    refuseNested(dataDir, file);
    if (existsSync(file)) throw new Error(m.cli_file_there({ file }));
    const tar = pack({ highWaterMark: CHUNK });
    const sealed = await encrypterFor(lock).encrypt(ReadableStream.from(tar as AsyncIterable<Uint8Array>));
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return new EncryptedArchive(file, await open(file, 'wx', 0o600), tar, sealed);
  }

  addFolder(path: string): Promise<void> {
    return this.entry({ name: path, type: 'directory', mode: 0o700 }, async () => undefined);
  }

  /** As long as it is now: what is added meanwhile, or cut off (then zeros stand for it), is PostgreSQL's log to mend. */
  async copy(from: string, path: string): Promise<FileContent> {
    const source = await open(from, 'r');
    try {
      const { size: bytes } = await source.stat();
      const hash = createHash('sha256');
      await this.entry({ name: path, mode: 0o600, size: bytes }, async (add) => {
        for (let left = bytes; left > 0;) {
          const chunk = Buffer.alloc(Math.min(CHUNK, left));
          const { bytesRead } = await source.read(chunk, 0, chunk.length);
          const part = bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead);
          hash.update(part);
          await add(part);
          left -= part.length;
        }
      });
      return { bytes, sha256: digest(hash) };
    } finally {
      await source.close();
    }
  }

  async write(path: string, content: string | Buffer): Promise<FileContent> {
    const bytes = Buffer.from(content);
    await this.entry({ name: path, mode: 0o600, size: bytes.length }, (add) => add(bytes));
    return { bytes: bytes.length, sha256: digest(createHash('sha256').update(bytes)) };
  }

  async complete(manifest: Manifest): Promise<void> {
    await this.write(MANIFEST_FILE, manifestText(manifest));
    this.tar.finalize();
    await this.written;
    await this.handle.sync();
    await this.handle.close();
    await syncFolder(dirname(this.file));
  }

  async abandon(): Promise<void> {
    this.tar.destroy();
    await this.written.catch(() => undefined);
    await this.handle.close().catch(() => undefined);
    await rm(this.file, { force: true });
  }

  private async writeThrough(sealed: ReadableStream<Uint8Array>): Promise<void> {
    for await (const chunk of sealed) await writeAll(this.handle, chunk);
  }

  /** @param fill writes exactly as many bytes as the header says */
  private async entry(
    header: { name: string; mode: number; size?: number; type?: 'directory' },
    fill: (add: (bytes: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    if (this.broken) throw this.broken;
    await new Promise<void>((done, fail) => {
      const entry = this.tar.entry(header, (error) => (error ? fail(this.broken ?? error) : done()));
      entry.on('error', (error) => fail(this.broken ?? error));
      const add = (bytes: Uint8Array) =>
        new Promise<void>((goOn) => (entry.write(bytes) ? goOn() : entry.once('drain', () => goOn())));
      fill(add).then(() => entry.end(undefined), fail);
    });
  }
}

function encrypterFor(lock: BackupLock): Encrypter {
  const encrypter = new Encrypter();
  if ('passphrase' in lock) {
    encrypter.setPassphrase(lock.passphrase);
    return encrypter;
  }
  for (const recipient of lock.recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new Error(m.cli_no_recipient({ key: recipient }));
    }
  }
  return encrypter;
}

function digest(hash: Hash): string {
  return hash.digest('hex');
}
