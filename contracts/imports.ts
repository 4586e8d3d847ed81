import { z } from 'zod';

/** What files bring: books by their records, or readers with what is theirs. */
export const IMPORT_KINDS = ['records', 'readers'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const IMPORT_STATES = ['reading', 'staged', 'running', 'done', 'undoing', 'undone'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

const count = z.int().min(0);

const counts = <Name extends string>(names: readonly Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, count])) as Record<Name, typeof count>);

/**
 * What is known of every import.
 * @param outcomes what is to become of a row
 * @param done what became of one
 */
export const importShape = <Outcome extends string, Done extends string>(
  outcomes: readonly Outcome[],
  done: readonly Done[],
) => ({
  id: z.uuid(),
  /** The file's. */
  name: z.string(),
  state: z.enum(IMPORT_STATES),
  /** Whoever worked on it has come no further for minutes: it can be begun again. */
  isLeft: z.boolean(),
  /** Rows that the work under way has done, and of how many; of a file that is read nobody knows how many. */
  handled: count,
  total: count,
  /** Null where it was begun by a command, or the account is gone. */
  startedBy: z.string().nullable(),
  startedAt: z.iso.datetime(),
  /** Rows by what they are to become. */
  outcomes: counts(outcomes),
  /** Rows that are chosen and wait to be done. */
  chosen: count,
  /** Rows by what became of them. */
  done: counts(done),
});
export type StagedImport = z.infer<z.ZodObject<ReturnType<typeof importShape<string, string>>>>;

/** Somebody works on it. */
export const isAtWork = ({ state, isLeft = false }: { state: ImportState; isLeft?: boolean }): boolean =>
  !isLeft && (state === 'reading' || state === 'running' || state === 'undoing');

/**
 * What is known of every row.
 * @param fields what it can say otherwise than the library
 */
export const importRowShape = <Outcome extends string, Done extends string, Field extends string>(
  outcomes: readonly Outcome[],
  done: readonly Done[],
  fields: readonly Field[],
) => ({
  /** Where it is in its file. */
  place: z.int().min(1),
  outcome: z.enum(outcomes),
  /** Why it is refused or was left, or what is to be known of it, as a sentence. */
  reason: z.string().nullable(),
  /** What both say, field by field; `ours` is empty where the library has nothing. */
  differs: z
    .array(z.object({ field: z.enum(fields), ours: z.string(), theirs: z.string() }))
    .max(fields.length),
  done: z.enum(done).nullable(),
});

/** So many are listed, the newest first. */
export const IMPORTS_SHOWN = 50;
export const IMPORT_ROWS_PAGE_SIZE = 50;
/** What one row may be of. */
export const MAX_CANDIDATES = 10;
/** The form field of the file. */
export const IMPORT_FILE_FIELD = 'file';

/** How far an import is. */
export interface ImportProgress {
  of: ImportKind;
  importId: string;
  state: ImportState;
  handled: number;
  total: number;
}
