import { useQuery } from '@tanstack/react-query';
import { readSeries, type Book } from '#contracts/catalogue/book-views.js';
import * as m from '#words/messages.js';
import { volumeText } from '../../domain/catalogue/book-texts.js';
import { Shelf } from '../../domain/catalogue/shelf.js';
import { queryOf } from '../../lib/api/send.js';

/** The other books of the same series by volume; nothing where the library has no other. */
export function BookSeries({ book }: { book: Book }) {
  const series = useQuery(queryOf(readSeries, { params: { id: book.id } }));
  // What goes beyond the book itself is left out where it cannot be loaded: nothing here is the page's own.
  if (!series.data || series.data.length < 2) return null;
  return (
    <Shelf
      title={m.book_more_of_series({ series: book.series ?? '' })}
      books={series.data}
      current={book.id}
      noteOf={({ volume }) => (volume === null ? null : capital(volumeText(volume)))}
    />
  );
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
