import { useState } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { groszeOf } from '#contracts/money.js';
import { paidAtDesk } from '#contracts/payments/paid-at-desk.js';
import { Button } from '../../components/button.js';
import { Confirmation } from '../../components/confirmation.js';
import { Skeleton } from '../../components/skeleton.js';
import { useBorrowCommand } from '../../domain/borrowing/borrow-commands.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { inPln } from '../../domain/fees/money.js';
import { usePaymentTerms } from './get-terms.js';
import styles from './history-table.module.css';
import { usePayFee } from './pay-fee.js';

/** What the server allows; nothing is worked out here. */
export function HistoryActions({ borrow }: { borrow: BorrowView }) {
  const { availableActions } = borrow;
  return (
    <>
      {availableActions.includes('renew') && <Renew borrow={borrow} />}
      {availableActions.includes('pay') && <PayFee borrow={borrow} />}
      {availableActions.includes('cancel') && <Cancel borrow={borrow} />}
    </>
  );
}

function Renew({ borrow }: { borrow: BorrowView }) {
  const renew = useBorrowCommand();
  return (
    <Button
      size="small"
      busy={renew.isPending}
      onClick={(event) => {
        // The second half of a double click must not renew a second time.
        if (event.detail < 2) renew.mutate({ action: 'renew', borrow });
      }}
    >
      Renew
    </Button>
  );
}

/** Gives up what waits at the desk. Asked first, as nothing brings it back. */
function Cancel({ borrow }: { borrow: BorrowView }) {
  const cancel = useBorrowCommand();
  const [asking, setAsking] = useState(false);
  const titles = borrow.books.flatMap(({ state, title }) => (state === 'reserved' ? title : [])).join(', ');
  return (
    <>
      <Button
        size="small"
        busy={cancel.isPending}
        aria-label={`Cancel rent: ${titles}`}
        onClick={() => setAsking(true)}
      >
        Cancel rent
      </Button>
      {asking && (
        <Confirmation
          question="Do you want to cancel this rent?"
          action="Cancel rent"
          refusal="Keep it"
          onDecline={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            cancel.mutate({ action: 'cancel', borrow });
          }}
        >
          {titles}
        </Confirmation>
      )}
    </>
  );
}

/** For a fee that cannot be paid online, tells the reader where to pay instead of offering the button. */
function PayFee({ borrow }: { borrow: BorrowView }) {
  const terms = usePaymentTerms();
  if (terms.isPending) return <Skeleton width="5rem" />;
  // Where the terms are not known the server refuses, in the same words.
  if (terms.data && !(terms.data.online && groszeOf(borrow.fineDue) >= terms.data.minimumAmount)) {
    return <p className={styles.atDesk}>{paidAtDesk(terms.data)}</p>;
  }
  return <PayOnline borrow={borrow} />;
}

/** Stays busy once the payment has begun: the provider's page is on its way. */
function PayOnline({ borrow }: { borrow: BorrowView }) {
  const pay = usePayFee();
  return (
    <>
      <Button
        look="primary"
        size="small"
        busy={pay.isPending || pay.isSuccess}
        aria-label={`Pay Fee: ${inPln(borrow.fineDue)}, ${borrow.borrowedBooks.map((book) => book.title).join(', ')}`}
        onClick={(event) => {
          if (event.detail < 2) pay.mutate(borrow.id);
        }}
      >
        Pay Fee
      </Button>
      {borrow.fineDue !== borrow.fineAmount && (
        <span className={styles.due}>{inPln(borrow.fineDue)} still due</span>
      )}
      {pay.isError && (
        <span role="alert" className={styles.notBegun}>
          {sentenceOf(pay.error, 'The payment could not be begun.')} Nothing was paid.
        </span>
      )}
    </>
  );
}
