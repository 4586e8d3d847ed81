import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { BORROW_EVENTS, borrowEventTime, type BorrowEventType } from '#contracts/borrowing/borrow-events.js';
import { LAST_EVENTS_SHOWN, type LastEvent } from '#contracts/dashboard/today.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { borrowEventsIn } from '#platform/event-log/reader-events-in.js';
import { EventLog, readAsCurrent } from '#platform/event-log/event-log.js';
import { DATABASE } from '#platform/tokens.js';

/** An event never changes: enough for several screens full. */
const REMEMBERED = 200;

const changedRow = z.object({
  borrowId: z.string(),
  pseudonym: z.string(),
  readerId: z.string(),
  fullname: z.string().nullable(),
  titles: z.array(z.string()),
  revision: z.coerce.bigint(),
});
type ChangedRow = z.output<typeof changedRow>;

/** What does not depend on who asks. */
type KnownEvent = Omit<LastEvent, 'borrow' | 'word'> & { type: BorrowEventType };

@Injectable()
export class LastEventsQueries {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly log: EventLog,
  ) {}

  private readonly known = new LRUCache<string, KnownEvent>({ max: REMEMBERED });

  /**
   * What happened last in the library.
   * @throws DomainError EventStoreUnavailable
   */
  async find(): Promise<LastEvent[]> {
    const schema = await this.readModel.toRead();
    const changed = await queryRows(this.database, changedRow, {
      name: `last-changed-${schema}`,
      text: `select b.borrow_id as "borrowId", b.reader_id as pseudonym, coalesce(a.id, b.reader_id) as "readerId", a.fullname,
          array(select book->>'title' from jsonb_array_elements(b.books) book) as titles, b.revision
        from (select * from ${schema}.borrow order by position desc limit $1) b
        left join account a on a.pseudonym = b.reader_id order by b.position desc`,
      values: [LAST_EVENTS_SHOWN],
    });
    const events = await Promise.all(changed.map((row) => this.lastOf(row)));
    return events.flatMap((event, at) => {
      const row = changed[at];
      if (!event || !row) return [];
      const user = { id: row.readerId, fullname: row.fullname ?? m.account_removed() };
      const word = BORROW_EVENTS[event.type].label();
      return [{ ...event, word, borrow: { id: row.borrowId, user, titles: row.titles } }];
    });
  }

  /** The row says which event changed it last; that is read from the log itself. */
  private async lastOf({ pseudonym, revision }: ChangedRow): Promise<KnownEvent | undefined> {
    const place = `${pseudonym} ${revision}`;
    const known = this.known.get(place);
    if (known) return known;
    const [recorded] = await this.log.readRecorded('borrows', pseudonym, revision, 1);
    if (recorded?.revision !== revision) return undefined;
    const [stored] = borrowEventsIn([readAsCurrent(recorded)]);
    if (!stored) return undefined;
    const { event } = stored;
    const read = {
      type: event.type,
      at: borrowEventTime(event),
      amount: 'amount' in event.data ? event.data.amount : null,
    };
    this.known.set(place, read);
    return read;
  }
}
