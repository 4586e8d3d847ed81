import type { Readable } from 'node:stream';
import {
  BACKWARDS,
  END,
  FORWARDS,
  NO_STREAM,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
  jsonEvent,
  streamNameFilter,
  type AllStreamSubscription,
  type AppendResult,
  type Position,
  type ReadStreamOptions,
  type RecordedEvent,
  type ResolvedEvent,
  type SubscribeToAllOptions,
} from '@eventstore/db-client';
import {
  CATEGORIES,
  PROJECTED,
  streamNamed,
  streamOf,
  type CategoryName,
  type EventOf,
} from '#contracts/event-log/categories.js';
import * as m from '#words/messages.js';
import { eventMetadataSchema, type EventEntry, type EventMetadata } from '#contracts/event-entry.js';
import { withoutSkipped } from '#contracts/event-log/skipped-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { DatabaseTimeout } from '../database/timed-pool.js';
import { noteStored } from '../deadline.js';
import { availableBatches } from './batched-appends.js';
import { WrongLog } from './log-proof.js';
import { asFirstRecorded } from './recorded-time.js';
import { DEADLINE, DeadlineExceeded, collect, retryWithDeadline } from './retry-with-deadline.js';
import type { ResilientEventStoreClient } from './resilient-event-store-client.js';
import { resubscribing } from './resubscribing.js';
import { mapInTimeSlices } from '../time-slices.js';
import { UnreadableEvent, upcast, type EventPlace } from './upcast.js';

/** Events in a page that is read from the end of a stream. */
const PAGE_FROM_END = 32;

/** Pieces of a subscription, or events that came alone, that are read ahead: a piece has some 32 KB. */
const MAX_PIECES = 128;

/** A position in the whole log. EventStoreDB needs both numbers. */
export type LogPosition = Position;

/** The place of an event. */
interface InLog {
  readonly id: string;
  readonly category: CategoryName;
  /** Of its stream, within the category. */
  readonly key: string;
  readonly revision: bigint;
  readonly position: LogPosition;
  readonly created: Date;
}

/** An event exactly as recorded, unparsed, of any type and version. */
export interface LoggedEvent extends InLog {
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
}

/** A stored event, upcast to its current version. */
export interface StoredEvent<Category extends CategoryName = CategoryName> extends InLog {
  readonly event: EventOf<Category>;
  readonly metadata: EventMetadata;
}

/** An event to store. */
export interface NewEvent<Category extends CategoryName> {
  readonly id: string;
  readonly event: EventOf<Category>;
  readonly metadata: Omit<EventMetadata, 'schemaVersion'>;
}

/** Another process appended to the stream since it was read. */
export class RevisionConflict extends Error {}

/** The log timed out: the events may have been stored, or not. */
class AppendOutcomeUnknown extends DomainError {
  constructor(cause: unknown) {
    super('EventStoreUnavailable', m.error_log_no_answer());
    this.cause = cause;
  }
}

/**
 * Our streams in EventStoreDB, by category and key. Commands read from the cluster's leader only: a follower's data may
 * be stale, and refuse a command for a reason that no longer holds.
 */
export class EventLog {
  private lastAppended = -1n;

  /** @param mayAppend called before each append */
  constructor(
    private readonly client: ResilientEventStoreClient,
    private readonly mayAppend: () => Promise<void> = async () => undefined,
  ) {}

  /** The last position that this process appended to of what the read model is made of; -1 for none. */
  get appended(): bigint {
    return this.lastAppended;
  }

  /**
   * Finds out, once for each connection, whether this is the log that the rows were made of. Every call does so before
   * anything else; who locks these rows asks first, as the answer may have to be written to them.
   * @returns the log's identity; nothing where any log is right
   * @throws WrongLog; the error of the log or the database when it is unavailable
   */
  async confirmIdentity(): Promise<string | undefined> {
    return this.client.confirm();
  }

  /** Finds it out anew before the next call. */
  doubtIdentity(): void {
    this.client.doubt();
  }

