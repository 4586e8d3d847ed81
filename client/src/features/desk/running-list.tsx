import part from '../../components/display/page-part.module.css';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { isoMinute } from '../../lib/dates.js';
import type { DeskLine } from './desk-lines.js';
import styles from './desk-screen.module.css';
import { LineActions } from './line-actions.js';
import type { PendingScan } from './stored-scans.js';

interface RunningListProps {
  lines: readonly DeskLine[];
  pending: readonly PendingScan[];
  onPay: (line: DeskLine) => void;
}

/** What was scanned here, the latest first; before it, what is not finished yet. */
export function RunningList({ lines, pending, onPay }: RunningListProps) {
  const unfinished = pending.filter(({ kind }) => kind === 'scan' || kind === 'take-back-from');
  if (lines.length === 0 && unfinished.length === 0) return null;
  return (
    <section aria-labelledby="scanned" className="[container-type:inline-size]">
      <h3 id="scanned" className={part.title}>
        Scanned here
      </h3>
      <ol role="list" className={styles.lines}>
        {[...unfinished].reverse().map(({ key, text }) => (
          <li key={key} className={styles.line} data-pending>
            <span className="w-7" />
            <div className="min-w-0">
              <p className={styles.title}>{text}</p>
              <p className="note">waits its turn</p>
            </div>
          </li>
        ))}
        {lines.map((line) => (
          <Row key={line.key} line={line} onPay={onPay} />
        ))}
      </ol>
    </section>
  );
}

function Row({ line, onPay }: { line: DeskLine; onPay: (line: DeskLine) => void }) {
  const { key, book, person, code, headline, tone, undone, at, borrowId, text } = line;
  const title = book?.title ?? person?.fullname ?? text;
  return (
    <li
      className={styles.line}
      data-line={tone}
      data-scan={text}
      data-undone={undone || undefined}
      data-key={key}
    >
      {book ? (
        <SmallCover bookId={book.id} title={book.title} className="w-7" />
      ) : (
        <span className="w-7" data-none />
      )}
      <div className="min-w-0">
        <p className={styles.title}>
          {borrowId === undefined ? title : <BorrowLink id={borrowId}>{title}</BorrowLink>}
        </p>
        <p className="note">
          {[book && person?.fullname, code, isoMinute(at).slice(-5)].filter(Boolean).join(' · ')}
        </p>
      </div>
      <p className={styles.outcome} data-tone-of-line={tone}>
        {undone ? 'Undone' : headline === title ? '' : headline}
      </p>
      <LineActions line={line} look="row" onPay={onPay} />
    </li>
  );
}
