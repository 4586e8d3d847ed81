import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { seriesSchema, type Book } from '#contracts/catalogue/book-views.js';
import { volumeWords } from '../../domain/catalogue/series-words.js';
import { BookCover } from '../../domain/covers/book-cover.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';
import styles from './book-series.module.css';

/** Scrolls the row, and not the page, to the book that is open. */
function inSight(volume: HTMLElement | null): void {
  const row = volume?.parentElement;
  if (row) row.scrollLeft = volume.offsetLeft - row.offsetLeft - (row.clientWidth - volume.clientWidth) / 2;
}

/** The other books of the same series by volume; nothing where the library has no other. */
export function BookSeries({ book }: { book: Book }) {
  const series = useQuery({
    queryKey: queryKeys.bookSeries(book.id),
    queryFn: ({ signal }) => request(seriesSchema, `Book/${book.id}/series`, { signal }),
  });
  // What goes beyond the book itself is left out where it cannot be loaded: nothing here is the page's own.
  if (!series.data || series.data.length < 2) return null;
  return (
    <section className={styles.series} aria-labelledby="book-series">
      <h2 id="book-series">More of “{book.series}”</h2>
      <ol role="list" className={styles.volumes}>
        {series.data.map((each) => (
          <li key={each.id} ref={each.id === book.id ? inSight : null} className={styles.volume}>
            <Link
              to={`/book/${each.id}`}
              className={styles.link}
              aria-current={each.id === book.id ? 'page' : undefined}
            >
              <BookCover book={each} className={styles.cover} />
              {each.volume !== null && (
                <span className={styles.number}>{capital(volumeWords(each.volume))}</span>
              )}
              <span className={styles.title}>{each.title}</span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
