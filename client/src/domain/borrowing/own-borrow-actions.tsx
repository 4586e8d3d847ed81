import * as m from '#words/messages.js';
import { lazy, Suspense, useState } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../components/form/button.js';
import { useBorrowCommand } from './borrow-commands.js';
import { Skeleton } from '../../components/list/placeholders.js';

// No profile waits for what few will need.
const Confirmation = lazy(async () => ({
  default: (await import('../../components/dialog/confirmation.js')).Confirmation,
}));

const PayFeeButton = lazy(async () => ({
  default: (await import('../fees/pay-fee-button.js')).PayFeeButton,
}));

/** What the server allows; nothing is worked out here. */
export function HistoryActions({ borrow }: { borrow: BorrowView }) {
  const { availableActions } = borrow;
  return (
    <>
      {availableActions.includes('renew') && <Renew borrow={borrow}>{m.borrow_renew()}</Renew>}
      {availableActions.includes('pay') && (
        <Suspense fallback={<Skeleton width="5rem" />}>
          <PayFeeButton borrow={borrow} look="quiet" />
        </Suspense>
      )}
      {availableActions.includes('cancel') && <CancelRent borrow={borrow} />}
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

/** Gives up what waits at the desk. Asked first, as nothing brings it back. */
export function CancelRent({ borrow }: { borrow: BorrowView }) {
  const cancel = useBorrowCommand();
  const [asking, setAsking] = useState(false);
  const titles = borrow.books.flatMap(({ state, title }) => (state === 'reserved' ? title : [])).join(', ');
  return (
    <>
      <Button
        size="small"
        busy={cancel.isPending}
        aria-label={m.borrow_cancel_rent_of({ titles })}
        onClick={() => setAsking(true)}
      >
        {m.borrow_cancel_rent()}
      </Button>
      <Suspense fallback={null}>
        {asking && (
          <Confirmation
            question={m.borrow_cancel_rent_question()}
            action={m.borrow_cancel_rent()}
            refusal={m.borrow_keep_rent()}
            onDecline={() => setAsking(false)}
            onConfirm={() => {
              setAsking(false);
              cancel.mutate({ action: 'cancel', borrow });
            }}
          >
            {titles}
          </Confirmation>
        )}
      </Suspense>
    </>
  );
}
