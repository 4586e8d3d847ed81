import { Fragment, useState } from 'react';
import { Link } from 'react-router-dom';
import { publishedText, yearOf } from '#contracts/catalogue/book-facts.js';
import type { Book } from '#contracts/catalogue/book-views.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
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

/** Authors who are named before the others are asked for. */
const SHOWN = 10;

/** The authors, of whom many are folded. */
export function AuthorLinks({ book }: { book: Book }) {
  const [whole, setWhole] = useState(book.authors.length <= SHOWN + 1);
  const names = book.authors.map(({ id, fullname }) => ({ id, name: fullname }));
  if (whole) return <NameLinks of="author" names={names} />;
  return (
    <>
      <NameLinks of="author" names={names.slice(0, SHOWN)} />{' '}
      <Button size="small" look="quiet" onClick={() => setWhole(true)}>
        {m.book_all_authors({ count: names.length })}
      </Button>
    </>
  );
}

/** When the book was published, which leads to the books of its decade. */
export function PublicationDate({ published }: { published: string }) {
  const year = yearOf(published) ?? 0;
  const text = publishedText(published);
  if (year < 1000) return text;
  const decade = Math.floor(year / 10) * 10;
  return (
    <Link
      to={`/catalog?year=${decade}s`}
      className={styles.name}
      aria-label={m.book_decade({ text, decade, last: decade + 9 })}
    >
      {text}
    </Link>
  );
}
