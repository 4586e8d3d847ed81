import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Merge, MergeBody } from '#contracts/catalogue/merge.js';
import type { AuthorityName } from '../authorities/authority-kinds.js';
import { CatalogueChanges, violatedUniqueness } from '../catalogue-changes.js';
import { mergeAuthorities, nameIsBack, undoAuthorityMerge } from './authority-merge.js';
import { earlierMerge, lockToUndo, mergeOf, recordUndo, type MergeContext } from './merge-rows.js';

/** Merges authors, genres or publishers into one. Returns the merge; a repeat of the command returns the same one. */
export class MergeAuthorities extends Command<Merge> {
  constructor(
    readonly kind: AuthorityName,
    readonly body: MergeBody,
    readonly context: MergeContext,
  ) {
    super();
  }
}

/** Undoes a merge as one. Returns it as it is then. */
export class UndoMerge extends Command<Merge> {
  constructor(
    readonly id: string,
    readonly context: MergeContext,
  ) {
    super();
  }
}

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

@CommandHandler(UndoMerge)
export class UndoMergeHandler implements ICommandHandler<UndoMerge> {
  constructor(private readonly changes: CatalogueChanges) {}

  /** @throws DomainError NotFound, NothingToUndo, UndoBlocked */
  execute({ id, context }: UndoMerge): Promise<Merge> {
    return this.changes.run(
      async (_manager, connection) => {
        const merge = await lockToUndo(connection, id, context);
        if (!merge) return mergeOf(connection, id);
        const { kind } = merge;
        if (kind === 'book') throw new Error('Books are not merged.');
        try {
          await undoAuthorityMerge(connection, kind, merge);
        } catch (error) {
          // An import has added the name in this moment.
          if (violatedUniqueness(error) !== undefined) throw nameIsBack(kind);
          throw error;
        }
        await recordUndo(connection, id, context);
        return mergeOf(connection, id);
      },
      () => 'everything',
    );
  }
}
