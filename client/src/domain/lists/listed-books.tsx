import GripVertical from 'lucide-react/icons/grip-vertical';
import X from 'lucide-react/icons/x';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { authorNames, yearText } from '#contracts/catalogue/book-facts.js';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { MoveButtons } from '../../components/list/move-buttons.js';
import { BookCover } from '../covers/book-cover.js';
import { useMoveInList, useTakeOffList, type ChangedList } from './list-books.js';
import styles from './listed-books.module.css';

interface ListedBooksProps {
  list: ChangedList;
  books: readonly BookListItem[];
  /** The place of the first of them in the whole list, from 1. */
  first: number;
  /** Of the whole list. */
  total: number;
}

/** The books of a list in an order that is changed by dragging or by buttons. */
export function ListedBooks({ list, books, first, total }: ListedBooksProps) {
  const take = useTakeOffList();
  const { shown, moveTo, said, rows } = useOrder(list, books, first, total);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const drop = () => {
    const from = shown.findIndex(({ id }) => id === dragged);
    if (from >= 0 && over !== null && over !== from) moveTo(from, first + over);
    setDragged(null);
    setOver(null);
  };
  return (
    <>
      <ol role="list" ref={rows} className="flex flex-col" start={first}>
        {shown.map((book, index) => {
          const place = first + index;
          return (
            <li
              key={book.id}
              className={styles.book}
              data-listed={book.id}
              data-dragged={dragged === book.id || undefined}
              data-drop={dragged !== null && over === index ? dropSide(shown, dragged, index) : undefined}
              onDragOver={(event) => {
                if (dragged === null) return;
                event.preventDefault();
                if (over !== index) setOver(index);
              }}
              onDrop={(event) => {
                event.preventDefault();
                drop();
              }}
            >
              {/* For a mouse: keys and fingers have the buttons. */}
              <span
                // Fingers have the buttons.
                className="grid place-items-center w-7 min-h-11 rounded text-ink-soft cursor-grab hover:bg-sunk hover:text-ink phone:hidden"
                draggable
                aria-hidden="true"
                title={m.lists_drag()}
                onDragStart={(event) => {
                  const row = event.currentTarget.closest('li');
                  if (row) event.dataTransfer.setDragImage(row, 20, 20);
                  event.dataTransfer.effectAllowed = 'move';
                  event.dataTransfer.setData('text/plain', book.title);
                  setDragged(book.id);
                }}
                onDragEnd={() => {
                  setDragged(null);
                  setOver(null);
                }}
              >
                <GripVertical size={18} />
              </span>
              <BookCover
                book={book}
                thumbnail
                // Beside it stand the words and, under them, what can be done.
                className="shadow-lift phone:row-span-2"
              />
              <div className="min-w-0">
                <Link
                  to={`/book/${book.id}`}
                  className="hover:underline text-ink font-serif text-3 wrap-anywhere no-underline leading-[1.2] phone:text-2"
                >
                  {book.title}
                </Link>
                <p className="text-ink-soft text-1 leading-[1.4] tabular-nums">
                  {[authorNames(book), yearText(book.published)].filter(Boolean).join(' · ')}
                </p>
                <p className="text-ink-soft text-1 leading-[1.4] tabular-nums">
                  {book.copiesAvailable === 0
                    ? m.lists_all_lent()
                    : m.lists_available({ count: book.copiesAvailable })}
                </p>
              </div>
              <div className="flex gap-1 phone:col-start-2">
                <MoveButtons
                  name={book.title}
                  place={place}
                  total={total}
                  onMove={(to, by) => moveTo(index, to, by)}
                />
                <Button
                  icon={X}
                  size="small"
                  look="plain"
                  className="min-w-9 py-0 px-2 phone:min-w-11"
                  aria-label={m.lists_remove_book({ title: book.title })}
                  title={m.lists_remove()}
                  onClick={() => take.mutate({ list, book })}
                />
              </div>
            </li>
          );
        })}
      </ol>
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </>
  );
}

/** On which side of the row a book that is dropped there comes to stand. */
function dropSide(books: readonly BookListItem[], dragged: number, index: number): 'before' | 'after' {
  return books.findIndex(({ id }) => id === dragged) < index ? 'after' : 'before';
}

/** The order as it will be once the library has heard of it; and a way to change it. */
function useOrder(list: ChangedList, books: readonly BookListItem[], first: number, total: number) {
  const move = useMoveInList(list);
  const rows = useRef<HTMLOListElement>(null);
  const focusNext = useRef<string>(null);
  const [moved, setMoved] = useState<{ from: readonly BookListItem[]; to: readonly BookListItem[] }>();
  const [said, setSaid] = useState('');
  // What the library answers takes the place of what was only hoped for.
  const shown = moved?.from === books ? moved.to : books;
  useLayoutEffect(() => {
    if (focusNext.current === null) return;
    rows.current?.querySelector<HTMLElement>(focusNext.current)?.focus();
    focusNext.current = null;
  }, [shown]);

  const moveTo = (index: number, place: number, by?: 'up' | 'down') => {
    const book = shown[index];
    if (!book || place < 1 || place > total) return;
    const to = shown.filter((each) => each !== book);
    to.splice(place - first, 0, book);
    // Beyond this page it goes out of sight.
    if (place < first || place >= first + shown.length) to.splice(to.indexOf(book), 1);
    // A row that is moved loses the focus, which stays with the button that was pressed.
    focusNext.current = by === undefined ? null : `[data-listed="${book.id}"] [data-move="${by}"]`;
    setMoved({ from: books, to });
    setSaid(m.lists_moved({ title: book.title, place, total }));
    move.mutate({ bookId: book.id, place }, { onError: () => setMoved(undefined) });
  };
  return { shown, moveTo, said, rows };
}
