/** Rows of one height, of which one may be open and higher. */
export interface RowLayout {
  count: number;
  rowHeight: number;
  /** The open row; null where none is. */
  open: number | null;
  /** What its details add. */
  openHeight: number;
}

/** Rows beyond both edges, so that a quick scroll finds them drawn. */
const BEYOND = 6;

export function topOf({ rowHeight, open, openHeight }: RowLayout, row: number): number {
  return row * rowHeight + (open !== null && row > open ? openHeight : 0);
}

export function heightOf(layout: RowLayout): number {
  return layout.count * layout.rowHeight + (layout.open === null ? 0 : layout.openHeight);
}

/** The rows to draw: from the first one to before the last one. */
export function rowsInView(layout: RowLayout, scrollTop: number, height: number): [number, number] {
  const first = rowAt(layout, scrollTop) - BEYOND;
  const end = rowAt(layout, scrollTop + height) + 1 + BEYOND;
  return [Math.max(0, first), Math.min(layout.count, Math.max(0, end))];
}

function rowAt({ rowHeight, open, openHeight }: RowLayout, y: number): number {
  const openEnd = open === null ? Infinity : (open + 1) * rowHeight;
  if (y < openEnd) return Math.floor(y / rowHeight);
  return Math.max(open ?? 0, Math.floor((y - openHeight) / rowHeight));
}

/** Where to scroll so that a row is in view: not at all, by a row where it is next, else with it in the middle. */
export function scrollTo(layout: RowLayout, row: number, scrollTop: number, height: number): number {
  const { rowHeight } = layout;
  const top = topOf(layout, row);
  const above = scrollTop - top;
  const below = top + rowHeight - (scrollTop + height);
  if (above <= 0 && below <= 0) return scrollTop;
  if (Math.max(above, below) > 2 * rowHeight) return Math.max(0, top - (height - rowHeight) / 2);
  return above > 0 ? Math.max(0, top - rowHeight) : scrollTop + below + rowHeight;
}
