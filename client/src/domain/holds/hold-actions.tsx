import * as m from '#words/messages.js';
import { lazy, Suspense, useState } from 'react';
import type { HoldView, QueuedHold } from '#contracts/holds/hold-views.js';
import { Button } from '../../components/form/button.js';
import { useHoldCommand } from './hold-commands.js';
import type { HoldWindowKind } from './hold-windows.js';
import BookmarkCheck from 'lucide-react/icons/bookmark-check';
import Hourglass from 'lucide-react/icons/hourglass';
import Pause from 'lucide-react/icons/pause';
import { Badge, type Mark } from '../borrowing/status-badge.js';

// No list waits for what few will open.
const loadWindows = () => import('./hold-windows.js');
const HoldWindow = lazy(async () => ({ default: (await loadWindows()).HoldWindow }));

interface HoldActionsProps {
  /** In a queue, with its reader. */
  hold: HoldView | QueuedHold;
  size?: 'normal' | 'small';
}

/** What can be done with a hold as it stands. A copy that is kept can only be given up. */
export function HoldActions({ hold, size = 'small' }: HoldActionsProps) {
  const [open, setOpen] = useState<HoldWindowKind>();
  const resume = useHoldCommand();
  const { state, neededUntil } = hold;
  const title = 'user' in hold ? `${hold.user.fullname}, ${hold.title}` : hold.title;
  const button = (kind: HoldWindowKind, word: string) => (
    <Button
      size={size}
      aria-label={`${word}: ${title}`}
      data-hold-action={kind}
      onClick={() => setOpen(kind)}
    >
      {word}
    </Button>
  );
  return (
    <>
      {state === 'Waiting' && button('pause', m.holds_pause())}
      {state === 'Paused' && (
        <Button
          size={size}
          busy={resume.isPending}
          aria-label={`${m.holds_resume()}: ${title}`}
          data-hold-action="resume"
          onClick={(event) => {
            if (event.detail < 2) resume.mutate({ hold, change: { do: 'resume' } });
          }}
        >
          {m.holds_resume()}
        </Button>
      )}
      {state !== 'Ready' &&
        button('needed-until', neededUntil === null ? m.holds_set_last_day() : m.holds_change_last_day())}
      {button('cancel', state === 'Ready' ? m.holds_cancel_hold() : m.common_cancel())}
      <Suspense fallback={null}>
        {open && <HoldWindow kind={open} hold={hold} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  );
}

const BADGES: Record<HoldView['state'], Mark> = {
  Waiting: { word: m.holds_state_waiting(), icon: Hourglass, tone: 'rented' },
  Paused: { word: m.holds_state_paused(), icon: Pause, tone: 'issued' },
  Ready: { word: m.holds_state_ready(), icon: BookmarkCheck, tone: 'returned' },
};

/** How a hold stands, in a word and an icon. */
export const HoldBadge = ({ state }: { state: HoldView['state'] }) => <Badge {...BADGES[state]} />;