  /**
   * The effective events of a stream, in order: without those that a later one skips.
   * @throws DomainError EventStoreUnavailable
   * @throws UnreadableEvent
   */
  async readStream<Category extends CategoryName>(
    category: Category,
    key: string,
  ): Promise<StoredEvent<Category>[]> {
    const recorded = await this.readRecorded(category, key, 0n);
    return mapInTimeSlices(withoutSkipped(recorded), (event) => readAs(category, event));
  }

  /**
   * A part of a stream as recorded, in order; empty if there is no such stream.
   * @param fromRevision the first one
   * @param maxCount all without it
   * @throws DomainError EventStoreUnavailable
   */
  async readRecorded(
    category: CategoryName,
    key: string,
    fromRevision: bigint,
    maxCount?: number,
  ): Promise<LoggedEvent[]> {
    const part = { direction: FORWARDS, fromRevision } as const;
    return this.recorded(streamOf(category, key), maxCount === undefined ? part : { ...part, maxCount });
  }

  /**
   * The newest effective events of a stream, in order, as many as are wanted: read from its end, a page at a time.
   * @param isEnough given all that was read so far
   * @throws DomainError EventStoreUnavailable
   * @throws UnreadableEvent
   */
  async readNewest<Category extends CategoryName>(
    category: Category,
    key: string,
    isEnough: (events: readonly StoredEvent<Category>[]) => boolean,
  ): Promise<StoredEvent<Category>[]> {
    let decisions: LoggedEvent[] = [];
    let events: StoredEvent<Category>[] = [];
    let fromRevision: bigint | typeof END = END;
    for (;;) {
      const page = await this.recorded(streamOf(category, key), {
        direction: BACKWARDS,
        fromRevision,
        maxCount: PAGE_FROM_END,
      });
      // What skips an event lies after it: of what was read before, nothing is skipped any more.
      const known = [...page.reverse(), ...decisions];
      const counted = withoutSkipped(known).slice(0, -decisions.length || undefined);
      events = [...counted.map((event) => readAs(category, event)), ...events];
      decisions = known.filter(({ type }) => type === 'EventSkipped');
      const [first] = page;
      if (isEnough(events) || !first || first.revision === 0n) return events;
      fromRevision = first.revision - 1n;
    }
  }

  /**
   * The revision of a stream's last event, -1 if there is none.
   * @throws DomainError EventStoreUnavailable
   */
  async lastRevision(category: CategoryName, key: string): Promise<bigint> {
    const newest = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
    const [last] = await this.recorded(streamOf(category, key), newest);
    return last?.revision ?? -1n;
  }

  private async recorded(stream: string, part: PartOfStream): Promise<LoggedEvent[]> {
    try {
      return await mapInTimeSlices(await this.readOf(stream, part), loggedEvent);
    } catch (error) {
      if (error instanceof StreamNotFoundError || error instanceof StreamDeletedError) return [];
      throw unavailable(error);
    }
  }

  private async readOf(stream: string, part: PartOfStream): Promise<RecordedEvent[]> {
    const options = { ...part, requiresLeader: true };
    return retryWithDeadline(this.client, (waiting) =>
      collect(this.client.readStream(stream, options), waiting),
    );
  }

