import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import type { Actor, AuditEvent, AuditEvents, AuditEventsQuery } from '#contracts/audit/audit-events.js';
import { NO_BORROW, TIMELINE_EVENTS, type Timeline, type TimelineRow } from '#contracts/audit/timeline.js';
import { borrowStatusSchema } from '#contracts/borrowing/borrow-status.js';
import { DomainError } from '#contracts/domain-error.js';
import { eventMetadataSchema } from '#contracts/event-entry.js';
import { CATEGORIES } from '#contracts/event-log/categories.js';
import { readerEventTime, type ReaderEvent } from '#contracts/holds/hold-events.js';
import type { Database } from '#platform/database/database.js';
import { eventNotes } from '#platform/database/event-notes.js';
import { EventLog, readAsCurrent, type LoggedEvent } from '#platform/event-log/event-log.js';
import { readerEventsIn } from '#platform/event-log/reader-events-in.js';
import { UnreadableEvent } from '#platform/event-log/upcast.js';
import { mapInTimeSlices } from '#platform/time-slices.js';
import { DATABASE } from '#platform/tokens.js';
import type { BorrowReplay, ReplayedEvent } from '#circulation/borrow/borrow-replay.js';
import { GetReplay } from '../borrowing/streams/reader-replays.queries.js';
import { kindsOfRules } from './kinds-of-rules.js';
import { AuditedReaders, type AuditedReader } from './audited-readers.js';

/** A reader's events, directly from the log. */
@Injectable()
export class ReaderEvents {
  constructor(
    private readonly log: EventLog,
    private readonly queries: QueryBus,
    private readonly readers: AuditedReaders,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /** A page of events as stored, filtered. */
  async page(readerId: string, query: AuditEventsQuery): Promise<AuditEvents> {
    if (query.kind === undefined && query.borrowId === undefined) return this.plainPage(readerId, query);
    const replay = await this.queries.execute(new GetReplay({ pseudonym: readerId }));
    const matching = replay.events.filter((event) => matches(event, query));
    const rest = matching.filter(({ revision }) => revision > query.after);
    const wanted = rest.slice(0, query.limit);
    const recorded = await this.recorded(readerId, wanted);
    const last = wanted.at(-1);
    return {
      items: await this.views(recorded),
      totalCount: replay.events.length,
      matchingCount: matching.length,
      lastRevision: replay.lastRevision,
      nextAfter: last && rest.length > wanted.length ? last.revision : null,
    };
  }

  /** A page of all events. It needs no replay, so that the first page of a long history comes at once. */
  private async plainPage(readerId: string, { after, limit }: AuditEventsQuery): Promise<AuditEvents> {
    const [[oldest], recorded, newest] = await Promise.all([
      this.log.readRecorded('borrows', readerId, 0n, 1),
      this.log.readRecorded('borrows', readerId, BigInt(after) + 1n, limit),
      this.log.lastRevision('borrows', readerId),
    ]);
    const last = recorded.at(-1)?.revision;
    const lastRevision = last !== undefined && last > newest ? last : newest;
    const count = oldest ? Number(lastRevision - oldest.revision) + 1 : 0;
    return {
      items: await this.views(recorded),
      totalCount: count,
      matchingCount: count,
      lastRevision: Number(lastRevision),
      nextAfter: last !== undefined && last < lastRevision ? Number(last) : null,
    };
  }

  /**
   * One event as stored.
   * @throws DomainError NotFound
   */
  async one(readerId: string, revision: number): Promise<AuditEvent> {
    const [recorded] = await this.log.readRecorded('borrows', readerId, BigInt(revision), 1);
    const [view] = recorded?.revision === BigInt(revision) ? await this.views([recorded]) : [];
    if (!view) throw new DomainError('NotFound', m.audit_event_not_found());
    return view;
  }

  /** The events after a revision in compact form, as many as one answer has. */
  async timeline({ id, pseudonym, fullname }: AuditedReader, after: number): Promise<Timeline> {
    const replay = await this.queries.execute(new GetReplay({ pseudonym }));
    const events = replay.eventsAfter(after, TIMELINE_EVENTS);
    const known = await this.readers.actors(events.map(({ actor }) => actor));
    const types = new Numbered<string>();
    const borrows = new Numbered<string>();
    const actors = new Numbered<string>();
    const rows = events.map(({ revision, type, event, hold, actor, occurredAt, recordedAt }): TimelineRow => [
      revision,
      types.of(type),
      event ? borrows.of(event.data.borrowId) : NO_BORROW,
      actors.of(actor),
      occurredAt,
      recordedAt,
      event && 'amount' in event.data ? event.data.amount : null,
      policyVersionOf(event ?? hold),
      event && 'dueDate' in event.data && event.data.dueDate !== null ? Date.parse(event.data.dueDate) : null,
      event && statusAfter(replay, event.data.borrowId, revision),
    ]);
    return {
      reader: { id, fullname },
      totalCount: replay.events.length,
      lastRevision: replay.lastRevision,
      types: types.all,
      borrows: borrows.all.map((id) => ({
        id,
        titles: replay.borrowAt(id, replay.lastRevision)?.borrow.books.map(({ title }) => title) ?? [],
      })),
      actors: actors.all.map((id) => known.get(id) ?? { id, name: id, kind: 'job' }),
      holds: Object.fromEntries(
        events.flatMap(({ revision, hold }) => {
          const title = hold && replay.titleOfHold(hold.data.holdId);
          return title === undefined ? [] : [[revision, title]];
        }),
      ),
      kinds: Object.fromEntries(
        events.flatMap(({ revision, event, hold }) => {
          const borrow = event && replay.borrowAt(event.data.borrowId, revision)?.borrow;
          const kinds = kindsOfRules(event ?? hold, borrow);
          return kinds.length === 0 ? [] : [[revision, kinds]];
        }),
      ),
      rows,
    };
  }

  /** The stored events behind the replayed ones. */
  private async recorded(readerId: string, wanted: ReplayedEvent[]): Promise<LoggedEvent[]> {
    const revisions = new Set(wanted.map(({ revision }) => BigInt(revision)));
    const found: LoggedEvent[] = [];
    // A filter may match few of very many: read in batches, only where there is a match.
    for (const piece of pieces(wanted)) {
      const events = await this.log.readRecorded('borrows', readerId, BigInt(piece.from), piece.count);
      found.push(...events.filter(({ revision }) => revisions.has(revision)));
    }
    return found;
  }

  private async views(recorded: LoggedEvent[]): Promise<AuditEvent[]> {
    const actors = await this.readers.actors(
      recorded.flatMap((event) => [metadataOf(event).actor ?? '', ...askersOf(event)]),
    );
    const notes = await this.notes(recorded);
    return mapInTimeSlices(recorded, (event) => {
      const note = notes.get(event.id);
      return { ...viewOf(event, actors), ...(note !== undefined && { note }) };
    });
  }

  /** What persons said of them, by their ids. */
  private async notes(recorded: LoggedEvent[]): Promise<ReadonlyMap<string, string>> {
    const decisions = recorded.filter(({ type }) => isNoted(type));
    if (decisions.length === 0) return new Map();
    return eventNotes(
      this.database,
      decisions.map(({ id }) => id),
    );
  }
}

/** Its number in the timeline; null where there is no borrow. */
function statusAfter(replay: BorrowReplay, borrowId: string, revision: number): number | null {
  const borrow = replay.borrowAt(borrowId, revision)?.borrow;
  return borrow ? borrowStatusSchema.options.indexOf(borrow.status) : null;
}

/** Numbers the distinct items by first occurrence. */
class Numbered<Item> {
  readonly all: Item[] = [];
  private readonly numbers = new Map<Item, number>();

