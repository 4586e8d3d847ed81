import * as m from '#words/messages.js';
import { addBook } from '#contracts/catalogue/book-save.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { useMay } from '../../lib/session.js';

interface NothingFoundProps {
  searched: boolean;
  /** Whether facets leave nothing. */
  narrowed: boolean;
  /** The library has no book at all. */
  empty: boolean;
  onWiden: () => void;
  onClear: () => void;
  onFirstPage: () => void;
}

/** A list without a book, and what helps. */
export function NothingFound({
  searched,
  narrowed,
  empty,
  onWiden,
  onClear,
  onFirstPage,
}: NothingFoundProps) {
  const mayAdd = useMay(addBook);
  if (narrowed) {
    return (
      <EmptyState
        title={m.list_books_none()}
        action={<Button onClick={onWiden}>{m.catalog_clear_filters()}</Button>}
      >
        {m.catalog_narrowed_lead()}
      </EmptyState>
    );
  }
  if (searched) {
    return (
      <EmptyState
        title={m.list_books_none()}
        action={<Button onClick={onClear}>{m.list_books_all()}</Button>}
      >
        {m.catalog_searched_lead()}
      </EmptyState>
    );
  }
  if (empty) {
    return (
      <EmptyState
        title={m.catalog_empty()}
        action={
          mayAdd && (
            <ButtonLink to="/admin/books/save" look="primary">
              {m.catalog_add_book()}
            </ButtonLink>
          )
        }
      >
        {mayAdd ? m.catalog_empty_lead_admin() : m.catalog_empty_lead()}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={m.catalog_no_page()}
      action={<Button onClick={onFirstPage}>{m.catalog_first_page()}</Button>}
    >
      {m.catalog_no_page_lead()}
    </EmptyState>
  );
}
