import { Notice } from '../../components/dialog/notice.js';
import { NonBreakingDates } from '../../components/display/day.js';
import { PayFeeButton } from '../../domain/fees/pay-fee-button.js';
import { plnText, purposesOf } from '../../domain/fees/money.js';
import { useOwnCard } from '../../domain/readers/get-own-card.js';
import { isoDay } from '../../lib/dates.js';

/** What has to be paid before the cart can be rented. Loaded when it is needed, which is seldom. */
export function UnpaidFees() {
  const own = useOwnCard();
  const owed = own.data?.borrows.filter(({ borrow }) => borrow.fineDue > 0) ?? [];
  return (
    <>
      <Notice>You have an unpaid fee. Once it is paid you can rent again. Your cart is kept.</Notice>
      <ul role="list">
        {owed.map(({ borrow }) => (
          <li
            key={borrow.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 border-b border-line"
            data-fee={borrow.id}
          >
            <p>
              <strong>{plnText(borrow.fineDue)}</strong> for {purposesOf(borrow)}
              {borrow.dueDate !== null && <NonBreakingDates text={`, due on ${isoDay(borrow.dueDate)}`} />}
            </p>
            <PayFeeButton borrow={borrow} />
          </li>
        ))}
      </ul>
    </>
  );
}
