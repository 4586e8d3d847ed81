import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TakenBack } from '#contracts/borrowing/borrow-views.js';
import { QueryWith } from '../../messages.js';
import { ReadModelProgress } from '../../read-models/read-model-progress.js';
import { HeldTitles } from './held-titles.js';
import { HoldQueries } from './hold.queries.js';

/** For whom copies are kept that came back. The projection gives each to whoever waits first. */
export class HeldAfterReturn extends QueryWith<
  TakenBack['keptFor'],
  {
    borrowId: string;
    /** Of the return in the log */
    position: bigint;
    bookIds: readonly number[];
  }
> {}

@QueryHandler(HeldAfterReturn)
export class HeldAfterReturnHandler implements IQueryHandler<HeldAfterReturn> {
  constructor(
    private readonly progress: ReadModelProgress,
    private readonly holds: HoldQueries,
    private readonly heldTitles: HeldTitles,
  ) {}

  async execute({ borrowId, position, bookIds }: HeldAfterReturn): Promise<TakenBack['keptFor']> {
    if (!this.heldTitles.mayInclude(bookIds)) return [];
    await this.progress.reached(position);
    return this.holds.heldAfterReturn(borrowId, bookIds);
  }
}
