import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Book } from '#contracts/catalogue/book-views.js';
import { readWhereabouts, type Whereabouts } from '#contracts/copies/copy-views.js';
import * as m from '#words/messages.js';
import { Marked } from '../../components/display/marked.js';
import { Button } from '../../components/form/button.js';
import { Day } from '../../components/display/day.js';
import { CopyStateBadge } from '../../domain/catalogue/copy-state-badge.js';
import { keyOf, send } from '../../lib/api/send.js';
import { useQuarterHour } from '../../lib/use-now.js';

/** More are shown when asked for. */
const SHOWN = 6;

/** Where each copy stands, or until when it is lent. */
export function BookCopies({ book }: { book: Book }) {
  const [isWhole, setWhole] = useState(false);
  const ofBook = { params: { id: book.id } };
  const { data: copies } = useQuery({
    // What is on the shelf changes with every loan, as live messages tell.
    queryKey: [...keyOf(readWhereabouts, ofBook), book.copiesAvailable],
    queryFn: ({ signal }) => send(readWhereabouts, ofBook, { signal }),
    placeholderData: (before) => before,
    meta: { inPlace: true },
    retry: false,
  });
  // The number of copies stands above: this is left out where it cannot be loaded.
  if (!copies || copies.length === 0) return null;
  const alike = grouped(copies);
  const shown = isWhole ? alike : alike.slice(0, SHOWN);
  return (
    <section className="flex flex-col gap-3 mt-4 [&_h2]:text-3" aria-labelledby="book-copies">
      <h2 id="book-copies">{m.common_copies()}</h2>
      <ul role="list" className="grid gap-0">
        {shown.map(({ copy, count }) => (
          <li
            key={copy.copy}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 min-h-10 py-1 border-t border-line"
          >
            <CopyStateBadge state={copy.state === 'kept' ? 'rented' : copy.state} />
            <span>
              {count > 1 && <span className="quiet">{m.book_copies_alike({ count })}</span>}
              <Where copy={copy} />
            </span>
          </li>
        ))}
      </ul>
      {shown.length < alike.length && (
        <div>
          <Button size="small" onClick={() => setWhole(true)}>
            {m.book_all_copies({ count: copies.length })}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Copies of which the same is said stand in one line. */
function grouped(copies: Whereabouts): { copy: Whereabouts[number]; count: number }[] {
  const groups = new Map<string, { copy: Whereabouts[number]; count: number }>();
  for (const copy of copies) {
    const key = JSON.stringify([copy.state, copy.shelfMark, copy.dueDate]);
    const group = groups.get(key);
    if (group) group.count += 1;
    else groups.set(key, { copy, count: 1 });
  }
  return [...groups.values()];
}

function Where({ copy: { state, shelfMark, dueDate } }: { copy: Whereabouts[number] }) {
  const now = useQuarterHour();
  if (state === 'on-shelf') return shelfMark === null ? m.book_ask_at_desk() : <Place mark={shelfMark} />;
  const isLate = dueDate !== null && Date.parse(dueDate) < now;
  return (
    <Marked
      parts={PARTS[state === 'kept' ? 'kept' : dueDate === null ? 'lent' : isLate ? 'late' : 'due'](
        shelfMark,
      )}
      as={{ place: () => <Place mark={shelfMark} />, day: () => <Day time={dueDate} /> }}
    />
  );
}

/** What is said of a copy that is not on its shelf, by whether it has a place there. */
const PARTS = {
  kept: (mark: string | null) => (mark === null ? plain(m.book_copy_kept()) : m.book_copy_kept_else.parts()),
  lent: (mark: string | null) => (mark === null ? plain(m.book_copy_lent()) : m.book_copy_lent_then.parts()),
  late: (mark: string | null) =>
    mark === null ? m.book_copy_was_due.parts() : m.book_copy_was_due_then.parts(),
  due: (mark: string | null) => (mark === null ? m.book_copy_due.parts() : m.book_copy_due_then.parts()),
};
const plain = (value: string): m.MessagePart[] => [{ type: 'text', value }];

function Place({ mark }: { mark: string | null }) {
  return <span className="font-strong tabular-nums">{mark}</span>;
}
