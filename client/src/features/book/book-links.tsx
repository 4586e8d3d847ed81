import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import type { Book } from '#contracts/catalogue/book-views.js';
import styles from './book-page.module.css';

interface Name {
  id: number | string;
  name: string;
}

/** The names of a book, each of which leads to the catalogue's books of that name. */
export function NameLinks({
  of,
  names,
}: {
  of: 'author' | 'genre' | 'publisher' | 'language';
  names: readonly Name[];
}) {
  return names.map(({ id, name }, at) => (
    <Fragment key={id}>
      {at > 0 && ', '}
      <Link to={`/catalog?${of}=${id}`} className={styles.name}>
        {name}
      </Link>
    </Fragment>
  ));
}

/** The day by which the catalogue says that it knows none. */
const NO_DATE = '0001-01-01';

/** The day of publication, which leads to the books of its decade. */
export function PublicationDate({ book: { publicationDate } }: { book: Book }) {
  const year = Number(publicationDate.slice(0, 4));
  if (publicationDate === NO_DATE || year < 1000) return publicationDate;
  const decade = Math.floor(year / 10) * 10;
  return (
    <Link
      to={`/catalog?year=${decade}s`}
      className={styles.name}
      aria-label={`${publicationDate}: books of the ${decade}s`}
    >
      {publicationDate}
    </Link>
  );
}
