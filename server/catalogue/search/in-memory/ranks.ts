import { GrowableNumbers } from './growable-numbers.js';
import type { Places } from './places.js';

/** Longest folded title, in characters. */
export const LONGEST_TITLE = 255;
const LENGTHS = LONGEST_TITLE + 1;
/** How much a book is read: as many steps as `reading_level` of the database has. */
const LEVELS = 128;
const RANKS = LEVELS * LENGTHS;

/**
 * What a title that begins with what was typed counts for: as if it were read four times as much (`reading_level` has eight
 * steps to each doubling).
 */
export const BEGINS = 16;
/** What a title counts for that is just what was typed: it precedes everything. */
export const WHOLE = LEVELS;

/** The place of a book among equal matches, a whole number: what is read more comes first, then the shorter title. */
export function rankOf(level: number, length: number): number {
  return (LEVELS - 1 - level) * LENGTHS + length;
}

/** By how much a title's rank is smaller that fits better. */
export function boost(levels: number): number {
  return levels * LENGTHS;
}

/** The ranks of all books by their places, and the places of each rank: of many matches the foremost are found from here. */
export class RanksInOrder {
  private readonly ranks = new GrowableNumbers(1024);
  private readonly ofRank = new Map<number, GrowableNumbers>();
  private inOrder: number[] | undefined;
  private readonly counts = new Int32Array(RANKS);

  push(rank: number): void {
    let places = this.ofRank.get(rank);
    if (!places) {
      places = new GrowableNumbers();
      this.ofRank.set(rank, places);
      this.inOrder = undefined;
    }
    places.push(this.ranks.length);
    this.ranks.push(rank);
  }

  at(place: number): number {
    return this.ranks.at(place);
  }

  /** Calls back with places in the order of their ranks, until there are as many as wanted; with all that have the last one's rank. */
  eachFrom(isWanted: (place: number) => boolean, count: number, visit: (place: number) => void): void {
    this.inOrder ??= [...this.ofRank.keys()].sort((one, other) => one - other);
    let found = 0;
    for (const rank of this.inOrder) {
      this.ofRank.get(rank)?.each((place) => {
        if (!isWanted(place)) return;
        found += 1;
        visit(place);
      });
      if (found >= count) return;
    }
  }

  /** Calls back with the places of the titles of a length. */
  eachOfLength(length: number, visit: (place: number) => void): void {
    for (const [rank, places] of this.ofRank) if (rank % LENGTHS === length) places.each(visit);
  }

  /** The rank of the last of the foremost; `Infinity` where there are not so many. */
  lastNeeded(set: Places, isWanted: (place: number) => boolean, count: number): number {
    const { counts, ranks } = this;
    let [least, most, sum] = [RANKS, -1, 0];
    set.each((place) => {
      if (!isWanted(place)) return;
      const rank = ranks.at(place);
      counts[rank] = (counts[rank] as number) + 1;
      if (rank < least) least = rank;
      if (rank > most) most = rank;
    });
    let last = least;
    while (last <= most && (sum += counts[last] as number) < count) last += 1;
    counts.fill(0, least, most + 1);
    return last <= most ? last : Infinity;
  }
}
