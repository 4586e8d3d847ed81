import type { SimulationAnswer } from '#contracts/rules/what-if.js';
import type { Hold } from '../borrow/hold-state.js';

const HOUR = 3_600_000;
/** Milliseconds after a copy came free in which somebody who waits is told of it: later, it was another one. */
const TOLD_WITHIN = HOUR;

/** Milliseconds by which something would have been otherwise, below 0 earlier; `undefined` where nobody can tell. */
export type TimeShift = number | undefined;

/**
 * How long holds waited, and would have. People return what they have when they did; what rules change is how long a copy waits for
 * somebody who does not come, and so when the next one gets it. Of who would have had more time to come, it cannot be told
 * whether they had. Events have to come in the order of the log.
 */
export class HoldWaits {
  /** How many wait for a book, and are not paused. */
  private readonly waiting = new Map<number, number>();
  /** The copies of a book that came free while somebody waited, and nobody was told of yet. */
  private readonly free = new Map<number, { at: number; shift: TimeShift }[]>();
  private readonly shifts = new Map<string, TimeShift>();
  private readonly real: number[] = [];
  private readonly simulated: number[] = [];
  private cannotBeTold = 0;

  /** A hold of a book is another than before: `undefined` where it was not, or is no more. */
  changed(before: Hold | undefined, after: Hold | undefined): void {
    const step = Number(after?.state === 'waiting') - Number(before?.state === 'waiting');
    const bookId = (after ?? before)?.bookId;
    if (step === 0 || bookId === undefined) return;
    const now = (this.waiting.get(bookId) ?? 0) + step;
    if (now > 0) this.waiting.set(bookId, now);
    else this.waiting.delete(bookId);
  }

  /** A copy came free. */
  freed(bookId: number, at: string, shift: TimeShift): void {
    if (!this.waiting.has(bookId)) {
      this.free.delete(bookId);
      return;
    }
    const free = this.free.get(bookId) ?? [];
    free.push({ at: Date.parse(at), shift });
    this.free.set(bookId, free);
  }

  /** A copy is ready for a hold, by the rent `borrowId`. */
  ready({ bookId, placedAt }: Hold, borrowId: string, at: string, isCounted: boolean): void {
    const now = Date.parse(at);
    const free = (this.free.get(bookId) ?? []).filter((copy) => now - copy.at <= TOLD_WITHIN);
    const copy = free.shift();
    if (free.length > 0) this.free.set(bookId, free);
    else this.free.delete(bookId);
    const shift = copy ? copy.shift : 0;
    if (shift !== 0) this.shifts.set(borrowId, shift);
    if (!isCounted) return;
    const waited = Math.max(0, now - Date.parse(placedAt));
    this.real.push(waited);
    this.simulated.push(Math.max(0, waited + (shift ?? 0)));
    if (shift === undefined) this.cannotBeTold += 1;
  }

  /** By how much the copy of a rent would have been ready at another time. */
  shiftOf(borrowId: string): TimeShift {
    return this.shifts.has(borrowId) ? this.shifts.get(borrowId) : 0;
  }

  /** The rent is over. */
  forget(borrowId: string): void {
    this.shifts.delete(borrowId);
  }

  figures(): SimulationAnswer['holds'] {
    const { cannotBeTold } = this;
    return {
      ready: this.real.length,
      real: waits(this.real),
      simulated: waits(this.simulated),
      cannotBeTold,
    };
  }
}

/** In hours, to a tenth. */
function waits(milliseconds: readonly number[]): SimulationAnswer['holds']['real'] {
  if (milliseconds.length === 0) return null;
  const sorted = milliseconds.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const [below = 0, above = below] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  const hours = (time: number) => Math.round((time / HOUR) * 10) / 10;
  return {
    mean: hours(sorted.reduce((sum, each) => sum + each, 0) / sorted.length),
    median: hours((below + above) / 2),
  };
}
