import { setImmediate as letOthersGo } from 'node:timers/promises';

/** So many different readers of a book have to have borrowed another one, before anybody is told. */
const MIN_READERS = 5;
/** Milliseconds of counting after which others of this process have their turn. */
const SLICE = 10;

/** Titles by place, and readers by place: what each of them has, one after the other. */
interface Lists {
  /** Where the list of each begins, and where the last one ends. */
  starts: Uint32Array;
  items: Uint32Array;
}

/**
 * For each book the others that its readers borrowed, the most telling first: by how many readers both have, against the root of how many
 * the other one has in all. So what everybody reads stands behind what these readers read, and a rare book that five of them happened
 * to meet stands behind one that most of them chose.
 * @param borrowed the different books of each reader
 * @param most how many others of a book are wanted
 * @returns only books of which there are any
 */
export async function alsoBorrowed(
  borrowed: readonly (readonly number[])[],
  most: number,
): Promise<Map<number, number[]>> {
  const ids = [...new Set(borrowed.flat())].sort((one, other) => one - other);
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  const ofReader = listsOf(borrowed.map((books) => books.map((id) => placeOf.get(id) ?? 0)));
  const ofBook = turned(ofReader, ids.length);
  const readersOf = (book: number) => (ofBook.starts[book + 1] ?? 0) - (ofBook.starts[book] ?? 0);

  const found = new Map<number, number[]>();
  const common = new Uint32Array(ids.length);
  let since = performance.now();
  for (const [book, id] of ids.entries()) {
    if (readersOf(book) < MIN_READERS) continue;
    const met = count(book, ofBook, ofReader, common);
    const telling = (other: number) => (common[other] ?? 0) / Math.sqrt(readersOf(other));
    const others = met
      .filter((other) => other !== book && (common[other] ?? 0) >= MIN_READERS)
      .sort((one, other) => telling(other) - telling(one) || one - other)
      .slice(0, most);
    if (others.length > 0)
      found.set(
        id,
        others.map((other) => ids[other] ?? 0),
      );
    for (const other of met) common[other] = 0;
    if (performance.now() - since > SLICE) {
      await letOthersGo();
      since = performance.now();
    }
  }
  return found;
}

/** Adds up how many readers of a book have each other one. @returns those that any of them has */
function count(book: number, ofBook: Lists, ofReader: Lists, common: Uint32Array): number[] {
  const met: number[] = [];
  const end = ofBook.starts[book + 1] ?? 0;
  for (let at = ofBook.starts[book] ?? 0; at < end; at += 1) {
    const reader = ofBook.items[at] ?? 0;
    const last = ofReader.starts[reader + 1] ?? 0;
    for (let place = ofReader.starts[reader] ?? 0; place < last; place += 1) {
      const other = ofReader.items[place] ?? 0;
      const before = common[other] ?? 0;
      if (before === 0) met.push(other);
      common[other] = before + 1;
    }
  }
  return met;
}

function listsOf(lists: readonly (readonly number[])[]): Lists {
  const starts = new Uint32Array(lists.length + 1);
  for (const [at, list] of lists.entries()) starts[at + 1] = (starts[at] ?? 0) + list.length;
  const items = new Uint32Array(starts[lists.length] ?? 0);
  for (const [at, list] of lists.entries()) items.set(list, starts[at]);
  return { starts, items };
}

/** Who has each item, instead of what each has. */
function turned({ starts, items }: Lists, size: number): Lists {
  const beginnings = new Uint32Array(size + 1);
  for (const item of items) beginnings[item + 1] = (beginnings[item + 1] ?? 0) + 1;
  for (let item = 0; item < size; item += 1)
    beginnings[item + 1] = (beginnings[item + 1] ?? 0) + (beginnings[item] ?? 0);
  const next = beginnings.slice();
  const owners = new Uint32Array(items.length);
  for (let owner = 0; owner + 1 < starts.length; owner += 1) {
    const end = starts[owner + 1] ?? 0;
    for (let at = starts[owner] ?? 0; at < end; at += 1) {
      const item = items[at] ?? 0;
      const place = next[item] ?? 0;
      owners[place] = owner;
      next[item] = place + 1;
    }
  }
  return { starts: beginnings, items: owners };
}
