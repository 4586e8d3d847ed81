import { useQuery } from '@tanstack/react-query';
import type { Book } from '#contracts/catalogue/book-views.js';
import { relatedBooksSchema } from '#contracts/catalogue/shelves.js';
import { Shelf } from '../../domain/catalogue/shelf.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';

/** What else its author wrote, and what its readers also read; nothing where there is nothing, or it cannot be loaded. */
export function RelatedShelves({ book }: { book: Book }) {
  const { data } = useQuery({
    queryKey: queryKeys.relatedBooks(book.id),
    queryFn: ({ signal }) => request(relatedBooksSchema, `Book/${book.id}/related`, { signal }),
    meta: { inPlace: true },
    retry: false,
  });
  if (!data) return null;
  const { moreBy, alsoBorrowed } = data;
  return (
    <>
      {moreBy && (
        <Shelf title={`More by ${moreBy.name}`} books={moreBy.books} all={`/catalog?author=${moreBy.id}`} />
      )}
      <Shelf title="Readers of this also borrowed" books={alsoBorrowed} />
    </>
  );
}
