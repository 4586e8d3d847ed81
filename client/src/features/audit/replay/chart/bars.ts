import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import type { HistoryEvent } from '../history/history.js';
import type { Scale, View } from './scale.js';

/** What a borrow was during a stretch of its bar. */
export type StretchKind = 'rented' | 'issued' | 'overdue' | 'unpaid' | 'paid';
export type BarEnd = 'returned' | 'expired' | 'abandoned';

/** A border of a stretch: an event (its number), or an instant between events, such as a due date. */
interface Edge {
  number: number | null;
  time: number;
}

interface Stretch {
  kind: StretchKind;
  from: Edge;
  /** null: until now. */
  to: Edge | null;
}

/** A borrow drawn over time. */
export interface Bar {
  borrowId: string;
  titles: string[];
  /** Bars in one lane never overlap: there are as many lanes as borrows were ever open at once. */
  lane: number;
  from: Edge;
  /** null while it is open. */
  to: Edge | null;
  end: BarEnd | null;
  stretches: Stretch[];
}

interface OpenBar extends Bar {
  /** After the last event; `none` where the rent was given up. */
  status: BorrowStatus | 'none';
  /** The stretch that goes on. */
  kind: StretchKind;
  since: Edge;
  due: number | null;
}

const STRETCHES: Record<BorrowStatus, StretchKind | null> = {
  Rented: 'rented',
  Issued: 'issued',
  Not_Paid: 'unpaid',
  Paid: 'paid',
  Returned: null,
  Expired: null,
};

const ENDS: Record<BorrowStatus | 'none', BarEnd | null> = {
  Rented: null,
  Issued: null,
  Not_Paid: null,
  Paid: null,
  Returned: 'returned',
  Expired: 'expired',
  none: 'abandoned',
};

/** The bars of all borrows, in the order in which they began. */
export function barsOf(events: readonly HistoryEvent[]): Bar[] {
  const bars: OpenBar[] = [];
  const open = new Map<string, OpenBar>();
  const lanes: boolean[] = [];
  const due = new Map<string, number>();
  events.forEach((event, index) => {
    // A decision about the history itself, or an event that one skipped: of no borrow.
    if (event.borrowId === '') return;
    const edge: Edge = { number: index + 1, time: event.when };
    let bar = open.get(event.borrowId);
    if (event.dueAt !== null) due.set(event.borrowId, event.dueAt);
    if (!bar) {
      // Of a borrow that had ended, where its return is undone, it goes on as another bar.
      bar = begun(event, edge, freeLane(lanes), due.get(event.borrowId) ?? null);
      open.set(event.borrowId, bar);
      lanes[bar.lane] = true;
      bars.push(bar);
    } else {
      goOn(bar, event, edge);
    }
    const end = ENDS[bar.status];
    if (end) {
      Object.assign(bar, { end, to: edge });
      close(bar, edge);
      open.delete(event.borrowId);
      lanes[bar.lane] = false;
    }
  });
  for (const bar of open.values()) close(bar, null, events.at(-1)?.when);
  return bars;
}

function begun(
  { borrowId, titles, status }: HistoryEvent,
  edge: Edge,
  lane: number,
  due: number | null,
): OpenBar {
  return {
    borrowId,
    titles,
    lane,
    from: edge,
    to: null,
    end: null,
    stretches: [],
    status: status ?? 'none',
    kind: (status && STRETCHES[status]) ?? 'rented',
    since: edge,
    due,
  };
}

function goOn(bar: OpenBar, event: HistoryEvent, edge: Edge): void {
  const { status, dueAt } = event;
  bar.status = status ?? 'none';
  const kind = (bar.status === 'none' ? null : STRETCHES[bar.status]) ?? bar.kind;
  // A renewal moves the due date: what was overdue before it ends there.
  if (kind !== bar.kind || dueAt !== null) {
    close(bar, edge);
    bar.kind = kind;
    bar.since = edge;
  }
  if (dueAt !== null) bar.due = dueAt;
}

/** Ends the stretch that goes on; of one that was issued, what came after the due date is overdue. */
function close({ kind, since, due, stretches }: OpenBar, to: Edge | null, now = Infinity): void {
  const until = to?.time ?? now;
  if (kind !== 'issued' || due === null || due >= until) {
    stretches.push({ kind, from: since, to });
    return;
  }
  const overdue: Edge = { number: null, time: Math.max(due, since.time) };
  if (due > since.time) stretches.push({ kind, from: since, to: overdue });
  stretches.push({ kind: 'overdue', from: due > since.time ? overdue : since, to });
}

function freeLane(taken: readonly boolean[]): number {
  const free = taken.findIndex((isTaken) => !isTaken);
  return free === -1 ? taken.length : free;
}

/** Where an edge is on a scale; what is open goes on to the right end. */
function placeOf(edge: Edge | null, scale: Scale): number {
  if (edge === null) return 1;
  return edge.number === null ? scale.ofTime(edge.time) : scale.ofNumber(edge.number);
}

export const WHOLE: View = { from: 0, to: 1 };

/** A borrow with some room at its sides. */
export function viewOf(bar: Bar, scale: Scale): View {
  const from = placeOf(bar.from, scale);
  const to = placeOf(bar.to, scale);
  const room = Math.max((to - from) * 0.6, 0.002);
  return { from: Math.max(0, from - room), to: Math.min(1, to + room) };
}

/** The view moved by as little as brings a place into it. */
export function showing(view: View, place: number): View {
  const { from, to } = view;
  const width = to - from;
  if (place >= from && place <= to) return view;
  const start = Math.min(1 - width, Math.max(0, place - width / 2));
  return { from: start, to: start + width };
}

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
