import { z } from 'zod';

/**
 * The lines of an export, one JSON object each, ended by a line feed:
 * a header, every event in the order of the log, a footer.
 *
 * The chain: `firstHash` is SHA-256 over the canonical JSON of the header without `firstHash`. The `hash` of an
 * event is SHA-256 over the hash before it (as its 64 lower-case hexadecimal digits) followed by the canonical
 * JSON of the line without `hash`. `finalHash` is the hash of the last event, or `firstHash` where there is none.
 *
 * Canonical JSON is that of RFC 8785: object keys in the order of their UTF-16 code units, no white space, texts
 * and numbers as ECMAScript's `JSON.stringify` writes them, in UTF-8.
 */
export const EXPORT_FORMAT = 'lectern-borrow-history';
export const EXPORT_VERSION = 1;
export const EXPORT_MEDIA_TYPE = 'application/jsonl';

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'not a SHA-256 in lower-case hexadecimal digits');

export const exportHeaderSchema = z.strictObject({
  kind: z.literal('header'),
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  library: z.string(),
  readerId: z.uuid(),
  stream: z.string(),
  /** The first and the last revision in the file; -1 for `to` where the reader has no events. */
  from: z.int().min(0),
  to: z.int().min(-1),
  exportedAt: z.iso.datetime(),
  firstHash: hash,
});
export type ExportHeader = z.infer<typeof exportHeaderSchema>;

export const exportEventSchema = z.strictObject({
  kind: z.literal('event'),
  revision: z.int().min(0),
  id: z.string(),
  type: z.string(),
  recordedAt: z.iso.datetime(),
  /** Both as stored. */
  data: z.unknown(),
  metadata: z.unknown(),
  hash,
});
export type ExportEvent = z.infer<typeof exportEventSchema>;

export const exportFooterSchema = z.strictObject({
  kind: z.literal('footer'),
  count: z.int().min(0),
  finalHash: hash,
});
export type ExportFooter = z.infer<typeof exportFooterSchema>;
