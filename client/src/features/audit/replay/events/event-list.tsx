import * as m from '#words/messages.js';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { isoMinute } from '../../../../lib/dates.js';
import { EventDetails } from './event-details.js';
import styles from './event-list.module.css';
import { titlesText, eventText, eventLabels } from '../../../../domain/borrowing/event-labels.js';
import type { HistoryEvent } from '../history/history.js';
import { useSize } from '../../../../lib/use-size.js';
import { classNames } from '../../../../lib/class-names.js';

interface EventListProps {
  readerId: string;
  events: readonly HistoryEvent[];
  /** The numbers of the events to list, in their order. */
  numbers: readonly number[];
  /** The number of the chosen event. */
  chosen: number;
  onChoose: (number: number) => void;
}

/** Below this width a row has three lines. */
const THREE_LINES_BELOW = 560;
const PAGE = 10;

/** Every event, of which only those in view are there: ten thousand scroll as smoothly as ten. */
export function EventList({ readerId, events, numbers, chosen, onChoose }: EventListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const { width, height } = useSize(scroller);
  const [scrollTop, setScrollTop] = useState(0);
  const [open, setOpen] = useState<number | null>(null);
  const [openHeight, setOpenHeight] = useState(0);
  const rowOf = useMemo(() => new Map(numbers.map((number, row) => [number, row])), [numbers]);
  const openRow = open === null ? null : (rowOf.get(open) ?? null);
  const layout: RowLayout = {
    count: numbers.length,
    rowHeight: width < THREE_LINES_BELOW ? 76 : 40,
    open: openRow,
    openHeight,
  };
  const [first, end] = rowsInView(layout, scrollTop, height);
  const chosenRow = rowOf.get(chosen);
  // The row that the Tab key leads to: the chosen one, else the first in view.
  const entry = chosenRow ?? Math.min(numbers.length - 1, first);
  const drawn = rowsFrom(first, end, [entry, openRow], numbers.length);

  // When another event is chosen, scroll to it: the list alone, not the page.
  const target = chosenRow === undefined ? null : scrollTo(layout, chosenRow, scrollTop, height);
  useEffect(() => {
    if (chosenRow === undefined || target === null || height === 0) return;
    scroller.current?.scrollTo({ top: target });
    // Only when another event is chosen: a person may scroll away from it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [chosenRow, height === 0, layout.rowHeight]);

  const focusRow = useRef<number | null>(null);
  useEffect(() => {
    if (focusRow.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-number="${focusRow.current}"] button`)?.focus({
      preventScroll: true,
    });
    focusRow.current = null;
  });

  const toggle = (number: number) => {
    setOpenHeight(0);
    setOpen(open === number ? null : number);
  };
  const onKeyDown = (pressed: KeyboardEvent) => {
    const from = (pressed.target as HTMLElement).closest<HTMLElement>('[data-row-of]')?.dataset['rowOf'];
    if (from === undefined || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
    const row = rowOf.get(Number(from)) ?? 0;
    const to: Partial<Record<string, number>> = {
      ArrowDown: row + 1,
      ArrowUp: row - 1,
      PageDown: row + PAGE,
      PageUp: row - PAGE,
      Home: 0,
      End: numbers.length - 1,
    };
    if (pressed.key === 'Enter') {
      pressed.preventDefault();
      return toggle(Number(from));
    }
    if (pressed.key === 'Escape' && open !== null) return toggle(open);
    const next = to[pressed.key];
    if (next === undefined) return;
    pressed.preventDefault();
    const number = numbers[Math.min(numbers.length - 1, Math.max(0, next))];
    if (number === undefined) return;
    focusRow.current = number;
    onChoose(number);
  };

  return (
    <div
      ref={scroller}
      className={classNames(
        '[container:events_/_inline-size] relative h-full min-h-0 [overflow:hidden_auto]',
        '[overflow-anchor:none] border-t border-t-line-strong border-b border-b-line text-1',
      )}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
    >
      <ol
        ref={list}
        role="list"
        className="relative tabular-nums"
        style={{ height: heightOf(layout) }}
        aria-label={m.audit_events()}
        onKeyDown={onKeyDown}
      >
        {drawn.map((row) => {
          const number = numbers[row] ?? 0;
          const event = events[number - 1];
          if (!event) return null;
          const isOpen = row === openRow;
          return (
            <li
              key={number}
              className={classNames('group/item', styles.item)}
              style={{ transform: `translateY(${topOf(layout, row)}px)` }}
              aria-setsize={numbers.length}
              aria-posinset={row + 1}
              data-number={number}
              data-chosen={number === chosen || undefined}
              data-future={number > chosen || undefined}
            >
              <EventRow
                event={event}
                number={number}
                height={layout.rowHeight}
                chosen={number === chosen}
                open={isOpen}
                entry={row === entry}
                onChoose={() => onChoose(number)}
                onToggle={() => toggle(number)}
              />
              {isOpen && (
                <EventDetails readerId={readerId} event={event} number={number} onHeight={setOpenHeight} />
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function rowsFrom(first: number, end: number, also: readonly (number | null)[], count: number): number[] {
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  // These stay in the document wherever one scrolls: otherwise the focus would be lost, and an open row measured again.
  for (const row of also) {
    if (row !== null && row >= 0 && row < count && (row < first || row >= end) && !rows.includes(row))
      rows.push(row);
  }
  return rows.sort((one, other) => one - other);
}

interface EventRowProps {
  event: HistoryEvent;
  number: number;
  height: number;
  chosen: boolean;
  open: boolean;
  entry: boolean;
  onChoose: () => void;
  onToggle: () => void;
}

function EventRow({ event, number, height, chosen, open, entry, onChoose, onToggle }: EventRowProps) {
  const { icon: Icon, tone } = eventLabels(event.type);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_2.5rem]" style={{ height }} data-row-of={number}>
      <button
        type="button"
        className={styles.choose}
        tabIndex={entry ? 0 : -1}
        aria-current={chosen ? 'step' : undefined}
        aria-expanded={open}
        onClick={onChoose}
      >
        <span className={styles.number}>{number}</span>
        <span className={styles.what} data-tone={tone}>
          <Icon size={15} aria-hidden="true" />
          <span>{eventText(event)}</span>
        </span>
        <span className={styles.titles}>{titlesText(event.titles)}</span>
        <span className={styles.who}>{event.actor.name}</span>
        <time className={styles.when} dateTime={new Date(event.occurredAt).toISOString()}>
          {isoMinute(event.occurredAt)}
        </time>
      </button>
      <button
        type="button"
        className={classNames(
          'grid place-items-center p-0 text-ink-soft cursor-pointer',
          'hover:bg-sunk group-data-chosen/item:hover:bg-transparent focus-visible:-outline-offset-3',
          '[&_svg]:[transition:transform_var(--quick)] aria-expanded:[&_svg]:[transform:rotate(180deg)]',
        )}
        tabIndex={entry ? 0 : -1}
        aria-expanded={open}
        aria-label={m.audit_event_as_stored({ number })}
        onClick={onToggle}
      >
        <ChevronDown size={16} aria-hidden="true" />
      </button>
    </div>
  );
}

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
