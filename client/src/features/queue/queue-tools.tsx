import { ArrowDownWideNarrow, ArrowUpNarrowWide } from 'lucide-react';
import type { RefObject } from 'react';
import {
  borrowFilterSchema,
  type BorrowFilter,
  type BorrowListQuery,
  type BorrowOrder,
} from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../components/button.js';
import { Choice } from '../../components/choice.js';
import { SearchBox } from '../../components/search-box.js';
import { statusWord } from '../../domain/borrowing/status-badge.js';
import type { ChangeQuery } from './queue-address.js';
import listPage from '../../components/list-page.module.css';
import styles from './queue-screen.module.css';

const FILTERS: readonly { value: BorrowFilter; label: string }[] = borrowFilterSchema.options.map(
  (value) => ({
    value,
    label: value === 'All' ? 'All' : statusWord(value),
  }),
);

const ORDERS: readonly { value: BorrowOrder; label: string }[] = [
  { value: 'RentDate', label: 'Rent date' },
  { value: 'BorrowDate', label: 'Issue date' },
  { value: 'DueDate', label: 'Due date' },
  { value: 'ReturnDate', label: 'Return date' },
];

const SEARCH_DELAY_MS = 500;

interface QueueToolsProps {
  query: BorrowListQuery;
  onChange: ChangeQuery;
  searchInput: RefObject<HTMLInputElement | null>;
}

export function QueueTools({ query, onChange, searchInput }: QueueToolsProps) {
  const ascending = query.Direction === 'Ascending';
  const Arrow = ascending ? ArrowUpNarrowWide : ArrowDownWideNarrow;
  return (
    <div className={listPage.tools}>
      <SearchBox
        label="Search borrows"
        placeholder="Search by borrow date YYYY-MM-DD, reader name or book titles"
        value={query.SearchTerm}
        onSearch={(SearchTerm) => onChange({ SearchTerm })}
        delay={SEARCH_DELAY_MS}
        inputRef={searchInput}
      />
      <Choice
        label="Status"
        value={query.SortBy}
        options={FILTERS}
        onChoose={(SortBy) => onChange({ SortBy })}
      />
      <span className={styles.order}>
        <Choice
          label="Sort by"
          value={query.OrderBy}
          options={ORDERS}
          onChoose={(OrderBy) => onChange({ OrderBy })}
        />
        <Button
          className={styles.direction}
          onClick={() => onChange({ Direction: ascending ? 'Descending' : 'Ascending' })}
        >
          <Arrow size={16} aria-hidden="true" />
          {query.Direction}
        </Button>
      </span>
    </div>
  );
}
