import { DeskPayment } from '../../domain/borrowing/desk-payment.js';
import { useReaderPanel } from '../../domain/readers/get-reader-panel.js';
import type { DeskLine } from './desk-lines.js';

/** Takes what a scan found to be owed: for its borrow, or, where another one stands in the way, for the first that does. */
export function PayAtDesk({ line, onClose }: { line: DeskLine; onClose: () => void }) {
  const panel = useReaderPanel(line.person?.id ?? '');
  const owing = panel.data?.borrows.filter(({ borrow }) => borrow.availableActions.includes('pay')) ?? [];
  const open = owing.find(({ borrow }) => borrow.id === line.borrowId) ?? owing[0];
  return <DeskPayment borrow={open?.borrow} onClose={onClose} />;
}
