import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import * as m from '#words/messages.js';
import { productVersion } from '#platform/package-root.js';
import { isAbsent } from './copied-file.js';

export const MANIFEST_FILE = 'manifest.json';
/** Of the backup folder. One that is made otherwise gets another number. */
const FORMAT = 1;

/** A path inside the backup; a manipulated one cannot lead elsewhere. */
export const pathSchema = z
  .string()
  .refine((path) =>
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\:]/.test(part)),
  )
  .refine((path) =>
    /^(?:cluster|mailbox)(?:\/|$)|^(?:password|jwt-secret(?:-previous)?|second-factor-secret|demo-password)$/.test(
      path,
    ),
  );

const count = z.int().min(0);

/** The minimum that the library contained: it may have grown while this was counted. */
export const holdingsSchema = z.object({
  events: count,
  /** The position of the last event in the log; -1 if there is none. */
  position: z.string().regex(/^-?\d+$/),
  accounts: count,
  books: count,
  covers: count,
});

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** The release of Lectern, and the migrations that its database had. */
  lectern: z.string(),
  migrations: z.array(z.string()),
  /** As PostgreSQL writes it: `18.1`. */
  postgres: z.string(),
  /** Operating system and processor: a cluster's files only fit the same kind of machine. */
  platform: z.string(),
  madeAt: z.iso.datetime(),
  /** The backup contains everything stored before the first, and nothing stored after the second. */
  wal: z.object({ start: z.string(), end: z.string() }),
  holds: holdingsSchema,
  folders: z.array(pathSchema),
  files: z
    .array(z.object({ path: pathSchema, bytes: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
    .min(1),
});

/** The origin and contents of a backup. Written last: a backup without it is incomplete. */
export type Manifest = z.infer<typeof manifestSchema>;
export type BackupFile = Manifest['files'][number];

/** A backup cannot be used. The message is a sentence for the person at the terminal. */
export class BackupUnusable extends Error {}

/** The facts in a manifest about this program and machine. */
export function ofThisProgram(): Pick<Manifest, 'format' | 'lectern' | 'platform'> {
  return { format: FORMAT, lectern: productVersion(), platform: `${process.platform}-${process.arch}` };
}

/** The text of the file that completes a backup. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, sha256: digestOf(manifest) }, undefined, 1)}\n`;
}

/**
 * Reads the manifest of a backup in a folder; whether its files are those that it names is another question.
 * @throws BackupUnusable
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, MANIFEST_FILE);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (!isAbsent(error) && (error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error;
    throw new BackupUnusable(m.cli_backup_unfinished({ folder, manifest: MANIFEST_FILE }));
  });
  return parseManifest(text, file);
}

/**
 * @param where what the text is called where it does not hold
 * @throws BackupUnusable
 */
export function parseManifest(text: string, where: string): Manifest {
  let written: Record<string, unknown>;
  try {
    written = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new BackupUnusable(m.cli_manifest_unreadable({ where }));
  }
  const { sha256, ...facts } = written;
  if (facts['format'] !== FORMAT) {
    throw new BackupUnusable(m.cli_backup_format({ found: String(facts['format']), wanted: FORMAT }));
  }
  if (sha256 !== digestOf(facts)) {
    throw new BackupUnusable(m.cli_manifest_changed({ where }));
  }
  const result = manifestSchema.safeParse(facts);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new BackupUnusable(m.cli_manifest_invalid({ where, path: issue?.path.join('.') ?? '' }));
  }
  return result.data;
}

function digestOf(facts: object): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
