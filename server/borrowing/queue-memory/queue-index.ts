import type { BorrowFilter, BorrowOrder } from '#contracts/borrowing/borrow-views.js';
import { BorrowColumns, wordsOf, type QueuedBorrow } from './borrow-columns.js';
import { GrowingLists } from './growing-lists.js';
import { partInOrder } from './part-in-order.js';
import { Readers, Titles, type Marks } from './searched-texts.js';

/** A word as it is looked for in titles, and in what readers are found by. */
export interface SearchedWord {
  inTitles: string;
  inReaders: string;
}

/** With more words, their marks do not fit a number. */
export const MOST_WORDS = 30;

/** If the rarest word may be in more than every fourth borrow, all are looked through. */
const SHARE_TO_WALK = 4;

/** All borrows in memory: what a search of the queue needs to find them, to count them and to put them in order. */
export class QueueIndex {
  private readonly borrows = new BorrowColumns();
  private readonly titles = new Titles();
  private readonly borrowsWithTitle = new GrowingLists();
  private readonly borrowsOfReader = new GrowingLists();
  readonly readers = new Readers();

  get size(): number {
    return this.borrows.size;
  }

  /** @param borrow one that is not here yet */
  add(borrow: QueuedBorrow): void {
    const reader = this.readers.numberOf(borrow.reader_id);
    const place = this.borrows.add(borrow, reader);
    this.borrowsOfReader.add(reader, place);
    this.setTitles(place, borrow);
  }

  /** @param borrow a new one, or one as it is now */
  apply(borrow: QueuedBorrow): void {
    const id = wordsOf(borrow.borrow_id);
    let known = -1;
    this.borrowsOfReader.some(this.readers.numberOf(borrow.reader_id), (place) => {
      if (this.borrows.hasId(place, id)) known = place;
      return known >= 0;
    });
    if (known < 0) return this.add(borrow);
    this.borrows.change(known, borrow);
    this.setTitles(known, borrow);
  }

  private setTitles(place: number, { titles }: QueuedBorrow): void {
    const numbers = titles.split('\n').map((title) => this.titles.numberOf(title));
    if (!this.borrows.setTitles(place, numbers)) return;
    // That it was found by others before does no harm: what is found is looked at.
    for (const title of numbers) this.borrowsWithTitle.add(title, place);
  }

  /** The borrows with a status, and with every word, if there are any. */
  found(words: readonly SearchedWord[], status: BorrowFilter): Int32Array {
    const hasStatus = this.borrows.withStatus(status);
    if (words.length === 0) return this.among(hasStatus);
    const titles = this.titles.marks(words.map(({ inTitles }) => inTitles));
    const readers = this.readers.marks(words.map(({ inReaders }) => inReaders));
    const hasWords = this.borrows.withWords(words.length, titles, readers);
    const isFound = (place: number) => hasStatus(place) && hasWords(place);
    const counts = words.map((_, at) => this.atMost(titles, readers, 1 << at));
    const fewest = Math.min(...counts);
    if (fewest * SHARE_TO_WALK > this.size) return this.among(isFound);

    const mark = 1 << counts.indexOf(fewest);
    const places = new Int32Array(fewest);
    const seen = new Uint8Array(this.size);
    let count = 0;
    const look = (place: number) => {
      if (seen[place] === 1) return;
      seen[place] = 1;
      if (isFound(place)) places[count++] = place;
    };
    eachMarked(titles, mark, (title) => this.borrowsWithTitle.some(title, look));
    eachMarked(readers, mark, (reader) => this.borrowsOfReader.some(reader, look));
    return places.subarray(0, count);
  }

  /** The ids of the part of some borrows that is on a page. */
  page(places: Int32Array, order: BorrowOrder, ascending: boolean, from: number, until: number): string[] {
    const last = Math.min(until, places.length);
    if (from >= last) return [];
    const part = partInOrder(places, this.borrows.inOrder(order, ascending), from, last);
    return Array.from(part, (place) => this.borrows.idOf(place));
  }

  private among(isFound: (place: number) => boolean): Int32Array {
    const places = new Int32Array(this.size);
    let count = 0;
    for (let place = 0; place < this.size; place += 1) if (isFound(place)) places[count++] = place;
    return places.subarray(0, count);
  }

  /** How many borrows a word may be in, at most. */
  private atMost(titles: Marks, readers: Marks, mark: number): number {
    let count = 0;
    eachMarked(titles, mark, (title) => (count += this.borrowsWithTitle.count(title)));
    eachMarked(readers, mark, (reader) => (count += this.borrowsOfReader.count(reader)));
    return count;
  }
}

function eachMarked(marks: Marks, mark: number, visit: (number: number) => void): void {
  for (let number = 0; number < marks.length; number += 1)
    if (((marks[number] as number) & mark) !== 0) visit(number);
}
