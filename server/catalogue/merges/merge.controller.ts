import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { listMerges, mergeBooks, undoMerge, type Merge } from '#contracts/catalogue/merge.js';
import type { Paged } from '#contracts/paging.js';
import { Clock } from '#platform/clock.js';
import { Serves, type Asked } from '../../http/serves.js';
import { copyContext } from '../copies/copy-context.js';
import { mergeContext } from './merge-context.js';
import { MergeCommands } from './merge.commands.js';
import { MergeQueries } from './merge.queries.js';

/** Merges of books, and what was merged in the catalogue. Each kind of authority has its own call that merges. */
@Controller()
export class MergeController {
  constructor(
    private readonly commands: MergeCommands,
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
    return this.commands.mergeBooks(body, context, copyContext(caller, 'MergeBooks', body, key));
  }

  @Serves(undoMerge)
  undo({ caller, params: { id }, key = randomUUID() }: Asked<typeof undoMerge>): Promise<Merge> {
    const context = mergeContext(caller, key, 'UndoMerge', id, this.clock.now());
    return this.commands.undoMerge(id, context, copyContext(caller, 'UndoMerge', id, key));
  }
}
