import { existsSync, readFileSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../private-files.js';

/** Marks a data folder whose contents are being exchanged; it exists from the first move to the last. */
const MARKER = '.exchange.json';
const DRAFT = '.restoring-';
const BEFORE = '.before-';
/** Entries that a file system keeps in its root. */
const OF_THE_VOLUME = ['lost+found'];

const name = z.string().regex(/^[^/\\]+$/);
const exchangeSchema = z.object({
  draft: name.startsWith(DRAFT),
  before: name.startsWith(BEFORE).optional(),
  /** The entries to set aside, and those that replace them. */
  old: z.array(name),
  new: z.array(name).min(1),
});

type Exchange = z.infer<typeof exchangeSchema>;
type Move = (from: string, to: string) => Promise<void>;

/** The entries of a data folder that belong to the installation, not to the file system or to a restore. */
export async function installationIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter(
    (each) =>
      each !== MARKER && !each.startsWith(DRAFT) && !each.startsWith(BEFORE) && !OF_THE_VOLUME.includes(each),
  );
}

/** A new folder inside the data folder, for its future contents. */
export function stagingFolderIn(dataDir: string, id: string): string {
  return join(dataDir, `${DRAFT}${id}`);
}

/** All existing folders of this kind. */
export async function stagingFoldersIn(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir);
  return names.filter((each) => each.startsWith(DRAFT)).map((each) => join(dataDir, each));
}

/** Whether an exchange was begun in this data folder and not finished. */
export function isSwapUnderWay(dataDir: string): boolean {
  return existsSync(join(dataDir, MARKER));
}

/**
 * Sets the contents of a data folder aside, into a folder inside it, and puts those of a draft inside it in their
 * place. Once this has begun, `finishSwap` completes it, whatever happens.
 * @returns where the previous contents are now; nothing if there were none
 */
export async function swapContents(
  dataDir: string,
  draft: string,
  move: Move = rename,
): Promise<string | undefined> {
  const old = await installationIn(dataDir);
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const exchange: Exchange = {
    draft: draft.slice(dataDir.length + 1),
    ...(old.length > 0 && { before: `${BEFORE}${time}` }),
    old,
    new: await readdir(draft),
  };
  await syncFolder(draft);
  writeDurably(join(dataDir, MARKER), JSON.stringify(exchangeSchema.parse(exchange)));
  return await finishSwap(dataDir, move);
}

/**
 * Completes an exchange: moves each entry that was not moved yet. The folder must not be in use.
 * @returns where the previous contents are now; nothing if there were none, or there was nothing to do
 */
export async function finishSwap(dataDir: string, move: Move = rename): Promise<string | undefined> {
  const marker = join(dataDir, MARKER);
  if (!existsSync(marker)) return undefined;
  const exchange = exchangeSchema.parse(JSON.parse(readFileSync(marker, 'utf8')));
  const draft = join(dataDir, exchange.draft);
  const before = exchange.before === undefined ? undefined : join(dataDir, exchange.before);
  if (before !== undefined) {
    await mkdir(before, { recursive: true, mode: 0o711 });
    // Entries that were set aside are not moved again: their names may belong to the new ones by now.
    for (const each of exchange.old) {
      if (!existsSync(join(before, each))) await move(join(dataDir, each), join(before, each));
    }
    await syncFolder(before);
  }
  for (const each of exchange.new) {
    if (existsSync(join(draft, each))) await move(join(draft, each), join(dataDir, each));
  }
  await syncFolder(dataDir);
  await rm(marker);
  if (existsSync(draft)) await rmdir(draft);
  await syncFolder(dataDir);
  return before;
}

/** Makes moves into or out of a folder durable, even across a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
