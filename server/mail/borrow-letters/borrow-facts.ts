import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { isHoldLetter, isHoldEvent } from '#contracts/holds/hold-events.js';
import { fold, NO_BORROWS, type Borrow, type ReaderBorrows } from '#circulation/borrow/borrow-state.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { borrowFieldsShape, borrowOf, FIELDS_AS_WRITTEN } from '#platform/database/read-model.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { readerEventsIn, type StoredReaderEvent } from '#platform/event-log/reader-events-in.js';
import { DATABASE } from '#platform/tokens.js';
import { OPEN_STATUSES } from '#contracts/borrowing/borrow-status.js';
import { isToldByVisit } from '#letters/visit-letters.js';
import { hasEnoughFor, type AskedLetter, type KnownEvent, type KnownHold } from './borrow-letter.decider.js';
import { borrowsOf, isEnoughForVisit, type AskedVisit, type VisitEvent } from './visit-letter.decider.js';

/** Milliseconds in which the rows are waited for; then the reader's whole history is read instead. */
const TIMEOUT = 2000;
const LOOK_AGAIN = 50;

/** What a letter about a borrow is decided from. */
export interface FactsOfBorrow {
  /** Nothing where the log has no such borrow. */
  borrow: Borrow | undefined;
  /** The hold that became this borrow, or, of a letter about a hold, that one. */
  hold: KnownHold | undefined;
  /** The newest events of the reader's stream, as far back as the letter needs them. */
  events: readonly KnownEvent[];
}

/** What the letter of a visit is decided from: see `decideVisit`. */
export interface FactsOfVisit {
  borrows: ReadonlyMap<string, Borrow>;
  events: readonly VisitEvent[];
}

/** Finds what letters that were asked for together are decided from. */
export interface FactsOfLetters {
  of(letter: LetterOfReader): Promise<FactsOfBorrow>;
  /** The same, where nothing is left to be read for it. */
  known(letter: LetterOfReader): FactsOfBorrow | undefined;
}

/** A letter, with the reader's pseudonym. */
export type LetterOfReader = AskedLetter & { accountId: string };

const time = z.date().transform((at) => at.toISOString());
const borrowRow = z.object(borrowFieldsShape).transform(borrowOf);
const holdRow = z.object({
  ...{ about: z.string(), id: z.string(), title: z.string() },
  ...{ endedAt: time.nullable(), neededUntil: time.nullable() },
});
const placeRow = z.object({ rows: z.coerce.bigint(), letters: z.coerce.bigint() });

/**
 * Finds what letters are decided from, at a cost that does not grow with their readers' histories: the rows of the borrows
 * once they have every event that a letter was requested for, and a fee's last events from the end of the stream.
 */