  /**
   * Appends events to a stream.
   * @param expectedRevision the revision of its last event, -1 if there is none
   * @throws RevisionConflict when the stream has moved on
   * @throws AppendOutcomeUnknown when the log timed out
   */
  async append<Category extends CategoryName>(
    category: Category,
    key: string,
    events: readonly NewEvent<Category>[],
    expectedRevision: bigint,
  ): Promise<{ revision: bigint; position: LogPosition }> {
    const data = events.map(({ id, event, metadata }) =>
      jsonEvent({
        id,
        type: event.type,
        data: event.data,
        metadata: { ...metadata, schemaVersion: entryOf(category, event.type).version },
      }),
    );
    await this.mayAppend();
    let isSent = false;
    try {
      // Retries are idempotent: the store recognises the events by their ids and the expected revision, and stores them
      // once.
      const result = await retryWithDeadline(this.client, async (): Promise<AppendResult> => {
        await this.client.confirm();
        isSent = true;
        return this.client.appendToStream(streamOf(category, key), data, {
          expectedRevision: expectedRevision < 0n ? NO_STREAM : expectedRevision,
          requiresLeader: true,
          deadline: DEADLINE,
        });
      });
      if (!result.position) throw new Error('the event store did not say where it put the events');
      if (PROJECTED.includes(category)) this.noteAppended(result.position.commit);
      return { revision: expectedRevision + BigInt(events.length), position: result.position };
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) throw new RevisionConflict();
      if (!isSent) throw unavailable(error);
      throw new AppendOutcomeUnknown(error);
    }
  }

  private noteAppended(position: bigint): void {
    if (position > this.lastAppended) this.lastAppended = position;
    noteStored(position);
  }

  /**
   * Subscribes to some categories after a position, without end: all events that have arrived at once, as often as some do.
   * Throws when the connection is lost, or at an event that cannot be read, once those before it were given.
   * @param after `undefined` for all
   * @param signal ends the subscription
   * @param onOpen called when the log has confirmed the subscription
   * @param onTooSlow called when the log ended the subscription as this reader did not keep up; it goes on by itself, and
   *   `onOpen` follows once more
   * @param keepMs milliseconds for which the log may keep what is new, to give it with what comes then: who is in no hurry
   *   is called less often
   */
  async *follow<Category extends CategoryName>(
    categories: readonly Category[],
    after: LogPosition | undefined,
    signal: AbortSignal,
    onOpen?: () => void,
    onTooSlow?: () => void,
    keepMs?: number,
  ): AsyncGenerator<StoredEvent<Category>[]> {
    for await (const events of this.followRecorded(categories, after, signal, onOpen, onTooSlow, keepMs)) {
      yield* readInOrder<Category>(events);
    }
  }

  /** As `follow`, with each event as recorded. */
  async *followRecorded(
    categories: readonly CategoryName[],
    after: LogPosition | undefined,
    signal: AbortSignal,
    onOpen: () => void = () => undefined,
    onTooSlow: () => void = () => undefined,
    keepMs = 0,
  ): AsyncGenerator<LoggedEvent[]> {
    const pieces = resubscribing(
      (last) => this.arrivingEvents(categories, last, signal, onOpen, keepMs),
      after,
      onTooSlow,
    );
    for await (const { events } of pieces) yield events;
  }

  /** What comes with one subscription. */
  private async *arrivingEvents(
    categories: readonly CategoryName[],
    after: LogPosition | undefined,
    signal: AbortSignal,
    onOpen: () => void = () => undefined,
    keepMs = 0,
  ): AsyncGenerator<{ events: LoggedEvent[]; position: LogPosition }> {
    const subscription = await this.subscribe(categories, after, signal, onOpen, keepMs);
    if (!subscription) return;
    try {
      type Arrived = ResolvedEvent | ResolvedEvent[];
      for await (const resolved of availableBatches<Arrived>(subscription as unknown as Readable)) {
        const events = resolved.flat().flatMap(({ event }) => (event ? [loggedEvent(event)] : []));
        const last = events.at(-1);
        if (last) yield { events, position: last.position };
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      subscription.destroy();
      void subscription.unsubscribe().catch(() => undefined);
    }
  }

  /** @returns nothing if the signal has ended it already */
  private async subscribe(
    categories: readonly CategoryName[],
    after: LogPosition | undefined,
    signal: AbortSignal,
    onOpen: () => void,
    keepMs: number,
  ): Promise<AllStreamSubscription | undefined> {
    if (signal.aborted) return undefined;
    await this.client.confirm();
    if (signal.aborted) return undefined;
    const prefixes = categories.map((category) => CATEGORIES[category].prefix);
    const options: SubscribeToAllOptions = {
      fromPosition: after ?? START,
      filter: streamNameFilter({ prefixes }),
    };
    const subscription = this.client.subscribeInChunks(options, MAX_PIECES, keepMs);
    // The connection may break after the last reader left; without a listener that would end the process.
    subscription.on('error', () => undefined).once('confirmation', onOpen);
    // If no node was found yet, there is nothing to unsubscribe from, and reading ends all the same.
    const end = () => void subscription.destroy();
    signal.addEventListener('abort', end, { once: true });
    subscription.once('close', () => signal.removeEventListener('abort', end));
    return subscription;
  }

  /**
   * The first event of some categories after a position: the next one that a follower at this position will get.
   * @param milliseconds to wait for it
   * @returns undefined if there is none
   * @throws when the log does not answer
   */
  async firstAfter(
    categories: readonly CategoryName[],
    after: LogPosition | undefined,
    milliseconds: number,
  ): Promise<LoggedEvent | undefined> {
    const ending = new AbortController();
    let isOpen = false;
    let timer = setTimeout(() => ending.abort(), DEADLINE);
    const onOpen = () => {
      isOpen = true;
      clearTimeout(timer);
      timer = setTimeout(() => ending.abort(), milliseconds);
    };
    try {
      for await (const [event] of this.followRecorded(categories, after, ending.signal, onOpen)) return event;
    } finally {
      clearTimeout(timer);
    }
    // No event is a result only if the log answered at all.
    if (!isOpen) throw new DeadlineExceeded();
    return undefined;
  }

  /**
   * The position of the log's end at this moment.
   * @returns nothing if the log is empty
   * @throws DomainError EventStoreUnavailable
   */
  async end(): Promise<LogPosition | undefined> {
    const newest = { direction: BACKWARDS, fromPosition: END, maxCount: 1 } as const;
    try {
      const [last] = await retryWithDeadline(this.client, (waiting) =>
        collect(this.client.readAll(newest), waiting),
      );
      return last?.position;
    } catch (error) {
      throw unavailable(error);
    }
  }

  /**
   * The place of the last event of some categories, or of all, at this moment.
   * @returns nothing if there is none
   * @throws the log's error when it is unavailable
   */
  async last(categories?: readonly CategoryName[]): Promise<LogPosition | undefined> {
    let fromPosition: LogPosition | typeof END = END;
    for (let maxCount = 1; ; maxCount = PAGE) {
      const options = { direction: BACKWARDS, fromPosition, maxCount, requiresLeader: true } as const;
      const events: RecordedEvent[] = await retryWithDeadline(this.client, (waiting) =>
        collect(this.client.readAll(options), waiting),
      );
      const found = events.find(({ streamId }) => {
        const named = streamNamed(streamId);
        return named && (categories?.includes(named.category) ?? true);
      });
      if (found) return positionOf(found);
      const oldest = events.at(-1);
      if (!oldest || events.length < maxCount) return undefined;
      fromPosition = positionOf(oldest);
    }
  }

  /**
   * The events of some categories after one position up to and including another, which must be the position of one of
   * them (a checkpoint is), in pieces as they arrive: the server filters, and reading ends there.
   * @param after `undefined` for the beginning
   * @throws UnreadableEvent once all before it were given
   */
  async *read<Category extends CategoryName>(
    categories: readonly Category[],
    after: LogPosition | undefined,
    until: bigint,
    signal: AbortSignal,
  ): AsyncGenerator<StoredEvent<Category>[]> {
    if (until < 0n || (after && after.commit >= until)) return;
    const pieces = resubscribing(
      (last) => this.arrivingEvents(categories, last, signal),
      after,
      () => undefined,
    );
    for await (const { events, position } of pieces) {
      yield* readInOrder<Category>(events.filter((event) => event.position.commit <= until));
      if (position.commit >= until) return;
    }
  }
}

