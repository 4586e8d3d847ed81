import { copyEffect, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';

/**
 * Which borrow has which copy by a scan, as the log says: of two that are out, the one that named it later. What came back is
 * remembered until it is forgotten, as a return may be undone.
 */
export class ScannedCopies {
  /** The copies that were scanned, by borrow and book. */
  private readonly copies = new Map<string, number>();
  /** The borrow that has a copy out, by book and copy. */
  private readonly holders = new Map<string, string>();

  /** @param event the next one of the log */
  add(event: BorrowEvent): void {
    const { borrowId } = event.data;
    const effect = copyEffect(event);
    if (effect === null) return;
    if ('names' in effect) {
      for (const { bookId, copy } of effect.names ?? []) this.name(borrowId, bookId, copy);
    } else if ('frees' in effect) {
      if (effect.frees !== 'all') for (const bookId of effect.frees) this.bringBack(borrowId, bookId);
    } else if ('takes' in effect) {
      if (effect.takes !== 'all') for (const bookId of effect.takes) this.takeAgain(borrowId, bookId);
    } else if (effect.loss === 'undone') this.takeAgain(borrowId, effect.bookId);
    else this.bringBack(borrowId, effect.bookId);
  }

  /** The copy that a borrow has, or had when it came back. */
  of(borrowId: string, bookId: number): number | undefined {
    return this.copies.get(`${borrowId} ${bookId}`);
  }

  /** For a book of a borrow that has no more events. */
  forget(borrowId: string, bookId: number): void {
    this.bringBack(borrowId, bookId);
    this.copies.delete(`${borrowId} ${bookId}`);
  }

  private name(borrowId: string, bookId: number, copy: number | null): void {
    this.forget(borrowId, bookId);
    if (copy === null) return;
    const holder = this.holders.get(`${bookId} ${copy}`);
    if (holder !== undefined) this.copies.delete(`${holder} ${bookId}`);
    this.copies.set(`${borrowId} ${bookId}`, copy);
    this.holders.set(`${bookId} ${copy}`, borrowId);
  }

  private bringBack(borrowId: string, bookId: number): void {
    const copy = `${bookId} ${this.of(borrowId, bookId)}`;
    if (this.holders.get(copy) === borrowId) this.holders.delete(copy);
  }

  /** Where somebody else has the copy since, it cannot be this one. */
  private takeAgain(borrowId: string, bookId: number): void {
    const copy = `${bookId} ${this.of(borrowId, bookId)}`;
    if (this.holders.has(copy)) this.copies.delete(`${borrowId} ${bookId}`);
    else if (this.of(borrowId, bookId) !== undefined) this.holders.set(copy, borrowId);
  }
}
