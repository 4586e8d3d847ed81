/** Lines across a chart, at most, beside that of zero. */
const MAX_TICKS = 4;

/** Round numbers from 0 to the first that is not below `most`. */
export function ticksUpTo(most: number): number[] {
  const step = niceStep(Math.max(1, most) / MAX_TICKS);
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, at) => at * step);
}

/** The next of 1, 2, 5, 10, 20, 50 and so on. */
function niceStep(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? 10 * power;
}

/** A place of a drawing, to a tenth. */
export const roundPlace = (place: number) => Math.round(place * 10) / 10;
