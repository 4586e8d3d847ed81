import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { money } from '#contracts/money.js';
import { Button } from '../../components/button.js';
import { Day } from '../../components/day.js';
import { Dialog, DialogButtons } from '../../components/dialog.js';
import { ErrorState } from '../../components/error-state.js';
import { Notice } from '../../components/notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { Fact } from '../../components/fact.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import styles from './desk-payment.module.css';
import { useDeskFee, useTakePayment } from './take-payment.js';

interface DeskPaymentProps {
  /** Whose fee is paid, as it is now; nothing while nobody pays. */
  borrow: BorrowView | undefined;
  onClose: () => void;
}

/** The window in which a librarian says that she was given a fee. It stays though its row leaves the list. */
export function DeskPayment({ borrow, onClose }: DeskPaymentProps) {
  // Held outside the window: who closes it after an unclear answer and comes back asks for the same payment.
  const payment = useTakePayment();
  if (!borrow) return null;
  const close = () => {
    if (payment.isPending) return;
    payment.reset();
    onClose();
  };
  return (
    <Dialog
      title="Paid at the desk"
      lead="Please take the money first, then confirm here that you have it."
      keep
      onClose={close}
    >
      <Payment key={borrow.id} borrow={borrow} payment={payment} onClose={close} onPaid={onClose} />
    </Dialog>
  );
}

interface PaymentProps {
  borrow: BorrowView;
  payment: ReturnType<typeof useTakePayment>;
  onClose: () => void;
  onPaid: () => void;
}

function Payment({ borrow, payment, onClose, onPaid }: PaymentProps) {
  const fee = useDeskFee(borrow.id);
  const busy = payment.isPending;
  const settled = fee.data?.due === 0 || (!busy && !borrow.availableActions.includes('pay'));
  return (
    <>
      <dl className={styles.facts}>
        <Fact name="Reader">{borrow.user.fullname}</Fact>
        <Fact name={borrow.borrowedBooks.length === 1 ? 'Book' : 'Books'}>
          <ul role="list">
            {borrow.borrowedBooks.map(({ bookId, title }) => (
              <li key={bookId}>{title}</li>
            ))}
          </ul>
        </Fact>
        <Fact name="Due date">
          <Day time={borrow.dueDate} />
        </Fact>
        <Fact name="Late">{fee.data ? days(fee.data.daysLate) : <Skeleton width="4rem" />}</Fact>
        <Fact className={styles.amount} name="To pay now">
          {fee.data ? money(fee.data.due) : <Skeleton width="6rem" />}
        </Fact>
      </dl>
      {fee.isError && !fee.data && (
        <ErrorState error={fee.error} onRetry={() => void fee.refetch()} retrying={fee.isFetching} />
      )}
      {settled ? (
        <Notice look="news">This fee is paid: nothing is owed on this borrow any more.</Notice>
      ) : (
        payment.isError && <Notice>{sentenceOf(payment.error)}</Notice>
      )}
      <DialogButtons>
        <Button onClick={onClose}>{settled ? 'Close' : 'Cancel'}</Button>
        {fee.data && !settled && (
          <Button
            look="primary"
            busy={busy || fee.isFetching}
            onClick={(event) => {
              // The amount may have changed since the first half of a double click.
              if (event.detail > 1) return;
              payment.mutate({ borrowId: borrow.id, amount: fee.data.due }, { onSuccess: onPaid });
            }}
            onKeyDown={(event) => {
              // Nor is a key that is held down another yes.
              if (event.repeat) event.preventDefault();
            }}
          >
            {money(fee.data.due)} received
          </Button>
        )}
      </DialogButtons>
    </>
  );
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}
