import { useQueryClient } from '@tanstack/react-query';
import { commandAnswerSchema } from '#contracts/borrowing/borrow-views.js';
import type { Finding } from '#contracts/stock-taking/stock-taking.js';
import { Button } from '../../components/button.js';
import { ensureFresh } from '../../domain/live/ensure-fresh.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { notify } from '../../lib/notify.js';

interface TakeBackProps {
  borrow: NonNullable<Finding['borrow']>;
  code: string;
  disabled: boolean;
}

/** The book is here: its reader is rid of it. A fee that is due stays with the borrow. */
export function TakeBack({ borrow, code, disabled }: TakeBackProps) {
  const client = useQueryClient();
  const takeBack = useIdempotentMutation({
    requestOf: () => `${borrow.id} ${code}`,
    send: (_none: void, idempotencyKey) =>
      request(commandAnswerSchema, 'Borrow/take-back-books', {
        method: 'POST',
        query: { borrowId: borrow.id, userId: borrow.user.id },
        body: { bookIds: [], copies: [code] },
        idempotencyKey,
      }),
    onSuccess: (answer) => {
      notify.success('Books taken back successfully!', { detail: `${code} · ${borrow.user.fullname}` });
      ensureFresh(client, answer);
      void client.invalidateQueries({ queryKey: queryKeys.stockTakings });
    },
  });
  return (
    <Button
      size="small"
      disabled={disabled}
      busy={takeBack.isPending}
      aria-label={`Take back: ${code}`}
      onClick={() => takeBack.mutate()}
    >
      Take back
    </Button>
  );
}
