import * as m from '#words/messages.js';
import { useState } from 'react';
import type { BorrowDetails } from '#contracts/borrowing/borrow-details.js';
import { borrowNumber } from '#contracts/borrowing/queue-search.js';
import { groszeOf } from '#contracts/money.js';
import { Printed, PrintedTable, printedTable } from '../../../components/display/printed.js';
import { isoDay, isoMinute } from '../../../lib/dates.js';
import { amountText } from '../../fees/money.js';
import { libraryTitle } from '../../library.js';
import { paidOf } from '../borrow-texts.js';
import { eventText } from '../event-labels.js';
import { statusLabel } from '../status-badge.js';

/** A borrow on paper: its books, its days, what it cost and what happened. */
export function PrintedBorrow({ details, onDone }: { details: BorrowDetails; onDone: () => void }) {
  const { borrow, steps } = details;
  const [at] = useState(() => Date.now());
  const dates = [
    [m.borrow_rented(), borrow.rentDate],
    [m.borrow_issued(), borrow.issueDate],
    [m.common_due(), borrow.dueDate],
    [m.borrow_returned(), borrow.returnDate],
  ] as const;
  return (
    <Printed
      over={m.borrow_printed_over({ library: libraryTitle, number: borrowNumber(borrow.id) })}
      title={borrow.user.fullname}
      lead={m.borrow_printed_lead({ status: statusLabel(borrow.status), at: isoMinute(at) })}
      onDone={onDone}
    >
      <PrintedTable
        items={borrow.borrowedBooks}
        keyOf={({ bookId }) => bookId}
        columns={[{ title: m.common_books(), cell: ({ title }) => title }]}
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
              <th scope="row">{m.common_fee()}</th>
              <td>
                {amountText(borrow.fineAmount)} {paidOf(borrow)}
              </td>
            </tr>
          )}
        </tbody>
      </table>
      <PrintedTable
        items={steps}
        keyOf={({ revision }) => revision}
        columns={[
          { title: m.common_when(), cell: ({ at }) => isoMinute(at) },
          {
            title: m.borrow_what_happened(),
            cell: ({ type, amount }) =>
              eventText({ type, amount: amount === null ? null : groszeOf(amount) }),
          },
          { title: m.borrow_who(), cell: ({ by, byPerson }) => (byPerson ? by : m.borrow_the_library()) },
        ]}
      />
    </Printed>
  );
}
