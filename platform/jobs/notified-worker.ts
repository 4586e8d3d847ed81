import type { Notifications } from '../database/notifications.js';

/** Longest pause, in case a notification was missed. */
export const POLL_MS = 5000;

/**
 * Work that is done when a notification asks for it and after a pause, in one process never twice at once. What is asked
 * for meanwhile is done afterwards.
 */
export class NotifiedWorker {
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = true;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param work returns the milliseconds until it is done again at the latest
   * @param failed is told why it failed; it is tried again after `POLL_MS`
   */
  constructor(
    private readonly notifications: Notifications,
    private readonly channel: 'outbox' | 'letters' | 'simulations' | 'webhooks',
    private readonly work: () => Promise<number>,
    private readonly failed: (error: unknown) => void,
  ) {}

  start(): void {
    this.stopped = false;
    this.notifications.on(this.channel, this.wake);
    this.notifications.on('gap', this.wake);
    this.wake();
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.notifications.off(this.channel, this.wake);
    this.notifications.off('gap', this.wake);
    clearTimeout(this.timer);
    await this.running;
  }

  /** Whether what is under way is to come to an end. */
  get isStopping(): boolean {
    return this.stopped;
  }

  readonly wake = (): void => {
    if (this.stopped) return;
    if (this.running) {
      this.again = true;
      return;
    }
    clearTimeout(this.timer);
    this.running = this.work()
      .catch((error: unknown) => {
        this.failed(error);
        return POLL_MS;
      })
      .then((pause) => {
        this.running = undefined;
        if (this.again) {
          this.again = false;
          this.wake();
        } else if (!this.stopped) {
          this.timer = setTimeout(this.wake, pause);
        }
      });
  };
}