/** Batch size of backward reads. */
const PAGE = 500;

type PartOfStream = Pick<ReadStreamOptions, 'direction' | 'fromRevision' | 'maxCount'>;

function positionOf(event: RecordedEvent): LogPosition {
  if (!event.position) throw new Error('the event store sent an event without its position');
  return event.position;
}

function loggedEvent(event: RecordedEvent): LoggedEvent {
  const named = streamNamed(event.streamId);
  if (!named)
    throw new Error(`the event store sent an event of ${event.streamId}, which is no stream of ours`);
  // Of a log that was moved here, the time and the metadata that its events had before.
  const { metadata, created } = asFirstRecorded(event);
  // Each field by its name: copying them from other objects takes longer than all else that is done here.
  return {
    category: named.category,
    key: named.key,
    id: event.id,
    type: event.type,
    revision: event.revision,
    position: positionOf(event),
    created,
    data: event.data,
    metadata,
  };
}

function entryOf(category: CategoryName, type: string): EventEntry {
  const entry = entriesOf(category)[type];
  if (!entry) throw new Error(`${type} is no event of the category ${category}`);
  return entry;
}

function entriesOf(category: CategoryName): Readonly<Record<string, EventEntry>> {
  return CATEGORIES[category].events;
}

/** The place and the type of an event. */
function placeOf({ id, type, category, key, revision, position }: LoggedEvent): EventPlace {
  return { id, type, stream: streamOf(category, key), revision, position };
}

