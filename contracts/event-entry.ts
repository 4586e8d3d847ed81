import { z } from 'zod';

/** Turns the data of one version of an event into the data of the next. */
export type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>;

/** What every event is read by. */
export interface EventEntry<Data extends z.ZodObject = z.ZodObject> {
  /** The version that it is written in today. */
  version: number;
  /** The steps from version 1 on: the first one makes version 2 of version 1. */
  upcasters?: readonly Upcaster[];
  data: Data;
}

/** The pictograms that a screen has for events. */
export type EventMark =
  'rented' | 'issued' | 'renewed' | 'expired' | 'charged' | 'paid' | 'returned' | 'undone';

/** What people who look at a history read and see of an event. */
export interface EventWords {
  word: string;
  mark: EventMark;
}

/** What is stored beside the data of every event. `actor` is a person's pseudonym, or the name of a job. */
export const eventMetadataSchema = z.object({
  actor: z.string(),
  /** One id for everything that one request set in motion. Also what the EventStoreDB projections look for. */
  $correlationId: z.string(),
  $causationId: z.string(),
  /** Names the command, so that repeating it can be recognised; derived from its idempotency key. */
  commandId: z.uuid(),
  /** A digest of what the command asked for: the same key with another request is refused. */
  commandDigest: z.string(),
  schemaVersion: z.int().min(1),
});

export type EventMetadata = z.infer<typeof eventMetadataSchema>;
