import { useState } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../../components/button.js';
import { useOpenedToPay } from '../borrow-link.js';
import { debtOf } from '../borrow-words.js';
import { DeskPayment } from '../desk-payment.js';
import { RenewButton } from '../renew-button.js';
import { StepButton } from '../step-button.js';

/** Everything that is allowed now, as the server says; the next thing to do is filled. */
export function DrawerActions({ borrow }: { borrow: BorrowView }) {
  const { availableActions } = borrow;
  const toPay = useOpenedToPay();
  const [paying, setPaying] = useState(toPay && availableActions.includes('pay'));
  const debt = debtOf(borrow);
  if (availableActions.length === 0 && !paying) return <p className="note">Nothing is left to do here.</p>;
  return (
    <>
      <StepButton borrow={borrow} look="primary" />
      {availableActions.includes('pay') && (
        <Button look="primary" data-step="pay" onClick={() => setPaying(true)}>
          Take payment{debt && `: ${debt}`}
        </Button>
      )}
      {availableActions.includes('renew') && <RenewButton borrow={borrow} />}
      <DeskPayment borrow={paying ? borrow : undefined} onClose={() => setPaying(false)} />
    </>
  );
}
