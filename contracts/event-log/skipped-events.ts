import * as m from '#words/messages.js';
import { z } from 'zod';
import type { EventEntry, EventLabels } from '../event-entry.js';

/** Why an event was skipped. A reason in words is a note under the decision's id, and never in the log. */
export const SKIP_CODES = ['unreadable', 'out-of-order', 'damaged', 'other'] as const;

/** Decisions of the operator about a stream. They lie in the stream that they speak of, whatever its category. */
export const STREAM_DECISIONS = {
  /** An earlier event of this stream, which can be neither read nor applied, is left out from here on. */
  EventSkipped: {
    version: 1,
    data: z.object({
      revision: z.int().min(0),
      eventId: z.uuid(),
      code: z.enum(SKIP_CODES),
      skippedAt: z.iso.datetime(),
    }),
    label: m.event_skipped,
    icon: 'undone',
    noted: true,
  },
} as const satisfies Record<string, EventEntry & EventLabels & { noted: boolean }>;

export type EventSkipped = {
  type: 'EventSkipped';
  data: z.infer<(typeof STREAM_DECISIONS)['EventSkipped']['data']>;
};

/** What it takes to decide whether a recorded event counts. */
export interface RecordedInStream {
  readonly id: string;
  readonly type: string;
  readonly revision: bigint;
  readonly data: unknown;
}

/** The event that a recorded one skips; nothing where it is no such decision, or one that cannot be read. */
export function skippedBy({ type, revision, data }: RecordedInStream): EventSkipped['data'] | undefined {
  if (type !== 'EventSkipped') return undefined;
  const decision = STREAM_DECISIONS.EventSkipped.data.safeParse(data).data;
  return decision && BigInt(decision.revision) < revision ? decision : undefined;
}

/**
 * The events of a stream, or of a part of it, that count: without those that a later one of them skips. A decision
 * counts from its own place on, so a part that ends before it has the event still.
 * @param events in their order, as recorded: what was skipped need not be readable
 */
export function withoutSkipped<Recorded extends RecordedInStream>(events: readonly Recorded[]): Recorded[] {
  const decisions = events.flatMap((event) => skippedBy(event) ?? []);
  if (decisions.length === 0) return [...events];
  const named = new Map(decisions.map(({ revision, eventId }) => [BigInt(revision), eventId]));
  return events.filter(({ id, type, revision }) => type === 'EventSkipped' || named.get(revision) !== id);
}

/** Whether these events skip one that lies at a revision or before it. */
export function skipsUpTo(revision: bigint, events: readonly RecordedInStream[]): boolean {
  return events.some((event) => {
    const decision = skippedBy(event);
    return decision !== undefined && BigInt(decision.revision) <= revision;
  });
}
