import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as calls from '#contracts/borrowing/borrow-calls.js';
import { LOSSES, type Loss } from '#contracts/borrowing/borrowed-book.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { CommandDialog } from '../../components/dialog/dialog.js';
import { SelectField } from '../../components/form/choice.js';
import { send } from '../../lib/api/send.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { plnText } from '../fees/money.js';
import { ensureFresh } from '../live/ensure-fresh.js';
import { ofBorrow } from './borrow-texts.js';
import { useBorrowDetails } from './drawer/get-borrow-details.js';
import { notifyDone } from './notify-done.js';

interface LossWindow {
  borrow: BorrowView;
  onClose: () => void;
}

const LOSS_LABELS: Record<Loss, { option: string; action: string; done: string }> = {
  lost: { option: 'Lost by the reader', action: 'Mark lost', done: 'Marked lost' },
  damaged: { option: 'Came back damaged', action: 'Mark damaged', done: 'Marked damaged' },
};

function useMarkLost() {
  const client = useQueryClient();
  return useIdempotentMutation({
    requestOf: ({ borrow, bookId, as }: { borrow: BorrowView; bookId: number; as: Loss }) =>
      `${borrow.id} ${bookId} ${as}`,
    send: ({ borrow, bookId, as }, idempotencyKey) =>
      send(calls.markLost, { ...ofBorrow(borrow), body: { bookId, as } }, { idempotencyKey }),
    meta: { inPlace: true },
    onSuccess: (answer, { borrow, bookId, as }) => {
      notifyDone(client, LOSS_LABELS[as].done, { borrow, what: 'loss' }, { titles: titleOf(borrow, bookId) });
      ensureFresh(client, answer);
    },
  });
}

/** A librarian says that a book is lost or damaged, and sees beforehand what it costs. */
export function MarkLost({ borrow, onClose }: LossWindow) {
  const mark = useMarkLost();
  const details = useBorrowDetails(borrow.id);
  const lent = borrow.books.filter(({ state }) => state === 'lent');
  const [bookId, setBookId] = useState(lent[0]?.bookId ?? 0);
  const [as, setAs] = useState<Loss>('lost');
  const charge = details.data?.lossCharges.find((each) => each.bookId === bookId)?.amount;
  return (
    <CommandDialog
      title="Lost or damaged"
      lead={`${titleOf(borrow, bookId)}, ${borrow.user.fullname}. The loan ends, the copy is taken out of circulation, and the reader is charged for the book.`}
      action={LOSS_LABELS[as].action}
      command={mark}
      onSubmit={() => mark.mutate({ borrow, bookId, as }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {lent.length > 1 && <BookChoice books={lent} value={bookId} onChange={setBookId} />}
      <SelectField
        label="What happened"
        value={as}
        options={LOSSES.map((each) => ({ value: each, label: LOSS_LABELS[each].option }))}
        onChoose={setAs}
      />
      <p aria-live="polite">
        {charge === undefined ? (
          'Looking up the price.'
        ) : (
          <>
            To be charged: <strong>{plnText(charge)}</strong>. It can be undone for ten minutes.
          </>
        )}
      </p>
    </CommandDialog>
  );
}

function useMarkFound() {
  const client = useQueryClient();
  return useIdempotentMutation({
    requestOf: ({ borrow, bookId }: { borrow: BorrowView; bookId: number }) => `${borrow.id} ${bookId}`,
    send: ({ borrow, bookId }, idempotencyKey) =>
      send(calls.markFound, { ...ofBorrow(borrow), body: { bookId } }, { idempotencyKey }),
    onSuccess: (answer, { borrow, bookId }) => {
      notifyDone(client, 'Found again', { borrow, what: 'finding' }, { titles: titleOf(borrow, bookId) });
      ensureFresh(client, answer);
    },
  });
}

/** A book that was marked lost is there: its charge is taken back. */
export function MarkFound({ borrow, onClose }: LossWindow) {
  const mark = useMarkFound();
  const lost = borrow.books.filter(({ state }) => state === 'lost');
  const [bookId, setBookId] = useState(lost[0]?.bookId ?? 0);
  return (
    <Confirmation
      question="Was the book found?"
      action="It was found"
      busy={mark.isPending}
      onConfirm={() => mark.mutate({ borrow, bookId }, { onSuccess: onClose })}
      onDecline={() => !mark.isPending && onClose()}
      more={lost.length > 1 && <BookChoice books={lost} value={bookId} onChange={setBookId} />}
    >
      {titleOf(borrow, bookId)}, {borrow.user.fullname}. The copy is back in circulation, and the charge is
      cancelled
      {borrow.finePaid > 0 ? '; what the reader paid is to be refunded.' : '.'}
    </Confirmation>
  );
}

interface BookChoiceProps {
  books: BorrowView['books'];
  value: number;
  onChange: (bookId: number) => void;
}

function BookChoice({ books, value, onChange }: BookChoiceProps) {
  return (
    <SelectField
      label="Book"
      value={value}
      options={books.map(({ bookId, title }) => ({ value: bookId, label: title }))}
      onChoose={onChange}
    />
  );
}

const titleOf = ({ books }: BorrowView, bookId: number) =>
  books.find((book) => book.bookId === bookId)?.title ?? '';
