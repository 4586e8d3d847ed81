import * as m from '#words/messages.js';
import { StaffLink } from '../../domain/staff-link.js';
import { useQuery } from '@tanstack/react-query';
import Printer from 'lucide-react/icons/printer';
import { useState } from 'react';
import {
  HOLDS_SHOWN,
  LAPSED_SHOWN_DAYS,
  QUEUE_PARTS,
  QUEUE_SORTS,
  readHoldShelf,
  readLapsedHolds,
  type ShelfHold,
  type LapsedHold,
} from '#contracts/holds/hold-views.js';
import { Button } from '../../components/form/button.js';
import { EmptyState, ErrorState } from '../../components/list/placeholders.js';
import { Segments } from '../../components/form/segments.js';
import { LiveBadge } from '../../domain/live/live-badge.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { queryOf } from '../../lib/api/send.js';
import { oneOf, pageParameter, searchParameter, useAddress } from '../../lib/use-address.js';
import pagePart from '../../components/display/page-part.module.css';
import { daysBetween } from '#contracts/local-day.js';
import { Day } from '../../components/display/day.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { holdShelfFor } from '../../domain/borrowing/borrow-texts.js';
import { dayWithName } from '../../domain/holds/hold-texts.js';
import { isoDay, isoMinute } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { Printed, printedBox, PrintedTable } from '../../components/display/printed.js';
import { libraryTitle } from '../../domain/library.js';
import { QueuesList } from './queues-list.js';

const LISTS = ['shelf', 'queues', 'lapsed'] as const;
const NAMES: Record<(typeof LISTS)[number], string> = {
  shelf: m.common_on_shelf(),
  queues: m.holds_queues(),
  lapsed: m.holds_list_lapsed(),
};
const ADDRESS = {
  list: oneOf('list', LISTS, 'shelf'),
  SearchTerm: searchParameter,
  Only: oneOf('only', QUEUE_PARTS, 'All'),
  SortBy: oneOf('sort', QUEUE_SORTS, 'Waiting'),
  pageNumber: pageParameter,
} as const;
const UNNARROWED = { SearchTerm: '', Only: 'All', SortBy: 'Waiting', pageNumber: 1 } as const;

/** What is kept for readers at the desk, who waits for what, and what nobody came for. */
export function HoldsPage() {
  usePageTitle(m.common_holds());
  const address = useAddress(ADDRESS);
  const [{ list }, change] = address;
  const always = { refetchOnMount: 'always', meta: { inPlace: true } } as const;
  const shelf = useQuery({ ...queryOf(readHoldShelf), ...always });
  const lapsed = useQuery({ ...queryOf(readLapsedHolds), ...always, enabled: list === 'lapsed' });
  const [printing, setPrinting] = useState(false);
  const shown = list === 'shelf' ? shelf : lapsed;
  return (
    <>
      <header className={pagePart.head}>
        <h2 className={pagePart.name}>{m.common_holds()}</h2>
        <Segments
          label={m.holds_which()}
          values={LISTS}
          chosen={list}
          onChoose={(each) => change({ ...UNNARROWED, list: each })}
        >
          {(each) => (
            <>
              {NAMES[each]}
              {each === 'shelf' && shelf.data && <span className="tabular-nums">{shelf.data.length}</span>}
            </>
          )}
        </Segments>
        {list === 'shelf' && (
          <Button
            icon={Printer}
            size="small"
            disabled={!shelf.data?.length}
            onClick={() => setPrinting(true)}
          >
            {m.common_print()}
          </Button>
        )}
        <LiveBadge />
      </header>
      {list === 'queues' ? (
        <QueuesList address={address} />
      ) : shown.isError && !shown.data ? (
        <ErrorState of={shown} />
      ) : shown.data?.length === 0 ? (
        <EmptyState title={list === 'shelf' ? m.holds_shelf_empty() : m.holds_lapsed_empty()}>
          {list === 'shelf'
            ? m.holds_shelf_empty_lead()
            : m.holds_lapsed_empty_lead({ days: LAPSED_SHOWN_DAYS })}
        </EmptyState>
      ) : list === 'shelf' ? (
        <ShelfList holds={shelf.data} />
      ) : (
        <LapsedList holds={lapsed.data} />
      )}
      {list !== 'queues' && shown.data?.length === HOLDS_SHOWN && (
        <p className="note">{m.holds_first_shown({ count: HOLDS_SHOWN })}</p>
      )}
      {printing && shelf.data && <PrintedShelf holds={shelf.data} onDone={() => setPrinting(false)} />}
    </>
  );
}

/** For whom something was kept, and what. */
export const FOR_WHOM: readonly ListColumn<LapsedHold | ShelfHold>[] = [
  {
    title: m.holds_for(),
    label: null,
    className: 'wrap-anywhere to-860:col-span-full to-860:-order-1',
    cell: ({ user }) => <StaffLink to={`/admin/readers/${user.id}`}>{user.fullname}</StaffLink>,
  },
  {
    title: m.common_book(),
    label: null,
    className: 'w-[44%] to-860:w-auto to-860:col-span-full to-860:-order-2',
    cell: ({ borrowId, bookId, title }) => (
      <span className="grid grid-cols-[1.5rem_minmax(0,_1fr)] items-center gap-3 [&_a]:text-ink [&_a]:font-serif [&_a]:text-2 [&_a]:wrap-anywhere [&_a]:no-underline [&_a:hover]:underline">
        <SmallCover bookId={bookId} title={title} className="w-6" />
        <BorrowLink id={borrowId}>{title}</BorrowLink>
      </span>
    ),
  },
];

