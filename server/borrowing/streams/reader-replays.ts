import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { eventMetadataSchema } from '#contracts/event-entry.js';
import { skipsUpTo, withoutSkipped } from '#contracts/event-log/skipped-events.js';
import { isHoldEvent } from '#contracts/holds/hold-events.js';
import { EventLog, readAsCurrent, type LoggedEvent } from '#platform/event-log/event-log.js';
import { readerEventsIn } from '#platform/event-log/reader-events-in.js';
import { BorrowReplay, occurredAt, type ReplayedEvent } from '#circulation/borrow/borrow-replay.js';
import { timeSlicer } from '#platform/time-slices.js';
import { KeyedMutex } from '#platform/keyed-mutex.js';
import { readable } from './folded-stream.js';
import { ResumedRead } from './resumed-read.js';

/** Cache limit, in events of all readers together: about a kilobyte each. */
const MAX_EVENTS = 100_000;

interface Kept {
  replay: BorrowReplay;
  /** The last event read: identifies the stream that was read. */
  last: { id: string; revision: bigint } | undefined;
}

/** A cache of the readers' folded histories. Only new events are read from the log. */
@Injectable()
export class ReaderReplays {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: MAX_EVENTS,
    sizeCalculation: ({ replay }) => replay.events.length + 1,
  });
  private readonly queue = new KeyedMutex();

  private readonly read: ResumedRead;

  constructor(log: EventLog) {
    this.read = new ResumedRead(log);
  }

  /**
   * A reader's history with every event in the log at this moment.
   * @throws DomainError EventStoreUnavailable
   * @throws DomainError HistoryUnreadable, naming the event
   */
  of(readerId: string): Promise<BorrowReplay> {
    return this.queue.run(readerId, async () => {
      const known = this.kept.get(readerId);
      const kept = (known && (await this.grown(readerId, known))) ?? (await this.grown(readerId, empty()));
      if (!kept) throw new Error('The stream of a reader was removed while it was read.');
      return kept.replay;
    });
  }

  /**
   * Reads on, from the last cached event. Returns nothing if that event is gone or another one (the stream was removed,
   * or the log is another one), or if a cached event was skipped since.
   */
  private async grown(readerId: string, kept: Kept): Promise<Kept | undefined> {
    const known = kept.last;
    const recorded = await this.read.from(readerId, known?.revision ?? 0n);
    const fresh = known ? recorded.slice(1) : recorded;
    if (known && (recorded[0]?.id !== known.id || skipsUpTo(known.revision, fresh))) {
      this.kept.delete(readerId);
      return undefined;
    }
    const counted = new Set(withoutSkipped(fresh));
    // A long history takes hundreds of milliseconds: others go on meanwhile.
    const giveWay = timeSlicer();
    await readable(async () => {
      for (const event of fresh) {
        await giveWay();
        kept.replay.add(counted.has(event) ? replayed(event) : withoutEffect(event));
        kept.last = { id: event.id, revision: event.revision };
      }
    });
    this.kept.set(readerId, kept);
    return kept;
  }
}

const empty = (): Kept => ({ replay: new BorrowReplay(), last: undefined });

function replayed(recorded: LoggedEvent): ReplayedEvent {
  const [stored] = readerEventsIn([readAsCurrent(recorded)]);
  if (!stored) return withoutEffect(recorded);
  const { event, metadata } = stored;
  return {
    ...withoutEffect(recorded),
    ...(isHoldEvent(event) ? { hold: event } : { event }),
    actor: metadata.actor,
    occurredAt: occurredAt(event),
  };
}

const actorSchema = eventMetadataSchema.pick({ actor: true });

/** An event that changes no borrow. It counts as of when it was recorded: its own time may not be readable. */
function withoutEffect({ type, revision, position, created, metadata }: LoggedEvent): ReplayedEvent {
  return {
    type,
    revision: Number(revision),
    position: position.commit,
    event: null,
    actor: actorSchema.safeParse(metadata).data?.actor ?? '',
    occurredAt: created.getTime(),
    recordedAt: created.getTime(),
  };
}
