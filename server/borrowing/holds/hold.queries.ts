import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import type { TakenBack } from '#contracts/borrowing/borrow-views.js';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { DomainError } from '#contracts/domain-error.js';
import { MOVE_REASONS } from '#contracts/holds/hold-events.js';
import {
  HOLDS_SHOWN,
  LAPSED_SHOWN_DAYS,
  type HoldProspect,
  type HoldView,
  type LapsedHold,
  type QueuedHold,
  type ShelfHold,
} from '#contracts/holds/hold-views.js';
import type { Today } from '#contracts/dashboard/today.js';
import { addDays, localDay, startOfDay } from '#contracts/local-day.js';
import { BOOK_KINDS, type BookKind } from '#contracts/rules/kinds.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { LibraryRules } from '#rules/library-rules.js';
import { DATABASE } from '#platform/tokens.js';
import { numbersForBook } from '#circulation/rules/borrow.policy.js';
import { estimateDays, type CopyOut } from '#circulation/hold/hold-estimate.js';
import { QueryWith } from '../../messages.js';
import { copiesOut } from './copies-out.queries.js';

/** The states of a hold that has a place in its title's queue: no copy is kept for it yet. */
export const QUEUED_STATES = ['waiting', 'paused', 'bound'] as const;
/** The same, as SQL has them after `in`. */
export const QUEUED = `('${QUEUED_STATES.join("', '")}')`;

/** The holds of a reader that are not over. */
export class HoldsOfReader extends QueryWith<HoldView[], { readerId: string }> {}

/** A hold, whatever became of it: whose it is, and its place; null once a copy is kept for it. */
export class PlaceOfHold extends QueryWith<
  { readerId: string; place: number | null } | undefined,
  { holdId: string }
> {}

/** Holds in figures, at an instant of the library's `today`. */
export class HoldFigures extends QueryWith<Today['holds'], { at: Date; today: string }> {}

/** How many wait for books, for live messages. */
export class HoldCounts extends QueryWith<{ bookId: number; holds: number }[], { bookIds: number[] }> {}

const time = z.date().transform((at) => at.toISOString());

const holdRow = z.object({
  id: z.string(),
  bookId: z.int(),
  bookKind: z.enum(BOOK_KINDS).nullable(),
  title: z.string(),
  state: z.enum([...QUEUED_STATES, 'ready']),
  place: z.int(),
  /** How many of those before it do not pause. */
  ahead: z.int(),
  borrowId: z.string().nullable(),
  collectBy: time.nullable(),
  placedAt: time,
  pausedUntil: time.nullable(),
  neededUntil: time.nullable(),
  userId: z.string(),
  fullname: z.string().nullable(),
  movedAt: time.nullable(),
  moverId: z.string().nullable(),
  mover: z.string().nullable(),
  moveReason: z.enum(MOVE_REASONS).nullable(),
  note: z.string().nullable(),
});
type HoldRow = z.output<typeof holdRow>;

/** A bound copy is the reader's already, but they are told of it when their stream is: until then they are the first who waits. */
const HOLDS = `
  select h.hold_id as id, h.book_id as "bookId", k.kind as "bookKind", h.title, h.state, h.borrow_id as "borrowId", h.collect_by as "collectBy",
    h.placed_at as "placedAt", h.paused_until as "pausedUntil", h.needed_until as "neededUntil",
    1 + before.place as place, before.ahead, coalesce(a.id, h.reader_id) as "userId", a.fullname,
    h.moved_at as "movedAt", coalesce(m.id, h.moved_by) as "moverId", m.fullname as mover, h.move_reason as "moveReason", n.note
  from hold h
  cross join lateral (
    select count(*)::integer as place, (count(*) filter (where o.state <> 'paused'))::integer as ahead
    from hold o where o.book_id = h.book_id and o.rank < h.rank and o.state in ${QUEUED}) before
  left join book k on k.id = h.book_id
  left join account a on a.pseudonym = h.reader_id
  left join account m on m.pseudonym = h.moved_by
  left join event_note n on n.event_id = h.move_event`;

const IN_ORDER = `order by h.state <> 'ready', h.collect_by, h.rank`;

