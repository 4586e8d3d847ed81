import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { BorrowReplay } from '#circulation/borrow/borrow-replay.js';
import { QueryWith } from '../../messages.js';
import { ReaderReplays } from './reader-replays.js';

/**
 * A reader's whole history, to be queried as of any of its events.
 * @throws DomainError EventStoreUnavailable, HistoryUnreadable
 */
export class GetReplay extends QueryWith<
  BorrowReplay,
  {
    /** Of the reader in the log */
    pseudonym: string;
  }
> {}

@QueryHandler(GetReplay)
export class GetReplayHandler implements IQueryHandler<GetReplay> {
  constructor(private readonly replays: ReaderReplays) {}

  execute({ pseudonym }: GetReplay): Promise<BorrowReplay> {
    return this.replays.of(pseudonym);
  }
}
