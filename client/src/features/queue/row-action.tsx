import { useRef } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../components/button.js';
import { useIssueBooks } from './issue-books.js';
import styles from './queue-table.module.css';
import { useReturnBooks } from './return-books.js';

/** Longer than any system's double click. */
const DOUBLE_CLICK_MS = 1000;

/** The one action that the borrow's status asks for, as the server says. */
export function RowAction({ borrow }: { borrow: BorrowView }) {
  const issue = useIssueBooks();
  const giveBack = useReturnBooks();
  const sending = useRef(false);
  const sentAt = useRef(-Infinity);
  const { availableActions } = borrow;

  const action = availableActions.includes('issue')
    ? { word: 'Issue', command: issue }
    : availableActions.includes('return')
      ? { word: 'Return', command: giveBack }
      : null;
  if (!action)
    return borrow.status === 'Not_Paid' ? <span className={styles.unpaid}>Fee not paid</span> : null;

  const send = () => {
    if (sending.current) return;
    sending.current = true;
    sentAt.current = performance.now();
    action.command.mutate(borrow, { onSettled: () => (sending.current = false) });
  };
  return (
    <Button
      look="primary"
      size="small"
      className={styles.button}
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
  );
}
