import { useRef } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../components/button.js';
import { useBorrowCommand } from '../../domain/borrowing/borrow-commands.js';
import styles from './queue-table.module.css';

/** Longer than any system's double click. */
const DOUBLE_CLICK_MS = 1000;

interface RowActionProps {
  borrow: BorrowView;
  /** The reader pays his fee at the desk. */
  onPay: (borrow: BorrowView) => void;
}

/** The one action that the borrow's status asks for, as the server says. */
export function RowAction({ borrow, onPay }: RowActionProps) {
  const issue = useBorrowCommand('issue');
  const giveBack = useBorrowCommand('return');
  const sending = useRef(false);
  const sentAt = useRef(-Infinity);
  const { availableActions } = borrow;

  const action = availableActions.includes('issue')
    ? { word: 'Issue', command: issue }
    : availableActions.includes('return')
      ? { word: 'Return', command: giveBack }
      : availableActions.includes('pay')
        ? { word: 'Paid at the desk', command: null }
        : null;

  const send = () => {
    if (!action?.command) return onPay(borrow);
    if (sending.current) return;
    sending.current = true;
    sentAt.current = performance.now();
    action.command.mutate(borrow, { onSettled: () => (sending.current = false) });
  };
  // One button whatever it does: where the focus is on it, it stays there when Issue turns into Return.
  return (
    <>
      {borrow.status === 'Not_Paid' && <span className={styles.unpaid}>Fee not paid</span>}
      {action && (
        <Button
          look={action.command ? 'primary' : 'plain'}
          size="small"
          className={action.command ? styles.button : styles.pay}
          busy={issue.isPending || giveBack.isPending}
          aria-label={`${action.word}: ${borrow.user.fullname}, ${borrow.borrowedBooks.map((book) => book.title).join(', ')}`}
          onClick={(event) => {
            // Issue turns into Return under the pointer: the second half of a double click is not meant for it.
            const again = event.detail > 1 && performance.now() - sentAt.current < DOUBLE_CLICK_MS;
            if (!again) send();
          }}
          onKeyDown={(event) => {
            // Nor is a key that is held down.
            if (event.repeat) event.preventDefault();
          }}
        >
          {action.word}
        </Button>
      )}
    </>
  );
}
