import { useQuery } from '@tanstack/react-query';
import { readListsOnHome } from '#contracts/lists/library-lists.js';
import { Shelf } from '../../domain/catalogue/shelf.js';
import { queryOf } from '../../lib/api/send.js';

/** The library's reading lists, each a shelf. The page is whole without them: what cannot be loaded is left out. */
export function LibraryShelves() {
  const lists = useQuery({
    ...queryOf(readListsOnHome),
    meta: { inPlace: true },
    retry: false,
  });
  if (!lists.data?.length) return null;
  return lists.data.map(({ id, name, books }) => (
    <Shelf key={id} title={name} books={books} all={`/shelf/${id}`} />
  ));
}
