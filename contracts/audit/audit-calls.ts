import * as m from '#words/messages.js';
import { z } from 'zod';
import { borrowHistorySchema, borrowPageSchema, historyPageQuerySchema } from '../borrowing/borrow-views.js';
import { call } from '../call.js';
import { pageQuery } from '../paging.js';
import { accessLogPageSchema, accessLogQuerySchema } from './access-log.js';
import { optionalAt, pastBorrowSchema, pastBorrowsSchema, STATE_PAGE_SIZE } from './as-of.js';
import {
  auditEventSchema,
  auditEventsQuerySchema,
  auditEventsSchema,
  auditReaderPageSchema,
  auditReadersQuerySchema,
  holderSchema,
  readerPathSchema,
} from './audit-events.js';
import { feeExplanationSchema } from './fee-explanation.js';
import { EXPORT_MEDIA_TYPE } from './history-export.js';
import { timelineSchema } from './timeline.js';

/** Of a reader's history. Every access is logged before the answer. */
const staff = { may: ['audit'] } as const;
const ofReader = { ...staff, params: readerPathSchema } as const;
const ofBorrow = { ...staff, params: z.object({ borrowId: z.uuid() }) } as const;

/**
 * The caller's own borrows as they are now, as the specification has it: the newest, as many as a page may have. With `pageNumber` a
 * page of them, which the site asks for; with `at` as they were, by pages too.
 */
export const readOwnHistory = call('GET Borrow/history', {
  may: ['SignedIn'],
  query: historyPageQuerySchema.extend({
    at: optionalAt,
    pageNumber: historyPageQuerySchema.shape.pageNumber.unwrap().optional(),
  }),
  answer: borrowPageSchema,
  forms: z.union([borrowHistorySchema, borrowPageSchema, pastBorrowsSchema]),
});

/** Explains the fee of one's own borrow. */
export const explainOwnFee = call('GET Borrow/fee', {
  may: ['SignedIn'],
  query: z.object({ borrowId: z.uuid() }),
  answer: feeExplanationSchema,
});

export const findAuditedReaders = call('GET Audit/readers', {
  ...staff,
  query: auditReadersQuerySchema,
  answer: auditReaderPageSchema,
});

export const readEvents = call('GET Audit/readers/:readerId/events', {
  ...ofReader,
  query: auditEventsQuerySchema,
  answer: auditEventsSchema,
});

export const readEvent = call('GET Audit/readers/:readerId/events/:revision', {
  ...staff,
  params: readerPathSchema.extend({
    revision: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  }),
  answer: auditEventSchema,
});

/** The events after a revision, as many as one answer has. */
export const readTimeline = call('GET Audit/readers/:readerId/timeline', {
  ...ofReader,
  query: z.object({ after: z.coerce.number().int().min(-1).max(Number.MAX_SAFE_INTEGER).default(-1) }),
  answer: timelineSchema,
});

export const readPastBorrows = call('GET Audit/readers/:readerId/state', {
  ...ofReader,
  query: z.object({ at: optionalAt, ...pageQuery(STATE_PAGE_SIZE) }),
  answer: pastBorrowsSchema,
});

export const exportHistory = call('GET Audit/readers/:readerId/export', {
  ...ofReader,
  query: z.object({ format: z.literal('jsonl', { error: m.audit_format_unknown }).default('jsonl') }),
  answer: EXPORT_MEDIA_TYPE,
});

export const readPastBorrow = call('GET Audit/borrows/:borrowId', {
  ...ofBorrow,
  query: z.object({ at: optionalAt }),
  answer: pastBorrowSchema,
});

/** Whoever takes a fee can say what it is for. */
export const explainFee = call('GET Audit/borrows/:borrowId/fee', {
  ...ofBorrow,
  may: ['audit', 'fees'],
  answer: feeExplanationSchema,
});

/** Whose a hold is. */
export const readHolder = call('GET Audit/holds/:holdId', {
  ...staff,
  params: z.object({ holdId: z.uuid() }),
  answer: holderSchema,
});

/** Who looked at whom. */
export const listLooks = call('GET Audit/looks', {
  ...staff,
  query: accessLogQuerySchema,
  answer: accessLogPageSchema,
});