const LAPSED_COLUMNS: readonly ListColumn<LapsedHold>[] = [
  ...FOR_WHOM,
  { title: m.holds_kept_until_column(), cell: ({ collectBy }) => <Day time={collectBy} /> },
];

/** What waited in vain, the latest first. @param holds undefined while loading */
function LapsedList({ holds }: { holds: readonly LapsedHold[] | undefined }) {
  return (
    <ListTable
      className="table-fixed"
      columns={LAPSED_COLUMNS}
      items={holds}
      keyOf={({ id }) => id}
      rowClassName="[&>td]:align-middle"
      rowProps={({ id }) => ({ 'data-lapsed-hold': id })}
      waiting={6}
    />
  );
}

const SHELF_COLUMNS: readonly ListColumn<ShelfHold>[] = [
  {
    title: m.holds_shelf(),
    className: 'w-16 to-860:w-auto',
    cell: ({ user }) => <span className="font-serif text-3">{holdShelfFor(user.fullname)}</span>,
  },
  ...FOR_WHOM,
  {
    title: m.holds_copy(),
    className: 'tabular-nums whitespace-nowrap to-860:whitespace-normal',
    cell: ({ copy }) => copy?.code ?? <span aria-label={m.common_none()}>–</span>,
  },
  { title: m.holds_ready_since(), cell: ({ readyAt }) => <Day time={readyAt} /> },
];

/** What waits at the desk, by the last day on which it does. @param holds undefined while loading */
function ShelfList({ holds }: { holds: readonly ShelfHold[] | undefined }) {
  const table = { columns: SHELF_COLUMNS, keyOf: ({ id }: ShelfHold) => id };
  if (!holds) return <ListTable {...table} items={undefined} waiting={6} />;
  return byDay(holds).map(({ day, holds: ofDay }) => (
    <section key={day} aria-labelledby={`until-${day}`} className="[&+section]:mt-10" data-until={day}>
      <h3 id={`until-${day}`} className="flex items-baseline gap-3 mb-1 text-3">
        {m.holds_until({ day: dayWithName(ofDay[0]?.collectBy ?? day) })}
        <Nearness day={day} />
      </h3>
      <ListTable
        {...table}
        className="table-fixed"
        items={ofDay}
        rowClassName="[&>td]:align-middle"
        rowProps={({ borrowId }) => ({ 'data-shelf-hold': borrowId })}
        waiting={0}
      />
    </section>
  ));
}

/** The last day is loud: whoever does not come today loses it. */
function Nearness({ day }: { day: string }) {
  const left = daysBetween(isoDay(useNow(true)), day);
  if (left > 1) return null;
  const words = left < 0 ? m.holds_over() : left === 0 ? m.holds_is_last_day() : m.holds_tomorrow();
  return (
    <span
      className="text-ink-soft font-sans text-1 tracking-[0] data-loud:text-not-paid data-loud:font-semibold"
      data-loud={left <= 0 || undefined}
    >
      {words}
    </span>
  );
}

const PRINTED_COLUMNS: readonly ListColumn<ShelfHold>[] = [
  { title: m.holds_there(), cell: () => <span className={printedBox} /> },
  { title: m.holds_until_column(), className: 'unbroken', cell: ({ collectBy }) => isoDay(collectBy) },
  { title: m.holds_shelf(), cell: ({ user }) => holdShelfFor(user.fullname) },
  { title: m.holds_for(), cell: ({ user }) => user.fullname },
  { title: m.common_book_title(), cell: ({ title }) => title },
  { title: m.holds_copy(), className: 'unbroken', cell: ({ copy }) => copy?.code },
];

/** What waits on the shelf, on paper, to be gone through with a pencil. */
function PrintedShelf({ holds, onDone }: { holds: readonly ShelfHold[]; onDone: () => void }) {
  const [at] = useState(() => Date.now());
  return (
    <Printed
      over={libraryTitle}
      title={m.holds_printed_title()}
      lead={m.holds_printed({ count: holds.length, at: isoMinute(at) })}
      onDone={onDone}
    >
      <PrintedTable
        columns={PRINTED_COLUMNS}
        items={byDay(holds).flatMap(({ holds: ofDay }) => ofDay)}
        keyOf={({ id }) => id}
      />
    </Printed>
  );
}

const { compare } = new Intl.Collator('pl');

/** What waits on the shelf by its last day, the nearest first; of a day as it stands on the shelf: by the readers' names. */
function byDay(holds: readonly ShelfHold[]): { day: string; holds: ShelfHold[] }[] {
  const days = new Map<string, ShelfHold[]>();
  for (const hold of holds) {
    const day = isoDay(hold.collectBy);
    days.set(day, [...(days.get(day) ?? []), hold]);
  }
  return [...days]
    .sort(([one], [other]) => compare(one, other))
    .map(([day, ofDay]) => ({
      day,
      holds: ofDay.sort(
        (one, other) => compare(one.user.fullname, other.user.fullname) || compare(one.title, other.title),
      ),
    }));
}
