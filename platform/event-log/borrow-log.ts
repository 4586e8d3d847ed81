import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  FORWARDS,
  NO_STREAM,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
  jsonEvent,
  streamNameFilter,
  type AppendResult,
  type Position,
  type ReadStreamOptions,
  type RecordedEvent,
} from '@eventstore/db-client';
import {
  BORROW_EVENTS,
  BORROW_STREAM_PREFIX,
  borrowStream,
  eventMetadataSchema,
  readerOfStream,
  type BorrowEvent,
  type EventMetadata,
} from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { StartRefused } from '../start-refused.js';
import { DEADLINE, LateAnswer, collect, retryWithDeadline } from './retry-with-deadline.js';
import { UnreadableEvent, upcast, type EventPlace } from './upcast.js';

/** Where an event lies in the whole log. Both numbers are kept, as EventStoreDB asks for. */
export type LogPosition = Position;

/** An event exactly as the log has it: whatever its type and version are, nothing of it is read or left out. */
export interface RecordedBorrowEvent {
  readonly id: string;
  readonly type: string;
  readonly readerId: string;
  readonly revision: bigint;
  readonly position: LogPosition;
  readonly created: Date;
  readonly data: unknown;
  readonly metadata: unknown;
}

/** An event as it was stored, read as its current version. */
export interface StoredBorrowEvent {
  readonly id: string;
  readonly readerId: string;
  readonly revision: bigint;
  readonly position: LogPosition;
  readonly created: Date;
  readonly event: BorrowEvent;
  readonly metadata: EventMetadata;
}

/** An event to store. */
export interface NewBorrowEvent {
  readonly id: string;
  readonly event: BorrowEvent;
  readonly metadata: Omit<EventMetadata, 'schemaVersion'>;
}

/** Somebody else appended to the reader's stream since it was read. */
export class RevisionConflict extends Error {}

/** The log did not answer in time: the events may have been stored, or not. */
export class AppendOutcomeUnknown extends DomainError {
  constructor(cause: unknown) {
    super(
      'EventStoreUnavailable',
      'The event log did not answer. It is not known yet whether this was done; please look again in a moment.',
    );
    this.cause = cause;
  }
}

/**
 * The borrow events in EventStoreDB: one stream per reader. Commands ask the leader of a cluster alone: what another
 * node has may be older, and a command be refused for what is so no more.
 */
export class BorrowLog {
  /**
   * @param admit asked before each call: throws where this is not the log that the lists are made of
   * @param mayAppend asked before each append
   */
  constructor(
    private readonly client: EventStoreDBClient,
    private readonly admit: () => Promise<void> = async () => undefined,
    private readonly mayAppend: () => Promise<void> = async () => undefined,
  ) {}

  /**
   * A reader's events in their order.
   * @param fromRevision the first one wanted
   * @throws DomainError EventStoreUnavailable
   * @throws UnreadableEvent
   */
  async readReader(readerId: string, fromRevision = 0n): Promise<StoredBorrowEvent[]> {
    return (await this.readRecorded(readerId, fromRevision)).map(readAsCurrent);
  }

  /**
   * A part of a reader's stream as it was recorded, in its order. None where he has no stream.
   * @param fromRevision the first one wanted
   * @param maxCount most events; all without it
   * @throws DomainError EventStoreUnavailable
   */
  async readRecorded(
    readerId: string,
    fromRevision: bigint,
    maxCount?: number,
  ): Promise<RecordedBorrowEvent[]> {
    const part = { direction: FORWARDS, fromRevision } as const;
    return this.recorded(readerId, maxCount === undefined ? part : { ...part, maxCount });
  }

  /**
   * The revision of a reader's last event, -1 where he has none.
   * @throws DomainError EventStoreUnavailable
   */
  async lastRevision(readerId: string): Promise<bigint> {
    const [last] = await this.recorded(readerId, { direction: BACKWARDS, fromRevision: END, maxCount: 1 });
    return last?.revision ?? -1n;
  }

  private async recorded(readerId: string, part: PartOfStream): Promise<RecordedBorrowEvent[]> {
    try {
      return (await this.readOf(readerId, part)).map(recordedEvent);
    } catch (error) {
      if (error instanceof StreamNotFoundError || error instanceof StreamDeletedError) return [];
      throw unavailable(error);
    }
  }

