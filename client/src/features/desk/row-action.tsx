import { useRef } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../components/button.js';
import { DESK_COMMANDS, useBorrowCommand } from '../../domain/borrowing/borrow-commands.js';
import styles from './queue-table.module.css';

/** Longer than any system's double click. */
const DOUBLE_CLICK_MS = 1000;

interface RowActionProps {
  borrow: BorrowView;
  /** The reader pays his fee at the desk. */
  onPay: (borrow: BorrowView) => void;
}

/** A payment is taken in a dialog, every other action by a command. */
const PAY = { action: 'pay', word: 'Paid at the desk', look: 'plain' } as const;

/** What the librarian may do with the borrow now, as the server says. */
export function RowAction({ borrow, onPay }: RowActionProps) {
  const command = useBorrowCommand();
  const sending = useRef(false);
  const sentAt = useRef(-Infinity);
  const { availableActions } = borrow;
  const buttons = [...DESK_COMMANDS, PAY].filter(({ action }) => availableActions.includes(action));

  const send = (action: (typeof buttons)[number]['action'], at: number) => {
    if (action === 'pay') return onPay(borrow);
    if (sending.current) return;
    sending.current = true;
    sentAt.current = at;
    command.mutate({ action, borrow }, { onSettled: () => (sending.current = false) });
  };
  return (
    <>
      {borrow.status === 'Not_Paid' && <span className={styles.unpaid}>Fee not paid</span>}
      {buttons.map(({ action, word, look }, place) => (
        <Button
          // One button whatever it does: where the focus is on it, it stays there when Issue turns into Return.
          key={place}
          look={look}
          size="small"
          className={look === 'primary' ? styles.button : styles.pay}
          busy={command.isPending}
          aria-label={`${word}: ${borrow.user.fullname}, ${borrow.borrowedBooks.map((book) => book.title).join(', ')}`}
          onClick={(event) => {
            // Issue turns into Return under the pointer: the second half of a double click is not meant for it.
            const again = event.detail > 1 && event.timeStamp - sentAt.current < DOUBLE_CLICK_MS;
            if (!again) send(action, event.timeStamp);
          }}
          onKeyDown={(event) => {
            // Nor is a key that is held down.
            if (event.repeat) event.preventDefault();
          }}
        >
          {word}
        </Button>
      ))}
    </>
  );
}
