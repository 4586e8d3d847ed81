import { lazy, Suspense, useState } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../components/button.js';
import { useBorrowCommand } from '../../domain/borrowing/borrow-commands.js';
import { PayFeeButton } from '../../domain/fees/pay-fee-button.js';
import { Renew } from './renew.js';

// Loaded when it is asked for the first time: few ever are.
const Confirmation = lazy(async () => ({
  default: (await import('../../components/confirmation.js')).Confirmation,
}));

/** What the server allows; nothing is worked out here. */
export function HistoryActions({ borrow }: { borrow: BorrowView }) {
  const { availableActions } = borrow;
  return (
    <>
      {availableActions.includes('renew') && <Renew borrow={borrow}>Renew</Renew>}
      {availableActions.includes('pay') && <PayFeeButton borrow={borrow} />}
      {availableActions.includes('cancel') && <Cancel borrow={borrow} />}
    </>
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
        <Suspense fallback={null}>
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
        </Suspense>
      )}
    </>
  );
}
