import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** The room on the disk of a folder, in bytes; of the folder above, where it is not there yet. */
export async function diskSpaceAt(folder: string): Promise<{ free: number; total: number }> {
  let place = resolve(folder);
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  const { bavail, blocks, bsize } = await statfs(place);
  return { free: bavail * bsize, total: blocks * bsize };
}
