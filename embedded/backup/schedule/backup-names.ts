import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../private-files.js';

/** `lectern-2026-11-22T03-00-00Z`, with `.age` where it is encrypted. */
const GOOD = /^lectern-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:\.age)?$/;
/** What is being made, or was not tried out. */
const UNTRIED = /^\.lectern-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.untried(?:\.age)?$/;
const RECEIPT = '.json';

const receiptSchema = z.object({
  /** Which PostgreSQL cluster it is a copy of: folders may have backups of several libraries in them. */
  installation: z.string(),
  madeAt: z.iso.datetime(),
  triedOutAt: z.iso.datetime(),
  bytes: z.int(),
  events: z.int(),
  differences: z.int(),
});
/** Written beside a backup when it has been restored and verified; without it, none counts as good. */
export type Receipt = z.infer<typeof receiptSchema>;

/** The name of a backup, and the one that it has until it was tried out. */
export function namesFor(at: Date, encrypted: boolean): { good: string; untried: string } {
  const time = at.toISOString().slice(0, 19).replaceAll(':', '-');
  const ending = encrypted ? '.age' : '';
  return { good: `lectern-${time}Z${ending}`, untried: `.lectern-${time}Z.untried${ending}` };
}

export function writeReceipt(folder: string, name: string, receipt: Receipt): void {
  writeDurably(join(folder, `${name}${RECEIPT}`), `${JSON.stringify(receipt, undefined, 1)}\n`);
}

/** The good backups of an installation, the newest first. What is anything else in the folder is not among them. */
export function verifiedBackups(folder: string, installation: string): string[] {
  return readdirSync(folder)
    .filter((name) => GOOD.test(name) && receiptOf(folder, name)?.installation === installation)
    .sort()
    .reverse();
}

/** The newest good backup of an installation that was tried out since then: its process was killed before it could tell. */
export function verifiedSince(
  folder: string,
  installation: string,
  since: Date,
): { name: string; receipt: Receipt } | undefined {
  const [name] = existsSync(folder) ? verifiedBackups(folder, installation) : [];
  const receipt = name === undefined ? undefined : receiptOf(folder, name);
  if (name === undefined || !receipt) return undefined;
  return Date.parse(receipt.triedOutAt) >= since.getTime() ? { name, receipt } : undefined;
}

function receiptOf(folder: string, name: string): Receipt | undefined {
  try {
    const text = readFileSync(join(folder, `${name}${RECEIPT}`), 'utf8');
    return receiptSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // A backup made by hand, or of a library whose receipt was lost: not ours to remove.
    return undefined;
  }
}

/** Removes the oldest good backups but so many; always keeps the newest. */
export async function prune(folder: string, installation: string, keep: number): Promise<string[]> {
  const old = verifiedBackups(folder, installation).slice(Math.max(1, keep));
  for (const name of old) {
    // The receipt last: a kill in between leaves something that is known as ours.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
    await rm(join(folder, `${name}${RECEIPT}`), { force: true });
  }
  return old;
}

/** Removes what killed processes left: backups that were never tried out, and receipts of none. */
export async function removeUnverified(folder: string): Promise<void> {
  const names = readdirSync(folder);
  for (const name of names) {
    const backup = name.endsWith(RECEIPT) ? name.slice(0, -RECEIPT.length) : undefined;
    const isLeft =
      UNTRIED.test(name) || (backup !== undefined && GOOD.test(backup) && !names.includes(backup));
    if (isLeft) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}