  private async readOf(readerId: string, part: PartOfStream): Promise<RecordedEvent[]> {
    await this.admit();
    const options = { ...part, requiresLeader: true };
    return retryWithDeadline((...waiting) =>
      collect(this.client.readStream(borrowStream(readerId), options), ...waiting),
    );
  }

  /**
   * Stores events at the end of a reader's stream.
   * @param expectedRevision the revision of his last event, -1 where he has none
   * @throws RevisionConflict when the stream has moved on
   * @throws AppendOutcomeUnknown when the log did not answer
   */
  async append(
    readerId: string,
    events: readonly NewBorrowEvent[],
    expectedRevision: bigint,
  ): Promise<{ revision: bigint; position: LogPosition }> {
    const data = events.map(({ id, event, metadata }) =>
      jsonEvent({
        id,
        type: event.type,
        data: event.data,
        metadata: { ...metadata, schemaVersion: BORROW_EVENTS[event.type].version },
      }),
    );
    await this.mayAppend();
    await this.admit().catch((error: unknown) => {
      throw unavailable(error);
    });
    try {
      // Tried again it is the same append: the store knows the events by their ids and the revision that they follow,
      // and stores them once.
      const result = await retryWithDeadline((): Promise<AppendResult> =>
        this.client.appendToStream(borrowStream(readerId), data, {
          expectedRevision: expectedRevision < 0n ? NO_STREAM : expectedRevision,
          requiresLeader: true,
          deadline: DEADLINE,
        }),
      );
      if (!result.position) throw new Error('the event store did not say where it put the events');
      return { revision: expectedRevision + BigInt(events.length), position: result.position };
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) throw new RevisionConflict();
      throw new AppendOutcomeUnknown(error);
    }
  }

  /**
   * All borrow events after a position, from then on for ever. Ends by throwing when the link is lost.
   * @param after `undefined` for all
   * @param signal ends the subscription
   * @param onOpen told when the log has taken the subscription
   */
  async *follow(
    after: LogPosition | undefined,
    signal: AbortSignal,
    onOpen: () => void = () => undefined,
  ): AsyncGenerator<StoredBorrowEvent> {
    if (signal.aborted) return;
    await this.admit();
    if (signal.aborted) return;
    const subscription = this.client.subscribeToAll(
      { fromPosition: after ?? START, filter: streamNameFilter({ prefixes: [BORROW_STREAM_PREFIX] }) },
      { highWaterMark: 1024 },
    );
    // A link may be lost after nobody reads any more; without a listener that would end the process.
    subscription.on('error', () => undefined).once('confirmation', onOpen);
    // Where no node is found yet there is nothing to unsubscribe from, and the reading ends all the same.
    const end = () => void subscription.destroy();
    signal.addEventListener('abort', end, { once: true });
    try {
      for await (const { event } of subscription) if (event) yield stored(event);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', end);
      void subscription.unsubscribe().catch(() => undefined);
    }
  }

  /**
   * The first borrow event after a position: what a reader of the log that is there still has before it.
   * @param milliseconds how long to wait for the log to send one
   * @returns undefined where none came
   * @throws when the log does not answer
   */
  async firstAfter(
    after: LogPosition | undefined,
    milliseconds: number,
  ): Promise<StoredBorrowEvent | undefined> {
    const ending = new AbortController();
    let isOpen = false;
    let timer = setTimeout(() => ending.abort(), DEADLINE);
    const onOpen = () => {
      isOpen = true;
      clearTimeout(timer);
      timer = setTimeout(() => ending.abort(), milliseconds);
    };
    try {
      for await (const event of this.follow(after, ending.signal, onOpen)) return event;
    } finally {
      clearTimeout(timer);
    }
    // Nothing that came is no news of a log that said nothing at all.
    if (!isOpen) throw new LateAnswer();
    return undefined;
  }

  /**
   * Where the log ends now; what is stored later lies behind it.
   * @returns nothing where the log is empty
   * @throws DomainError EventStoreUnavailable
   */
  async end(): Promise<LogPosition | undefined> {
    const newest = { direction: BACKWARDS, fromPosition: END, maxCount: 1 } as const;
    try {
      await this.admit();
      const [last] = await retryWithDeadline((...waiting) =>
        collect(this.client.readAll(newest), ...waiting),
      );
      return last?.position;
    } catch (error) {
      throw unavailable(error);
    }
  }

  /**
   * Where the last borrow event lies now.
   * @returns nothing where there is none
   * @throws what the log throws when it is away
   */
  async last(): Promise<LogPosition | undefined> {
    let fromPosition: LogPosition | typeof END = END;
    for (;;) {
      const options = { direction: BACKWARDS, fromPosition, maxCount: PAGE, requiresLeader: true } as const;
      const events: RecordedEvent[] = await retryWithDeadline((...waiting) =>
        collect(this.client.readAll(options), ...waiting),
      );
      const found = events.find(({ streamId }) => streamId.startsWith(BORROW_STREAM_PREFIX));
      if (found) return positionOf(found);
      const oldest = events.at(-1);
      if (!oldest || events.length < PAGE) return undefined;
      fromPosition = positionOf(oldest);
    }
  }

  /**
   * The borrow events after one position up to and including another, which has to be that of a borrow event
   * (a checkpoint is): the filter is the server's, and reading ends there.
   * @param after `undefined` for the beginning
   */
  async *read(
    after: LogPosition | undefined,
    until: bigint,
    signal: AbortSignal,
  ): AsyncGenerator<StoredBorrowEvent> {
    if (until < 0n || (after && after.commit >= until)) return;
    for await (const event of this.follow(after, signal)) {
      if (event.position.commit <= until) yield event;
      if (event.position.commit >= until) return;
    }
  }
}

