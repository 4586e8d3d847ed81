import { useState } from 'react';
import type { BorrowDetails } from '#contracts/borrowing/borrow-details.js';
import { borrowNumber } from '#contracts/borrowing/queue-search.js';
import { groszeOf } from '#contracts/money.js';
import { Printed, PrintedTable, printedTable } from '../../../components/display/printed.js';
import { isoDay, isoMinute } from '../../../lib/dates.js';
import { plnText } from '../../fees/money.js';
import { libraryTitle } from '../../library.js';
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
      over={`${libraryTitle}: borrow ${borrowNumber(borrow.id)}`}
      title={borrow.user.fullname}
      lead={`${statusLabel(borrow.status)}. Printed ${isoMinute(at)}.`}
      onDone={onDone}
    >
      <PrintedTable
        items={borrow.borrowedBooks}
        keyOf={({ bookId }) => bookId}
        columns={[{ title: 'Books', cell: ({ title }) => title }]}
      />
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
      <PrintedTable
        items={steps}
        keyOf={({ revision }) => revision}
        columns={[
          { title: 'When', cell: ({ at }) => isoMinute(at) },
          {
            title: 'What happened',
            cell: ({ type, amount }) =>
              eventText({ type, amount: amount === null ? null : groszeOf(amount) }),
          },
          { title: 'Who', cell: ({ by, byPerson }) => (byPerson ? by : 'the library') },
        ]}
      />
    </Printed>
  );
}
