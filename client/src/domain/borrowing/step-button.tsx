import * as m from '#words/messages.js';
import { useRef, type ComponentProps, useEffect, useState, type PointerEvent } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../components/form/button.js';
import { DESK_COMMANDS, useBorrowCommand, type DeskAction } from './borrow-commands.js';
import { titlesOf } from './borrow-texts.js';
import { useStaffActions } from './staff-actions.js';

interface StepButtonProps extends Pick<ComponentProps<typeof Button>, 'look' | 'size' | 'className'> {
  borrow: BorrowView;
  /** This step, where several are allowed; otherwise taking back comes before handing out the rest. */
  action?: DeskAction;
}

/** What a librarian does next with the books of a borrow, as the server says: hands them out or takes them back; or nothing. */
export function StepButton({ borrow, action: wanted, ...rest }: StepButtonProps) {
  const command = useBorrowCommand();
  const sending = useRef(false);
  const actions = useStaffActions(borrow);
  const steps = DESK_COMMANDS.filter(
    ({ action }) => actions.includes(action) && (!wanted || action === wanted),
  );
  const step = steps.at(-1);
  const { armed, hold, leaving } = useClickGuard(step?.action, command.isPending);
  // Stays while it is busy: it gives the focus to nobody.
  if (!step) return null;
  const { action, word, of } = step;
  return (
    <Button
      {...rest}
      {...leaving}
      // One button whatever it does: where the focus is on it, it stays there when Issue turns into Return.
      data-step={action}
      data-held={!armed || undefined}
      busy={command.isPending}
      aria-disabled={!armed || undefined}
      aria-label={of({ name: borrow.user.fullname, titles: titlesOf(borrow) })}
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

/** How long a step that has just come is held back. */
const HELD_MS = 1500;

interface Arming {
  /** Whether the step may be taken. */
  armed: boolean;
  /** The step was taken: the same again is not meant either. */
  hold: () => void;
  /** For the button: who leaves it has moved on. */
  leaving: { onBlur: () => void; onPointerLeave: (event: PointerEvent) => void };
}

/**
 * Holds back a step that has just taken the place of another one, whoever caused it: the second half of a double click, an
 * Enter or a tap too many was meant for the one before. It may be taken once the person has moved on, or after a moment.
 * @param busy the step before is on its way: the moment has not begun
 */
function useClickGuard(step: string | undefined, busy: boolean): Arming {
  const [known, setKnown] = useState(step);
  const [armed, setArmed] = useState(true);
  if (step !== known) {
    setKnown(step);
    setArmed(false);
  }
  useEffect(() => {
    if (armed || busy) return;
    const timer = window.setTimeout(() => setArmed(true), HELD_MS);
    return () => window.clearTimeout(timer);
  }, [armed, busy, known]);
  const moveOn = () => {
    if (!busy) setArmed(true);
  };
  return {
    armed,
    hold: () => setArmed(false),
    leaving: {
      onBlur: moveOn,
      // A finger leaves with every tap.
      onPointerLeave: ({ pointerType }) => pointerType === 'mouse' && moveOn(),
    },
  };
}

interface RenewButtonProps extends Pick<ComponentProps<typeof Button>, 'look' | 'size'> {
  borrow: BorrowView;
}

/** Renews a reader's borrow at the desk, where it can be, with a reason beyond a limit. Pressed twice, it is renewed once. */
export function RenewButton({ borrow, ...rest }: RenewButtonProps) {
  const renew = useBorrowCommand();
  const { armed, hold, leaving } = useClickGuard(borrow.dueDate ?? undefined, renew.isPending);
  const actions = useStaffActions(borrow);
  const isBeyond = actions.includes('renew-beyond');
  if (!isBeyond && !actions.includes('renew')) return null;
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
      {isBeyond ? m.borrow_renew_anyway() : m.borrow_renew()}
    </Button>
  );
}
