import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Decrypter } from 'age-encryption';
import { extract, type Extract, type Header } from 'tar-stream';
import * as m from '#words/messages.js';
import {
  makeFolders,
  placeIn,
  refuseOther,
  refuseIncompatible,
  type BackupSource,
  type FillOptions,
} from './backup-source.js';
import { writeAll, type FileContent } from './copied-file.js';
import { BackupUnusable, MANIFEST_FILE, parseManifest, pathSchema, type Manifest } from './manifest.js';

type Entry = AsyncIterable<Buffer> & { header: Header };

const CHUNK = 1024 * 1024;
const BEGIN = 'age-encryption.org/v1\n';
const ARMORED = '-----BEGIN AGE ENCRYPTED FILE-----';
const MAX_MANIFEST_BYTES = 256 * CHUNK;

/** What opens an encrypted backup: its passphrase, or secret keys (`AGE-SECRET-KEY-1…`). */
export type BackupKey = { passphrase: string } | { identities: string[] };

/**
 * Which kind of key opens a file.
 * @returns nothing where it is no file, or none that age encrypted
 * @throws BackupUnusable for one that is written as text
 */
export async function keyThatOpens(file: string): Promise<'passphrase' | 'identity' | undefined> {
  const begin = await beginOf(file);
  if (begin.startsWith(ARMORED)) {
    throw new BackupUnusable(m.cli_backup_armored({ file }));
  }
  if (!begin.startsWith(BEGIN)) return undefined;
  return begin.startsWith('-> scrypt ', BEGIN.length) ? 'passphrase' : 'identity';
}

/**
 * The secret keys in a file as `age-keygen` writes it.
 * @throws an Error that names the file, and never what it holds
 */
export async function readIdentities(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(m.cli_file_unreadable_code({ file, code: error.code ?? '' }));
  });
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const known = new Decrypter();
  try {
    for (const identity of identities) known.addIdentity(identity);
  } catch {
    identities.length = 0;
  }
  if (identities.length > 0) return identities;
  throw new Error(m.cli_no_identity({ file }));
}

async function beginOf(file: string): Promise<string> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return '';
  try {
    if (!(await handle.stat()).isFile()) return '';
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(100), 0, 100, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** A backup that is an encrypted archive; see `EncryptedArchive`. */
export class ArchiveSource implements BackupSource {
  /** Why no more could be read; what comes of that where it is unpacked says less. */
  private broken: Error | undefined;

  private constructor(
    private readonly file: string,
    private readonly opened: ReadableStream<Uint8Array>,
  ) {}

  /** @throws BackupUnusable where the key is not the one, or the file's beginning does not hold */
  static async open(file: string, key: BackupKey): Promise<ArchiveSource> {
    const decrypter = new Decrypter();
    if ('passphrase' in key) decrypter.addPassphrase(key.passphrase);
    else for (const identity of key.identities) decrypter.addIdentity(identity);
    const sealed = createReadStream(file, { highWaterMark: CHUNK });
    try {
      return new ArchiveSource(file, await decrypter.decrypt(ReadableStream.from<Uint8Array>(sealed)));
    } catch (error) {
      sealed.destroy();
      if (!/no identity matched/.test((error as Error).message)) throw damaged(file, error);
      throw new BackupUnusable(
        'passphrase' in key ? m.cli_passphrase_wrong({ file }) : m.cli_identity_wrong({ file }),
      );
    }
  }

  async fill(draft: string, options: FillOptions): Promise<Manifest> {
    const { found, text } = await this.unpackInto(draft, options).catch((error: unknown) => {
      throw this.broken ?? error;
    });
    if (text === undefined) throw new BackupUnusable(m.cli_no_backup({ file: this.file }));
    const manifest = parseManifest(text, m.cli_manifest_in({ manifest: MANIFEST_FILE, file: this.file }));
    refuseIncompatible(manifest, options.postgres);
    for (const file of manifest.files) refuseOther(file, found.get(file.path));
    if (found.size > manifest.files.length) {
      throw new BackupUnusable(m.cli_backup_more_files());
    }
    await makeFolders(draft, manifest.folders);
    return manifest;
  }

  /** @returns what came of each file, and the manifest's text */
  private async unpackInto(
    draft: string,
    { signal, forTrial, progress }: FillOptions,
  ): Promise<{ found: Map<string, FileContent>; text: string | undefined }> {
    const found = new Map<string, FileContent>();
    let text: string | undefined;
    let unpacked = 0;
    await makeFolders(draft, []);
    for await (const entry of this.entries(signal)) {
      const name = entry.header.name.replace(/^\.\//, '').replace(/\/$/, '');
      if (name === MANIFEST_FILE) {
        text = await textOf(entry);
        continue;
      }
      const { type } = entry.header;
      // The folder itself, where `tar` packed it.
      if (name === '' && type === 'directory') continue;
      if (!pathSchema.safeParse(name).success || (type !== 'file' && type !== 'directory')) {
        throw new BackupUnusable(m.cli_backup_strange_content({ file: this.file }));
      }
      const place = placeIn(draft, name);
      await mkdir(type === 'file' ? dirname(place) : place, { recursive: true, mode: 0o700 });
      if (type === 'directory') continue;
      const content = await unpack(entry, place, !forTrial);
      found.set(name, content);
      progress?.((unpacked += content.bytes), 'unpacked');
    }
    return { found, text };
  }

  /** What is in the archive; each part of it was found to be what was written before it comes. */
  private async *entries(signal: AbortSignal): AsyncGenerator<Entry> {
    const tar = extract();
    const fed = this.feed(tar, signal);
    fed.catch((error: Error) => {
      this.broken = error;
      tar.destroy(error);
    });
    try {
      yield* tar as AsyncIterable<Entry>;
    } finally {
      tar.destroy();
      await fed;
    }
  }

  private async feed(tar: Extract, signal: AbortSignal): Promise<void> {
    const reader = this.opened.getReader();
    let goOn = () => {};
    tar.on('drain', () => goOn());
    tar.on('close', () => goOn());
    try {
      for (;;) {
        signal.throwIfAborted();
        const { done, value } = await reader.read().catch((error: unknown) => {
          throw damaged(this.file, error);
        });
        if (tar.destroyed) return;
        if (done) break;
        if (!tar.write(value)) await new Promise<void>((resolve) => (goOn = resolve));
      }
      tar.end(undefined);
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }
}

async function unpack(entry: Entry, place: string, isKept: boolean): Promise<FileContent> {
  const hash = createHash('sha256');
  const target = await open(place, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const chunk of entry) {
      hash.update(chunk);
      await writeAll(target, chunk);
      bytes += chunk.length;
    }
    if (isKept) await target.sync();
  } finally {
    await target.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function textOf(entry: Entry): Promise<string> {
  if ((entry.header.size ?? 0) > MAX_MANIFEST_BYTES) throw new BackupUnusable(m.cli_manifest_too_long());
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function damaged(file: string, cause: unknown): Error {
  // What the disk says is no word about the backup.
  if ((cause as NodeJS.ErrnoException).code !== undefined) return cause as Error;
  return new BackupUnusable(m.cli_backup_cut_off({ file }), { cause });
}
