import * as m from '#words/messages.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { money } from '#contracts/money.js';
import { payAtDesk, readDeskFee, refundAtDesk } from '#contracts/payments/payment.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';
import { ensureFresh } from '../live/ensure-fresh.js';
import { invalidate, queryKeys } from '../query-keys.js';

/** What a borrow owes now. It changes only when it is fetched again, so that the amount on the screen is the amount that is taken. */
export function useDeskFee(borrowId: string) {
  return useQuery({
    ...queryOf(readDeskFee, { query: { borrowId } }),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { inPlace: true },
  });
}

/** Money that changes hands at the desk: a fee is paid, or what the reader paid for a found book is given back. */
export type DeskMoney = 'payment' | 'refund';

const CALLS = {
  payment: { call: payAtDesk, done: m.borrow_fee_paid_of },
  refund: { call: refundAtDesk, done: m.borrow_paid_out_of },
};

/** Says that money changed hands. `left` is what is still due of it, in grosze. */
export type SayPaid = (words: string, left: number) => void;

/** Records that money changed hands at the desk. Where it is refused, what is due by now is asked again. */
export function useDeskMoney(kind: DeskMoney, say: SayPaid) {
  const client = useQueryClient();
  const { call, done } = CALLS[kind];
  return useCall(call, {
    meta: { inPlace: true },
    onSuccess: (answer, { body }) => {
      const left = ('due' in body ? (body.due ?? body.amount) : body.amount) - body.amount;
      const amount = money(body.amount);
      const words = left > 0 ? m.borrow_fee_paid_part({ amount, left: money(left) }) : done({ amount });
      say(words, left);
      ensureFresh(client, answer);
      void client.invalidateQueries({ queryKey: queryKeys.standings });
    },
    onError: (_error, { query }) => {
      invalidate(client, keyOf(readDeskFee, { query }), queryKeys.borrows);
    },
  });
}
