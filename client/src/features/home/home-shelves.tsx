import { useQuery } from '@tanstack/react-query';
import { readShelves } from '#contracts/catalogue/shelves.js';
import { Shelf } from '../../domain/catalogue/shelf.js';
import { queryOf } from '../../lib/api/send.js';
import styles from './home-shelves.module.css';

/** What there is in the library, by the shelf. The page is whole without them: what cannot be loaded is left out. */
export function HomeShelves() {
  const { data, isPending } = useQuery({
    ...queryOf(readShelves),
    meta: { inPlace: true },
    retry: false,
  });
  if (!data && !isPending) return null;
  return (
    <div className={styles.shelves}>
      <Shelf title="New in the library" books={data?.newest} all="/catalog" />
      <Shelf title="Much read this month" books={data?.muchRead ?? []} />
      {data?.genres.map(({ id, name, books }) => (
        <Shelf key={id} title={name} books={books} all={`/catalog?genre=${id}`} />
      ))}
    </div>
  );
}
