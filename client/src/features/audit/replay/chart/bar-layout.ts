import { placeOf, type Bar, type Stretch, type View } from './bars.js';
import type { Scale } from './scale.js';

/** A bar, or several that are too narrow to draw separately, in pixels of the drawing. */
export interface LaidOutBar {
  bar: Bar;
  lane: number;
  x: number;
  width: number;
  /** How many borrows this is. */
  count: number;
  /** Empty where it stands for several. */
  stretches: { kind: Stretch['kind']; x: number; width: number }[];
  /** Where the next bar of the lane begins: a title may go on until there. */
  roomUntil: number;
}

/** The parts of a narrower bar cannot be seen. */
const NARROW = 2.5;
/** Narrow bars that are closer than this are drawn as one. */
const NEAR = 1.5;

/** Where a place is in a drawing of this width. */
export function xOf(place: number, view: View, width: number): number {
  return ((place - view.from) / (view.to - view.from)) * width;
}

/** What there is to draw: no more than the drawing has pixels for, however long the history is. */
export function barLayout(bars: readonly Bar[], scale: Scale, view: View, width: number): LaidOutBar[] {
  const drawn: LaidOutBar[] = [];
  const lastOf = new Map<number, LaidOutBar>();
  const x = (edge: Parameters<typeof placeOf>[0]) => xOf(placeOf(edge, scale), view, width);
  for (const bar of bars) {
    const from = x(bar.from);
    const to = x(bar.to);
    const before = lastOf.get(bar.lane);
    if (before) before.roomUntil = Math.min(before.roomUntil, from);
    if (to < 0 || from > width) continue;
    const narrow = to - from < NARROW;
    if (narrow && before?.stretches.length === 0 && from - (before.x + before.width) < NEAR) {
      before.width = Math.max(before.width, to - before.x);
      before.roomUntil = width;
      before.count += 1;
      continue;
    }
    const next: LaidOutBar = {
      bar,
      lane: bar.lane,
      x: from,
      width: Math.max(to - from, 1),
      count: 1,
      roomUntil: width,
      stretches: narrow
        ? []
        : bar.stretches.map((stretch) => {
            const start = x(stretch.from);
            return { kind: stretch.kind, x: start, width: Math.max(0, x(stretch.to) - start) };
          }),
    };
    drawn.push(next);
    lastOf.set(bar.lane, next);
  }
  return drawn;
}
