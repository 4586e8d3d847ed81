import { useEffect, useState } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { DeskPayment } from '../../domain/borrowing/desk-payment.js';
import { useReaderPanel } from '../../domain/readers/get-reader-panel.js';
import { notify } from '../../lib/notify.js';
import { desk } from './desk.js';
import type { DeskLine } from './desk-lines.js';

/** Takes what a scan found to be owed: for its borrow, or, where another one stands in the way, for the first that does. */
export function PayAtDesk({ line, onClose }: { line: DeskLine; onClose: () => void }) {
  const { data, isSuccess, isFetching } = useReaderPanel(line.person?.id ?? '');
  // It stays the one for which the window was opened, though it is paid and leaves the panel.
  const [chosen, setChosen] = useState<BorrowView>();
  const borrows = data?.borrows.map(({ borrow }) => borrow) ?? [];
  const owing = borrows.filter(({ availableActions }) => availableActions.includes('pay'));
  const found = owing.find(({ id }) => id === line.borrowId) ?? owing[0];
  if (!chosen && found) setChosen(found);
  const isNothing = isSuccess && !isFetching && !found && !chosen;
  useEffect(() => {
    if (!isNothing) return;
    notify.info('Nothing is owed that could be paid now.');
    onClose();
  }, [isNothing, onClose]);
  return (
    <DeskPayment
      borrow={borrows.find(({ id }) => id === chosen?.id) ?? chosen}
      say={(words) => desk.paid(line, words)}
      onClose={onClose}
    />
  );
}
