import * as m from '#words/messages.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import { copyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import type { CopyBody, NewCopy } from '#contracts/copies/copy-views.js';
import { DomainError } from '#contracts/domain-error.js';
import type { CopyCommand } from '#copies/copy.decider.js';
import { Clock } from '#platform/clock.js';
import type { Connection } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { keyReused } from '../../idempotency/refused-commands.js';
import { RequestInvalid } from '../../http/validation.js';
import { CommandWith } from '../../messages.js';
import { CopyChanges } from './copy-changes.js';
import { CopyOutbox } from './copy-outbox.js';
import { addCopies, MAX_COPIES } from './copy-numbers.js';
import { copyRowOf, lockCounters } from './copy-rows.js';
import { copyNotFound } from './copy-codes.queries.js';
import type { CopyContext } from './copy-writer.js';

/** One more copy of a book. Returns which it is. */
export class AddCopy extends CommandWith<
  CopyOfBook,
  {
    body: NewCopy;
    context: CopyContext;
    /** Whether it came with a key, and may be sent again */
    isNamed: boolean;
  }
> {}

/** What is written on a copy: its shelf mark, its note. */
export class EditCopy extends CommandWith<void, { id: CopyOfBook; body: CopyBody; context: CopyContext }> {}

/** A copy leaves the shelf for good or for now, or is back. */
export class ChangeCopy extends CommandWith<
  void,
  { id: CopyOfBook; type: Exclude<CopyCommand['type'], 'MoveCopy'>; context: CopyContext }
> {}

/** What was written down of copies, by the projection of a loss, goes to the log now and not in a while. */
export class AppendCopyEvents extends Command<void> {}

@CommandHandler(AppendCopyEvents)
export class AppendCopyEventsHandler implements ICommandHandler<AppendCopyEvents> {
  constructor(private readonly outbox: CopyOutbox) {}

  execute(): Promise<void> {
    return this.outbox.appendAtOnce();
  }
}

@CommandHandler(AddCopy)
export class AddCopyHandler implements ICommandHandler<AddCopy> {
  constructor(
    private readonly copies: CopyChanges,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws DomainError BookNotFound, IdempotencyKeyReused
   * @throws RequestInvalid when the book has all the copies that it may have
   */
  execute({ body, context, isNamed }: AddCopy): Promise<CopyOfBook> {
    const { bookId, shelfMark, note } = body;
    return this.copies.run(bookId, async (_manager, connection) => {
      const counters = await lockCounters(connection, bookId);
      if (!counters) throw new DomainError('BookNotFound', m.catalogue_book_gone());
      const before = isNamed ? await addedBefore(connection, context) : undefined;
      if (before) return { result: before, copies: [] };
      if (counters.copies_total >= MAX_COPIES) {
        throw new RequestInvalid({ bookId: [m.copies_too_many({ most: MAX_COPIES })] });
      }
      const copy = counters.numbered + 1;
      const at = this.clock.now().toISOString();
      await addCopies(connection, bookId, [copy], { shelfMark, isNamed, at }, context);
      await writeNote(connection, { bookId, copy }, note);
      return { result: { bookId, copy }, copies: [copy] };
    });
  }
}

@CommandHandler(EditCopy)
export class EditCopyHandler implements ICommandHandler<EditCopy> {
  constructor(
    private readonly copies: CopyChanges,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError CopyNotFound, CopyWithdrawn */
  execute({ id, body, context }: EditCopy): Promise<void> {
    const { shelfMark, note } = body;
    const said = { by: context.actor, at: this.clock.now().toISOString() };
    return this.copies.run(id.bookId, async (_manager, connection) => {
      const row = (await lockCounters(connection, id.bookId)) && (await copyRowOf(connection, id));
      if (!row) throw copyNotFound(copyCode(id));
      const copies =
        shelfMark === undefined
          ? []
          : await this.copies.decide(connection, id, { type: 'MoveCopy', shelfMark, ...said }, context);
      if (note !== undefined) await writeNote(connection, id, note);
      return { result: undefined, copies };
    });
  }
}

@CommandHandler(ChangeCopy)
export class ChangeCopyHandler implements ICommandHandler<ChangeCopy> {
  constructor(
    private readonly copies: CopyChanges,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError CopyNotFound, CopyNotOnShelf, CopyWithdrawn, OwnFee */
  execute({ id, type, context }: ChangeCopy): Promise<void> {
    const said = { by: context.actor, at: this.clock.now().toISOString() };
    const command: CopyCommand =
      type === 'ReportLost' || type === 'ReportDamaged'
        ? { type, borrowId: null, ...said }
        : { type, ...said };
    return this.copies.run(id.bookId, async (_manager, connection) => {
      const copies = await this.copies.decide(connection, id, command, context);
      return { result: undefined, copies };
    });
  }
}

const addedRow = z.object({ book_id: z.int(), copy: z.int(), added_digest: z.string() });

/**
 * The copy that an earlier attempt at the same command added.
 * @throws DomainError IdempotencyKeyReused
 */
async function addedBefore(
  connection: Connection,
  { commandId, commandDigest }: CopyContext,
): Promise<CopyOfBook | undefined> {
  const row = await queryRow(
    connection,
    addedRow,
    'select book_id, copy, added_digest from copy where added_by = $1',
    [commandId],
  );
  if (row && row.added_digest !== commandDigest) throw keyReused();
  return row && { bookId: row.book_id, copy: row.copy };
}

/** Notes are written by people, and never get into the log. */
async function writeNote(
  connection: Connection,
  { bookId, copy }: CopyOfBook,
  note: string | null,
): Promise<void> {
  await connection.query(
    `insert into copy (book_id, copy, condition, note, revision, changed_at)
     select $1, $2, 'present', $3::text, -1, now()
     where $3 is not null or exists (select from copy where book_id = $1 and copy = $2)
     on conflict (book_id, copy) do update set note = excluded.note`,
    [bookId, copy, note],
  );
}
