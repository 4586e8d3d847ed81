import { useQuery, useQueryClient } from '@tanstack/react-query';
import { money } from '#contracts/money.js';
import { deskFeeSchema, deskPaymentSchema } from '#contracts/payments/payment.js';
import { request } from '../../lib/api/request.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { ensureFresh } from '../live/ensure-fresh.js';
import { queryKeys } from '../query-keys.js';

/** What a borrow owes now. It changes only when it is fetched again, so that the amount on the screen is the amount that is taken. */
export function useDeskFee(borrowId: string) {
  return useQuery({
    queryKey: queryKeys.deskFee(borrowId),
    queryFn: ({ signal }) => request(deskFeeSchema, 'Payment/desk', { query: { borrowId }, signal }),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { inPlace: true },
  });
}

interface Handed {
  borrowId: string;
  /** grosze */
  amount: number;
}

/** Money that changes hands at the desk: a fee is paid, or what the reader paid for a found book is given back. */
export type DeskMoney = 'payment' | 'refund';

const CALLS: Record<DeskMoney, { path: string; done: string }> = {
  payment: { path: 'Payment/desk', done: 'Fee paid' },
  refund: { path: 'Payment/refund', done: 'Paid out' },
};

/**
 * Records that money changed hands at the desk. Where it is refused, what is due by now is asked again.
 * @param say that it is done
 */
export function useDeskMoney(kind: DeskMoney, say: (words: string) => void) {
  const client = useQueryClient();
  const { path, done } = CALLS[kind];
  return useIdempotentMutation({
    requestOf: ({ borrowId, amount }: Handed) => `${borrowId} ${amount}`,
    send: ({ borrowId, amount }, idempotencyKey) =>
      request(deskPaymentSchema, path, {
        method: 'POST',
        query: { borrowId },
        body: { amount },
        idempotencyKey,
      }),
    meta: { inPlace: true },
    onSuccess: (answer, { amount }) => {
      say(`${done}: ${money(amount)}`);
      ensureFresh(client, answer);
      void client.invalidateQueries({ queryKey: queryKeys.standings });
    },
    onError: (_error, { borrowId }) => {
      void client.invalidateQueries({ queryKey: queryKeys.deskFee(borrowId) });
      void client.invalidateQueries({ queryKey: queryKeys.borrows });
    },
  });
}
