import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { openEnum } from '../open-enum.js';
import { oneLine } from '../plain-text.js';
import { waiveFee, waiverBodySchema } from './borrow-calls.js';
import { WAIVER_REASONS } from './borrow-events.js';
import { MAX_BOOKS_PER_BORROW } from './borrow-views.js';

/** `overtaken`: the fee has changed since it was asked for, so nothing was waived. */
const STATES = ['open', 'approved', 'declined', 'withdrawn', 'overtaken'] as const;
export type WaiverRequestState = (typeof STATES)[number];
export const waiverRequestStateSchema = z.enum(STATES);

const ANSWERS = ['approve', 'decline', 'withdraw'] as const;
export type WaiverAnswer = (typeof ANSWERS)[number];

export const MAX_WAIVER_REQUESTS = 100;

/** Somebody asks others, who may waive more, to approve a waiver. Amounts in PLN. */
const waiverRequestSchema = z.object({
  id: z.uuid(),
  borrow: z.object({
    id: z.uuid(),
    user: z.object({ id: z.uuid(), fullname: z.string() }),
    titles: z.array(z.string()).max(MAX_BOOKS_PER_BORROW),
  }),
  amount: z.number(),
  /** All that was due when it was asked for. */
  due: z.number(),
  reason: openEnum(z.enum(WAIVER_REASONS), 'other'),
  note: z.string().nullable(),
  askedBy: z.string(),
  askedAt: z.iso.datetime(),
  /** Whether the caller has asked for it. */
  isOwn: z.boolean(),
  state: openEnum(waiverRequestStateSchema),
  /** Who approved or declined it, or found the fee changed, and what they say of it. */
  answeredBy: z.string().nullable(),
  answer: z.string().nullable(),
  /** What the caller may do with it. */
  mayBe: z.array(openEnum(z.enum(ANSWERS))).max(ANSWERS.length),
});
export type WaiverRequest = z.infer<typeof waiverRequestSchema>;

/** Those that wait for an answer, and what became of the caller's own in the last days; the newest first. */
export const listWaiverRequests = call('GET Borrow/waiver-requests', {
  may: waiveFee.may,
  answer: z.array(waiverRequestSchema).max(MAX_WAIVER_REQUESTS),
});

/** Asks for a waiver above what the caller may waive alone. A borrow has one such request at a time. */
export const askForWaiver = call('POST Borrow/waiver-requests', {
  may: waiveFee.may,
  query: waiveFee.query,
  body: waiverBodySchema,
  answer: z.object({ id: z.uuid() }),
  status: 201,
  keyed: true,
});

/**
 * Somebody else who may waive as much approves the request, which waives the fee, or declines it with a word; whoever asked may
 * withdraw it. Of several who answer at once, the first one counts.
 */
export const answerWaiverRequest = call('POST Borrow/waiver-requests/:id', {
  may: waiveFee.may,
  params: z.object({ id: z.uuid() }),
  body: z
    .object({
      answer: z.enum(ANSWERS),
      note: z.preprocess(emptyAsUndefined, oneLine(z.string().max(500)).optional()),
    })
    .refine(({ answer, note }) => answer !== 'decline' || note !== undefined, {
      path: ['note'],
      error: () => m.borrow_waiver_decline_why(),
    }),
  answer: z.object({ state: waiverRequestStateSchema }),
});
