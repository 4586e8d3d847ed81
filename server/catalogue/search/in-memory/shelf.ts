import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { bitSet, clearBit, hasBit, setBit, type BitSet } from './bit-set.js';

const changesRow = z.object({ watermark: z.string(), changed: z.array(z.number()) });

/** Books as they are, less than zero where no copy is on the shelf. One statement, so that all of it is of one snapshot. */
const CHANGES = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as watermark,
    array(select case when copies > 0 then book_id else -book_id end
      from book_shelf where free_changed_in >= $1::xid8) as changed`;

/**
 * Of which books no copy is on the shelf. It changes with every rent, so it is not told but looked up whenever somebody asks: one small
 * statement, which those share who ask at the same time.
 */
export class Shelf {
  /** By the places of the books. */
  takenPlaces: BitSet = bitSet(1024);
  /** By their ids. */
  private taken: BitSet = bitSet(1024);
  /** Increases with every change. */
  version = 0;
  private watermark = '0';
  private reading: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;

  constructor(private readonly placeOf: (id: number) => number | undefined) {}

  /** @param watermark how far the database was read that the books came from */
  startAt(watermark: string): void {
    this.watermark = watermark;
  }

  set(id: number, isTaken: boolean): void {
    if (isTaken === hasBit(this.taken, id)) return;
    this.version += 1;
    this.taken = changed(this.taken, id, isTaken);
    const place = this.placeOf(id);
    if (place !== undefined) this.takenPlaces = changed(this.takenPlaces, place, isTaken);
  }

  /** A book has another place now. */
  moved(id: number, place: number): void {
    if (hasBit(this.taken, id)) this.takenPlaces = changed(this.takenPlaces, place, true);
  }

  /** Looks up what was committed before this call. */
  catchUp(database: Database): Promise<void> {
    // A read that is under way may have begun before the call.
    this.next ??= this.reading.then(() => {
      this.next = undefined;
      const read = this.read(database);
      this.reading = read.catch(() => undefined);
      return read;
    });
    return this.next;
  }

  private async read(database: Database): Promise<void> {
    const row = await queryRow(database, changesRow, {
      name: 'shelf-changes',
      text: CHANGES,
      values: [this.watermark],
    });
    if (!row) return;
    for (const id of row.changed) this.set(Math.abs(id), id < 0);
    this.watermark = row.watermark;
  }
}

/** The set itself, or a larger one where the number has no room in it. */
function changed(set: BitSet, number: number, isIn: boolean): BitSet {
  if (!isIn) {
    if (hasBit(set, number)) clearBit(set, number);
    return set;
  }
  let room = set;
  if (number >>> 5 >= set.length) {
    room = bitSet(Math.ceil(number * 1.5) + 32);
    room.set(set);
  }
  setBit(room, number);
  return room;
}
