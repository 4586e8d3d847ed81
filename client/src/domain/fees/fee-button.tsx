import * as m from '#words/messages.js';
import { lazy, Suspense, useState } from 'react';
import type { FeeAsker } from './fee-dialog.js';
import { feeText, purposesOf, type BorrowCharges } from './money.js';
import styles from './fee-dialog.module.css';

const FeeDialog = lazy(async () => ({ default: (await import('./fee-dialog.js')).FeeDialog }));

interface FeeButtonProps {
  asker: FeeAsker;
  borrow: BorrowCharges & { id: string };
  /** The revision that the fee is shown as of; later changes are marked. Absent: as it is now. */
  asOf?: number;
}

/** A fee that explains itself. Where there is none there is nothing to explain. */
export function FeeButton({ asker, borrow, asOf }: FeeButtonProps) {
  const [open, setOpen] = useState(false);
  if (borrow.fineAmount === 0) return feeText(0);
  return (
    <>
      <button
        type="button"
        className={styles.fee}
        aria-label={m.fees_how_of({ fee: feeText(borrow.fineAmount), purposes: purposesOf(borrow) })}
        title={m.fees_how()}
        onClick={() => setOpen(true)}
      >
        {feeText(borrow.fineAmount)}
      </button>
      {open && (
        <Suspense fallback={null}>
          <FeeDialog
            asker={asker}
            borrow={borrow}
            {...(asOf !== undefined && { asOf })}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
