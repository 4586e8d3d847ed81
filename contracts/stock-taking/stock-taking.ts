import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { COPY_CONDITIONS, shelfMarkSchema } from '../copies/copy-events.js';
import { pagedSchema, pageQuery } from '../paging.js';
import { oneLine } from '../plain-text.js';

/** Only an open one takes scans; one that was paused or finished can be taken up again. */
export const STOCK_TAKING_STATES = ['open', 'paused', 'finished'] as const;
export type StockTakingState = (typeof STOCK_TAKING_STATES)[number];

/** So many days after it was finished it can be taken up again: then its scans are deleted. */
export const SCAN_RETENTION_DAYS = 30;

/** The first and the last of some shelves, with all that stands on them. */
const shelvesSchema = z.object({ from: shelfMarkSchema, until: shelfMarkSchema });

/** Of some shelves, or (null) of the whole house. */
export const newStockTakingSchema = z.object({
  name: oneLine(
    z
      .string()
      .trim()
      .min(1, { error: () => m.stock_name_missing() })
      .max(80, { error: () => m.common_at_most_characters({ most: 80 }) }),
  ),
  shelves: shelvesSchema.nullable().default(null),
});
export type NewStockTaking = z.infer<typeof newStockTakingSchema>;

const stockTakingSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  shelves: shelvesSchema.nullable(),
  state: z.enum(STOCK_TAKING_STATES),
  startedAt: z.iso.datetime(),
  /** Null where the account is gone. */
  startedBy: z.string().nullable(),
  /** Codes, whatever they are. */
  scanned: z.int(),
  /** False once its scans were deleted: its figures and lists are those of that day, and it cannot be taken up again. */
  scansKept: z.boolean(),
});
export type StockTaking = z.infer<typeof stockTakingSchema>;

export const STOCK_TAKINGS_PAGE_SIZE = 20;

/**
 * What a stock-taking finds.
 * - `missing`: it should stand here, and was not scanned
 * - `misplaced`: it was scanned here, and its shelf mark is of elsewhere
 * - `unmarked`: it was scanned here, and has no shelf mark
 * - `found`: it was scanned, and is said to be lost, damaged or withdrawn
 * - `lent`: it was scanned, and is said to be with a reader
 * - `unknown`: what was scanned is no copy of this library
 */
