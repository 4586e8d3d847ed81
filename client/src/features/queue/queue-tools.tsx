import * as m from '#words/messages.js';
import ArrowDownWideNarrow from 'lucide-react/icons/arrow-down-wide-narrow';
import ArrowUpNarrowWide from 'lucide-react/icons/arrow-up-narrow-wide';
import {
  BORROWS_PAGE_SIZE,
  type BorrowFilter,
  type BorrowListQuery,
  type BorrowOrder,
  borrowFilterSchema,
  borrowOrderSchema,
} from '#contracts/borrowing/borrow-views.js';
import { BORROW_PARTS, type BorrowPart } from '#contracts/borrowing/borrow-part.js';
import { Button } from '../../components/form/button.js';
import { Choice } from '../../components/form/choice.js';
import { ListSearch } from '../../components/list/list-page.js';
import listPage from '../../components/list/list-page.module.css';
import { statusLabel } from '../../domain/borrowing/status-badge.js';
import type { QueuePage } from '../../domain/live/queue-page.js';
import type { List } from '../../lib/use-list.js';
import {
  type ChangeAddress,
  type Parameter,
  oneOf,
  pageParameter,
  searchParameter,
  useAddress,
} from '../../lib/use-address.js';

const FILTERS: readonly { value: BorrowFilter; label: string }[] = borrowFilterSchema.options.map(
  (value) => ({
    value,
    label: value === 'All' ? m.queue_all() : statusLabel(value),
  }),
);

const ORDERS: readonly { value: BorrowOrder; label: string }[] = [
  { value: 'RentDate', label: m.queue_rent_date() },
  { value: 'BorrowDate', label: m.queue_issue_date() },
  { value: 'DueDate', label: m.common_due_date() },
  { value: 'ReturnDate', label: m.queue_return_date() },
];

export function QueueTools({ list }: { list: List<BorrowListQuery, QueuePage> }) {
  const { values: query, change } = list;
  const ascending = query.Direction === 'Ascending';
  const Arrow = ascending ? ArrowUpNarrowWide : ArrowDownWideNarrow;
  return (
    <div className={listPage.tools}>
      <ListSearch list={list} label={m.queue_search()} placeholder={m.common_search_borrows()} />
      <Choice
        label={m.common_status()}
        value={query.SortBy}
        options={FILTERS}
        onChoose={(SortBy) => change({ SortBy })}
      />
      <span className="inline-flex gap-2 phone:flex-wrap phone:w-full phone:[&>*]:flex-auto phone:[&_select]:flex-1">
        <Choice
          label={m.list_sort_by()}
          value={query.OrderBy}
          options={ORDERS}
          onChoose={(OrderBy) => change({ OrderBy })}
        />
        <Button
          icon={Arrow}
          className="min-w-37 font-regular"
          onClick={() => change({ Direction: ascending ? 'Descending' : 'Ascending' })}
        >
          {ascending ? m.queue_ascending() : m.queue_descending()}
        </Button>
      </span>
    </div>
  );
}

export type ChangeQuery = ChangeAddress<Omit<BorrowListQuery, 'pageSize'>>;

/** A part of the queue, as the dashboard leads to it. */
const partParameter: Parameter<BorrowPart | undefined> = {
  name: 'only',
  read: (text) => BORROW_PARTS.find((part) => part === text),
  write: (part) => part ?? '',
};

const ADDRESS = {
  Only: partParameter,
  SortBy: oneOf('status', borrowFilterSchema.options, 'All'),
  SearchTerm: searchParameter,
  OrderBy: oneOf('sort', borrowOrderSchema.options, 'RentDate'),
  Direction: oneOf('direction', ['Ascending', 'Descending'], 'Descending'),
  pageNumber: pageParameter,
} as const;

/** The query of the queue: filter, search, sort and page. */
export function useQueueAddress(): [BorrowListQuery, ChangeQuery] {
  const [address, change] = useAddress(ADDRESS);
  return [{ ...address, pageSize: BORROWS_PAGE_SIZE }, change];
}
