import * as m from '#words/messages.js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { waiveFee } from '#contracts/borrowing/borrow-calls.js';
import { WAIVER_REASONS, type WaiverReason } from '#contracts/borrowing/borrow-events.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { groszeOf, money } from '#contracts/money.js';
import { CommandDialog } from '../../components/dialog/dialog.js';
import { TypedField } from '../../components/form/field.js';
import { SelectField } from '../../components/form/choice.js';
import { send } from '../../lib/api/send.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { AmountField, useAmount } from '../fees/amount-field.js';
import { plnText, purposesOf } from '../fees/money.js';
import { ensureFresh } from '../live/ensure-fresh.js';
import { ofBorrow } from './borrow-texts.js';
import { notifyDone } from './notify-done.js';

interface Waiver {
  borrow: BorrowView;
  /** grosze */
  amount: number;
  reason: WaiverReason;
  note: string;
}

/** Waives a fee, in part or whole. */
function useWaiveFee() {
  const client = useQueryClient();
  return useIdempotentMutation({
    requestOf: ({ borrow, amount, reason, note }: Waiver) => `${borrow.id} ${amount} ${reason} ${note}`,
    send: ({ borrow, amount, reason, note }, idempotencyKey) =>
      send(waiveFee, { ...ofBorrow(borrow), body: { amount, reason, note } }, { idempotencyKey }),
    meta: { inPlace: true },
    onSuccess: (answer, { borrow, amount }) => {
      notifyDone(client, `Fee waived: ${money(amount)}`, { borrow, what: 'waiver' });
      ensureFresh(client, answer);
    },
  });
}

/** The window in which a librarian says how much of a fee is waived, and why. */
export function WaiveFee({ borrow, onClose }: { borrow: BorrowView; onClose: () => void }) {
  const waive = useWaiveFee();
  const amount = useAmount(groszeOf(borrow.fineDue));
  const [reason, setReason] = useState<WaiverReason>('goodwill');
  const [note, setNote] = useState('');
  return (
    <CommandDialog
      title="Waive the fee"
      lead={`${borrow.user.fullname} owes ${plnText(borrow.fineDue)} for ${purposesOf(borrow)}. Your name and the reason are recorded.`}
      action="Waive"
      command={waive}
      onSubmit={() =>
        amount.use((grosze) =>
          waive.mutate({ borrow, amount: grosze, reason, note: note.trim() }, { onSuccess: onClose }),
        )
      }
      onClose={onClose}
    >
      <AmountField amount={amount} label="Amount in PLN" wrong={m.fees_waived_between} />
      <SelectField
        label="Reason"
        value={reason}
        options={WAIVER_REASONS.map((each) => ({ value: each, label: WAIVER_LABELS[each] }))}
        onChoose={setReason}
      />
      <TypedField
        label="In words"
        hint="The reader does not see it."
        maxLength={500}
        value={note}
        onValue={setNote}
      />
    </CommandDialog>
  );
}

/** Why a fee was waived, as it is shown. */
export const WAIVER_LABELS: Record<WaiverReason, string> = {
  goodwill: 'Goodwill',
  illness: 'Illness',
  'library-error': 'The library’s mistake',
  hardship: 'Hardship',
  other: 'Another reason',
};
