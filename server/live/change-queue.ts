import type { ReadModelChange } from '#platform/database/notifications.js';

/** Changes are told one after the other; those that come meanwhile are then told together. */
export class ChangeQueue {
  private next: ReadModelChange | undefined;
  private telling: Promise<void> | undefined;

  /** @param tell never fails */
  constructor(private readonly tell: (change: ReadModelChange) => Promise<void>) {}

  add(change: ReadModelChange): void {
    this.next = this.next ? joined(this.next, change) : change;
    this.telling ??= this.tellAll();
  }

  /** When everything that was added is told. */
  async settled(): Promise<void> {
    await this.telling;
  }

  private async tellAll(): Promise<void> {
    while (this.next) {
      const change = this.next;
      this.next = undefined;
      await this.tell(change);
    }
    this.telling = undefined;
  }
}

/** Both as one; it names nothing if one of them does not. */
function joined(before: ReadModelChange, change: ReadModelChange): ReadModelChange {
  const position = BigInt(before.position) > BigInt(change.position) ? before.position : change.position;
  if (!before.borrows || !change.borrows) return { position };
  return {
    position,
    borrows: [...new Map([...before.borrows, ...change.borrows])],
    books: [...new Set([...(before.books ?? []), ...(change.books ?? [])])],
    holds: [...new Set([...(before.holds ?? []), ...(change.holds ?? [])])],
    holders: [...new Set([...(before.holders ?? []), ...(change.holders ?? [])])],
  };
}