/** As `placeOf`, for a parsed event. */
export function placeOfStored({ id, event, category, key, revision, position }: StoredEvent): EventPlace {
  return { id, type: event.type, stream: streamOf(category, key), revision, position };
}

/**
 * Upcasts a recorded event to its current version.
 * @throws UnreadableEvent with the event's place
 */
export function readAsCurrent(recorded: LoggedEvent): StoredEvent {
  return readAs(recorded.category, recorded);
}

/**
 * As `readAsCurrent`, of an event whose place is not known here.
 * @throws UnreadableEvent
 */
export function currentEvent<Category extends CategoryName>(
  category: Category,
  recorded: Pick<LoggedEvent, 'type' | 'data' | 'metadata'>,
): { event: EventOf<Category>; metadata: EventMetadata } {
  const { type } = recorded;
  const metadata = metadataOf(recorded);
  const data = upcast(type, metadata.schemaVersion, recorded.data, entriesOf(category));
  return { event: { type, data } as EventOf<Category>, metadata };
}

function readAs<Category extends CategoryName>(
  category: Category,
  recorded: LoggedEvent,
): StoredEvent<Category> {
  const { id, key, revision, position, created } = recorded;
  try {
    return { id, category, key, revision, position, created, ...currentEvent(category, recorded) };
  } catch (error) {
    if (error instanceof UnreadableEvent) error.place = placeOf(recorded);
    throw error;
  }
}

/** @throws UnreadableEvent once those before it were given */
function* readInOrder<Category extends CategoryName>(
  recorded: readonly LoggedEvent[],
): Generator<StoredEvent<Category>[]> {
  const read: StoredEvent<Category>[] = [];
  try {
    // The log's filter passes only these categories.
    for (const event of recorded) read.push(readAs(event.category as Category, event));
  } catch (error) {
    yield read;
    throw error;
  }
  yield read;
}

function metadataOf({ type, metadata }: Pick<LoggedEvent, 'type' | 'metadata'>): EventMetadata {
  const parsed = eventMetadataSchema.safeParse(metadata);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join('.')).filter((path) => path !== '');
  throw new UnreadableEvent(
    type,
    undefined,
    fields.length === 0 ? 'it has no metadata' : `its metadata lack ${fields.join(', ')}`,
  );
}

function unavailable(error: unknown): unknown {
  // Whether this is the right log is asked of the database.
  if (error instanceof DatabaseTimeout) return error;
  const refusal =
    error instanceof WrongLog
      ? new DomainError('WrongEventLog', m.error_log_wrong())
      : new DomainError('EventStoreUnavailable', m.error_log_away());
  refusal.cause = error;
  return refusal;
}
