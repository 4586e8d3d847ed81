import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { listMerges, mergeBooks, undoMerge, type Merge } from '#contracts/catalogue/merge.js';
import type { Paged } from '#contracts/paging.js';
import { Clock } from '#platform/clock.js';
import { Serves, type Asked } from '../../http/serves.js';
import { copyContext } from '../copies/copy-context.js';
import { mergeContext } from './merge-context.js';
import { MergeBooks, UndoMerge } from './merge.commands.js';
import { MergeQueries } from './merge.queries.js';

/** Merges of books, and what was merged in the catalogue. Each kind of authority has its own call that merges. */
@Controller()
export class MergeController {
  constructor(
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly mergeQueries: MergeQueries,
  ) {}

  @Serves(listMerges)
  page({ query }: Asked<typeof listMerges>): Promise<Paged<Merge>> {
    return this.mergeQueries.find(query);
  }

  @Serves(mergeBooks)
  merge({ caller, body, key = randomUUID() }: Asked<typeof mergeBooks>): Promise<Merge> {
    const context = mergeContext(caller, key, 'MergeBooks', body, this.clock.now());
    return this.commands.execute(
      new MergeBooks({ body, context, copies: copyContext(caller, 'MergeBooks', body, key) }),
    );
  }

  @Serves(undoMerge)
  undo({ caller, params: { id }, key = randomUUID() }: Asked<typeof undoMerge>): Promise<Merge> {
    const context = mergeContext(caller, key, 'UndoMerge', id, this.clock.now());
    return this.commands.execute(
      new UndoMerge({ id, context, copies: copyContext(caller, 'UndoMerge', id, key) }),
    );
  }
}
