import * as m from '#words/messages.js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as calls from '#contracts/borrowing/borrow-calls.js';
import { LOSSES, type Loss } from '#contracts/borrowing/borrowed-book.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { CommandDialog } from '../../components/dialog/dialog.js';
import { SelectField } from '../../components/form/choice.js';
import { Marked } from '../../components/display/marked.js';
import { send } from '../../lib/api/send.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { amountText } from '../fees/money.js';
import { ensureFresh } from '../live/ensure-fresh.js';
import { ofBorrow } from './borrow-texts.js';
import { useBorrowDetails } from './drawer/get-borrow-details.js';
import { notifyDone } from './notify-done.js';

interface LossWindow {
  borrow: BorrowView;
  onClose: () => void;
}

const LOSS_LABELS: Record<Loss, { option: string; action: string; done: string }> = {
  lost: {
    option: m.borrow_lost_option(),
    action: m.borrow_mark_lost(),
    done: m.borrow_marked_lost(),
  },
  damaged: {
    option: m.borrow_damaged_option(),
    action: m.borrow_mark_damaged(),
    done: m.borrow_marked_damaged(),
  },
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
      title={m.borrow_lost_or_damaged()}
      lead={m.borrow_loss_lead({ title: titleOf(borrow, bookId), name: borrow.user.fullname })}
      action={LOSS_LABELS[as].action}
      command={mark}
      onSubmit={() => mark.mutate({ borrow, bookId, as }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {lent.length > 1 && <BookChoice books={lent} value={bookId} onChange={setBookId} />}
      <SelectField
        label={m.borrow_what_happened()}
        value={as}
        options={LOSSES.map((each) => ({ value: each, label: LOSS_LABELS[each].option }))}
        onChoose={setAs}
      />
      <p aria-live="polite">
        {charge === undefined ? (
          m.borrow_looking_up_price()
        ) : (
          <Marked
            parts={m.borrow_to_be_charged.parts({ amount: amountText(charge) })}
            as={{ amount: (sum) => <strong>{sum}</strong> }}
          />
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
      notifyDone(client, m.borrow_found(), { borrow, what: 'finding' }, { titles: titleOf(borrow, bookId) });
      ensureFresh(client, answer);
    },
  });
}

/** A book that was marked lost is there: its charge is taken back. */
export function MarkFound({ borrow, onClose }: LossWindow) {
  const mark = useMarkFound();
  const lost = borrow.books.filter(({ state }) => state === 'lost');
  const [bookId, setBookId] = useState(lost[0]?.bookId ?? 0);
  const named = { title: titleOf(borrow, bookId), name: borrow.user.fullname };
  return (
    <Confirmation
      question={m.borrow_found_question()}
      action={m.borrow_it_was_found()}
      busy={mark.isPending}
      onConfirm={() => mark.mutate({ borrow, bookId }, { onSuccess: onClose })}
      onDecline={() => !mark.isPending && onClose()}
      more={lost.length > 1 && <BookChoice books={lost} value={bookId} onChange={setBookId} />}
    >
      {borrow.finePaid > 0 ? m.borrow_found_detail_refund(named) : m.borrow_found_detail(named)}
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
      label={m.common_book()}
      value={value}
      options={books.map(({ bookId, title }) => ({ value: bookId, label: title }))}
      onChoose={onChange}
    />
  );
}

const titleOf = ({ books }: BorrowView, bookId: number) =>
  books.find((book) => book.bookId === bookId)?.title ?? '';
