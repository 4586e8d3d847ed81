import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { bookIdSchema, bookListItemSchema, bookParamsSchema } from '../catalogue/book-views.js';
import { pagedSchema, pageQuery } from '../paging.js';
import { oneLine } from '../plain-text.js';
import { borrowStatusSchema } from '../borrowing/borrow-status.js';
import { COPY_EVENT_TYPES, shelfMarkSchema } from './copy-events.js';

/** Where a copy is. `rented`: kept for a reader who has not collected it; `lent`: handed over. */
export const copyStateSchema = z.enum(['on-shelf', 'rented', 'lent', 'lost', 'damaged', 'withdrawn']);
export type CopyState = z.infer<typeof copyStateSchema>;

/** A copy of a book as lists show it. */
const copyViewSchema = z.object({
  /** As its label carries it, unless it came with another one. */
  code: z.string(),
  /** What its barcode says, of a copy that came from elsewhere. */
  label: z.string().nullable(),
  bookId: z.int(),
  /** Its number among the book's copies. */
  copy: z.int(),
  state: copyStateSchema,
  shelfMark: z.string().nullable(),
  note: z.string().nullable(),
  /** Whose it is now, where it is rented or lent. */
  borrow: z
    .object({
      id: z.uuid(),
      user: z.object({ id: z.uuid(), fullname: z.string() }),
      /** Null for a rent that is being stored. */
      status: borrowStatusSchema.nullable(),
      dueDate: z.iso.datetime().nullable(),
      /** False where the book was lent by its title: then this copy is presumed to be the one. */
      isScanned: z.boolean(),
    })
    .nullable(),
});
export type CopyView = z.infer<typeof copyViewSchema>;

export const COPIES_PAGE_SIZE = 20;
const copyListQuerySchema = z.object(pageQuery(COPIES_PAGE_SIZE));
export type CopyListQuery = z.infer<typeof copyListQuerySchema>;

/** A page of them by their numbers, and of all how many are where. */
const copyPageSchema = pagedSchema(copyViewSchema).extend({
  states: z.record(copyStateSchema, z.int().min(0)),
});
export type CopyPage = z.infer<typeof copyPageSchema>;

export const COPY_EVENTS_SHOWN = 200;
export const COPY_BORROWS_SHOWN = 100;

/** What it is, whose it is, and what happened to it. */
const copySchema = copyViewSchema.extend({
  book: z.object({
    id: z.int(),
    isbn: z.string(),
    title: z.string(),
    authors: bookListItemSchema.shape.authors,
    photo: z.object({ url: z.string() }).nullable(),
  }),
  /** The last ones, the oldest first; none for a copy to which nothing has happened outside borrows. */
  history: z
    .array(
      z.object({
        type: z.enum(COPY_EVENT_TYPES),
        at: z.iso.datetime(),
        /** Null where the account is gone. */
        by: z.string().nullable(),
        shelfMark: z.string().nullable(),
      }),
    )
    .max(COPY_EVENTS_SHOWN),
  /** In whose hands it was, as far as its label was scanned: the last ones, the newest first. */
  borrows: z
    .array(
      z.object({
        borrowId: z.uuid(),
        user: z.object({ id: z.uuid(), fullname: z.string() }),
        issueDate: z.iso.datetime(),
        /** Null while it is there. */
        returnDate: z.iso.datetime().nullable(),
      }),
    )
    .max(COPY_BORROWS_SHOWN),
});
export type Copy = z.infer<typeof copySchema>;

const blankIsNone = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value);

const shelfMark = z.preprocess(blankIsNone, shelfMarkSchema.nullable());
const LONGEST_NOTE = 500;
/** For people at the desk; it is kept beside the log. */
const note = z.preprocess(
  blankIsNone,
  oneLine(
    z
      .string()
      .trim()
      .max(LONGEST_NOTE, { error: () => m.catalogue_too_long({ most: LONGEST_NOTE }) }),
  ).nullable(),
);

const newCopySchema = z.object({
  bookId: bookIdSchema,
  shelfMark: shelfMark.default(null),
  note: note.default(null),
});
export type NewCopy = z.infer<typeof newCopySchema>;

/** What is left out stays. */
export const copyBodySchema = z.object({ shelfMark: shelfMark.optional(), note: note.optional() });
export type CopyBody = z.infer<typeof copyBodySchema>;

/** How many copies are answered at most: a schoolbook may have thousands. */
export const MAX_WHEREABOUTS = 200;

/** Where a copy is, as everybody may know it: `kept` for a reader who collects it. Nothing of who has it. */
export const whereaboutsStateSchema = z.enum(['on-shelf', 'kept', 'lent']);

/** Copies that can be borrowed, those on the shelf first, then those that come back first. */
const whereaboutsSchema = z
  .array(
    z.object({
      /** Its number among the book's copies. */
      copy: z.int(),
      state: whereaboutsStateSchema,
      /** Where it stands when it is there; null where nobody has written it down. */
      shelfMark: z.string().nullable(),
      /** The last day of the loan, of one that is lent; it may be over. */
      dueDate: z.iso.datetime().nullable(),
    }),
  )
  .max(MAX_WHEREABOUTS);
export type Whereabouts = z.infer<typeof whereaboutsSchema>;

const staff = { may: ['copies'], tag: '' } as const;
/** The code of a copy; blanks in it do not matter. */
const onCopy = { ...staff, params: z.object({ id: z.string().max(40) }), answer: copySchema } as const;

export const listCopies = call('GET Book/:id/copies', {
  ...staff,
  params: bookParamsSchema,
  query: copyListQuerySchema,
  answer: copyPageSchema,
});

export const readWhereabouts = call('GET Book/:id/whereabouts', {
  may: ['Everybody'],
  tag: '',
  params: bookParamsSchema,
  answer: whereaboutsSchema,
});

export const readCopy = call('GET Copy/:id', onCopy);

/** One more copy of a book. */
export const addCopy = call('POST Copy', {
  ...staff,
  body: newCopySchema,
  answer: copySchema,
  status: 201,
  keyed: true,
});

export const editCopy = call('PUT Copy/:id', { ...onCopy, body: copyBodySchema });
export const withdrawCopy = call('POST Copy/:id/withdraw', onCopy);
export const reportCopyLost = call('POST Copy/:id/lost', onCopy);
export const reportCopyDamaged = call('POST Copy/:id/damaged', onCopy);

/** Found, repaired, or kept after all. */
export const bringCopyBack = call('POST Copy/:id/found', onCopy);
