import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '#platform/clock.js';
import { LibraryRules } from '#rules/library-rules.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import { decide } from '#circulation/borrow/borrow.decider.js';
import { isOut } from '#circulation/borrow/borrow-state.js';
import { CopyAllocations, type StaleAllocation } from './copy-allocations.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { ReaderStreams } from './streams/reader-streams.js';

/** The actor in the events. */
const ACTOR = 'hold-reconciler';

/** Milliseconds between two rounds, at most. */
const EVERY = 5_000;

/**
 * Settles allocations of rents that broke off between taking the copies and storing the event. It appends a fence,
 * `RentAbandoned`, to the reader's stream. If `BooksRented` is already there, the decider does nothing and the
 * allocation is confirmed. Otherwise a late append can no longer succeed, and the fence's projection returns the copies. Undoing
 * a return takes copies in the same way, and `UndoAbandoned` is its fence.
 */
@Injectable()
export class AllocationReconciler implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();

  constructor(
    private readonly streams: ReaderStreams,
    private readonly allocations: CopyAllocations,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  onApplicationBootstrap(): void {
    const staleAfter = this.settings.HOLD_STALE_SECONDS;
    this.timer = setInterval(
      () => {
        this.working = this.working
          .then(() => this.reconcile(staleAfter))
          .catch((error: unknown) => {
            this.logger.warn({ error }, 'broken-off rents could not be settled; this is tried again');
          });
      },
      Math.min(EVERY, staleAfter * 1000),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.working;
  }

  /**
   * Settles every allocation that has been pending for longer.
   * @param staleAfter seconds
   */
  async reconcile(staleAfter: number): Promise<void> {
    for (const stale of await this.allocations.stale(staleAfter)) await this.settle(stale);
  }

  private async settle({ borrowId, readerId, bookIds, isRetaken }: StaleAllocation): Promise<void> {
    const at = this.clock.now().toISOString();
    const command = isRetaken
      ? { type: 'AbandonUndo' as const, borrowId, bookIds, at }
      : { type: 'AbandonRent' as const, borrowId, at };
    const context = {
      actor: ACTOR,
      correlationId: borrowId,
      // A rent is given up once; a return may be undone more than once.
      ...commandIdentity(isRetaken ? randomUUID() : borrowId, ACTOR, command.type, { borrowId }),
    };
    const { state } = await this.streams.serialize(readerId, () =>
      this.streams.execute(readerId, context, (current) => decide(current, command, this.rules.at(at))),
    );
    const books = state.borrows.get(borrowId)?.books ?? [];
    // Of a rent that was stored, whatever became of it: what came back since is released by the projection.
    const stored = books.filter((book) => bookIds.includes(book.bookId) && (!isRetaken || isOut(book)));
    await this.allocations.confirm(
      borrowId,
      stored.map(({ bookId }) => bookId),
    );
    this.logger.info({ borrowId, stored: stored.length > 0 }, 'a broken-off rent or undoing was settled');
  }
}
