import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { BorrowDetails } from '#contracts/borrowing/borrow-details.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../../components/button.js';
import { Day } from '../../../components/day.js';
import { Fact } from '../../../components/fact.js';
import { useCover } from '../../covers/get-covers.js';
import { SmallCover } from '../../covers/small-cover.js';
import { FeeButton } from '../../fees/fee-button.js';
import { inPln } from '../../fees/money.js';
import { paidOf } from '../borrow-words.js';
import { Rebind } from '../rebind.js';
import { StepButton } from '../step-button.js';
import styles from './borrow-drawer.module.css';

interface BorrowFactsProps {
  borrow: BorrowView;
  /** Undefined while it is on its way. */
  reader: BorrowDetails['reader'] | undefined;
}

/** Which books, whose, from when to when, and what it cost. */
export function BorrowFacts({ borrow, reader }: BorrowFactsProps) {
  const { books, rentDate, collectBy, issueDate, dueDate, returnDate, status, renewals } = borrow;
  return (
    <>
      <section aria-label="Books">
        <ul role="list" className={styles.books}>
          {books.map((book) => (
            <BookLine key={book.bookId} borrow={borrow} {...book} />
          ))}
        </ul>
      </section>
      <dl className={styles.facts}>
        <Fact name="Rented">
          <Day time={rentDate} />
        </Fact>
        {status === 'Rented' || status === 'Expired' ? (
          <Fact name="Collect by">
            <Day time={collectBy} />
          </Fact>
        ) : (
          <>
            <Fact name="Issued">
              <Day time={issueDate} />
            </Fact>
            <Fact name="Due">
              <Day time={dueDate} />
              {renewals > 0 && <span className="quiet"> renewed {times(renewals)}</span>}
            </Fact>
            <Fact name="Returned">
              <Day time={returnDate} />
            </Fact>
          </>
        )}
        <Fact name="Fee">
          <FeeButton asker="auditor" borrow={borrow} />
          {borrow.fineAmount > 0 && <span className="quiet">{paidOf(borrow)}</span>}
          {borrow.lossAmount > 0 && borrow.lossAmount !== borrow.fineAmount && (
            <span className="quiet">, {inPln(borrow.lossAmount)} for what is gone</span>
          )}
        </Fact>
        {borrow.refundDue > 0 && (
          <Fact name="To give back" data-wide>
            <strong>{inPln(borrow.refundDue)}</strong>
            <span className="quiet"> was paid for a book that was found</span>
          </Fact>
        )}
        {reader && (
          <>
            <Fact name="User name">
              <Link to={`/admin/readers/${borrow.user.id}`}>{reader.userName}</Link>
            </Fact>
            <Fact name="E-mail" data-wide>
              <a href={`mailto:${reader.email}`}>{reader.email}</a>
            </Fact>
          </>
        )}
      </dl>
    </>
  );
}

function BookLine({
  borrow,
  bookId,
  title,
  state,
  copy,
  charged,
}: { borrow: BorrowView } & BorrowView['books'][number]) {
  const { data: book } = useCover(bookId);
  const [rebinding, setRebinding] = useState(false);
  const step = state === 'reserved' ? 'issue' : state === 'lent' ? 'return' : undefined;
  const authors = book?.authors
    .map(({ firstname, lastname }) => `${firstname} ${lastname}`.trim())
    .join(', ');
  return (
    <li className={styles.book}>
      <SmallCover bookId={bookId} title={title} className={styles.cover} />
      <div className={styles.about}>
        <p className={styles.bookTitle}>{title}</p>
        {authors && <p className="note">{authors}</p>}
        {book && <p className={styles.isbn}>{book.isbn}</p>}
        {copy !== undefined && <p className={styles.isbn}>Copy {copy}</p>}
        {state === 'lent' && (
          <Button
            size="small"
            look="plain"
            className={styles.rebind}
            aria-label={`This is another copy: ${title}`}
            onClick={() => setRebinding(true)}
          >
            This is another copy…
          </Button>
        )}
        {rebinding && <Rebind borrow={borrow} bookId={bookId} onClose={() => setRebinding(false)} />}
      </div>
      {(borrow.books.length > 1 || state === 'lost' || state === 'damaged') && (
        <div className={styles.bookStep}>
          <p className="note">{STATE_WORDS[state]}</p>
          {charged !== undefined && <p className="note">{inPln(charged)}</p>}
          {step && (
            <StepButton
              borrow={{ ...borrow, borrowedBooks: [{ bookId, title }] }}
              action={step}
              size="small"
            />
          )}
        </div>
      )}
    </li>
  );
}

/** What of a borrow of several books each of them is. */
const STATE_WORDS: Record<BorrowView['books'][number]['state'], string> = {
  reserved: 'Waiting',
  lent: 'With the reader',
  returned: 'Returned',
  expired: 'Not collected',
  cancelled: 'Cancelled',
  lost: 'Lost',
  damaged: 'Damaged',
};

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);
