import * as m from '#words/messages.js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { waiveFee } from '#contracts/borrowing/borrow-calls.js';
import { askForWaiver, listWaiverRequests } from '#contracts/borrowing/waiver-requests.js';
import { WAIVER_REASONS, type WaiverReason } from '#contracts/borrowing/borrow-events.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { groszeOf, money, moneyUnit } from '#contracts/money.js';
import { CommandDialog } from '../../components/dialog/dialog.js';
import { TypedField } from '../../components/form/field.js';
import { SelectField } from '../../components/form/choice.js';
import { RequestError } from '../../lib/api/request-error.js';
import { keyOf, send, useCall } from '../../lib/api/send.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { notify } from '../../lib/notify.js';
import { AmountField, useAmount } from '../fees/amount-field.js';
import { amountText, purposesOf } from '../fees/money.js';
import { ensureFresh } from '../live/ensure-fresh.js';
import { invalidate } from '../query-keys.js';
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
      notifyDone(client, m.borrow_waived_of({ amount: money(amount) }), { borrow, what: 'waiver' });
      ensureFresh(client, answer);
    },
  });
}

/** Asks others, who may waive more, to approve it. */
function useAskForWaiver() {
  const client = useQueryClient();
  return useCall(askForWaiver, {
    meta: { inPlace: true },
    onSuccess: (_, { body }) => {
      notify.success(m.borrow_waiver_asked({ amount: money(body.amount) }));
      invalidate(client, keyOf(listWaiverRequests));
    },
  });
}

/** The window in which a librarian says how much of a fee is waived, and why. Above their limit they can ask for it there. */
export function WaiveFee({ borrow, onClose }: { borrow: BorrowView; onClose: () => void }) {
  const waive = useWaiveFee();
  const ask = useAskForWaiver();
  const amount = useAmount(groszeOf(borrow.fineDue));
  const [reason, setReason] = useState<WaiverReason>('goodwill');
  const [note, setNote] = useState('');
  const isAbove =
    waive.error instanceof RequestError &&
    waive.error.problem?.code === 'WaiverAboveLimit' &&
    waive.variables?.amount === amount.grosze;
  const submit = (grosze: number) => {
    const waiver = { amount: grosze, reason, note: note.trim() };
    if (isAbove) ask.mutate({ ...ofBorrow(borrow), body: waiver }, { onSuccess: onClose });
    else waive.mutate({ borrow, ...waiver }, { onSuccess: onClose });
  };
  return (
    <CommandDialog
      title={m.borrow_waive_title()}
      lead={m.borrow_waive_lead({
        name: borrow.user.fullname,
        amount: amountText(borrow.fineDue),
        purposes: purposesOf(borrow),
      })}
      action={isAbove ? m.borrow_waiver_ask() : m.borrow_waive()}
      command={isAbove && !ask.isIdle ? ask : waive}
      onSubmit={() => amount.use(submit)}
      onClose={onClose}
    >
      <AmountField
        amount={amount}
        label={m.borrow_amount({ currency: moneyUnit() })}
        wrong={m.fees_waived_between}
      />
      <SelectField
        label={m.common_reason()}
        value={reason}
        options={WAIVER_REASONS.map((each) => ({ value: each, label: WAIVER_LABELS[each].label }))}
        onChoose={setReason}
      />
      <TypedField
        label={m.borrow_in_words()}
        hint={isAbove ? m.borrow_waiver_ask_hint() : m.borrow_in_words_hint()}
        maxLength={500}
        value={note}
        onValue={setNote}
      />
    </CommandDialog>
  );
}

/** Why a fee was waived, as it is shown by itself and within a sentence. */
export const WAIVER_LABELS: Record<WaiverReason, { label: string; within: string }> = {
  goodwill: { label: m.borrow_waiver_reason_goodwill(), within: m.borrow_waived_for_goodwill() },
  illness: { label: m.borrow_waiver_reason_illness(), within: m.borrow_waived_for_illness() },
  'library-error': {
    label: m.borrow_waiver_reason_library_error(),
    within: m.borrow_waived_for_library_error(),
  },
  hardship: { label: m.borrow_waiver_reason_hardship(), within: m.borrow_waived_for_hardship() },
  other: { label: m.common_another_reason(), within: m.borrow_waived_for_other() },
};
