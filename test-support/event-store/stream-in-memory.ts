import { randomUUID } from 'node:crypto';
import { RevisionConflict, type LoggedEvent, type NewEvent } from '#platform/event-log/event-log.js';
import { READER } from '../arbitraries/borrow-history.js';

/** One reader's stream, as the event store keeps it. Every call is under way for a while, before and after it takes effect. */
export class StreamInMemory {
  readonly events: LoggedEvent[] = [];
  /** How many events were read. */
  read = 0;

  constructor(private readonly underWay: () => Promise<void> = async () => undefined) {}

  async readRecorded(_category: string, _key: string, from: bigint, most = Infinity): Promise<LoggedEvent[]> {
    await this.underWay();
    const part = this.events.slice(Number(from), Number(from) + most);
    this.read += part.length;
    await this.underWay();
    return part;
  }

  async append(_category: string, _key: string, events: readonly NewEvent<'borrows'>[], expected: bigint) {
    await this.underWay();
    const revision = expected + BigInt(events.length);
    if (expected !== BigInt(this.events.length - 1)) {
      // The store takes what it has already for a repeat.
      const stored = this.events.slice(Number(expected) + 1, Number(revision) + 1);
      const isRepeat = events.every(({ id }, index) => stored[index]?.id === id);
      await this.underWay();
      if (!isRepeat) throw new RevisionConflict();
    } else for (const { event, id, metadata } of events) this.add(event, id, metadata);
    await this.underWay();
    return { revision, position: { commit: revision, prepare: revision } };
  }

  add(event: NewEvent<'borrows'>['event'], id: string = randomUUID(), metadata: object = {}): void {
    const revision = BigInt(this.events.length);
    const given = {
      actor: READER,
      $correlationId: 'test',
      $causationId: id,
      commandId: id,
      commandDigest: 'given',
    };
    this.events.push({
      ...{ category: 'borrows', key: READER, id, type: event.type, revision, created: new Date(0) },
      position: { commit: revision, prepare: revision },
      data: event.data,
      metadata: { ...given, ...metadata, schemaVersion: 1 },
    });
  }
}
