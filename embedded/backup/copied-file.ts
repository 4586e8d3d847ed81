import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

const CHUNK = 1024 * 1024;
/** To read into, when nobody does: one for each of a thousand files would keep the garbage collector busy. */
const spare: Buffer[] = [];

/** The content of a file when it was read. */
export interface FileContent {
  bytes: number;
  /** SHA-256, in hexadecimal digits. */
  sha256: string;
}

/**
 * Copies a file into one that only its owner may read, and waits until it is on the disk, unless it is not to be kept.
 * @param to must not be there yet
 */
export async function copyFile(from: string, to: string, isKept = true): Promise<FileContent> {
  const source = await open(from, constants.O_RDONLY);
  try {
    const target = await open(to, 'wx', 0o600);
    try {
      const content = await readThrough(source, (chunk) => writeAll(target, chunk));
      if (isKept) await target.sync();
      return content;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Writes all bytes at the file's current position. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += (await file.write(bytes, done)).bytesWritten;
}

/** The content of a file. */
export async function contentOf(file: string): Promise<FileContent> {
  const source = await open(file, constants.O_RDONLY);
  try {
    return await readThrough(source, async () => undefined);
  } finally {
    await source.close();
  }
}

async function readThrough(source: FileHandle, take: (chunk: Buffer) => Promise<void>): Promise<FileContent> {
  const hash = createHash('sha256');
  const buffer = spare.pop() ?? Buffer.allocUnsafe(CHUNK);
  let bytes = 0;
  try {
    for (;;) {
      const { bytesRead } = await source.read(buffer, 0, CHUNK);
      if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
      const chunk = buffer.subarray(0, bytesRead);
      hash.update(chunk);
      await take(chunk);
      bytes += bytesRead;
    }
  } finally {
    spare.push(buffer);
  }
}

/** Whether an error means that a file does not exist. */
export function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
