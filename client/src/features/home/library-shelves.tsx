import { useQuery } from '@tanstack/react-query';
import { homeListsSchema } from '#contracts/lists/library-lists.js';
import { Shelf } from '../../domain/catalogue/shelf.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';
import styles from './library-shelves.module.css';

/** The library's reading lists, each a shelf. Without them the page is whole all the same. */
export function LibraryShelves() {
  const lists = useQuery({
    queryKey: queryKeys.listsOnHome,
    queryFn: ({ signal }) => request(homeListsSchema, 'ReadingList/home', { signal }),
    meta: { inPlace: true },
  });
  return lists.data?.map(({ id, name, books }) => (
    <div key={id} className={styles.shelf} data-library-shelf={name}>
      <Shelf title={name} books={books} all={`/shelf/${id}`} />
    </div>
  ));
}
