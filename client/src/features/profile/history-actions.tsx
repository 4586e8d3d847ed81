import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../components/button.js';
import { useBorrowCommand } from '../../domain/borrowing/borrow-commands.js';
import { PayFeeButton } from '../../domain/fees/pay-fee-button.js';

/** What the server allows; nothing is worked out here. */
export function HistoryActions({ borrow }: { borrow: BorrowView }) {
  const { availableActions } = borrow;
  return (
    <>
      {availableActions.includes('renew') && <Renew borrow={borrow}>Renew</Renew>}
      {availableActions.includes('pay') && <PayFeeButton borrow={borrow} />}
    </>
  );
}

/** @param children the word on the button */
export function Renew({ borrow, children }: { borrow: BorrowView; children: string }) {
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
      {children}
    </Button>
  );
}
