import * as m from '#words/messages.js';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { EntityManager } from 'typeorm';
import { copyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { DomainError } from '#contracts/domain-error.js';
import { decideOnCopy, type CopyAtHand, type CopyCommand } from '#copies/copy.decider.js';
import type { Connection } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { CatalogueChanges } from '../catalogue-changes.js';
import { EventPending } from './copy-numbers.js';
import { CopyOutbox } from './copy-outbox.js';
import { atHand, copyRowOf, isIssued, lockCounters, type CopyRow } from './copy-rows.js';
import { copyNotFound } from './copy-codes.queries.js';
import { writeCopies, type CopyContext } from './copy-writer.js';

/** Attempts at a change while earlier events of a copy are on their way to the log. */
const MAX_TRIES = 3;

/** What a change did, and the numbers of the copies that have new events. */
export interface Changed<Result> {
  result: Result;
  copies: readonly number[];
}

/** Changes of copies: decided and written under the lock of their book, then appended to the log. */
@Injectable()
export class CopyChanges {
  constructor(
    private readonly changes: CatalogueChanges,
    private readonly outbox: CopyOutbox,
    private readonly readModel: ReadModelSchema,
  ) {}

  /**
   * Runs the work in one transaction, and appends its events when that is committed. Where the log is away, they follow
   * when it is back.
   * @throws DomainError EventStoreUnavailable if an earlier event of such a copy is not in the log yet, and cannot be put there
   */
  async run<Result>(
    bookId: number,
    work: (manager: EntityManager, connection: Connection) => Promise<Changed<Result>>,
  ): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        const { result, copies } = await this.changes.run(work, () => ({ books: [bookId] }));
        await this.outbox.append(bookId, copies);
        return result;
      } catch (error) {
        if (!(error instanceof EventPending)) throw error;
        if (tries === MAX_TRIES) {
          throw new DomainError('EventStoreUnavailable', m.copies_change_pending());
        }
        await this.outbox.append(error.bookId, error.copies);
      }
    }
  }

  /**
   * Decides on one copy, and writes what follows.
   * @returns the numbers of the copies that have new events
   * @throws EventPending; DomainError CopyNotFound, CopyNotOnShelf, CopyWithdrawn, OwnFee
   */
  async decide(
    connection: Connection,
    id: CopyOfBook,
    command: CopyCommand,
    context: CopyContext,
  ): Promise<readonly number[]> {
    const row = (await lockCounters(connection, id.bookId)) && (await copyRowOf(connection, id));
    if (!row) throw copyNotFound(copyCode(id));
    const mayStay = command.type === 'MoveCopy' || command.type === 'BringBack';
    const heldFor = mayStay ? undefined : await this.heldFor(connection, id, row);
    const lostBy = command.type === 'BringBack' ? await this.lostBy(connection, row) : undefined;
    const copy = atHand(id, row, heldFor, lostBy);
    const event = decideOnCopy(copy, command);
    if (!event) return [];
    if (row.is_pending) throw new EventPending(id.bookId, [id.copy]);
    const decided = { ...id, event, before: copy.state, revision: row.revision };
    await writeCopies(connection, id.bookId, [decided], context);
    return [id.copy];
  }

  /** Whose charge it takes back that a copy is found. */
  private async lostBy(connection: Connection, { lost_in: borrowId }: CopyRow): Promise<string | undefined> {
    if (borrowId === null) return undefined;
    const row = await queryRow(
      connection,
      z.object({ reader_id: z.string() }),
      `select reader_id from ${await this.readModel.toRead()}.borrow where borrow_id = $1`,
      [borrowId],
    );
    return row?.reader_id;
  }

  /**
   * What a copy is out for. One that is only presumed to be out is not, as it is at hand: another copy on the shelf takes
   * its place there.
   */
  private async heldFor(
    connection: Connection,
    { bookId, copy }: CopyOfBook,
    { borrow_id: borrowId, scanned }: CopyRow,
  ): Promise<CopyAtHand['heldFor']> {
    if (borrowId === null) return undefined;
    if (!scanned) {
      const { rowCount } = await connection.query(
        `with other as (select free_copy($1) as copy)
         update copy_allocation a set copy = other.copy from other
         where a.book_id = $1 and a.copy = $2 and a.borrow_id = $3 and a.state <> 'released' and other.copy is not null`,
        [bookId, copy, borrowId],
      );
      if (rowCount === 1) return undefined;
    }
    const row = await queryRow(
      connection,
      z.object({ issued: z.boolean() }),
      `select ${isIssued('b', '$2')} as issued from ${await this.readModel.toRead()}.borrow b where b.borrow_id = $1`,
      [borrowId, bookId],
    );
    return row?.issued === true ? 'loan' : 'rent';
  }
}
