import { Inject, Injectable } from '@nestjs/common';
import type { Merge, MergeBody } from '#contracts/catalogue/merge.js';
import type { Connection, Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import type { AuthorityName } from '#contracts/catalogue/authorities.js';
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

@Injectable()
export class MergeCommands {
  constructor(
    private readonly changes: CatalogueChanges,
    private readonly copyChanges: CopyChanges,
    private readonly cache: CatalogueCache,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /**
   * Merges authors, genres or publishers into one; a repeat of the command returns the same merge.
   * @throws DomainError NotFound, IdempotencyKeyReused
   */
  mergeAuthorities(kind: AuthorityName, body: MergeBody, context: MergeContext): Promise<Merge> {
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

  /**
   * The same of books.
   * @throws DomainError BookNotFound, InUse, IdempotencyKeyReused, EventStoreUnavailable
   */
  async mergeBooks(body: MergeBody, context: MergeContext, copies: CopyContext): Promise<Merge> {
    const merge = await this.copyChanges.run(body.keep, async (_manager, connection) => {
      const earlier = await earlierMerge(connection, context);
      if (earlier) return { result: earlier, copies: [] };
      const added = await mergeBooks(connection, body, context, copies);
      return { result: await mergeOf(connection, context.commandId), copies: added };
    });
    this.cache.changed('everything');
    return merge;
  }

  /**
   * Undoes a merge as one.
   * @param copies as whom and by which command copies go back to their books
   * @returns it as it is then
   * @throws DomainError NotFound, NothingToUndo, UndoBlocked, EventStoreUnavailable
   */
  async undoMerge(id: string, context: MergeContext, copies: CopyContext): Promise<Merge> {
    const book = await bookOfMerge(this.database, id);
    const undone =
      book === undefined
        ? await this.changes.run(
            (_manager, connection) => this.undo(connection, id, context, copies).then(({ result }) => result),
            () => 'everything',
          )
        : await this.copyChanges.run(book, (_manager, connection) =>
            this.undo(connection, id, context, copies),
          );
    this.cache.changed('everything');
    return undone;
  }

  private async undo(
    connection: Connection,
    id: string,
    context: MergeContext,
    copies: CopyContext,
  ): Promise<{ result: Merge; copies: number[] }> {
    const merge = await lockToUndo(connection, id, context);
    if (!merge) return { result: await mergeOf(connection, id), copies: [] };
    const { kind } = merge;
    let withdrawn: number[] = [];
    if (kind === 'book') {
      withdrawn = await undoBookMerge(connection, this.copyChanges, merge, copies, context.at.toISOString());
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
