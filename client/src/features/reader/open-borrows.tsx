import { Link } from 'react-router-dom';
import type { OpenBorrow } from '#contracts/accounts/own-card.js';
import { daysBetween } from '#contracts/local-day.js';
import { Button } from '../../components/button.js';
import { DESK_COMMANDS, useBorrowCommand } from '../../domain/borrowing/borrow-commands.js';
import { StatusBadge } from '../../domain/borrowing/status-badge.js';
import { inPln } from '../../domain/fees/money.js';
import { isoDay } from '../../lib/dates.js';
import { classNames } from '../../lib/class-names.js';
import styles from './reader-page.module.css';

/** What waits for the reader, what he has and what he owes, with what can be done about it. */
export function OpenBorrows({ borrows }: { borrows: readonly OpenBorrow[] }) {
  return (
    <section aria-labelledby="open-borrows">
      <h3 id="open-borrows" className={styles.title}>
        Now
      </h3>
      {borrows.length === 0 ? (
        <p className={styles.none}>Nothing waits for this reader, nothing is with him, nothing is owed.</p>
      ) : (
        <ul role="list">
          {borrows.map((open) => (
            <OpenRow key={open.borrow.id} open={open} />
          ))}
        </ul>
      )}
    </section>
  );
}

function OpenRow({ open }: { open: OpenBorrow }) {
  const { borrow } = open;
  const { text, isLate } = whenOf(open);
  return (
    <li className={styles.borrow} data-borrow-id={borrow.id} data-status={borrow.status}>
      <div className={styles.books}>
        <Link to={`?borrow=${borrow.id}`} preventScrollReset>
          {borrow.borrowedBooks.map((book) => book.title).join(', ')}
        </Link>
        <p className={classNames(styles.when, isLate && styles.late)}>{text}</p>
      </div>
      <StatusBadge status={borrow.status} />
      <Actions open={open} />
    </li>
  );
}

function whenOf({ borrow }: OpenBorrow): { text: string; isLate?: boolean } {
  const { status, collectBy, dueDate, fineDue } = borrow;
  if (status === 'Rented' || dueDate === null) return { text: `to be collected until ${isoDay(collectBy)}` };
  const late = daysBetween(isoDay(dueDate), isoDay(Date.now()));
  const owed = fineDue > 0 ? `, ${inPln(fineDue)} to pay` : '';
  if (late > 0)
    return {
      text: `due ${isoDay(dueDate)}, ${late} ${late === 1 ? 'day' : 'days'} late${owed}`,
      isLate: true,
    };
  return { text: `due ${isoDay(dueDate)}${owed}`, isLate: fineDue > 0 };
}

/** What the server allows at the desk; a renewal says what it would come to, or why there is none. */
function Actions({ open: { borrow, renewal } }: { open: OpenBorrow }) {
  const command = useBorrowCommand();
  const offered = DESK_COMMANDS.filter(({ action }) => borrow.availableActions.includes(action));
  return (
    <div className={styles.actions}>
      {offered.map(({ action, word }) => (
        <Button
          key={action}
          size="small"
          busy={command.isPending}
          aria-label={`${word}: ${borrow.borrowedBooks.map((book) => book.title).join(', ')}`}
          onClick={(event) => {
            if (event.detail < 2) command.mutate({ action, borrow });
          }}
          onKeyDown={(event) => {
            if (event.repeat) event.preventDefault();
          }}
        >
          {word}
        </Button>
      ))}
      {renewal && 'refusal' in renewal && borrow.status === 'Issued' && (
        <p className={styles.reason}>{renewal.refusal}</p>
      )}
    </div>
  );
}
