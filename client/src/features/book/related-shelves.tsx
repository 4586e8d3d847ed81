import { useQuery } from '@tanstack/react-query';
import type { Book } from '#contracts/catalogue/book-views.js';
import { readRelated } from '#contracts/catalogue/shelves.js';
import * as m from '#words/messages.js';
import { Shelf } from '../../domain/catalogue/shelf.js';
import { queryOf } from '../../lib/api/send.js';

/** What else its author wrote, and what its readers also read; nothing where there is nothing, or it cannot be loaded. */
export function RelatedShelves({ book }: { book: Book }) {
  const { data } = useQuery({
    ...queryOf(readRelated, { params: { id: book.id } }),
    meta: { inPlace: true },
    retry: false,
  });
  if (!data) return null;
  const { moreBy, alsoBorrowed } = data;
  return (
    <>
      {moreBy && (
        <Shelf
          title={m.book_more_by({ name: moreBy.name })}
          books={moreBy.books}
          all={`/catalog?author=${moreBy.id}`}
        />
      )}
      <Shelf title={m.book_also_borrowed()} books={alsoBorrowed} />
    </>
  );
}
