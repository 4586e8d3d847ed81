import { useQueryClient } from '@tanstack/react-query';
import { takeBackBooks } from '#contracts/borrowing/borrow-calls.js';
import type { Finding } from '#contracts/stock-taking/stock-taking.js';
import { Button } from '../../components/form/button.js';
import { ofBorrow } from '../../domain/borrowing/borrow-texts.js';
import { ensureFresh } from '../../domain/live/ensure-fresh.js';
import { queryKeys } from '../../domain/query-keys.js';
import { useCall } from '../../lib/api/send.js';
import { notify } from '../../lib/notify.js';

interface TakeBackProps {
  borrow: NonNullable<Finding['borrow']>;
  code: string;
  disabled: boolean;
}

/** The book is here: its reader is rid of it. A fee that is due stays with the borrow. */
export function TakeBack({ borrow, code, disabled }: TakeBackProps) {
  const client = useQueryClient();
  const takeBack = useCall(takeBackBooks, {
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
      onClick={() => takeBack.mutate({ ...ofBorrow(borrow), body: { copies: [code] } })}
    >
      Take back
    </Button>
  );
}
