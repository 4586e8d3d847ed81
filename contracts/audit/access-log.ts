import { z } from 'zod';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { pageQuery, pagedSchema } from '../paging.js';

/**
 * What somebody looked at: events and timeline, a state, one borrow, a fee, an export, the live end of a history, or what other
 * rules would have done to the reader's fees.
 */
export const accessKindSchema = z.enum(['history', 'state', 'borrow', 'fee', 'export', 'watch', 'what-if']);
export type AccessKind = z.infer<typeof accessKindSchema>;

/** Repeated accesses of one kind by one person to one reader are recorded once in this many minutes; exports always. */
export const ACCESS_DEDUPLICATION_MINUTES = 10;

export const ACCESS_LOG_PAGE_SIZE = 20;

/** The latest first. */
export const accessLogQuerySchema = z.object({
  /** Only looks at this reader. */
  readerId: z.preprocess(emptyAsUndefined, z.uuid().optional()),
  ...pageQuery(ACCESS_LOG_PAGE_SIZE),
});
export type AccessLogQuery = z.infer<typeof accessLogQuerySchema>;

const person = z.object({ id: z.uuid(), fullname: z.string() });

export const accessLogEntrySchema = z.object({
  at: z.iso.datetime(),
  who: person,
  whom: person,
  what: accessKindSchema,
  /** The parameters of the first access in the window: ids, revisions, instants; never a name. */
  parameters: z.record(z.string(), z.union([z.string(), z.number()])).meta({ maxProperties: 10 }),
  correlationId: z.string(),
});
export type AccessLogEntry = z.infer<typeof accessLogEntrySchema>;
export const accessLogPageSchema = pagedSchema(accessLogEntrySchema);
