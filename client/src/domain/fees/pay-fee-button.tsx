import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { groszeOf } from '#contracts/money.js';
import { paidAtDesk } from '#contracts/payments/paid-at-desk.js';
import { Button } from '../../components/form/button.js';
import { Skeleton } from '../../components/list/skeleton.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { usePaymentTerms } from './get-terms.js';
import { plnText } from './money.js';
import { usePayFee } from './pay-fee.js';

interface PayFeeButtonProps {
  borrow: BorrowView;
  /** Quiet where the same fee stands elsewhere on the screen. */
  look?: 'primary' | 'quiet';
}

/** For a fee that cannot be paid online, tells the reader where to pay instead of offering the button. */
export function PayFeeButton({ borrow, look = 'primary' }: PayFeeButtonProps) {
  const terms = usePaymentTerms();
  if (terms.isPending) return <Skeleton width="5rem" />;
  // Where the terms are not known the server refuses, in the same words.
  if (terms.data && !(terms.data.online && groszeOf(borrow.fineDue) >= terms.data.minimumAmount)) {
    return <p className="w-56 whitespace-normal text-ink-soft to-860:w-auto">{paidAtDesk(terms.data)}</p>;
  }
  return <PayOnline borrow={borrow} look={look} />;
}

/** Stays busy once the payment has begun: the provider's page is on its way. */
function PayOnline({ borrow, look }: Required<PayFeeButtonProps>) {
  const pay = usePayFee();
  return (
    <>
      <Button
        look={look}
        size="small"
        busy={pay.isPending || pay.isSuccess}
        aria-label={`Pay Fee: ${plnText(borrow.fineDue)}, ${borrow.borrowedBooks.map((book) => book.title).join(', ')}`}
        onClick={(event) => {
          if (event.detail < 2) pay.mutate(borrow.id);
        }}
      >
        Pay Fee
      </Button>
      {borrow.fineDue !== borrow.fineAmount && (
        <span className="block mt-1 text-not-paid">{plnText(borrow.fineDue)} still due</span>
      )}
      {pay.isError && (
        <span role="alert" className="block mt-1 text-not-paid w-56 whitespace-normal">
          {sentenceOf(pay.error, 'The payment could not be begun.')} Nothing was paid.
        </span>
      )}
    </>
  );
}
