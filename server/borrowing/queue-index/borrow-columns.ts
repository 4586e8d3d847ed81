import { borrowStatusSchema, type BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import type { BorrowFilter, BorrowOrder } from '#contracts/borrowing/borrow-views.js';
import { GrowableArray } from './growable-lists.js';
import type { WordMask } from './searched-texts.js';

/** What the memory of the queue knows of a borrow. */
export interface QueuedBorrow {
  borrow_id: string;
  reader_id: string;
  /** Folded, one a line. */
  titles: string;
  status: BorrowStatus;
  /** Some of its books wait at the desk. */
  waits: boolean;
  /** It was lent at the desk, and that was undone: it is in no list but that of all. */
  undone: boolean;
  /** Milliseconds since 1970. */
  rented: number;
  issued: number | null;
  due: number | null;
  returned: number | null;
}

const STATUSES = borrowStatusSchema.options;
/** The bit of a borrow that is in no other list. */
const IN_ALL = 1 << STATUSES.length;
const bitOf = (status: BorrowStatus) => 1 << STATUSES.indexOf(status);
/** A missing date is before every other (specification, section 4). */
const MISSING = -Number.MAX_VALUE;
const WORDS_OF_ID = 4;

/** A million borrows without an object for each: a typed array for every fact of theirs. A borrow is its place in them. */
export class BorrowColumns {
  size = 0;
  readonly reader = new GrowableArray((length) => new Int32Array(length));
  private readonly ids = new GrowableArray((length) => new Uint32Array(length));
  /** In which lists it is, a bit for each. */
  private readonly lists = new GrowableArray((length) => new Uint8Array(length));
  private readonly dates: Record<BorrowOrder, GrowableArray<Float64Array>> = {
    RentDate: new GrowableArray((length) => new Float64Array(length)),
    BorrowDate: new GrowableArray((length) => new Float64Array(length)),
    DueDate: new GrowableArray((length) => new Float64Array(length)),
    ReturnDate: new GrowableArray((length) => new Float64Array(length)),
  };
  /** The titles of a borrow are `entries` from `firstTitle`, `titleCount` of them. */
  private readonly entries = new GrowableArray((length) => new Int32Array(length));
  private readonly firstTitle = new GrowableArray((length) => new Int32Array(length));
  private readonly titleCount = new GrowableArray((length) => new Uint8Array(length));
  private usedEntries = 0;

  /** @returns its place */
  add(borrow: QueuedBorrow, reader: number): number {
    const place = this.size;
    this.size += 1;
    this.reader.set(place, reader);
    wordsOf(borrow.borrow_id).forEach((word, at) => this.ids.set(place * WORDS_OF_ID + at, word));
    this.change(place, borrow);
    return place;
  }

  change(place: number, { status, waits, undone, rented, issued, due, returned }: QueuedBorrow): void {
    this.lists.set(place, undone ? IN_ALL : bitOf(status) | (waits ? bitOf('Rented') : 0));
    this.dates.RentDate.set(place, rented);
    this.dates.BorrowDate.set(place, issued ?? MISSING);
    this.dates.DueDate.set(place, due ?? MISSING);
    this.dates.ReturnDate.set(place, returned ?? MISSING);
  }

  /** @returns false if these are its titles already */
  setTitles(place: number, titles: readonly number[]): boolean {
    const first = this.firstTitle.array[place] ?? 0;
    const count = this.titleCount.array[place] ?? 0;
    if (count === titles.length && titles.every((title, at) => this.entries.at(first + at) === title))
      return false;
    this.firstTitle.set(place, this.usedEntries);
    this.titleCount.set(place, titles.length);
    for (const title of titles) this.entries.set(this.usedEntries++, title);
    return true;
  }

  hasId(place: number, words: readonly number[]): boolean {
    return words.every((word, at) => this.ids.at(place * WORDS_OF_ID + at) === word);
  }

  idOf(place: number): string {
    const hex = Array.from({ length: WORDS_OF_ID }, (_, at) =>
      this.ids
        .at(place * WORDS_OF_ID + at)
        .toString(16)
        .padStart(8, '0'),
    ).join('');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  /**
   * Those of some borrows, or of all, that are in a list and have all words, each in a title or in the reader's name. It looks at a
   * million borrows at a time: one loop over the arrays, without a call for each.
   * @param marks of titles and readers: the words that each has, and all words
   */
  found(
    list: BorrowFilter,
    { titles, readers, all }: { titles: WordMask; readers: WordMask; all: number },
    among?: Int32Array,
  ): Int32Array {
    const wanted = list === 'All' ? 0xff : bitOf(list);
    const [lists, reader, entries] = [this.lists.array, this.reader.array, this.entries.array];
    const [first, count] = [this.firstTitle.array, this.titleCount.array];
    const length = among?.length ?? this.size;
    const found = new Int32Array(length);
    let size = 0;
    for (let at = 0; at < length; at += 1) {
      const place = among === undefined ? at : (among[at] as number);
      if (((lists[place] as number) & wanted) === 0) continue;
      let marks = all === 0 ? 0 : (readers[reader[place] as number] as number);
      if (marks !== all) {
        const from = first[place] as number;
        const until = from + (count[place] as number);
        for (let entry = from; entry < until; entry += 1) marks |= titles[entries[entry] as number] as number;
      }
      if (marks === all) found[size++] = place;
    }
    return found.subarray(0, size);
  }

  /** The orders of the queue; borrows with the same date are in the order of their ids, as the indexes have them. */
  inOrder(order: BorrowOrder, ascending: boolean): (one: number, other: number) => number {
    const dates = this.dates[order].array;
    const [turned, ids] = [ascending ? 1 : -1, order === 'RentDate' ? -1 : 1];
    return (one, other) =>
      turned * ((dates[one] as number) - (dates[other] as number) || ids * this.compareIds(one, other));
  }

  private compareIds(one: number, other: number): number {
    const ids = this.ids.array;
    for (let at = 0; at < WORDS_OF_ID; at += 1) {
      const difference = (ids[one * WORDS_OF_ID + at] as number) - (ids[other * WORDS_OF_ID + at] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

/** A UUID as four numbers of 32 bits, which compare as it does. */
export function wordsOf(id: string): number[] {
  const hex = id.replaceAll('-', '');
  return [0, 8, 16, 24].map((at) => Number.parseInt(hex.slice(at, at + 8), 16));
}
