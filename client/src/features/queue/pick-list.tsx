import * as m from '#words/messages.js';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isInternalNumber } from '#contracts/catalogue/book-facts.js';
import { listBorrows } from '#contracts/borrowing/borrow-calls.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { borrowNumber } from '#contracts/borrowing/queue-search.js';
import type { CoveredBooks } from '#contracts/catalogue/book-views.js';
import type { ListColumn } from '../../components/list/table.js';
import { Printed, printedBox, PrintedTable } from '../../components/display/printed.js';
import { waitingBooks } from '../../domain/borrowing/borrow-texts.js';
import { coversOf } from '../../domain/covers/get-covers.js';
import { libraryTitle } from '../../domain/library.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { send } from '../../lib/api/send.js';
import { isoDay, isoMinute } from '../../lib/dates.js';
import { notify } from '../../lib/notify.js';
import styles from './pick-list.module.css';

/** More does not fit into anybody's hands: what is to be collected first comes first. */
const MOST = 500;
const PAGE = 100;

/** Every borrow of which books wait to be collected, the longest waiting first. */
async function allRented(signal: AbortSignal): Promise<BorrowView[]> {
  const rented: BorrowView[] = [];
  for (let pageNumber = 1; rented.length < MOST; pageNumber += 1) {
    const query = {
      SortBy: 'Rented',
      OrderBy: 'RentDate',
      Direction: 'Ascending',
      pageNumber,
      pageSize: PAGE,
    } as const;
    const page = await send(listBorrows, { query }, { signal });
    rented.push(...page.items);
    if (rented.length >= page.totalCount || page.items.length === 0) break;
  }
  return rented.slice(0, MOST);
}

interface PickListProps {
  /** What to fetch from the shelves; undefined for everything that is rented. */
  rented: readonly BorrowView[] | undefined;
  onDone: () => void;
}

/** What was rented and is still on the shelves, on paper, in the order of the shelves. */
export function PickList({ rented, onDone }: PickListProps) {
  const [at] = useState(() => Date.now());
  const list = useQuery({
    queryKey: ['pick-list', rented?.map(({ id }) => id) ?? 'all'],
    queryFn: async ({ signal }) => {
      const borrows = rented ?? (await allRented(signal));
      const ids = new Set(borrows.flatMap((borrow) => waitingBooks(borrow).map(({ bookId }) => bookId)));
      return { borrows, books: await coversOf([...ids]) };
    },
    gcTime: 0,
    meta: { inPlace: true },
  });
  const { error, data } = list;
  const isEmpty = data?.borrows.length === 0;
  useEffect(() => {
    if (error) notify.error(sentenceOf(error));
    if (isEmpty) notify.info(m.queue_nothing_to_pick());
    if (error || isEmpty) onDone();
  }, [error, isEmpty, onDone]);
  if (!data || isEmpty) return null;
  const lines = linesOf(data.borrows, data.books);
  return (
    <Printed
      over={libraryTitle}
      title={m.queue_pick_list()}
      lead={m.queue_printed({ books: lines.length, borrows: data.borrows.length, at: isoMinute(at) })}
      onDone={onDone}
    >
      <PrintedTable
        className={styles.list}
        columns={COLUMNS}
        items={lines}
        keyOf={({ borrow, bookId }) => `${borrow.id} ${bookId}`}
      />
    </Printed>
  );
}

const COLUMNS: readonly ListColumn<ReturnType<typeof linesOf>[number]>[] = [
  { title: m.queue_found(), cell: () => <span className={printedBox} /> },
  { title: m.queue_author(), cell: ({ author }) => author },
  { title: m.common_book_title(), cell: ({ title }) => title },
  { title: m.common_isbn(), cell: ({ isbn }) => isbn },
  { title: m.queue_for(), cell: ({ borrow }) => borrow.user.fullname },
  { title: m.common_collect_by(), cell: ({ borrow }) => isoDay(borrow.collectBy) },
  { title: m.queue_borrow(), cell: ({ borrow }) => borrowNumber(borrow.id) },
];

/** A line for each book, by author and title, as they stand on the shelves. */
function linesOf(borrows: readonly BorrowView[], books: CoveredBooks) {
  const known = new Map(books.map((book) => [book.id, book]));
  const lines = borrows.flatMap((borrow) =>
    waitingBooks(borrow).map(({ bookId, title }) => {
      const book = known.get(bookId);
      const [first] = book?.authors ?? [];
      const author = first ? [first.lastname, first.firstname].filter(Boolean).join(', ') : '';
      return { borrow, bookId, title, author, isbn: !book || isInternalNumber(book.isbn) ? '' : book.isbn };
    }),
  );
  const { compare } = new Intl.Collator('pl');
  return lines.sort((one, other) => compare(one.author, other.author) || compare(one.title, other.title));
}
