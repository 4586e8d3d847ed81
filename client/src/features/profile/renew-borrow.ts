import { useMutation, useQueryClient } from '@tanstack/react-query';
import { commandAnswerSchema } from '#contracts/borrowing/borrow-views.js';
import { request } from '../../lib/api/request.js';
import { useIntentKey } from '../../lib/api/use-intent-key.js';
import { assureShown } from '../../lib/live/assure-shown.js';
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
  const { keyFor, settle } = useIntentKey();
  return useMutation({
    mutationFn: (borrowId: string) => renewBorrow(borrowId, keyFor(borrowId)),
    onSuccess: (answer) => {
      notify.success('Borrow successfully renewed');
      assureShown(client, answer);
    },
    onSettled: (_answer, error) => settle(error),
  });
}
