/** Gathers what has to be told: the first is told at once, what comes in the next while together after it. */
export class Coalescer<Item> {
  private readonly waiting = new Set<Item>();
  private timer: NodeJS.Timeout | undefined;
  private telling: Promise<void> = Promise.resolve();

  /**
   * @param everyMs milliseconds between two times that something is told
   * @param tell never fails
   */
  constructor(
    private readonly everyMs: number,
    private readonly tell: (items: Item[]) => Promise<void>,
  ) {}

  add(items: readonly Item[]): void {
    for (const item of items) this.waiting.add(item);
    if (!this.timer) this.tellWaiting();
  }

  /** Tells nothing any more. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.waiting.clear();
    await this.telling;
  }

  private tellWaiting(): void {
    this.timer = undefined;
    if (this.waiting.size === 0) return;
    const items = [...this.waiting];
    this.waiting.clear();
    this.timer = setTimeout(() => this.tellWaiting(), this.everyMs);
    // One after the other, so that the last that is told is the newest.
    this.telling = this.telling.then(() => this.tell(items));
  }
}
