import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { isbnSchema } from './book-save.js';
import { MAX_AUTHORS, MAX_GENRES } from './book-views.js';

const MAX_SOURCES = 20;

/** What came of asking a source, each as a sentence. */
export const SOURCE_OUTCOMES = {
  found: m.source_found,
  unknown: m.source_unknown,
  'timed-out': m.source_timed_out,
  unreachable: m.source_unreachable,
  failed: m.source_failed,
  private: m.source_private,
  skipped: m.source_skipped,
} as const satisfies Record<string, (inputs: { name: string }) => string>;
export type SourceOutcome = keyof typeof SOURCE_OUTCOMES;
const outcomeSchema = z.enum(Object.keys(SOURCE_OUTCOMES) as [SourceOutcome, ...SourceOutcome[]]);

/** The sources that were asked, in their order; the last one may have answered. */
export const askedSchema = z.array(z.object({ name: z.string(), outcome: outcomeSchema })).max(MAX_SOURCES);
export type AskedSources = z.infer<typeof askedSchema>;

/**
 * What was found of an ISBN. `exists` where the catalogue has it already: then `id` is that book's. Names that the
 * catalogue knows carry their id there; the others have null, and can be added from the form.
 */
const externalBookSchema = z.object({
  exists: z.boolean(),
  id: z.int().nullable(),
  isbn: z.string(),
  title: z.string(),
  description: z.string(),
  authors: z
    .array(z.object({ id: z.int().nullable(), firstname: z.string(), lastname: z.string() }))
    .max(MAX_AUTHORS),
  genres: z.array(z.object({ id: z.int().nullable(), name: z.string() })).max(MAX_GENRES),
  publisher: z.object({ id: z.int().nullable(), name: z.string() }).nullable(),
  /** As exactly as the service knows it; null where it is not known to the year. */
  published: z.string().nullable(),
  /** ISO 639; null where nobody knows it. */
  language: z.string().nullable(),
  /** Whom it was asked of, the one that answered last; nobody where the catalogue has the book. */
  asked: askedSchema,
});
export type ExternalBook = z.infer<typeof externalBookSchema>;

const line = (longest: number, error: () => string) =>
  z.string().trim().min(1, { error }).max(longest, { error });

const common = {
  /** Null for one that is added. */
  id: z.uuid().nullable(),
  name: line(60, m.source_name_wrong),
  /** Milliseconds for an answer; of a harvest, for each page. */
  timeLimit: z
    .int({ error: m.source_time_wrong })
    .min(200, { error: m.source_time_wrong })
    .max(60_000, { error: m.source_time_wrong }),
  on: z.boolean(),
};
const remote = {
  ...common,
  address: z
    .url({ protocol: /^https?$/, error: m.source_address_wrong })
    .max(500, { error: m.source_address_wrong })
    // It is shown to every admin.
    .refine((text) => !URL.canParse(text) || new URL(text).username + new URL(text).password === '', {
      error: m.source_address_password,
    }),
  /** What the source calls MARCXML. */
  format: z
    .string()
    .trim()
    .regex(/^[\w.:/-]{1,100}$/, { error: m.source_format_wrong }),
};

/** Where the details of a book can be asked for by its ISBN, or records be followed. */
export const sourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open-library'), ...common }),
  z.object({ kind: z.literal('google-books'), ...common }),
  z.object({
    kind: z.literal('sru'),
    ...remote,
    /** The index of ISBNs. */
    index: z
      .string()
      .trim()
      .regex(/^[\w.]{1,60}$/, { error: m.source_index_wrong }),
  }),
  z.object({
    kind: z.literal('oai-pmh'),
    ...remote,
    /** Empty for all that there is. */
    set: z
      .string()
      .trim()
      .regex(/^[\w.:()!~*'-]{0,100}$/, { error: m.source_set_wrong }),
    /** New records become books without anybody looking; others wait in any case. */
    takesNew: z.boolean(),
  }),
]);
export type BookSource = z.infer<typeof sourceSchema>;
export const sourcesSchema = z
  .array(sourceSchema)
  .max(MAX_SOURCES, { error: () => m.source_too_many({ most: MAX_SOURCES }) });

export const SOURCE_KINDS = {
  'open-library': m.source_kind_open_library,
  'google-books': m.source_kind_google_books,
  sru: m.source_kind_sru,
  'oai-pmh': m.source_kind_oai_pmh,
} as const satisfies Record<BookSource['kind'], () => string>;

/** Until somebody changes them. */
export const USUAL_SOURCES: readonly BookSource[] = [
  {
    ...{ kind: 'open-library', id: '6f1cfe6a-5d0b-4b4e-8a52-0c5a2f1d7a01' },
    ...{ name: 'Open Library', timeLimit: 3500, on: true },
  },
  {
    ...{ kind: 'google-books', id: '6f1cfe6a-5d0b-4b4e-8a52-0c5a2f1d7a02' },
    ...{ name: 'Google Books', timeLimit: 3500, on: true },
  },
];

/** How a set was followed last; it is under way while nothing is said of its end. */
export const harvestSchema = z.object({
  sourceId: z.uuid(),
  beganAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** Null where all went well; then what the source said. */
  outcome: outcomeSchema.nullable(),
  detail: z.string(),
  records: z.int(),
  deleted: z.int(),
  /** Where the records wait. */
  importId: z.uuid().nullable(),
  /** The day (UTC) from which it is asked for changes next; null: all of it. */
  since: z.iso.date().nullable(),
});
export type Harvest = z.infer<typeof harvestSchema>;

const viewSchema = z.object({
  sources: sourcesSchema,
  version: z.int(),
  /** Null while they are the usual ones. */
  changedAt: z.iso.datetime().nullable(),
  changedBy: z.string().nullable(),
  harvests: z.array(harvestSchema).max(MAX_SOURCES),
});
export type BookSources = z.infer<typeof viewSchema>;

const staff = { may: ['imports'], tag: 'BookSource' } as const;

/** "Fetch Details" of the book form (specification, sections 2 and 7). */
export const findExternalBook = call('GET BookExternalFetch/fetch-from-external', {
  may: ['books'],
  query: z.object({ isbn: isbnSchema }),
  answer: externalBookSchema,
});

export const readBookSources = call('GET BookSource', { ...staff, answer: viewSchema });

/** All of them, in the order in which they are asked. */
export const changeBookSources = call('PUT BookSource', {
  ...staff,
  body: z.object({ version: z.int().min(0), sources: sourcesSchema }),
  answer: viewSchema,
});

const triedSchema = z.object({
  id: z.uuid(),
  outcome: outcomeSchema,
  /** Of the book that was found. */
  title: z.string(),
  milliseconds: z.int(),
});
export type TriedSource = z.infer<typeof triedSchema>;

/** Asks every source at once, also those that are switched off. */
export const tryBookSources = call('GET BookSource/try', {
  ...staff,
  query: z.object({ isbn: isbnSchema }),
  answer: z.array(triedSchema).max(MAX_SOURCES),
});

/** Follows a set now, as it is done every night; by a job. */
export const harvestSource = call('POST BookSource/:id/harvest', {
  ...staff,
  params: z.object({ id: z.uuid() }),
  answer: viewSchema,
  status: 202,
});
