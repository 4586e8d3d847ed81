import { Link } from 'react-router-dom';
import { Skeleton } from '../../components/skeleton.js';
import { useHoldShelf } from '../../domain/holds/get-holds.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { isoDay } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import styles from './work-lists.module.css';

/** How many copies wait at the desk for readers who reserved them; they are listed on a page of their own. */
export function OnHoldShelf() {
  const shelf = useHoldShelf();
  const held = shelf.data;
  const today = isoDay(useNow(true));
  const last = held?.filter(({ collectBy }) => isoDay(collectBy) <= today).length ?? 0;
  return (
    <section className={styles.work} data-work="onHoldShelf" aria-labelledby="work-on-hold-shelf">
      <header className={styles.head}>
        <h3 id="work-on-hold-shelf" className={styles.title}>
          On the hold shelf
        </h3>
        {held && (
          <span className={styles.total} data-total>
            {held.length}
          </span>
        )}
        {held && held.length > 0 && (
          <Link to="/admin/holds" className={styles.all}>
            All {held.length}
            <span className="visually-hidden"> of “On the hold shelf”</span>
          </Link>
        )}
      </header>
      <div className={styles.none}>
        {held ? (
          wordsOf(held.length, last)
        ) : shelf.isError ? (
          sentenceOf(shelf.error)
        ) : (
          <Skeleton width="50%" />
        )}
      </div>
    </section>
  );
}

function wordsOf(count: number, last: number): string {
  if (count === 0) return 'No reserved copy waits to be collected.';
  const kept =
    count === 1 ? '1 reserved copy waits for its reader' : `${count} reserved copies wait for their readers`;
  if (last === 0) return `${kept}.`;
  return `${kept}, ${last === 1 ? '1 for the last day' : `${last} for the last day`}.`;
}
