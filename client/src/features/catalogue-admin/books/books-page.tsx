import { useRef, useState } from 'react';
import {
  ADMIN_BOOKS_PAGE_SIZE,
  bookSortSchema,
  type BookListItem,
  type BookSort,
} from '#contracts/catalogue/book-views.js';
import { BOOK_KIND_WORDS, BOOK_KINDS, type BookKind } from '#contracts/rules/kinds.js';
import { Button, ButtonLink } from '../../../components/button.js';
import { Choice } from '../../../components/choice.js';
import { ListPart } from '../../../components/list-part.js';
import { useBooks } from '../../../domain/catalogue/get-books.js';
import { DeleteConfirmation } from '../authorities/delete-confirmation.js';
import { ListScreen } from '../authorities/list-screen.js';
import { useListAddress } from '../authorities/use-list-address.js';
import { MergeDialog } from '../merging/merge-dialog.js';
import { BookAccordion } from './book-accordion.js';
import styles from './books-page.module.css';
import { useDeleteBook, useDeleteBooks } from './book-calls.js';

const SORTS: readonly { value: BookSort; label: string }[] = [
  { value: 'none', label: 'No sorting' },
  { value: 'Title', label: 'Title' },
  { value: 'ISBN', label: 'ISBN' },
  { value: 'Copies', label: 'Copies' },
];

/** The books that the dashboard's counter of new ones counts. */
const ADDED = 'AddedLastMonth';

const LIST = {
  sorts: bookSortSchema.options,
  usualSort: 'none',
  pageSize: ADMIN_BOOKS_PAGE_SIZE,
  parts: [ADDED, ...BOOK_KINDS],
} as const;

const KINDS: readonly { value: BookKind | ''; label: string }[] = [
  { value: '', label: 'All books' },
  ...BOOK_KINDS.map((value) => ({ value, label: BOOK_KIND_WORDS[value] })),
];

/** What is to be deleted, once the person has said yes. */
type Asked = { kind: 'one'; book: BookListItem } | { kind: 'selected' };

export function BooksPage() {
  const address = useListAddress<BookSort>(LIST);
  const isNew = address.only === ADDED;
  const kind = BOOK_KINDS.find((each) => each === address.only);
  const books = useBooks({
    ...address.query,
    ...(isNew && { Added: 'LastMonth' }),
    ...(kind && { Kind: kind }),
  });
  const deletion = useDeleteBook();
  const bulkDeletion = useDeleteBooks();
  const [asked, setAsked] = useState<Asked | null>(null);
  /** Titles of the selected books by their ids: they may be on other pages. */
  const [selected, setSelected] = useState<ReadonlyMap<number, string>>(new Map());
  const [merging, setMerging] = useState(false);
  const listRef = useRef<HTMLDivElement>(null);

  const select = (book: BookListItem, on: boolean) => {
    const next = new Map(selected);
    if (on) next.set(book.id, book.title);
    else next.delete(book.id);
    setSelected(next);
  };
  const close = () => setAsked(null);

  return (
    <>
      <ListScreen
        title="Library Books"
        noun={['book', 'books']}
        add={
          <ButtonLink look="primary" to="/admin/books/save">
            Add Book
          </ButtonLink>
        }
        searchPlaceholder="Search books by Title, Author, Genre, or Publisher"
        sortLabel="Sort By"
        sorts={SORTS}
        address={address}
        part={
          <>
            <Choice
              label="Lending"
              value={kind ?? ''}
              options={KINDS}
              onChoose={(only) => address.change({ only, SearchTerm: '' })}
            />
            {isNew ? (
              <ListPart
                name="New books in last month"
                all="all books"
                onLeave={() => address.change({ only: '' })}
              />
            ) : (
              <ButtonLink look="plain" size="small" to="/admin/duplicates?part=books">
                Find duplicates
              </ButtonLink>
            )}
          </>
        }
        list={books}
        listRef={listRef}
      >
        {(items, stale) => (
          <>
            <BookAccordion
              books={items}
              stale={stale}
              pageSize={address.query.pageSize}
              expanded={address.open}
              onExpand={(open) => address.change({ open })}
              isSelected={(id) => selected.has(id)}
              onSelect={select}
              onDelete={(book) => setAsked({ kind: 'one', book })}
            />
            <Selection
              count={selected.size}
              onMerge={() => setMerging(true)}
              onDelete={() => setAsked({ kind: 'selected' })}
              onClear={() => setSelected(new Map())}
            />
          </>
        )}
      </ListScreen>
      {merging && (
        <MergeDialog
          kind="book"
          ids={[...selected.keys()]}
          onMerged={() => {
            setSelected(new Map());
            listRef.current?.focus({ preventScroll: true });
          }}
          onClose={() => setMerging(false)}
        />
      )}
      {asked?.kind === 'one' && (
        <DeleteConfirmation
          question="Are you sure you want to delete this book?"
          wanted={asked.book.id}
          command={deletion}
          onClose={close}
          listRef={listRef}
          onDeleted={() => select(asked.book, false)}
        >
          {asked.book.title}
        </DeleteConfirmation>
      )}
      {asked?.kind === 'selected' && (
        <DeleteConfirmation
          question="Are you sure you want to delete the selected books?"
          wanted={[...selected.keys()]}
          command={bulkDeletion}
          onClose={close}
          listRef={listRef}
          onDeleted={() => setSelected(new Map())}
        >
          {[...selected.values()].join(' · ')}
        </DeleteConfirmation>
      )}
    </>
  );
}

interface SelectionProps {
  count: number;
  onMerge: () => void;
  onDelete: () => void;
  onClear: () => void;
}

/** What can be done with the selected books. Below the list, so that its coming moves no row, and always in view. */
function Selection({ count, onMerge, onDelete, onClear }: SelectionProps) {
  return (
    <>
      <p role="status" className="visually-hidden">
        {count > 0 && `${count} selected`}
      </p>
      {count > 0 && (
        <div className={styles.selection} role="group" aria-label="Selected books">
          <span className={styles.count} aria-hidden="true">
            {count} selected
          </span>
          <Button size="small" disabled={count < 2} onClick={onMerge}>
            Merge…
          </Button>
          <Button size="small" onClick={onDelete}>
            Delete selected
          </Button>
          <Button size="small" look="plain" onClick={onClear}>
            Clear
          </Button>
        </div>
      )}
    </>
  );
}
