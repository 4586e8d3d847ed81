import { TOMBSTONE, isMetastream, type ExpectedRevision, type ProposedEvent } from './recorded-event.js';
import { lastRevision, type StreamState } from './stream-state.js';
import { appendTooLarge } from './store-error.js';

/** Where an event was written. */
export interface EventPlace {
  stream: string;
  revision: bigint;
  position: bigint;
}

/** Finds where events with an id were written. */
export type FindPlaces = (eventId: string) => readonly EventPlace[];

export type AppendVerdict =
  | { verdict: 'write' }
  /** All these events exist already, exactly where this append would have written them. */
  | { verdict: 'written-before'; revision: bigint; position: bigint }
  | { verdict: 'wrong-expected-version'; current: bigint }
  | { verdict: 'stream-deleted' };

/**
 * Checks an append by the rules of EventStoreDB.
 * @param state of the described stream
 * @param ids of the events, in order
 */
export function checkAppend(
  state: StreamState,
  stream: string,
  expected: ExpectedRevision,
  ids: readonly string[],
  find: FindPlaces,
): AppendVerdict {
  const current = lastRevision(state, stream);
  if (current === TOMBSTONE) return { verdict: 'stream-deleted' };
  const softDeleted = state.metadata.softDeleted && !isMetastream(stream);
  const wrong: AppendVerdict = { verdict: 'wrong-expected-version', current };

  if (expected === 'stream-exists') {
    if (softDeleted) return { verdict: 'stream-deleted' };
    if (current < 0n && (isMetastream(stream) || state.metaRevision < 0n)) return wrong;
  }
  if (expected === 'any' || expected === 'stream-exists') {
    return checkAnywhere(stream, ids, find) ?? wrong;
  }

  const before = expected === 'no-stream' ? -1n : expected;
  if (before > current) return wrong;
  if (before === current) return { verdict: 'write' };
  const repeated = checkAt(stream, before + 1n, ids, find);
  if (repeated !== 'new') return repeated ?? wrong;
  return expected === 'no-stream' && softDeleted ? { verdict: 'write' } : wrong;
}

/** @returns nothing if only some of the events were written before: neither a repeat nor a valid append */
function checkAnywhere(stream: string, ids: readonly string[], find: FindPlaces): AppendVerdict | undefined {
  let last: EventPlace | undefined;
  for (const [index, id] of ids.entries()) {
    const place = find(id)
      .filter((candidate) => candidate.stream === stream)
      .reduce<EventPlace | undefined>(
        (first, candidate) => (first && first.revision < candidate.revision ? first : candidate),
        undefined,
      );
    if (!place) return index === 0 ? { verdict: 'write' } : undefined;
    last = place;
  }
  return last ? { verdict: 'written-before', ...placed(last) } : { verdict: 'write' };
}

function checkAt(
  stream: string,
  first: bigint,
  ids: readonly string[],
  find: FindPlaces,
): AppendVerdict | 'new' | undefined {
  let last: EventPlace | undefined;
  for (const [index, id] of ids.entries()) {
    const revision = first + BigInt(index);
    const place = find(id).find(
      (candidate) => candidate.stream === stream && candidate.revision === revision,
    );
    if (!place) return index === 0 ? 'new' : undefined;
    last = place;
  }
  return last && { verdict: 'written-before', ...placed(last) };
}

function placed({ revision, position }: EventPlace): { revision: bigint; position: bigint } {
  return { revision, position };
}

// All that an append may have beside its data, as it is kept in memory until it is written.
const LARGEST_WHOLE = 32 * 1024 * 1024;
const OVERHEAD_BYTES = 300;

/**
 * Adds up the events of one append. The limit applies to their data alone, which is how EventStoreDB counts: their
 * metadata and types are free, so a second, wider limit keeps one append from filling the memory.
 */
export class AppendSize {
  readonly #limit: number;
  #data = 0;
  #whole = 0;

  /** @param limit bytes of data */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws StoreError once the append is too large */
  add({ type, data, metadata }: ProposedEvent): void {
    this.#data += data.length;
    this.#whole += data.length + metadata.length + type.length * 2 + OVERHEAD_BYTES;
    if (this.#data > this.#limit || this.#whole > LARGEST_WHOLE) throw appendTooLarge(this.#limit);
  }
}
