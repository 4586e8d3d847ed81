import { z } from 'zod';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { READER_EVENT_TYPES } from '../holds/hold-events.js';
import { pageQuery, pagedSchema } from '../paging.js';

export const readerPathSchema = z.object({ readerId: z.uuid() });

/** Whose a hold is. */
export const holderSchema = z.object({ user: z.object({ id: z.uuid(), fullname: z.string() }) });
export type Holder = z.infer<typeof holderSchema>;

export const AUDIT_READERS_PAGE_SIZE = 10;

/** By name, username, email, or the whole id, which also finds a removed account's history. */
export const auditReadersQuerySchema = z.object({
  SearchTerm: z.string().max(200).default(''),
  ...pageQuery(AUDIT_READERS_PAGE_SIZE),
});
export type AuditReadersQuery = z.infer<typeof auditReadersQuerySchema>;

export const auditReaderSchema = z.object({
  id: z.uuid(),
  fullname: z.string(),
  /** Empty where the account is removed. */
  userName: z.string(),
  email: z.string(),
  borrows: z.int().min(0),
  /** Events in their stream. */
  events: z.int().min(0),
});
export type AuditReader = z.infer<typeof auditReaderSchema>;
export const auditReaderPageSchema = pagedSchema(auditReaderSchema);

/** Who did it: an account or a device of self-service, with its name as it is now, or one of the library's jobs. */
export const actorSchema = z.object({
  /** The id of an account or a device, or the job's name. */
  id: z.string(),
  name: z.string(),
  kind: z.enum(['account', 'removed account', 'device', 'job']),
});
export type Actor = z.infer<typeof actorSchema>;

/** An event as it is stored. Its type is a text: a newer release may have written one that this one does not know. */
export const auditEventSchema = z.object({
  revision: z.int().min(0),
  /** Log position, a decimal number too large for a double. */
  position: z.string(),
  id: z.uuid(),
  type: z.string(),
  /** When it was appended. */
  recordedAt: z.iso.datetime(),
  /** The event's own time, from its command; null if it is not known. */
  occurredAt: z.iso.datetime().nullable(),
  borrowId: z.uuid().nullable(),
  actor: actorSchema,
  /** Who asked for it, where somebody else had to approve it. */
  askedBy: actorSchema.optional(),
  correlationId: z.string().nullable(),
  causationId: z.string().nullable(),
  /** The version of the rules that were applied, if the event names it. */
  policyVersion: z.int().nullable(),
  schemaVersion: z.int().nullable(),
  /** As stored, not upcast. */
  data: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()),
  /** The reason for a decision, in a person's words. Stored beside the log; absent if there is none or it was erased. */
  note: z.string().optional(),
});
export type AuditEvent = z.infer<typeof auditEventSchema>;

const MAX_AUDIT_EVENTS = 1000;

/** In their order, those after a revision. */
export const auditEventsQuerySchema = z.object({
  after: z.coerce.number().int().min(-1).max(Number.MAX_SAFE_INTEGER).default(-1),
  limit: z.coerce.number().int().min(1).max(MAX_AUDIT_EVENTS).default(100),
  /** Only events of this type. */
  kind: z.preprocess(emptyAsUndefined, z.enum(READER_EVENT_TYPES).optional()),
  /** Only events of this borrow. */
  borrowId: z.preprocess(emptyAsUndefined, z.uuid().optional()),
});
export type AuditEventsQuery = z.infer<typeof auditEventsQuerySchema>;

export const auditEventsSchema = z.object({
  items: z.array(auditEventSchema).max(MAX_AUDIT_EVENTS),
  /** Events in the stream. */
  totalCount: z.int().min(0),
  /** The number of matching events, on all pages. */
  matchingCount: z.int().min(0),
  /** Of the last event in the stream, -1 where there is none. */
  lastRevision: z.int().min(-1),
  /** `after` of the next page; null on the last one. */
  nextAfter: z.int().nullable(),
});
export type AuditEvents = z.infer<typeof auditEventsSchema>;
