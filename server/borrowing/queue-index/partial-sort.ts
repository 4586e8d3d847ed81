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
