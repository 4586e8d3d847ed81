import { useQuery, useQueryClient } from '@tanstack/react-query';
import { money } from '#contracts/money.js';
import { payAtDesk, readDeskFee, refundAtDesk } from '#contracts/payments/payment.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';
import { ensureFresh } from '../live/ensure-fresh.js';
import { queryKeys } from '../query-keys.js';

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
  payment: { call: payAtDesk, done: 'Fee paid' },
  refund: { call: refundAtDesk, done: 'Paid out' },
};

/**
 * Records that money changed hands at the desk. Where it is refused, what is due by now is asked again.
 * @param say that it is done
 */
export function useDeskMoney(kind: DeskMoney, say: (words: string) => void) {
  const client = useQueryClient();
  const { call, done } = CALLS[kind];
  return useCall(call, {
    meta: { inPlace: true },
    onSuccess: (answer, { body }) => {
      say(`${done}: ${money(body.amount)}`);
      ensureFresh(client, answer);
      void client.invalidateQueries({ queryKey: queryKeys.standings });
    },
    onError: (_error, { query }) => {
      void client.invalidateQueries({ queryKey: keyOf(readDeskFee, { query }) });
      void client.invalidateQueries({ queryKey: queryKeys.borrows });
    },
  });
}
