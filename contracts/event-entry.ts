import { z } from 'zod';

/** Turns the data of one version of an event into the data of the next. */
export type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>;

/** How an event is read. */
export interface EventEntry<Data extends z.ZodObject = z.ZodObject> {
  /** The current version. */
  version: number;
  /** The steps from version 1 on: the first one turns version 1 into version 2. */
  upcasters?: readonly Upcaster[];
  data: Data;
}

/** The pictograms that a screen has for events. */
export type EventIcon =
  | 'rented'
  | 'issued'
  | 'renewed'
  | 'expired'
  | 'charged'
  | 'paid'
  | 'waived'
  | 'returned'
  | 'undone'
  | 'arrived'
  | 'moved'
  | 'gone';

/** How an event is shown in a history. */
export interface EventLabels {
  label: () => string;
  icon: EventIcon;
}

/** What is stored beside the data of every event. `actor` is a person's pseudonym, or the name of a job. */
export const eventMetadataSchema = z.object({
  actor: z.string(),
  /** One id for everything that one request caused. EventStoreDB's projections use it too. */
  $correlationId: z.string(),
  $causationId: z.string(),
  /** Identifies the command, so that a repeat is recognised; derived from its idempotency key. */
  commandId: z.uuid(),
  /** A digest of the request: the same key with another request is refused. */
  commandDigest: z.string(),
  schemaVersion: z.int().min(1),
});

export type EventMetadata = z.infer<typeof eventMetadataSchema>;
