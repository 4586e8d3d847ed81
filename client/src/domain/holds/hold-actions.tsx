import { lazy, Suspense, useState } from 'react';
import type { HoldView, QueuedHold } from '#contracts/holds/hold-views.js';
import { Button } from '../../components/form/button.js';
import { useHoldCommand } from './hold-commands.js';
import type { HoldWindowKind } from './hold-windows.js';
import { BookmarkCheck, Hourglass, Pause, type LucideIcon } from 'lucide-react';
import styles from '../borrowing/status-badge.module.css';

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
      {state === 'Waiting' && button('pause', 'Pause')}
      {state === 'Paused' && (
        <Button
          size={size}
          busy={resume.isPending}
          aria-label={`Resume: ${title}`}
          data-hold-action="resume"
          onClick={(event) => {
            if (event.detail < 2) resume.mutate({ hold, change: { do: 'resume' } });
          }}
        >
          Resume
        </Button>
      )}
      {state !== 'Ready' && button('needed-until', neededUntil === null ? 'Set last day' : 'Change last day')}
      {button('cancel', state === 'Ready' ? 'Cancel hold' : 'Cancel')}
      <Suspense fallback={null}>
        {open && <HoldWindow kind={open} hold={hold} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  );
}

const BADGES: Record<HoldView['state'], { icon: LucideIcon; tone: string }> = {
  Waiting: { icon: Hourglass, tone: 'rented' },
  Paused: { icon: Pause, tone: 'issued' },
  Ready: { icon: BookmarkCheck, tone: 'returned' },
};

/** How a hold stands, in a word and an icon. */
export function HoldBadge({ state }: { state: HoldView['state'] }) {
  const { icon: Icon, tone } = BADGES[state];
  return (
    <span className={styles.badge} data-tone={tone}>
      <Icon size={14} strokeWidth={2} aria-hidden="true" />
      {state}
    </span>
  );
}
