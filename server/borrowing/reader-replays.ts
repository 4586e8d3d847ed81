import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { BorrowLog, readAsCurrent, type RecordedBorrowEvent } from '#platform/event-log/borrow-log.js';
import { BorrowReplay, occurredAt, type ReplayedEvent } from '#borrowing/borrow-replay.js';
import { KeyedQueue } from '#platform/keyed-queue.js';
import { readable } from './history-unreadable.js';

/** Events of all readers together that are kept in memory: about a kilobyte each. */
const MAX_EVENTS = 100_000;
const EVENTS_A_READ = 2_000;

interface Kept {
  replay: BorrowReplay;
  /** The last event read: whether the stream is still the one that was read. */
  last: { id: string; revision: bigint } | undefined;
}

/** The readers' histories, read from the log and folded once, then only grown by what was added since. */
@Injectable()
export class ReaderReplays {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: MAX_EVENTS,
    sizeCalculation: ({ replay }) => replay.events.length + 1,
  });
  private readonly queue = new KeyedQueue();

  constructor(private readonly log: BorrowLog) {}

  /**
   * A reader's history with every event that the log has at this moment.
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
   * Reads on. The last event known is read again: where it is another one, or gone, the stream was removed or
   * the log is another one, and nothing is returned.
   */
  private async grown(readerId: string, kept: Kept): Promise<Kept | undefined> {
    let page: RecordedBorrowEvent[];
    do {
      page = await this.log.readRecorded(readerId, kept.last?.revision ?? 0n, EVENTS_A_READ);
      if (kept.last && page[0]?.id !== kept.last.id) {
        this.kept.delete(readerId);
        return undefined;
      }
      for (const recorded of kept.last ? page.slice(1) : page) {
        readable(() => kept.replay.add(replayed(recorded)));
        kept.last = { id: recorded.id, revision: recorded.revision };
      }
    } while (page.length === EVENTS_A_READ);
    this.kept.set(readerId, kept);
    return kept;
  }
}

const empty = (): Kept => ({ replay: new BorrowReplay(), last: undefined });

function replayed(recorded: RecordedBorrowEvent): ReplayedEvent {
  const { event, metadata, revision, position, created } = readAsCurrent(recorded);
  return {
    revision: Number(revision),
    position: position.commit,
    event,
    actor: metadata.actor,
    occurredAt: occurredAt(event),
    recordedAt: created.getTime(),
  };
}
