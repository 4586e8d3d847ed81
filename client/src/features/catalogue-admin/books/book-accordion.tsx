import * as m from '#words/messages.js';
import { deleteBook } from '#contracts/catalogue/book-save.js';
import { May } from '../../../domain/may.js';
import { StaffButtonLink } from '../../../domain/staff-link.js';
import ChevronDown from 'lucide-react/icons/chevron-down';
import * as Accordion from 'radix-ui/accordion';
import { authorNames, numberName, yearText } from '#contracts/catalogue/book-facts.js';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { BOOK_KIND_LABELS } from '#contracts/rules/kinds.js';
import { seriesText } from '../../../domain/catalogue/book-texts.js';
import { BookCover } from '../../../domain/covers/book-cover.js';
import { Button } from '../../../components/form/button.js';
import { Skeleton } from '../../../components/list/placeholders.js';
import { Marked } from '../../../components/display/marked.js';
import { Fact } from '../../../components/display/fact.js';
import { classNames } from '../../../lib/class-names.js';
import styles from './book-accordion.module.css';

interface BookAccordionProps {
  /** Undefined while loading. */
  books: readonly BookListItem[] | undefined;
  stale: boolean;
  pageSize: number;
  /** The one book that is open. */
  expanded: number | null;
  onExpand: (id: number | null) => void;
  isSelected: (id: number) => boolean;
  onSelect: (book: BookListItem, on: boolean) => void;
  onDelete: (book: BookListItem) => void;
}

/** Books by cover and title; one at a time shows the rest (specification, section 2, "Admin book list"). */
export function BookAccordion({ books, stale, pageSize, expanded, onExpand, ...rows }: BookAccordionProps) {
  return (
    <Accordion.Root
      type="single"
      collapsible
      value={expanded === null ? '' : String(expanded)}
      onValueChange={(value) => onExpand(value === '' ? null : Number(value))}
      className="border-t border-line-strong [transition:opacity_var(--quick)]"
      data-stale={stale || undefined}
      aria-busy={stale || !books}
    >
      {books
        ? books.map((book) => <BookRow key={book.id} book={book} {...rows} />)
        : Array.from({ length: pageSize }, (_, row) => (
            <div key={row} className={classNames('group/row flex items-center min-h-15', styles.waiting)}>
              <span className={styles.thumbnail} />
              <Skeleton width={`${60 - ((row * 17) % 35)}%`} />
            </div>
          ))}
    </Accordion.Root>
  );
}

/** Two books of one title differ in it. */
function byAndYear(book: BookListItem): string {
  return [authorNames(book), yearText(book.published)].filter(Boolean).join(', ');
}

type BookRowProps = Pick<BookAccordionProps, 'isSelected' | 'onSelect' | 'onDelete'> & { book: BookListItem };

function BookRow({ book, isSelected, onSelect, onDelete }: BookRowProps) {
  return (
    <Accordion.Item
      value={String(book.id)}
      className="group/item group/item border-b border-line data-[state=open]:bg-surface hover:[&:not([data-state='open'])]:bg-surface"
      data-book-id={book.id}
    >
      <div className="group/row flex items-center min-h-15">
        <label className="grid place-items-center w-11 self-stretch cursor-pointer">
          <input
            type="checkbox"
            className="size-4 m-0 accent-accent opacity-55 [cursor:inherit] checked:opacity-100 focus-visible:opacity-100 group-hover/row:opacity-100"
            checked={isSelected(book.id)}
            onChange={(event) => onSelect(book, event.target.checked)}
            aria-label={m.catalogue_select({ name: book.title })}
          />
        </label>
        <Accordion.Header className="flex-1 min-w-0 [font:inherit]">
          <Accordion.Trigger className="flex items-center gap-4 w-full min-h-15 p-[4px] pl-0 pr-3 text-left cursor-pointer phone:gap-3 phone:pr-1">
            <BookCover book={book} thumbnail className={styles.thumbnail} />
            <span className="grid flex-1 min-w-0">
              <span className="min-w-0 truncate font-serif text-[1.125rem] leading-tight group-data-[state=open]/item:whitespace-normal phone:whitespace-normal">
                {book.title}
              </span>
              <span className="truncate text-ink-soft text-1">
                {byAndYear(book)}
                {book.kind !== 'loanable' && ` · ${BOOK_KIND_LABELS[book.kind]()}`}
              </span>
            </span>
            <ChevronDown
              size={18}
              aria-hidden="true"
              className="text-ink-soft [transition:transform_var(--quick)] group-data-[state=open]/item:[transform:rotate(180deg)]"
            />
          </Accordion.Trigger>
        </Accordion.Header>
      </div>
      <Accordion.Content className="p-4 pl-[calc(2.75rem_+_50px_+_var(--space-4))] pt-1 phone:p-3 phone:pt-2 phone:pb-4">
        <dl
          className={classNames(
            'grid gap-1 text-1',
            '[&>div]:grid [&>div]:grid-cols-[8.5rem_minmax(0,1fr)] [&>div]:gap-3 [&_dd]:wrap-anywhere [&_dd]:tabular-nums',
            'phone:[&>div]:grid-cols-[7.5rem_minmax(0,1fr)]',
          )}
        >
          <Fact name={numberName(book.isbn)}>{book.isbn}</Fact>
          <Fact name={m.common_authors()}>
            {book.authors.map(({ firstname, lastname }) => `${firstname} ${lastname}`.trim()).join(', ')}
          </Fact>
          <Fact name={m.common_genres()}>{book.genres.map(({ name }) => name).join(', ') || '–'}</Fact>
          <Fact name={m.common_publisher()}>{book.publisher?.name ?? '–'}</Fact>
          {book.series !== null && <Fact name={m.catalogue_series()}>{seriesText(book)}</Fact>}
          <Fact name={m.catalogue_copies_available()}>
            <Marked
              parts={m.catalogue_available_of_all.parts({
                available: book.copiesAvailable,
                total: book.copiesTotal,
              })}
              as={{ quiet: (children) => <span className="quiet">{children}</span> }}
            />
          </Fact>
          {book.kind !== 'loanable' && (
            <Fact name={m.catalogue_lending()}>{BOOK_KIND_LABELS[book.kind]()}</Fact>
          )}
        </dl>
        <div className="flex gap-2 mt-3 phone:[&>*]:flex-1">
          <StaffButtonLink
            size="small"
            to={`/admin/books/save/${book.id}`}
            aria-label={m.catalogue_edit_of({ name: book.title })}
          >
            {m.common_edit()}
          </StaffButtonLink>
          <StaffButtonLink
            size="small"
            to={`/admin/holds/${book.id}`}
            aria-label={m.catalogue_holds_of({ name: book.title })}
          >
            {m.common_holds()}
          </StaffButtonLink>
          <May make={deleteBook}>
            <Button
              size="small"
              look="danger"
              aria-label={m.catalogue_delete_of({ name: book.title })}
              onClick={() => onDelete(book)}
            >
              {m.common_delete()}
            </Button>
          </May>
        </div>
      </Accordion.Content>
    </Accordion.Item>
  );
}