/** Holds as they are shown. */
@Injectable()
export class HoldViews {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
  ) {}

  /** Those that are not over. */
  async find(which: 'of-reader' | 'on-book', value: string | number): Promise<QueuedHold[]> {
    const condition = which === 'of-reader' ? 'h.reader_id' : 'h.book_id';
    const rows = await queryRows(this.database, holdRow, {
      name: `holds-${which}`,
      text: `${HOLDS} where ${condition} = $1 and h.state <> 'over' ${IN_ORDER} limit ${HOLDS_SHOWN}`,
      values: [value],
    });
    const out = await this.copiesOut(rows.map(({ bookId }) => bookId));
    return rows.map((row) => this.view(row, out.get(row.bookId) ?? []));
  }

  async copiesOut(bookIds: readonly number[]): Promise<Map<number, CopyOut[]>> {
    return copiesOut(this.database, await this.readModel.toRead(), bookIds);
  }

  estimate(out: readonly CopyOut[], ahead: number, kind?: BookKind): number | null {
    const now = this.clock.now().toISOString();
    return estimateDays(out, ahead, now, numbersForBook(this.rules.shownAt(now), undefined, kind));
  }

  private view(row: HoldRow, out: readonly CopyOut[]): QueuedHold {
    const { id, bookId, title, state, placedAt } = row;
    const isReady = state === 'ready';
    const day = (at: string | null) => (at === null ? null : localDay(at, this.rules.timeZone.name));
    return {
      ...{ id, bookId, title, placedAt },
      state: isReady ? 'Ready' : state === 'paused' ? 'Paused' : 'Waiting',
      place: isReady ? null : row.place,
      collectBy: row.collectBy,
      borrowId: isReady ? row.borrowId : null,
      pausedUntil: day(row.pausedUntil),
      neededUntil: day(row.neededUntil),
      estimateDays:
        isReady || state === 'bound' ? 0 : this.estimate(out, row.ahead, row.bookKind ?? undefined),
      user: { id: row.userId, fullname: row.fullname ?? m.account_removed() },
      moved:
        row.movedAt !== null && row.moveReason !== null
          ? {
              at: row.movedAt,
              by:
                row.moverId === null ? null : { id: row.moverId, fullname: row.mover ?? m.account_removed() },
              reason: row.moveReason,
              note: row.note,
            }
          : null,
    };
  }
}

@QueryHandler(HoldsOfReader)
export class HoldsOfReaderHandler implements IQueryHandler<HoldsOfReader> {
  constructor(private readonly holds: HoldViews) {}

  async execute({ readerId }: HoldsOfReader): Promise<HoldView[]> {
    const views = await this.holds.find('of-reader', readerId);
    // The reader is not told who moved them.
    return views.map(({ user: _user, moved: _moved, ...view }) => view);
  }
}

const prospectRow = z.object({ waiting: z.int(), ahead: z.int(), free: z.int(), kind: z.enum(BOOK_KINDS) });

const placeRow = z.object({ readerId: z.string(), place: z.int().nullable() });

@QueryHandler(PlaceOfHold)
export class PlaceOfHoldHandler implements IQueryHandler<PlaceOfHold> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  execute({ holdId }: PlaceOfHold): Promise<z.output<typeof placeRow> | undefined> {
    return queryRow(this.database, placeRow, {
      name: 'place-of-hold',
      text: `select h.reader_id as "readerId", case when h.state in ('waiting', 'paused') then (
               select 1 + count(*)::integer from hold o
               where o.book_id = h.book_id and o.rank < h.rank and o.state in ${QUEUED}) end as place
             from hold h where h.hold_id = $1`,
      values: [holdId],
    });
  }
}

const person = { userId: z.string(), fullname: z.string().nullable() };
const shelfRow = z.object({
  id: z.string(),
  bookId: z.int(),
  title: z.string(),
  borrowId: z.string(),
  ...person,
  copy: z.int().nullable(),
  shelfMark: z.string().nullable(),
  readyAt: time,
  collectBy: time,
});

const lapsedRow = z.object({
  id: z.string(),
  bookId: z.int(),
  title: z.string(),
  borrowId: z.string(),
  ...person,
  collectBy: time,
  lapsedAt: time,
});

const figuresRow = z.object({ waiting: z.int(), onShelf: z.int(), lastDay: z.int(), notCollected: z.int() });

@QueryHandler(HoldFigures)
export class HoldFiguresHandler implements IQueryHandler<HoldFigures> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly rules: LibraryRules,
  ) {}

  async execute({ at, today }: HoldFigures): Promise<z.output<typeof figuresRow>> {
    const figures = await queryRow(this.database, figuresRow, {
      name: 'hold-figures',
      // Each state by itself: it has an index of its own, which leaves out all that is over.
      text: `select
          ((select count(*) from hold where state = 'waiting') + (select count(*) from hold where state = 'paused')
            + (select count(*) from hold where state = 'bound'))::integer as waiting,
          (select count(*) from hold where state = 'ready')::integer as "onShelf",
          (select count(*) from hold where state = 'ready' and collect_by < $1)::integer as "lastDay",
          (select count(*) from hold where ended_as = 'lapsed'
            and ended_at > $2::timestamptz - make_interval(days => ${LAPSED_SHOWN_DAYS}))::integer as "notCollected"`,
      values: [new Date(startOfDay(addDays(today, 1), this.rules.timeZone.name)), at],
    });
    return figures ?? { waiting: 0, onShelf: 0, lastDay: 0, notCollected: 0 };
  }
}

const storedRow = z.object({
  bookId: z.int(),
  holdId: z.string(),
  ...person,
  collectBy: time.nullable(),
  copy: z.int(),
  shelfMark: z.string().nullable(),
});

