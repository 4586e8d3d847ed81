import * as m from '#words/messages.js';
import { z } from 'zod';
import { foundReadersSchema } from '../accounts/reader-card.js';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { call } from '../call.js';
import { MAX_AUTHORS } from '../catalogue/book-views.js';
import { COPY_CONDITIONS } from '../copies/copy-events.js';
import { oneLine } from '../plain-text.js';
import { BOOK_KINDS } from '../rules/kinds.js';

const person = z.object({ id: z.uuid(), fullname: z.string() });

/** A reader who has, or may have, the book that was scanned. */
const holderSchema = z.object({
  borrowId: z.uuid(),
  user: person,
  dueDate: z.iso.datetime().nullable(),
});
export type Holder = z.infer<typeof holderSchema>;

/** Holders that are named, where nobody knows which of them brought the book. */
export const HOLDERS_SHOWN = 20;

/** A book that was scanned, by the label of a copy or by its ISBN, and how it stands with readers. */
const scannedBookSchema = z.object({
  kind: z.literal('book'),
  book: z.object({
    id: z.int(),
    isbn: z.string(),
    title: z.string(),
    authors: z.array(z.string()).max(MAX_AUTHORS),
    kind: z.enum(BOOK_KINDS),
  }),
  /** Null where the ISBN was scanned. */
  copy: z
    .object({
      code: z.string(),
      condition: z.enum(COPY_CONDITIONS),
      shelfMark: z.string().nullable(),
      note: z.string().nullable(),
    })
    .nullable(),
  /**
   * Who has it: one, where the copy is known to be theirs or nobody else has the title; else each of those who may, the most
   * probable first, at most `HOLDERS_SHOWN`.
   */
  holders: z.array(holderSchema).max(HOLDERS_SHOWN),
  /** Readers who lost it and are charged for it: this copy or, where the ISBN was scanned, a copy of the title. */
  lostBy: z.array(holderSchema).max(HOLDERS_SHOWN),
  /** The label of this copy was scanned when the one holder got it: nobody else can have it. */
  isKnown: z.boolean(),
  /** For whom this copy is kept, or one of the title. */
  keptFor: z
    .object({ borrowId: z.uuid(), user: person, collectBy: z.iso.datetime(), isThisCopy: z.boolean() })
    .nullable(),
  /** What the reader at the desk has to do with the title: it waits for them, or they have it. */
  ofReader: z
    .object({ borrowId: z.uuid(), state: z.enum(['reserved', 'lent']), dueDate: z.iso.datetime().nullable() })
    .nullable(),
});
export type ScannedBook = z.infer<typeof scannedBookSchema>;

const scannedSchema = z.discriminatedUnion('kind', [
  foundReadersSchema.extend({ kind: z.literal('reader') }),
  scannedBookSchema,
]);
export type Scanned = z.infer<typeof scannedSchema>;

/** The reader goes, or somebody else comes: the letter of the visit is sent. */
export const endVisit = call('POST Desk/visit-over', {
  may: ['desk'],
  query: z.object({ userId: z.uuid() }),
  /** False where what was done last is not among the letters yet: then the visit ends by itself, a little later. */
  answer: z.object({ ended: z.boolean() }),
});

/** What was scanned or typed. A reading call, and a POST all the same: addresses are logged on the way, bodies are not. */
export const identifyScan = call('POST Desk/scan', {
  may: ['desk'],
  body: z.object({
    scan: oneLine(
      z
        .string()
        .trim()
        .min(1, { error: () => m.desk_scan_missing() })
        .max(200, { error: () => m.common_at_most_characters({ most: 200 }) }),
    ),
    /** The account of the reader at the desk, where books are handed over. */
    readerId: z.preprocess(emptyAsUndefined, z.uuid().optional()),
  }),
  answer: scannedSchema,
});