/** Events that a look backwards reads at once. */
const PAGE = 500;

type PartOfStream = Pick<ReadStreamOptions, 'direction' | 'fromRevision' | 'maxCount'>;

function positionOf(event: RecordedEvent): LogPosition {
  if (!event.position) throw new Error('the event store sent an event without its position');
  return event.position;
}

function recordedEvent(event: RecordedEvent): RecordedBorrowEvent {
  return {
    id: event.id,
    type: event.type,
    readerId: readerOfStream(event.streamId),
    revision: event.revision,
    position: positionOf(event),
    created: event.created,
    data: event.data,
    metadata: event.metadata,
  };
}

/** Where an event lies, and what it calls itself. */
function placeOf(recorded: RecordedBorrowEvent): EventPlace {
  const { id, type, readerId, revision, position } = recorded;
  return { id, type, stream: borrowStream(readerId), revision, position };
}

/** As `placeOf`, of an event that was read. */
export function placeOfStored({ id, event, readerId, revision, position }: StoredBorrowEvent): EventPlace {
  return { id, type: event.type, stream: borrowStream(readerId), revision, position };
}

/**
 * Reads a recorded event as its current version.
 * @throws UnreadableEvent with the event's place
 */
export function readAsCurrent(recorded: RecordedBorrowEvent): StoredBorrowEvent {
  const { id, readerId, revision, position, created } = recorded;
  try {
    const metadata = metadataOf(recorded);
    const event = upcast(recorded.type, metadata.schemaVersion, recorded.data);
    return { id, readerId, revision, position, created, event, metadata };
  } catch (error) {
    if (error instanceof UnreadableEvent) error.place = placeOf(recorded);
    throw error;
  }
}

function metadataOf({ type, metadata }: RecordedBorrowEvent): EventMetadata {
  const parsed = eventMetadataSchema.safeParse(metadata);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join('.')).filter((path) => path !== '');
  throw new UnreadableEvent(
    type,
    undefined,
    fields.length === 0 ? 'it has no metadata' : `its metadata lack ${fields.join(', ')}`,
  );
}

function stored(event: RecordedEvent): StoredBorrowEvent {
  return readAsCurrent(recordedEvent(event));
}

function unavailable(error: unknown): unknown {
  if (error instanceof StartRefused) return new DomainError('WrongEventLog', error.message);
  const refusal = new DomainError(
    'EventStoreUnavailable',
    'The event log is away at the moment. Nothing was changed.',
  );
  refusal.cause = error;
  return refusal;
}
