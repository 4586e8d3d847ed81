import { Button } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/placeholders.js';

interface NothingFoundProps {
  searched: boolean;
  /** Whether facets leave nothing. */
  narrowed: boolean;
  onWiden: () => void;
  onClear: () => void;
  onFirstPage: () => void;
}

/** A list without a book, and what helps. */
export function NothingFound({ searched, narrowed, onWiden, onClear, onFirstPage }: NothingFoundProps) {
  if (narrowed) {
    return (
      <EmptyState title="No book matches" action={<Button onClick={onWiden}>Clear the filters</Button>}>
        Nothing has all that is chosen. Take a filter away, or begin without them.
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
  return (
    <EmptyState
      title="Nothing on this page"
      action={<Button onClick={onFirstPage}>To the first page</Button>}
    >
      The shelves end before this page.
    </EmptyState>
  );
}
