import type { BorrowFilter, BorrowOrder } from '#contracts/borrowing/borrow-views.js';
import { BorrowColumns, wordsOf, type QueuedBorrow } from './borrow-columns.js';
import { GrowableLists } from './growable-lists.js';
import { Readers, Titles, type WordMask } from './searched-texts.js';

/** A word as it is looked for in titles, and in what readers are found by. */
export interface SearchedWord {
  inTitles: string;
  inReaders: string;
}

/** With more words, their marks do not fit a number. */
export const MAX_WORDS = 30;

/** If the rarest word may be in more than every fortieth borrow, all are looked through: they lie in a row. */
const SHARE_TO_WALK = 40;

/** All borrows in memory: what a search of the queue needs to find them, to count them and to put them in order. */
export class QueueIndex {
  private readonly borrows = new BorrowColumns();
  private readonly titles = new Titles();
  private readonly borrowsWithTitle = new GrowableLists();
  private readonly borrowsOfReader = new GrowableLists();
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
    const known = this.borrowsOfReader.find(this.readers.numberOf(borrow.reader_id), (place) =>
      this.borrows.hasId(place, id),
    );
    if (known === undefined) return this.add(borrow);
    this.borrows.change(known, borrow);
    this.setTitles(known, borrow);
  }

  private setTitles(place: number, { titles }: QueuedBorrow): void {
    const numbers = titles.split('\n').map((title) => this.titles.numberOf(title));
    if (!this.borrows.setTitles(place, numbers)) return;
    // That it was found by others before does no harm: what is found is looked at.
    for (const title of numbers) this.borrowsWithTitle.add(title, place);
  }

  /** The borrows in a list that have every word, if there are any. */
  found(words: readonly SearchedWord[], list: BorrowFilter): Int32Array {
    const titles = this.titles.marks(words.map(({ inTitles }) => inTitles));
    const readers = this.readers.marks(words.map(({ inReaders }) => inReaders));
    const marks = { titles, readers, all: 2 ** words.length - 1 };
    const counts = words.map((_, at) => this.atMost(titles, readers, 1 << at));
    const fewest = Math.min(...counts);
    if (fewest * SHARE_TO_WALK > this.size) return this.borrows.found(list, marks);

    const mark = 1 << counts.indexOf(fewest);
    const places = new Int32Array(fewest);
    let count = 0;
    const take = (place: number) => {
      places[count++] = place;
    };
    eachMarked(titles, mark, (title) => this.borrowsWithTitle.each(title, take));
    eachMarked(readers, mark, (reader) => this.borrowsOfReader.each(reader, take));
    // A borrow is named by each of its titles that has the word.
    return this.borrows.found(list, marks, withoutRepeats(places.subarray(0, count).sort()));
  }

  /** The ids of the part of some borrows that is on a page. */
  page(places: Int32Array, order: BorrowOrder, ascending: boolean, from: number, until: number): string[] {
    const last = Math.min(until, places.length);
    if (from >= last) return [];
    const part = partialSort(places, this.borrows.inOrder(order, ascending), from, last);
    return Array.from(part, (place) => this.borrows.idOf(place));
  }

  /** How many borrows a word may be in, at most. */
  private atMost(titles: WordMask, readers: WordMask, mark: number): number {
    let count = 0;
    eachMarked(titles, mark, (title) => (count += this.borrowsWithTitle.count(title)));
    eachMarked(readers, mark, (reader) => (count += this.borrowsOfReader.count(reader)));
    return count;
  }
}

function eachMarked(marks: WordMask, mark: number, visit: (number: number) => void): void {
  for (let number = 0; number < marks.length; number += 1)
    if (((marks[number] as number) & mark) !== 0) visit(number);
}

function withoutRepeats(sorted: Int32Array): Int32Array {
  let count = 0;
  for (const number of sorted) if (count === 0 || number !== sorted[count - 1]) sorted[count++] = number;
  return sorted.subarray(0, count);
}

/** Below this, sorting is as fast as anything. */
const FEW = 4096;
const SAMPLE = 1024;

/**
 * The part of some numbers that would be at `[from, until)` if all were in order. They are not put in order: from a sample
 * it is known between which two the part must be, and these alone are sorted.
 * @param compare a total order
 */
export function partialSort(
  numbers: Int32Array,
  compare: (one: number, other: number) => number,
  from: number,
  until: number,
): Int32Array {
  if (numbers.length <= FEW) return numbers.toSorted(compare).subarray(from, until);
  const sample = Int32Array.from({ length: SAMPLE }, (_, at) => numberAt(numbers, at));
  sample.sort(compare);
  const low = sample[place(from, numbers.length, -1)];
  const high = sample[place(until, numbers.length, 1)];
  const between = new Int32Array(numbers.length);
  let [before, kept] = [0, 0];
  for (const number of numbers) {
    if (low !== undefined && compare(number, low) < 0) before += 1;
    else if (high === undefined || compare(number, high) <= 0) between[kept++] = number;
  }
  // So seldom that it may take its time: the sample misled.
  const isWithin = before <= from && until <= before + kept;
  if (!isWithin || kept === numbers.length) return numbers.toSorted(compare).subarray(from, until);
  return partialSort(between.subarray(0, kept), compare, from - before, until - before);
}

function numberAt(numbers: Int32Array, at: number): number {
  return numbers[Math.floor(((at + 0.5) * numbers.length) / SAMPLE)] as number;
}

/**
 * Where in the sample the number is that is surely before, or after, the rank in the whole: five standard deviations away.
 * @returns outside of the sample where every number may be
 */
function place(rank: number, count: number, side: -1 | 1): number {
  const share = Math.min(1, rank / count);
  const deviation = Math.sqrt(SAMPLE * share * (1 - share));
  return Math.round(share * SAMPLE + side * (5 * deviation + 5));
}
