import { useState } from 'react';
import type { BorrowDetails } from '#contracts/borrowing/borrow-details.js';
import { borrowNumber } from '#contracts/borrowing/queue-search.js';
import { groszeOf } from '#contracts/money.js';
import { Printed, printedTable } from '../../../components/display/printed.js';
import { isoDay, isoMinute } from '../../../lib/dates.js';
import { plnText } from '../../fees/money.js';
import { labels } from '../../labels.js';
import { paidOf } from '../borrow-texts.js';
import { eventText } from '../event-labels.js';
import { statusLabel } from '../status-badge.js';

/** A borrow on paper: its books, its days, what it cost and what happened. */
export function PrintedBorrow({ details, onDone }: { details: BorrowDetails; onDone: () => void }) {
  const { borrow, steps } = details;
  const [at] = useState(() => Date.now());
  const dates = [
    ['Rented', borrow.rentDate],
    ['Issued', borrow.issueDate],
    ['Due', borrow.dueDate],
    ['Returned', borrow.returnDate],
  ] as const;
  return (
    <Printed
      over={`${labels.title}: borrow ${borrowNumber(borrow.id)}`}
      title={borrow.user.fullname}
      lead={`${statusLabel(borrow.status)}. Printed ${isoMinute(at)}.`}
      onDone={onDone}
    >
      <table className={printedTable}>
        <thead>
          <tr>
            <th scope="col">Books</th>
          </tr>
        </thead>
        <tbody>
          {borrow.borrowedBooks.map(({ bookId, title }) => (
            <tr key={bookId}>
              <td>{title}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table className={printedTable}>
        <tbody>
          {dates.map(([name, time]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{time === null ? '–' : isoDay(time)}</td>
            </tr>
          ))}
          {borrow.fineAmount > 0 && (
            <tr>
              <th scope="row">Fee</th>
              <td>
                {plnText(borrow.fineAmount)}
                {paidOf(borrow)}
              </td>
            </tr>
          )}
        </tbody>
      </table>
      <table className={printedTable}>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What happened</th>
            <th scope="col">Who</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ revision, type, amount, at, by, byPerson }) => (
            <tr key={revision}>
              <td>{isoMinute(at)}</td>
              <td>{eventText({ type, amount: amount === null ? null : groszeOf(amount) })}</td>
              <td>{byPerson ? by : 'the library'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Printed>
  );
}
