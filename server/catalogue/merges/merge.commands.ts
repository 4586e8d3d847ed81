import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Merge, MergeBody } from '#contracts/catalogue/merge.js';
import type { Connection, Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import type { AuthorityName } from '#contracts/catalogue/authorities.js';
import { CommandWith } from '../../messages.js';
import { CatalogueCache } from '../catalogue-cache.js';
import { CatalogueChanges, violatedUniqueness } from '../catalogue-changes.js';
import { CopyChanges } from '../copies/copy-changes.js';
import type { CopyContext } from '../copies/copy-writer.js';
import { mergeAuthorities, nameTakenAgain, undoAuthorityMerge } from './authority-merge.js';
import { mergeBooks } from './book-merge.js';
import {
  bookOfMerge,
  earlierMerge,
  lockToUndo,
  mergeOf,
  recordUndo,
  type MergeContext,
} from './merge-rows.js';
import { undoBookMerge } from './undo-book-merge.js';

/** Merges authors, genres or publishers into one. Returns the merge; a repeat of the command returns the same one. */
export class MergeAuthorities extends CommandWith<
  Merge,
  { kind: AuthorityName; body: MergeBody; context: MergeContext }
> {}

/** The same of books. */
export class MergeBooks extends CommandWith<
  Merge,
  { body: MergeBody; context: MergeContext; copies: CopyContext }
> {}

/** Undoes a merge as one. Returns it as it is then. */
export class UndoMerge extends CommandWith<
  Merge,
  {
    id: string;
    context: MergeContext;
    /** As whom and by which command copies go back to their books */
    copies: CopyContext;
  }
> {}

@CommandHandler(MergeAuthorities)
export class MergeAuthoritiesHandler implements ICommandHandler<MergeAuthorities> {
  constructor(private readonly changes: CatalogueChanges) {}

  /** @throws DomainError NotFound, IdempotencyKeyReused */
  execute({ kind, body, context }: MergeAuthorities): Promise<Merge> {
    return this.changes.run(
      async (_manager, connection) => {
        const earlier = await earlierMerge(connection, context);
        if (earlier) return earlier;
        await mergeAuthorities(connection, kind, body, context);
        return mergeOf(connection, context.commandId);
      },
      () => 'everything',
    );
  }
}

@CommandHandler(MergeBooks)
export class MergeBooksHandler implements ICommandHandler<MergeBooks> {
  constructor(
    private readonly changes: CopyChanges,
    private readonly cache: CatalogueCache,
  ) {}

  /** @throws DomainError BookNotFound, InUse, IdempotencyKeyReused, EventStoreUnavailable */
  async execute({ body, context, copies }: MergeBooks): Promise<Merge> {
    const merge = await this.changes.run(body.keep, async (_manager, connection) => {
      const earlier = await earlierMerge(connection, context);
      if (earlier) return { result: earlier, copies: [] };
      const added = await mergeBooks(connection, body, context, copies);
      return { result: await mergeOf(connection, context.commandId), copies: added };
    });
    this.cache.changed('everything');
    return merge;
  }
}

@CommandHandler(UndoMerge)
export class UndoMergeHandler implements ICommandHandler<UndoMerge> {
  constructor(
    private readonly changes: CatalogueChanges,
    private readonly copies: CopyChanges,
    private readonly cache: CatalogueCache,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /** @throws DomainError NotFound, NothingToUndo, UndoBlocked, EventStoreUnavailable */
  async execute(command: UndoMerge): Promise<Merge> {
    const book = await bookOfMerge(this.database, command.id);
    const undone =
      book === undefined
        ? await this.changes.run(
            (_manager, connection) => this.undo(connection, command).then(({ result }) => result),
            () => 'everything',
          )
        : await this.copies.run(book, (_manager, connection) => this.undo(connection, command));
    this.cache.changed('everything');
    return undone;
  }

  private async undo(
    connection: Connection,
    { id, context, copies }: UndoMerge,
  ): Promise<{ result: Merge; copies: number[] }> {
    const merge = await lockToUndo(connection, id, context);
    if (!merge) return { result: await mergeOf(connection, id), copies: [] };
    const { kind } = merge;
    let withdrawn: number[] = [];
    if (kind === 'book') {
      withdrawn = await undoBookMerge(connection, this.copies, merge, copies, context.at.toISOString());
    } else {
      try {
        await undoAuthorityMerge(connection, kind, merge);
      } catch (error) {
        // An import has added the name in this moment.
        if (violatedUniqueness(error) !== undefined) throw nameTakenAgain(kind);
        throw error;
      }
    }
    await recordUndo(connection, id, context);
    return { result: await mergeOf(connection, id), copies: withdrawn };
  }
}