export const FINDING_KINDS = ['missing', 'misplaced', 'unmarked', 'found', 'lent', 'unknown'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/**
 * What can be done about a finding. `move`: the copy gets the mark of the shelf where it was scanned; `leave`: nothing is
 * changed, and the finding is dealt with (it was put back, or thrown out).
 */
export const RESOLVING_ACTIONS = ['lost', 'move', 'bring-back', 'leave'] as const;
export type ResolvingAction = (typeof RESOLVING_ACTIONS)[number];

/** Which of them there are for a finding. A lent copy that is here is taken back with its borrow. */
export const ACTIONS_OF: Record<FindingKind, readonly ResolvingAction[]> = {
  missing: ['lost', 'leave'],
  misplaced: ['leave', 'move'],
  unmarked: ['move', 'leave'],
  found: ['bring-back', 'leave'],
  lent: ['leave'],
  unknown: ['leave'],
};

/** What is said at once of a code that was scanned; `in-place`: all is well. */
export const VERDICTS = ['in-place', ...FINDING_KINDS] as const;
export type Verdict = (typeof VERDICTS)[number];

const findingsCountSchema = z.object({
  missing: z.int(),
  misplaced: z.int(),
  unmarked: z.int(),
  found: z.int(),
  lent: z.int(),
  unknown: z.int(),
});

const stockTakingStandingSchema = stockTakingSchema.extend({
  /** Copies that should stand here now. */
  expected: z.int(),
  /** Of those, how many were scanned. */
  seen: z.int(),
  /** What is still to be dealt with. */
  open: findingsCountSchema,
  resolved: z.int(),
});
export type StockTakingStanding = z.infer<typeof stockTakingStandingSchema>;

/** Codes that one call takes. */
export const MAX_SCANS = 500;
const MAX_CODE = 60;

const scansBodySchema = z.object({
  shelf: shelfMarkSchema.nullable().default(null),
  codes: z
    .array(
      oneLine(
        z
          .string()
          .trim()
          .min(1, { error: () => m.stock_code_empty() })
          .max(MAX_CODE),
      ),
    )
    .min(1)
    .max(MAX_SCANS, { error: () => m.stock_codes_too_many({ most: MAX_SCANS }) }),
});
export type ScansBody = z.infer<typeof scansBodySchema>;

/** One for each code, in the order of the call. */
const scanAnswerSchema = z
  .array(
    z.object({
      /** As it is kept. */
      code: z.string(),
      verdict: z.enum(VERDICTS),
      /** It was scanned in this stock-taking before. */
      again: z.boolean(),
      bookId: z.int().nullable(),
      title: z.string().nullable(),
      shelfMark: z.string().nullable(),
      condition: z.enum(COPY_CONDITIONS).nullable(),
    }),
  )
  .max(MAX_SCANS);
export type ScanAnswer = z.infer<typeof scanAnswerSchema>;
export type ScanVerdict = ScanAnswer[number];

export const FINDINGS_PAGE_SIZE = 50;

const findingsQuerySchema = z.object({
  kind: z.enum(FINDING_KINDS),
  ...pageQuery(FINDINGS_PAGE_SIZE),
});
export type FindingsQuery = z.infer<typeof findingsQuerySchema>;

export const findingSchema = z.object({
  /** Of the copy; for an unknown one, what was scanned. */
  code: z.string(),
  bookId: z.int().nullable(),
  title: z.string().nullable(),
  shelfMark: z.string().nullable(),
  condition: z.enum(COPY_CONDITIONS).nullable(),
  /** Null for what is missing. */
  scan: z
    .object({ shelf: z.string().nullable(), at: z.iso.datetime(), by: z.string().nullable() })
    .nullable(),
  /** Of a lent one. */
  borrow: z
    .object({
      id: z.uuid(),
      user: z.object({ id: z.uuid(), fullname: z.string() }),
      dueDate: z.iso.datetime().nullable(),
    })
    .nullable(),
});
export type Finding = z.infer<typeof findingSchema>;
const findingPageSchema = pagedSchema(findingSchema);

/** Findings that one call deals with by changing their copies. */
export const MAX_RESOLVED = 100;
const knownCode = oneLine(z.string().max(MAX_CODE));
const codes = z
  .array(knownCode)
  .min(1)
  .max(MAX_RESOLVED, { error: () => m.stock_codes_too_many({ most: MAX_RESOLVED }) });

const resolveBodySchema = z
  .object({
    kind: z.enum(FINDING_KINDS),
    action: z.enum(RESOLVING_ACTIONS),
    /** Made up by the caller: what belongs together, and can be undone together. */
    batch: z.uuid(),
    codes: codes.optional(),
    /** Without `codes`: what comes after this one, as the call before answered it. */
    after: knownCode.optional(),
  })
  .refine(({ kind, action }) => ACTIONS_OF[kind].includes(action), {
    path: ['action'],
    error: () => m.stock_action_impossible(),
  });
export type ResolveBody = z.infer<typeof resolveBodySchema>;

const resolvedAnswerSchema = z.object({
  done: z.int(),
  /** With the reason in words; these are as they were. */
  refused: z.array(z.object({ code: z.string(), reason: z.string() })).max(MAX_RESOLVED),
  /** Where the next call begins; null at the end. */
  next: z.string().nullable(),
});
export type ResolvedAnswer = z.infer<typeof resolvedAnswerSchema>;

const undoResolvingSchema = z.union([
  z.object({ codes }),
  z.object({ batch: z.uuid(), after: knownCode.optional() }),
]);
export type UndoResolving = z.infer<typeof undoResolvingSchema>;

export const resolutionSchema = z.object({
  code: z.string(),
  bookId: z.int().nullable(),
  title: z.string().nullable(),
  kind: z.enum(FINDING_KINDS),
  action: z.enum(RESOLVING_ACTIONS),
  at: z.iso.datetime(),
  by: z.string().nullable(),
});
export type Resolution = z.infer<typeof resolutionSchema>;
const resolutionPageSchema = pagedSchema(resolutionSchema);

const staff = { may: ['stocktaking'] } as const;
const ofOne = { ...staff, params: z.object({ id: z.uuid() }) } as const;

export const listStockTakings = call('GET StockTaking', {
  ...staff,
  query: z.object(pageQuery(STOCK_TAKINGS_PAGE_SIZE)),
  answer: pagedSchema(stockTakingSchema),
});

/** The same key is the same stock-taking. */
export const startStockTaking = call('POST StockTaking', {
  ...staff,
  body: newStockTakingSchema,
  answer: stockTakingSchema,
  status: 201,
  keyed: true,
});

export const readStockTaking = call('GET StockTaking/:id', { ...ofOne, answer: stockTakingStandingSchema });

/** Pauses it, finishes it, takes it up again. */
export const changeStockTaking = call('PUT StockTaking/:id', {
  ...ofOne,
  body: z.object({ state: z.enum(STOCK_TAKING_STATES) }),
  answer: stockTakingSchema,
});

/** What a scanner read at one shelf, in its order. */
export const sendScans = call('POST StockTaking/:id/scans', {
  ...ofOne,
  body: scansBodySchema,
  answer: scanAnswerSchema,
});

export const listFindings = call('GET StockTaking/:id/findings', {
  ...ofOne,
  query: findingsQuerySchema,
  answer: findingPageSchema,
});

/** Deals with these codes, or with all that there are, from the first one on. */
export const resolveFindings = call('POST StockTaking/:id/resolve', {
  ...ofOne,
  body: resolveBodySchema,
  answer: resolvedAnswerSchema,
  takesLong: true,
});

/** Takes that back of these codes, or of what was resolved together, as far as one call goes. */
export const undoResolutions = call('POST StockTaking/:id/undo', {
  ...ofOne,
  body: undoResolvingSchema,
  answer: resolvedAnswerSchema,
  takesLong: true,
});

export const listResolutions = call('GET StockTaking/:id/resolutions', {
  ...ofOne,
  query: z.object(pageQuery(FINDINGS_PAGE_SIZE)),
  answer: resolutionPageSchema,
});
