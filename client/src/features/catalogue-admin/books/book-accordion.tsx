import { ChevronDown } from 'lucide-react';
import { Accordion } from 'radix-ui';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { BOOK_KIND_WORDS } from '#contracts/rules/kinds.js';
import { seriesWords } from '../../../domain/catalogue/series-words.js';
import { BookCover } from '../../../domain/covers/book-cover.js';
import { Button, ButtonLink } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { Fact } from '../../../components/fact.js';
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
      className={styles.books}
      data-stale={stale || undefined}
      aria-busy={stale || !books}
    >
      {books
        ? books.map((book) => <BookRow key={book.id} book={book} {...rows} />)
        : Array.from({ length: pageSize }, (_, row) => (
            <div key={row} className={classNames(styles.row, styles.waiting)}>
              <span className={styles.thumbnail} />
              <Skeleton width={`${60 - ((row * 17) % 35)}%`} />
            </div>
          ))}
    </Accordion.Root>
  );
}

/** Two books of one title differ in it. */
function byAndYear({ authors, publicationDate }: BookListItem): string {
  const names = authors.map(({ firstname, lastname }) => `${firstname} ${lastname}`.trim());
  return [...names, publicationDate.slice(0, 4)].join(', ');
}

type BookRowProps = Pick<BookAccordionProps, 'isSelected' | 'onSelect' | 'onDelete'> & { book: BookListItem };

function BookRow({ book, isSelected, onSelect, onDelete }: BookRowProps) {
  return (
    <Accordion.Item value={String(book.id)} className={styles.item} data-book-id={book.id}>
      <div className={styles.row}>
        <label className={styles.select}>
          <input
            type="checkbox"
            className={styles.checkbox}
            checked={isSelected(book.id)}
            onChange={(event) => onSelect(book, event.target.checked)}
            aria-label={`Select: ${book.title}`}
          />
        </label>
        <Accordion.Header className={styles.header}>
          <Accordion.Trigger className={styles.trigger}>
            <BookCover book={book} thumbnail className={styles.thumbnail} />
            <span className={styles.words}>
              <span className={styles.title}>{book.title}</span>
              <span className={styles.by}>
                {byAndYear(book)}
                {book.kind !== 'loanable' && ` · ${BOOK_KIND_WORDS[book.kind]}`}
              </span>
            </span>
            <ChevronDown size={18} aria-hidden="true" className={styles.arrow} />
          </Accordion.Trigger>
        </Accordion.Header>
      </div>
      <Accordion.Content className={styles.content}>
        <dl className={styles.facts}>
          <Fact name="ISBN">{book.isbn}</Fact>
          <Fact name="Authors">
            {book.authors.map(({ firstname, lastname }) => `${firstname} ${lastname}`.trim()).join(', ')}
          </Fact>
          <Fact name="Genres">{book.genres.map(({ name }) => name).join(', ') || '–'}</Fact>
          <Fact name="Publisher">{book.publisher?.name ?? '–'}</Fact>
          {book.series !== null && <Fact name="Series">{seriesWords(book)}</Fact>}
          <Fact name="Copies available">
            {book.copiesAvailable}
            <span className="quiet"> of {book.copiesTotal}</span>
          </Fact>
          {book.kind !== 'loanable' && <Fact name="Lending">{BOOK_KIND_WORDS[book.kind]}</Fact>}
        </dl>
        <div className={styles.actions}>
          <ButtonLink size="small" to={`/admin/books/save/${book.id}`} aria-label={`Edit: ${book.title}`}>
            Edit
          </ButtonLink>
          <ButtonLink size="small" to={`/admin/holds/${book.id}`} aria-label={`Holds: ${book.title}`}>
            Holds
          </ButtonLink>
          <Button
            size="small"
            look="danger"
            aria-label={`Delete: ${book.title}`}
            onClick={() => onDelete(book)}
          >
            Delete
          </Button>
        </div>
      </Accordion.Content>
    </Accordion.Item>
  );
}