  of(item: Item): number {
    const known = this.numbers.get(item);
    if (known !== undefined) return known;
    this.numbers.set(item, this.all.length);
    return this.all.push(item) - 1;
  }
}

/** Events further apart than this are read by separate calls. */
const WIDEST_GAP = 50;
/** Events that one call reads, so that others are answered between two. */
const LONGEST_PIECE = 500;

function pieces(wanted: readonly ReplayedEvent[]): { from: number; count: number }[] {
  const found: { from: number; count: number }[] = [];
  for (const { revision } of wanted) {
    const last = found.at(-1);
    if (last && revision - (last.from + last.count) < WIDEST_GAP && revision - last.from < LONGEST_PIECE)
      last.count = revision - last.from + 1;
    else found.push({ from: revision, count: 1 });
  }
  return found;
}

function matches({ type, event }: ReplayedEvent, { kind, borrowId }: AuditEventsQuery): boolean {
  return (
    (kind === undefined || type === kind) && (borrowId === undefined || event?.data.borrowId === borrowId)
  );
}

/** Events that a person gives a reason for in words. */
function isNoted(type: string): boolean {
  const entries: Record<string, { noted: boolean }> = CATEGORIES.borrows.events;
  return Object.hasOwn(entries, type) && entries[type]?.noted === true;
}

/** Shows whatever is stored; leaves out what cannot be read. */
const looseMetadata = eventMetadataSchema.partial().catch({});
const looseData = z.record(z.string(), z.unknown()).catch({});

function metadataOf(event: LoggedEvent) {
  return looseMetadata.parse(event.metadata);
}

const asked = z.object({ askedBy: z.uuid() });

/** Who asked for it, where somebody else had to approve it. */
function askersOf({ type, data }: LoggedEvent): string[] {
  const asker = type === 'FeeWaived' ? asked.safeParse(data).data?.askedBy : undefined;
  return asker === undefined ? [] : [asker];
}

function viewOf(recorded: LoggedEvent, actors: ReadonlyMap<string, Actor>): AuditEvent {
  const metadata = metadataOf(recorded);
  const event = current(recorded);
  const actorId = metadata.actor ?? '';
  const [askedBy] = askersOf(recorded).flatMap((asker) => actors.get(asker) ?? []);
  return {
    revision: Number(recorded.revision),
    position: recorded.position.commit.toString(),
    id: recorded.id,
    type: recorded.type,
    recordedAt: recorded.created.toISOString(),
    occurredAt: event ? readerEventTime(event) : null,
    borrowId: event && 'borrowId' in event.data ? event.data.borrowId : null,
    actor: actors.get(actorId) ?? { id: actorId, name: actorId, kind: 'job' },
    ...(askedBy && { askedBy }),
    correlationId: metadata.$correlationId ?? null,
    causationId: metadata.$causationId ?? null,
    policyVersion: policyVersionOf(event),
    schemaVersion: metadata.schemaVersion ?? null,
    data: looseData.parse(recorded.data),
    metadata: looseData.parse(recorded.metadata),
  };
}

function policyVersionOf(event: ReaderEvent | null | undefined): number | null {
  return event && 'policyVersion' in event.data ? event.data.policyVersion : null;
}

function current(recorded: LoggedEvent): ReaderEvent | undefined {
  try {
    const [read] = readerEventsIn([readAsCurrent(recorded)]);
    return read?.event;
  } catch (error) {
    if (error instanceof UnreadableEvent) return undefined;
    throw error;
  }
}
