import * as m from '#words/messages.js';
import { useQuery } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import BookCheck from 'lucide-react/icons/book-check';
import BookOpen from 'lucide-react/icons/book-open';
import { COPY_EVENTS } from '#contracts/copies/copy-events.js';
import { readCopy, type Copy, type CopyView } from '#contracts/copies/copy-views.js';
import { Dialog } from '../../../components/dialog/dialog.js';
import { Loaded, SkeletonLines } from '../../../components/list/placeholders.js';
import { BorrowLink } from '../../../domain/borrowing/borrow-link.js';
import { iconOf } from '../../../domain/borrowing/event-labels.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { send } from '../../../lib/api/send.js';
import { isoMinute } from '../../../lib/dates.js';

interface Entry {
  at: string;
  word: string;
  icon: LucideIcon;
  /** Where it went, or by whom. */
  detail: string | null;
  borrowId?: string;
}

/** What happened to a copy, and in whose hands it was, the latest first. */
export function CopyHistory({ copy: { code, bookId }, onClose }: CopyHistoryProps) {
  const copy = useQuery({
    // With the other copies of the book it is asked for again.
    queryKey: [...queryKeys.copies(bookId), code],
    queryFn: ({ signal }) => send(readCopy, { params: { id: code } }, { signal }),
    meta: { inPlace: true },
  });
  return (
    <Dialog title={m.copies_history_of({ code })} lead={m.copies_history_lead()} onClose={onClose}>
      <Loaded of={copy} waiting={<SkeletonLines label={m.copies_history_loading()} widths={[70]} />}>
        {(data) => {
          const entries = entriesOf(data);
          return entries.length === 0 ? (
            <p>{m.copies_history_empty()}</p>
          ) : (
            <ol
              role="list"
              className="flex flex-col gap-3 [&_li]:flex [&_li]:gap-3 [&_li]:tabular-nums [&_svg]:flex-none [&_svg]:mt-[0.3em] [&_svg]:text-ink-soft"
            >
              {entries.map((entry) => (
                <Line key={`${entry.at} ${entry.word}`} entry={entry} onLeave={onClose} />
              ))}
            </ol>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

interface CopyHistoryProps {
  copy: CopyView;
  onClose: () => void;
}

function Line({ entry, onLeave }: { entry: Entry; onLeave: () => void }) {
  const { at, word, icon: Icon, detail, borrowId } = entry;
  return (
    <li>
      <Icon size={15} aria-hidden="true" />
      <div>
        <p>
          {borrowId === undefined ? (
            word
          ) : (
            <BorrowLink id={borrowId} onClick={onLeave}>
              {word}
            </BorrowLink>
          )}
          {detail !== null && <span className="quiet">, {detail}</span>}
        </p>
        <time className="note" dateTime={at}>
          {isoMinute(at)}
        </time>
      </div>
    </li>
  );
}

function detailOf(place: string | null, person: string | null): string | null {
  if (place === null) return person && m.copies_history_by({ person });
  return person === null ? m.copies_history_to({ place }) : m.copies_history_to_by({ place, person });
}

function entriesOf({ history, borrows }: Copy): Entry[] {
  const events = history.map(({ type, at, by, shelfMark }): Entry => {
    const { label, icon: mark } = COPY_EVENTS[type];
    return { at, word: label(), icon: iconOf(mark).icon, detail: detailOf(shelfMark, by) };
  });
  const loans = borrows.flatMap(({ borrowId, user, issueDate, returnDate }): Entry[] => [
    {
      at: issueDate,
      word: m.copies_lent_to({ name: user.fullname }),
      icon: BookOpen,
      detail: null,
      borrowId,
    },
    ...(returnDate === null
      ? []
      : [
          {
            at: returnDate,
            word: m.copies_back_from({ name: user.fullname }),
            icon: BookCheck,
            detail: null,
            borrowId,
          },
        ]),
  ]);
  return [...events, ...loans].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
