import * as m from '#words/messages.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Marked } from '../../components/display/marked.js';
import { Notice } from '../../components/dialog/notice.js';
import { NonBreakingDates } from '../../components/display/day.js';
import { PayFeeButton } from '../../domain/fees/pay-fee-button.js';
import { amountText, purposesOf } from '../../domain/fees/money.js';
import { useOwnCard } from '../../domain/readers/get-own-card.js';
import { isoDay } from '../../lib/dates.js';

/** What has to be paid before the cart can be rented. Loaded when it is needed, which is seldom. */
export function UnpaidFees() {
  const own = useOwnCard();
  const owed = own.data?.borrows.filter(({ borrow }) => borrow.fineDue > 0) ?? [];
  return (
    <>
      <Notice>{m.cart_unpaid()}</Notice>
      <ul role="list">
        {owed.map(({ borrow }) => (
          <li
            key={borrow.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 border-b border-line"
            data-fee={borrow.id}
          >
            <p>
              <Marked
                parts={feeParts(borrow)}
                as={{
                  amount: (children) => <strong>{children}</strong>,
                  due: (text) => <NonBreakingDates text={text} />,
                }}
              />
            </p>
            <PayFeeButton borrow={borrow} />
          </li>
        ))}
      </ul>
    </>
  );
}

function feeParts(borrow: BorrowView): m.MessagePart[] {
  const fee = { amount: amountText(borrow.fineDue), purposes: purposesOf(borrow) };
  return borrow.dueDate === null
    ? m.cart_fee.parts(fee)
    : m.cart_fee_due.parts({ ...fee, day: isoDay(borrow.dueDate) });
}