@Injectable()
export class HoldQueries {
  constructor(
    private readonly holds: HoldViews,
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** All holds on a title that are not over. */
  holdsOnBook(bookId: number): Promise<QueuedHold[]> {
    return this.holds.find('on-book', bookId);
  }

  /**
   * What a reader who does not wait for a title yet would get.
   * @throws DomainError BookNotFound
   */
  async holdProspectOf(bookId: number): Promise<HoldProspect> {
    const row = await queryRow(
      this.database,
      prospectRow,
      `select b.copies_available as free, b.kind, count(h.hold_id)::integer as waiting,
         (count(h.hold_id) filter (where h.state <> 'paused'))::integer as ahead
       from book b left join hold h on h.book_id = b.id and h.state in ${QUEUED}
       where b.id = $1 group by b.id`,
      [bookId],
    );
    if (!row) throw new DomainError('BookNotFound', m.borrow_book_unknown());
    const { waiting, ahead, free, kind } = row;
    const out = await this.holds.copiesOut([bookId]);
    const estimate = free > 0 ? 0 : this.holds.estimate(out.get(bookId) ?? [], ahead, kind);
    return { waiting, place: waiting + 1, estimateDays: estimate };
  }

  async holdsOnShelf(): Promise<ShelfHold[]> {
    const rows = await queryRows(this.database, shelfRow, {
      name: 'holds-on-shelf',
      text: `select h.hold_id as id, h.book_id as "bookId", h.title, h.borrow_id as "borrowId",
               coalesce(a.id, h.reader_id) as "userId", a.fullname, c.copy, k.shelf_mark as "shelfMark",
               h.ready_at as "readyAt", h.collect_by as "collectBy"
             from hold h
             left join account a on a.pseudonym = h.reader_id
             left join copy_allocation c on c.borrow_id = h.borrow_id and c.book_id = h.book_id
             left join copy k on k.book_id = c.book_id and k.copy = c.copy
             where h.state = 'ready' order by h.collect_by, h.hold_id limit ${HOLDS_SHOWN}`,
    });
    return rows.map(({ userId, fullname, copy, shelfMark, ...row }) => ({
      ...row,
      user: { id: userId, fullname: fullname ?? m.account_removed() },
      copy: copy === null ? null : { code: copyCode({ bookId: row.bookId, copy }), shelfMark },
    }));
  }

  async holdsLapsed(): Promise<LapsedHold[]> {
    const rows = await queryRows(this.database, lapsedRow, {
      name: 'holds-lapsed',
      text: `select h.hold_id as id, h.book_id as "bookId", h.title, h.borrow_id as "borrowId",
               coalesce(a.id, h.reader_id) as "userId", a.fullname, h.collect_by as "collectBy", h.ended_at as "lapsedAt"
             from hold h left join account a on a.pseudonym = h.reader_id
             where h.ended_as = 'lapsed' and h.ended_at > $1::timestamptz - make_interval(days => ${LAPSED_SHOWN_DAYS})
             order by h.ended_at desc, h.hold_id limit ${HOLDS_SHOWN}`,
      values: [this.clock.now()],
    });
    return rows.map(({ userId, fullname, ...row }) => ({
      ...row,
      user: { id: userId, fullname: fullname ?? m.account_removed() },
    }));
  }

  /** For whom copies are kept that came back with a borrow. */
  async heldAfterReturn(borrowId: string, bookIds: readonly number[]): Promise<TakenBack['keptFor']> {
    const rows = await queryRows(this.database, storedRow, {
      name: 'kept-after-return',
      text: `select h.book_id as "bookId", h.hold_id as "holdId", coalesce(p.id, h.reader_id) as "userId", p.fullname,
               h.collect_by as "collectBy", c.copy, k.shelf_mark as "shelfMark"
             from copy_allocation back
             join copy_allocation c on c.book_id = back.book_id and c.copy = back.copy and c.state <> 'released'
             join hold h on h.borrow_id = c.borrow_id and h.state in ('bound', 'ready')
             left join account p on p.pseudonym = h.reader_id
             left join copy k on k.book_id = c.book_id and k.copy = c.copy
             where back.borrow_id = $1 and back.book_id = any($2::integer[]) and back.state = 'released'`,
      values: [borrowId, bookIds],
    });
    return rows.map(({ userId, fullname, copy, shelfMark, ...row }) => ({
      ...row,
      user: { id: userId, fullname: fullname ?? m.account_removed() },
      copy: { code: copyCode({ bookId: row.bookId, copy }), shelfMark },
    }));
  }
}

const countRow = z.object({ bookId: z.int(), holds: z.int() });

@QueryHandler(HoldCounts)
export class HoldCountsHandler implements IQueryHandler<HoldCounts> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  execute({ bookIds }: HoldCounts): Promise<z.output<typeof countRow>[]> {
    return queryRows(this.database, countRow, {
      name: 'hold-counts',
      text: 'select id as "bookId", holds from book where id = any($1::integer[])',
      values: [bookIds],
    });
  }
}