@Injectable()
export class BorrowFacts {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly log: EventLog,
  ) {}

  async of(letters: readonly LetterOfReader[]): Promise<FactsOfLetters> {
    const schema = await this.caughtUp();
    if (schema === undefined) {
      return { of: (letter) => this.fromWholeStream(letter), known: () => undefined };
    }
    const asked = letters.map(({ borrowId }) => borrowId);
    const rows = await queryRows(this.database, borrowRow, {
      name: `borrows-of-letters-${schema}`,
      text: `select ${FIELDS_AS_WRITTEN} from ${schema}.borrow where borrow_id = any($1)`,
      values: [asked],
    });
    const held = await queryRows(this.database, holdRow, {
      name: 'holds-of-letters',
      // A rent may have the id of the hold that it came of: what the letter is about is the same then.
      text: `select h.borrow_id as about, h.hold_id as id, h.title, h.ended_at as "endedAt", h.needed_until as "neededUntil"
             from hold h where h.borrow_id = any($1)
             union
             select h.hold_id, h.hold_id, h.title, h.ended_at, h.needed_until from hold h where h.hold_id = any($2)`,
      values: [asked, letters.flatMap(({ kind, borrowId }) => (isHoldLetter(kind) ? borrowId : []))],
    });
    const borrows = new Map(rows.map((borrow) => [borrow.id, borrow]));
    const holds = new Map(held.map(({ about, ...hold }) => [about, hold]));
    const rowsOf = ({ borrowId }: LetterOfReader) => ({
      borrow: borrows.get(borrowId),
      hold: holds.get(borrowId),
    });
    return {
      of: async (letter) => ({ ...rowsOf(letter), events: await this.newestEvents(letter) }),
      known: (letter) => {
        const row = rowsOf(letter);
        return row.borrow && hasEnoughFor(letter, []) ? { ...row, events: [] } : undefined;
      },
    };
  }

  /** @returns the schema of rows with all the events that letters were requested for; nothing where they do not come */
  private async caughtUp(): Promise<string | undefined> {
    const until = performance.now() + TIMEOUT;
    try {
      const schema = await this.readModel.toRead();
      for (let wanted: bigint | undefined; ;) {
        const [place] = await queryRows(this.database, placeRow, {
          name: `place-of-letters-${schema}`,
          text: `select r.commit_position as rows, l.commit_position as letters
                 from ${schema}.checkpoint r, letters.checkpoint l`,
        });
        // Letters that are requested meanwhile are for another batch.
        wanted ??= place?.letters;
        if (place && wanted !== undefined && place.rows >= wanted) return schema;
        if (performance.now() > until) return undefined;
        await sleep(LOOK_AGAIN);
      }
    } catch (error) {
      // The lists are being made anew.
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }

  /** What the letter of a visit is decided from. */
  async ofVisit(asked: AskedVisit & { accountId: string }): Promise<FactsOfVisit> {
    const schema = await this.caughtUp();
    const { accountId } = asked;
    if (schema === undefined) {
      const all = readerEventsIn(await this.log.readStream('borrows', accountId));
      return { borrows: new Map(folded(all).borrows), events: all.map(ofVisit) };
    }
    const newest = await this.log.readNewest('borrows', accountId, (some) =>
      isEnoughForVisit(asked, readerEventsIn(some).map(ofVisit)),
    );
    const events = readerEventsIn(newest).map(ofVisit);
    const rows = await queryRows(this.database, borrowRow, {
      name: `borrows-of-visit-${schema}`,
      text: `select ${FIELDS_AS_WRITTEN} from ${schema}.borrow
             where borrow_id = any($1) or reader_id = $2 and status = any($3) order by rented_at, borrow_id`,
      values: [borrowsOf(asked, events), accountId, OPEN_STATUSES],
    });
    return { borrows: new Map(rows.map((borrow) => [borrow.id, borrow])), events };
  }

  private async newestEvents(letter: LetterOfReader): Promise<readonly KnownEvent[]> {
    if (hasEnoughFor(letter, [])) return [];
    const events = await this.log.readNewest('borrows', letter.accountId, (some) =>
      hasEnoughFor(letter, readerEventsIn(some)),
    );
    return readerEventsIn(events);
  }

  private async fromWholeStream({ accountId, borrowId }: LetterOfReader): Promise<FactsOfBorrow> {
    const events = readerEventsIn(await this.log.readStream('borrows', accountId));
    return { borrow: folded(events).borrows.get(borrowId), hold: holdIn(events, borrowId), events };
  }
}

function folded(events: readonly StoredReaderEvent[]): ReaderBorrows {
  return fold(
    events.map(({ event }) => event),
    NO_BORROWS,
    (index) => Number(events[index]?.revision),
  );
}

function ofVisit(stored: StoredReaderEvent): VisitEvent {
  const { id, revision, event } = stored;
  return { id, revision, event, isAtDesk: isToldByVisit(stored) };
}

/** @param about a hold, or the borrow that one became */
function holdIn(events: readonly KnownEvent[], about: string): KnownHold | undefined {
  const ready = events.find(({ event: { type, data } }) => type === 'HoldReady' && data.borrowId === about);
  const id = ready?.event.type === 'HoldReady' ? ready.event.data.holdId : about;
  let hold: KnownHold | undefined;
  for (const { event } of events) {
    if (!isHoldEvent(event) || event.data.holdId !== id) continue;
    const { type, data } = event;
    if (type === 'HoldPlaced') hold = { id, title: data.title, endedAt: null, neededUntil: data.neededUntil };
    if (!hold) continue;
    if (type === 'HoldNeededUntil') hold = { ...hold, neededUntil: data.neededUntil };
    if (type === 'HoldCancelled') hold = { ...hold, endedAt: data.cancelledAt };
    if (type === 'HoldNoLongerNeeded') hold = { ...hold, endedAt: data.endedAt };
  }
  return hold;
}
