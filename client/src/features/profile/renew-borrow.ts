import { useMutation, useQueryClient } from '@tanstack/react-query';
import { commandAnswerSchema } from '#contracts/borrowing/borrow-views.js';
import { request } from '../../lib/api/request.js';
import { useIdempotencyKey } from '../../lib/api/use-idempotency-key.js';
import { ensureFresh } from '../../domain/live/ensure-fresh.js';
import { notify } from '../../lib/notify.js';

function renewBorrow(borrowId: string, idempotencyKey: string) {
  return request(commandAnswerSchema, 'Borrow/renew', {
    method: 'POST',
    query: { borrowId },
    idempotencyKey,
  });
}

export function useRenewBorrow() {
  const client = useQueryClient();
  const { keyFor, settle } = useIdempotencyKey();
  return useMutation({
    mutationFn: (borrowId: string) => renewBorrow(borrowId, keyFor(borrowId)),
    onSuccess: (answer) => {
      notify.success('Borrow successfully renewed');
      ensureFresh(client, answer);
    },
    onSettled: (_answer, error) => settle(error),
  });
}
