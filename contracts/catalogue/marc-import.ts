import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import {
  importRowShape,
  importShape,
  IMPORT_FILE_FIELD,
  IMPORT_ROWS_PAGE_SIZE,
  IMPORTS_SHOWN,
  MAX_CANDIDATES,
} from '../imports.js';
import { pageQuery, pagedSchema } from '../paging.js';
import { bookIdSchema } from './book-views.js';

/** What a record can say otherwise than the catalogue, each with its name. */
export const MARC_FIELD_LABELS = {
  title: m.common_book_title,
  originalTitle: m.marc_field_original_title,
  otherTitles: m.marc_field_other_titles,
  authors: m.common_authors,
  publisher: m.common_publisher,
  published: m.marc_field_published,
  language: m.common_language,
  series: m.marc_field_series,
  genres: m.common_genres,
  description: m.common_description,
  price: m.marc_field_price,
  shelfMarks: m.marc_field_shelf_marks,
  copies: m.common_copies,
} as const satisfies Record<string, () => string>;
export type ImportField = keyof typeof MARC_FIELD_LABELS;
export const IMPORT_FIELDS = Object.keys(MARC_FIELD_LABELS) as [ImportField, ...ImportField[]];

/** In what a file can win over what the catalogue has. Copies it only adds. */
export type MarcWinner = Exclude<ImportField, 'copies'>;
export const MARC_WINNERS = IMPORT_FIELDS.filter((field) => field !== 'copies') as [
  MarcWinner,
  ...MarcWinner[],
];

/** What is to become of a row: a new book, another record of one that is there, nothing; or a person says which of several. */
export const MARC_OUTCOMES = ['new', 'changed', 'same', 'unsure', 'refused'] as const;
export type MarcOutcome = (typeof MARC_OUTCOMES)[number];

/** What became of a row. */
export const MARC_DONE = ['added', 'changed', 'left', 'undone'] as const;

export const marcImportSchema = z.object({
  ...importShape(MARC_OUTCOMES, MARC_DONE),
  wins: z.array(z.enum(MARC_WINNERS)).max(MARC_WINNERS.length),
});
export type MarcImport = z.infer<typeof marcImportSchema>;

export const marcRowSchema = z.object({
  ...importRowShape(MARC_OUTCOMES, MARC_DONE, IMPORT_FIELDS),
  chosen: z.boolean(),
  /** Empty where the record cannot be read. */
  title: z.string(),
  number: z.string().nullable(),
  bookId: z.int().nullable(),
  candidates: z.array(z.object({ id: z.int(), title: z.string(), isbn: z.string() })).max(MAX_CANDIDATES),
});
export type MarcRow = z.infer<typeof marcRowSchema>;

const staff = { may: ['imports'], tag: 'MarcImport' } as const;
const params = z.object({ id: z.uuid() });
const ofImport = { ...staff, params } as const;

/** The file is read as it comes: it may be of any size. What it would do is then to be looked at; nothing is done yet. */
export const stageMarc = call('POST MarcImport', {
  ...staff,
  body: z.object({}),
  upload: IMPORT_FILE_FIELD,
  answer: z.object({ id: z.uuid() }),
  status: 201,
  takesLong: true,
});

export const listMarcImports = call('GET MarcImport', {
  ...staff,
  answer: z.array(marcImportSchema).max(IMPORTS_SHOWN),
});

export const readMarcImport = call('GET MarcImport/:id', { ...ofImport, answer: marcImportSchema });

export const listMarcRows = call('GET MarcImport/:id/rows', {
  ...ofImport,
  query: z.object({
    Outcome: z.preprocess(emptyAsUndefined, z.enum(MARC_OUTCOMES).optional()),
    ...pageQuery(IMPORT_ROWS_PAGE_SIZE),
  }),
  answer: pagedSchema(marcRowSchema),
});

/** In which fields the file wins, which is proposed for the next file too. */
export const chooseMarcWinners = call('PUT MarcImport/:id/wins', {
  ...ofImport,
  body: z.object({ wins: z.array(z.enum(MARC_WINNERS)).max(MARC_WINNERS.length) }),
  answer: marcImportSchema,
});

/** Chooses rows, or all of one outcome, to be done or not. */
export const chooseMarcRows = call('PUT MarcImport/:id/chosen', {
  ...ofImport,
  body: z
    .object({
      chosen: z.boolean(),
      outcome: z.enum(['new', 'changed']).optional(),
      places: z.array(z.int().min(1)).max(1000).optional(),
    })
    .refine(({ outcome, places }) => (outcome === undefined) !== (places === undefined), {
      error: m.marc_choose_what,
    }),
  answer: marcImportSchema,
});

/** Of which book an unsure row is: one of its candidates, or null for a new one. */
export const settleMarcRow = call('PUT MarcImport/:id/rows/:place', {
  ...staff,
  params: params.extend({ place: z.coerce.number().int().min(1) }),
  body: z.object({ bookId: bookIdSchema.nullable() }),
  answer: marcRowSchema,
});

const begins = { ...ofImport, answer: marcImportSchema, status: 202 } as const;
/** Does what is chosen, as a job. */
export const runMarcImport = call('POST MarcImport/:id/run', begins);
/** Takes back all that it did, but what somebody has changed or lent since. */
export const undoMarcImport = call('POST MarcImport/:id/undo', begins);
/** Its rows go, and what undoing it would need; the books stay. */
export const forgetMarcImport = call('DELETE MarcImport/:id', {
  ...ofImport,
  answer: z.object({ deleted: z.int() }),
});
