import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { localDay } from '#contracts/local-day.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE } from '#platform/tokens.js';
import { ReadModelProgress } from '../../read-models/read-model-progress.js';
import type { CommandContext } from '../streams/reader-streams.js';
import { ChangeHold } from './hold.commands.js';

const storedRow = z.object({
  holdId: z.string(),
  holderId: z.string(),
  borrowId: z.string(),
  title: z.string(),
  collectBy: z.date(),
});
type Kept = z.output<typeof storedRow>;

/** Of a copy that is kept for a hold: for which borrow it is needed instead. */
export interface NeededCopy {
  borrowId: string;
  readerId: string;
  bookId: number;
}

/** Copies that are kept for holds, where a librarian needs one for somebody else. */
@Injectable()
export class HeldCopies {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly progress: ReadModelProgress,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  /**
   * Why a copy cannot be had: it is kept for another reader. Their name is left out, as refusals are remembered; the desk sees it
   * by its scan.
   */
  async refusal(
    code: 'CopyHeldForOther' | 'ReturnedCopyHeld',
    bookIds: readonly number[],
    readerId: string,
  ): Promise<DomainError | undefined> {
    for (const bookId of bookIds) {
      const kept = await this.find({ bookId, readerId });
      if (!kept) continue;
      const day = localDay(kept.collectBy.getTime(), this.timeZone.name);
      return new DomainError(code, m.borrow_copy_held({ title: kept.title, day }));
    }
    return undefined;
  }

  /**
   * Sets the hold back of which a copy is needed otherwise, and gives that to the borrow: it is pending, as if it had been taken
   * from the shelf. Its reader has their place again. Where nothing comes of the borrow, the reconciler gives it back to them.
   * Called while no command of a reader is under way, as it is one of the holder's.
   */
  async setBack(needed: NeededCopy, { actor, correlationId }: CommandContext): Promise<void> {
    const kept = await this.find(needed);
    if (!kept) return;
    const { holdId, holderId, borrowId } = kept;
    await this.database.query(
      `update hold set yields_to = $3, yields_reader = $4 where hold_id = $1 and borrow_id = $2 and state = 'ready'`,
      [holdId, borrowId, needed.borrowId, needed.readerId],
    );
    const context = {
      ...{ actor, correlationId },
      ...commandIdentity(`${borrowId} ${needed.borrowId}`, actor, 'SetBackHold', { holdId }),
    };
    const change = { type: 'SetBackHold' as const, holdId, setBackBy: actor };
    const { position } = await this.commands.execute(new ChangeHold({ readerId: holderId, change, context }));
    await this.progress.reached(position);
  }

  /** The copy that the borrow had itself, else that of whoever may collect it the longest. */
  private find({
    bookId,
    readerId,
    borrowId,
  }: Pick<NeededCopy, 'bookId' | 'readerId'> & { borrowId?: string }): Promise<Kept | undefined> {
    return queryRow(
      this.database,
      storedRow,
      `select h.hold_id as "holdId", h.reader_id as "holderId", h.borrow_id as "borrowId", h.title, h.collect_by as "collectBy"
       from hold h join copy_allocation c on c.borrow_id = h.borrow_id and c.book_id = h.book_id
       left join copy_allocation had on had.borrow_id = $3 and had.book_id = h.book_id
       where h.book_id = $1 and h.state = 'ready' and h.reader_id <> $2
       order by had.copy = c.copy desc nulls last, h.collect_by desc, h.hold_id limit 1`,
      [bookId, readerId, borrowId ?? null],
    );
  }
}
