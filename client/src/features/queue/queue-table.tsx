import * as m from '#words/messages.js';
import type { BorrowListQuery, BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Table } from '../../components/list/table.js';
import { fits, type QueuePage } from '../../domain/live/queue-page.js';
import styles from './queue-table.module.css';
import { memo, useCallback, useState, type MouseEvent } from 'react';
import { Day, NonBreakingDates } from '../../components/display/day.js';
import { BorrowLink, useOpenBorrow } from '../../domain/borrowing/borrow-link.js';
import { debtOf, noteOf, titlesOf } from '../../domain/borrowing/borrow-texts.js';
import { StatusBadge } from '../../domain/borrowing/status-badge.js';
import { StepButton } from '../../domain/borrowing/step-button.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { useQuarterHour } from '../../lib/use-now.js';

const COLUMNS = [
  { title: m.common_books(), className: styles.titles },
  { title: m.common_reader(), className: styles.reader },
  { title: m.queue_rent_date(), className: styles.day },
  { title: m.queue_issue_date(), className: styles.day },
  { title: m.common_due_date(), className: styles.day },
  { title: m.queue_return_date(), className: styles.day },
  { title: m.common_status(), className: styles.status },
  { title: m.common_actions(), className: styles.action },
];

interface QueueTableProps {
  /** Undefined while it is on its way. */
  page: QueuePage | undefined;
  query: BorrowListQuery;
  /** Another page is on its way. */
  stale: boolean;
  selection: Selection;
}

export function QueueTable({ page, query, stale, selection }: QueueTableProps) {
  // A page that is being replaced had another query: none of its rows is leaving.
  const leaving = (borrow: QueuePage['items'][number]) =>
    !stale && !fits({ ...query, SearchTerm: '' }, borrow);
  const all = page?.items.length ?? 0;
  const select = {
    title: m.queue_select(),
    className: styles.select,
    head: (
      <label className={styles.check}>
        <input
          type="checkbox"
          aria-label={m.queue_select_all()}
          ref={(box) => {
            if (box) box.indeterminate = selection.chosen.length > 0 && selection.chosen.length < all;
          }}
          checked={all > 0 && selection.chosen.length === all}
          onChange={selection.toggleAll}
        />
      </label>
    ),
  };
  return (
    <Table
      look="list"
      className={styles.table}
      columns={[select, ...COLUMNS]}
      stale={stale}
      waiting={12}
      rowClassName={styles.row}
    >
      {page?.items.map((borrow) => (
        <QueueRow
          key={borrow.id}
          borrow={borrow}
          marked={borrow.id in page.marks}
          leaving={leaving(borrow)}
          handsOut={query.SortBy === 'Rented'}
          selected={selection.has(borrow.id)}
          onSelect={selection.toggle}
        />
      ))}
    </Table>
  );
}

/** Covers that are shown of a borrow; the titles name them all. */
const MAX_COVERS = 3;

interface QueueRowProps {
  borrow: BorrowView;
  /** Changed a moment ago. */
  marked: boolean;
  /** No longer matches the list's query; it stays where it is until the next refetch. */
  leaving: boolean;
  /** The list is one of what waits: its step is handing that out, and not taking back the rest. */
  handsOut: boolean;
  selected: boolean;
  /** Always the same function. */
  onSelect: (id: string) => void;
}

