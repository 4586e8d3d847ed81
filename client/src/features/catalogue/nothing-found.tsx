import { Button, ButtonLink } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { isAdmin, useUser } from '../../lib/session.js';

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
  const mayAdd = isAdmin(useUser());
  if (narrowed) {
    return (
      <EmptyState title="No book matches" action={<Button onClick={onWiden}>Clear the filters</Button>}>
        No book matches all these filters. Remove one, or clear them all.
      </EmptyState>
    );
  }
  if (searched) {
    return (
      <EmptyState title="No book matches" action={<Button onClick={onClear}>Show all books</Button>}>
        Try fewer words, another spelling, or an author, a genre or a publisher instead of a title.
      </EmptyState>
    );
  }
  if (empty) {
    return (
      <EmptyState
        title="The catalogue has no books yet"
        action={
          mayAdd && (
            <ButtonLink to="/admin/books/save" look="primary">
              Add a book
            </ButtonLink>
          )
        }
      >
        {mayAdd
          ? 'Add the first one here, or import a whole catalogue from the command line.'
          : 'Books appear here as soon as the library has added them.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Nothing on this page"
      action={<Button onClick={onFirstPage}>To the first page</Button>}
    >
      There is no such page.
    </EmptyState>
  );
}
