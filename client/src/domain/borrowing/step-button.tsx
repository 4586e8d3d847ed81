import { useRef, type ComponentProps } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../components/form/button.js';
import { DESK_COMMANDS, useBorrowCommand, type DeskAction } from './borrow-commands.js';
import { titlesOf } from './borrow-texts.js';
import { useClickGuard } from './use-click-guard.js';

interface StepButtonProps extends Pick<ComponentProps<typeof Button>, 'look' | 'size' | 'className'> {
  borrow: BorrowView;
  /** This step, where several are allowed; otherwise taking back comes before handing out the rest. */
  action?: DeskAction;
}

/** What a librarian does next with the books of a borrow, as the server says: hands them out or takes them back; or nothing. */
export function StepButton({ borrow, action: wanted, ...rest }: StepButtonProps) {
  const command = useBorrowCommand();
  const sending = useRef(false);
  const steps = DESK_COMMANDS.filter(
    ({ action }) => borrow.availableActions.includes(action) && (!wanted || action === wanted),
  );
  const step = steps.at(-1);
  const { armed, hold, leaving } = useClickGuard(step?.action, command.isPending);
  // Stays while it is busy: it gives the focus to nobody.
  if (!step) return null;
  const { action, word } = step;
  return (
    <Button
      {...rest}
      {...leaving}
      // One button whatever it does: where the focus is on it, it stays there when Issue turns into Return.
      data-step={action}
      data-held={!armed || undefined}
      busy={command.isPending}
      aria-disabled={!armed || undefined}
      aria-label={`${word}: ${borrow.user.fullname}, ${titlesOf(borrow)}`}
      onClick={() => {
        if (sending.current || !armed) return;
        sending.current = true;
        command.mutate({ action, borrow }, { onSuccess: hold, onSettled: () => (sending.current = false) });
      }}
      onKeyDown={(event) => {
        // A key that is held down asks once.
        if (event.repeat) event.preventDefault();
      }}
    >
      {word}
    </Button>
  );
}
