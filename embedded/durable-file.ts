import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { readPrivate } from './private-files.js';

/**
 * Writes a file that only its owner may read, whole or not at all: after a kill or a power cut the old content is
 * there or the new one, never a part of it.
 */
export function writeDurably(file: string, text: string): void {
  const draft = `${file}.new`;
  // What lies there goes: neither a link nor a file of somebody else's is written to.
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
  // The new name is in the folder: without this a power cut may take it back. Windows has no such call.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** The secret in a file, generated on first use. Whatever rights the file had: from then on its owner alone may read it. */
export function storedSecret(file: string, make: () => string): string {
  let text = '';
  try {
    text = readPrivate(file).trim();
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (text === '') {
    text = make();
    writeDurably(file, text);
  }
  return text;
}
