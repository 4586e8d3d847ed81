/** Gathers books whose copies changed: the first are told at once, the next ones together after a while. */
export class BookCopies {
  private readonly changed = new Set<number>();
  private timer: NodeJS.Timeout | undefined;
  private telling: Promise<void> = Promise.resolve();

  /**
   * @param everyMs milliseconds between two times that something is told
   * @param tell never fails
   */
  constructor(
    private readonly everyMs: number,
    private readonly tell: (bookIds: number[]) => Promise<void>,
  ) {}

  add(bookIds: readonly number[]): void {
    for (const id of bookIds) this.changed.add(id);
    if (!this.timer) this.tellChanged();
  }

  /** Tells nothing any more. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.changed.clear();
    await this.telling;
  }

  private tellChanged(): void {
    this.timer = undefined;
    if (this.changed.size === 0) return;
    const bookIds = [...this.changed];
    this.changed.clear();
    this.timer = setTimeout(() => this.tellChanged(), this.everyMs);
    // One after the other, so that the last that is told is the newest.
    this.telling = this.telling.then(() => this.tell(bookIds));
  }
}
