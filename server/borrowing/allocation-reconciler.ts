import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '#platform/clock.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import { decide } from '#borrowing/borrow.decider.js';
import { borrowRules } from '#borrowing/borrow.policy.js';
import { CopyAllocations, type StaleHold } from './copy-allocations.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { ReaderStreams } from './reader-streams.js';

/** Milliseconds between two rounds, at most. */
const EVERY = 5_000;

/**
 * Settles allocations of rents that broke off between taking the copies and storing the event. It appends a fence,
 * `RentAbandoned`, to the reader's stream. If `BooksRented` is already there, the decider does nothing and the
 * allocation is confirmed. Otherwise a late append can no longer succeed, and the fence's projection returns the copies.
 */
@Injectable()
export class AllocationReconciler implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();

  constructor(
    private readonly streams: ReaderStreams,
    private readonly allocations: CopyAllocations,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
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

  private async settle({ borrowId, readerId }: StaleHold): Promise<void> {
    const context = {
      actor: 'hold-reconciler',
      correlationId: borrowId,
      ...commandIdentity(borrowId, 'hold-reconciler', 'AbandonRent', { borrowId }),
    };
    const at = this.clock.now().toISOString();
    const { state } = await this.streams.serialize(readerId, () =>
      this.streams.execute(readerId, context, (current) =>
        decide(current, { type: 'AbandonRent', borrowId, at }, borrowRules(this.timeZone.name)),
      ),
    );
    if (state.borrows.has(borrowId)) await this.allocations.confirm(borrowId);
    this.logger.info({ borrowId, stored: state.borrows.has(borrowId) }, 'a broken-off rent was settled');
  }
}