/** One borrow. Only a change of its own, or of the address, draws it again. */
const QueueRow = memo(function QueueRow({
  borrow,
  marked,
  leaving,
  handsOut,
  selected,
  onSelect,
}: QueueRowProps) {
  const titles = titlesOf(borrow);
  const open = useOpenBorrow();
  const note = noteOf(borrow, useQuarterHour());
  return (
    <tr
      role="row"
      className={styles.row}
      data-borrow-id={borrow.id}
      data-status={borrow.status}
      data-marked={marked || undefined}
      data-leaving={leaving || undefined}
      data-selected={selected || undefined}
      // For the pointer alone: the keyboard has the link.
      onClick={(event) => isPlainClick(event) && open(borrow.id)}
    >
      <td role="cell" className={styles.select}>
        <label className={styles.check}>
          <input
            type="checkbox"
            aria-label={m.queue_select_borrow({ titles, reader: borrow.user.fullname })}
            checked={selected}
            onChange={() => onSelect(borrow.id)}
          />
        </label>
        <span className="[grid-auto-flow:column] justify-start w-11 phone:justify-center" aria-hidden="true">
          {borrow.borrowedBooks.slice(0, MAX_COVERS).map((book) => (
            <SmallCover
              key={book.bookId}
              {...book}
              className="flex-none w-6 [&+&]:-ml-3.5 [&+&]:[box-shadow:-1px_0_0_var(--paper)]"
            />
          ))}
        </span>
      </td>
      <td role="cell" className={styles.titles} title={titles}>
        <BorrowLink id={borrow.id} className={styles.link} data-row-link>
          {titles}
        </BorrowLink>
      </td>
      <td role="cell" className={styles.reader} title={borrow.user.fullname}>
        {borrow.user.fullname}
      </td>
      <td role="cell" className={styles.day} data-label={m.queue_rented()}>
        <Day time={borrow.rentDate} />
      </td>
      <td role="cell" className={styles.day} data-label={m.queue_issued()}>
        <Day time={borrow.issueDate} />
      </td>
      <td role="cell" className={styles.day} data-label={m.common_due()}>
        <Day time={borrow.dueDate} />
      </td>
      <td role="cell" className={styles.day} data-label={m.queue_returned()}>
        <Day time={borrow.returnDate} />
      </td>
      <td role="cell" className={styles.status}>
        <StatusBadge status={borrow.status} />
        {note && (
          <span
            // Two lines in the height of a row.
            className="block text-ink-soft leading-[1.15rem] tabular-nums data-late:text-danger data-late:font-semibold"
            data-late={note.late || undefined}
          >
            <NonBreakingDates text={note.text} />
          </span>
        )}
      </td>
      <td role="cell" className={styles.action}>
        {borrow.status === 'Not_Paid' ? (
          <span className="block text-ink-soft leading-[1.15rem]">
            {m.queue_fee_not_paid()}{' '}
            <span
              // Two lines in the height of a row.
              className="block leading-[1.15rem] tabular-nums text-danger font-semibold"
            >
              {debtOf(borrow)}
            </span>
          </span>
        ) : (
          <StepButton
            borrow={borrow}
            {...(handsOut && borrow.availableActions.includes('issue') && { action: 'issue' })}
            size="small"
            className={styles.button}
          />
        )}
      </td>
    </tr>
  );
});

/** Not one that was meant for something in the row, nor the end of marking some text. */
function isPlainClick({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  // A window that was opened from the row is no part of it, though its clicks come here.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  return target.closest('a, button, input, label') === null && (window.getSelection()?.isCollapsed ?? true);
}

/** Rows of the page that were chosen to do something with all of them. */
export interface Selection {
  /** In the order of the page, as they are now. */
  chosen: readonly BorrowView[];
  has: (id: string) => boolean;
  /** Always the same function. */
  toggle: (id: string) => void;
  toggleAll: () => void;
  clear: () => void;
  /** Takes out what is done. */
  remove: (id: string) => void;
}

const NONE: ReadonlySet<string> = new Set();

/** @param of what is chosen from: of another one nothing is chosen */
export function useSelection(items: readonly BorrowView[], of: string): Selection {
  const [ids, setIds] = useState(NONE);
  const [from, setFrom] = useState(of);
  if (from !== of) {
    setFrom(of);
    setIds(NONE);
  }
  const chosen = items.filter(({ id }) => ids.has(id));
  return {
    chosen,
    has: (id) => ids.has(id),
    toggle: useCallback(
      (id: string) => setIds((before) => (before.has(id) ? without(before, id) : new Set([...before, id]))),
      [],
    ),
    toggleAll: () => setIds(chosen.length === items.length ? NONE : new Set(items.map(({ id }) => id))),
    clear: () => setIds(NONE),
    remove: (id) => setIds((before) => without(before, id)),
  };
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((each) => each !== id));
}
