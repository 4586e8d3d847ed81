import { z } from 'zod';
import type { EventEntry, EventWords } from '../event-entry.js';

/** Why an event was set aside. A reason in words is a note under the decision's id, and never in the log. */
export const SET_ASIDE_CODES = ['unreadable', 'out-of-order', 'damaged', 'other'] as const;

/** Decisions of the operator about a stream. They lie in the stream that they speak of, whatever its category. */
export const STREAM_DECISIONS = {
  /** An earlier event of this stream, which can be neither read nor applied, is left out from here on. */
  EventSetAside: {
    version: 1,
    data: z.object({
      revision: z.int().min(0),
      eventId: z.uuid(),
      code: z.enum(SET_ASIDE_CODES),
      setAsideAt: z.iso.datetime(),
    }),
    word: 'Event set aside',
    mark: 'undone',
    noted: true,
  },
} as const satisfies Record<string, EventEntry & EventWords & { noted: boolean }>;

export type EventSetAside = {
  type: 'EventSetAside';
  data: z.infer<(typeof STREAM_DECISIONS)['EventSetAside']['data']>;
};

/** What it takes to decide whether a recorded event counts. */
export interface RecordedInStream {
  readonly id: string;
  readonly type: string;
  readonly revision: bigint;
  readonly data: unknown;
}

/** The event that a recorded one sets aside; nothing where it is no such decision, or one that cannot be read. */
export function setAsideBy({ type, revision, data }: RecordedInStream): EventSetAside['data'] | undefined {
  if (type !== 'EventSetAside') return undefined;
  const decision = STREAM_DECISIONS.EventSetAside.data.safeParse(data).data;
  return decision && BigInt(decision.revision) < revision ? decision : undefined;
}

/**
 * The events of a stream, or of a part of it, that count: without those that a later one of them sets aside. A decision
 * counts from its own place on, so a part that ends before it has the event still.
 * @param events in their order, as recorded: what was set aside need not be readable
 */
export function withoutSetAside<Recorded extends RecordedInStream>(events: readonly Recorded[]): Recorded[] {
  const decisions = events.flatMap((event) => setAsideBy(event) ?? []);
  if (decisions.length === 0) return [...events];
  const named = new Map(decisions.map(({ revision, eventId }) => [BigInt(revision), eventId]));
  return events.filter(({ id, type, revision }) => type === 'EventSetAside' || named.get(revision) !== id);
}

/** Whether these events set aside one that lies at a revision or before it. */
export function setAsideUpTo(revision: bigint, events: readonly RecordedInStream[]): boolean {
  return events.some((event) => {
    const decision = setAsideBy(event);
    return decision !== undefined && BigInt(decision.revision) <= revision;
  });
}
