import type { ComponentProps } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../components/form/button.js';
import { useBorrowCommand } from './borrow-commands.js';
import { useClickGuard } from './use-click-guard.js';

interface RenewButtonProps extends Pick<ComponentProps<typeof Button>, 'look' | 'size'> {
  borrow: BorrowView;
}

/** Renews a reader's borrow at the desk. Pressed twice, it is renewed once. */
export function RenewButton({ borrow, ...rest }: RenewButtonProps) {
  const renew = useBorrowCommand();
  const { armed, hold, leaving } = useClickGuard(borrow.dueDate ?? undefined, renew.isPending);
  return (
    <Button
      {...rest}
      {...leaving}
      data-step="renew"
      data-held={!armed || undefined}
      aria-disabled={!armed || undefined}
      busy={renew.isPending}
      onClick={() => armed && renew.mutate({ action: 'renewAtDesk', borrow }, { onSuccess: hold })}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault();
      }}
    >
      Renew
    </Button>
  );
}
