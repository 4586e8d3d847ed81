import type { HoldView, QueuedHold } from '#contracts/holds/hold-views.js';
import { Button } from '../../components/form/button.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { DayDialog } from '../../components/dialog/day-dialog.js';
import { isoDay } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { useHoldCommand, type HoldChange } from './hold-commands.js';

export type HoldWindowKind = 'pause' | 'needed-until' | 'cancel';

interface HoldWindowProps {
  kind: HoldWindowKind;
  hold: HoldView | QueuedHold;
  onClose: () => void;
}

/** The window in which a hold is paused, given a last day, or given up. */
export function HoldWindow({ kind, ...rest }: HoldWindowProps) {
  if (kind === 'cancel') return <CancelHold {...rest} />;
  return <DayOfHold kind={kind} {...rest} />;
}

type WindowProps = Omit<HoldWindowProps, 'kind'>;

function CancelHold({ hold, onClose }: WindowProps) {
  const cancel = useHoldCommand();
  const isReady = hold.state === 'Ready';
  // In a queue there are several, and it is somebody else's.
  const question =
    'user' in hold
      ? `Cancel the reservation of ${hold.user.fullname} for “${hold.title}”?`
      : isReady
        ? 'Give up the copy kept for you?'
        : 'Cancel this reservation?';
  return (
    <Confirmation
      question={question}
      action={isReady ? 'Cancel hold' : 'Cancel reservation'}
      refusal="Keep it"
      busy={cancel.isPending}
      onDecline={() => !cancel.isPending && onClose()}
      onConfirm={() => cancel.mutate({ hold, change: { do: 'cancel' } }, { onSettled: onClose })}
    >
      {'user' in hold ? '' : `${hold.title}. `}
      {isReady ? 'It goes to the next reader in line.' : 'The place in line is lost.'}
    </Confirmation>
  );
}

interface DayKind {
  title: string;
  lead: string;
  label: string;
  hint: string;
  action: string;
  missing: string;
}

const DAYS: Record<'pause' | 'needed-until', DayKind> = {
  pause: {
    title: 'Pause the reservation',
    lead: 'Copies go to other readers in the meantime. The place in line is kept.',
    label: 'Resume on',
    hint: 'From this day, the next free copy is kept.',
    action: 'Pause',
    missing: 'Choose a day after today.',
  },
  'needed-until': {
    title: 'Last day',
    lead: 'If no copy is free by then, the reservation ends.',
    label: 'Needed until',
    hint: 'The last day on which the book is useful.',
    action: 'Save',
    missing: 'Choose today or later.',
  },
};

const DAY_MS = 86_400_000;

function DayOfHold({ kind, hold, onClose }: WindowProps & { kind: 'pause' | 'needed-until' }) {
  const { title, lead, label, hint, action, missing } = DAYS[kind];
  const change = useHoldCommand({ inPlace: true });
  const set = kind === 'pause' ? hold.pausedUntil : hold.neededUntil;
  const earliest = isoDay(useNow(true) + (kind === 'pause' ? DAY_MS : 0));
  const send = (wanted: HoldChange) => change.mutate({ hold, change: wanted }, { onSuccess: onClose });
  return (
    <DayDialog
      title={title}
      lead={`${hold.title}. ${lead}`}
      {...{ label, hint, action, earliest, missing }}
      tooEarly={missing}
      day={set ?? ''}
      command={change}
      onDay={(day) => send(kind === 'pause' ? { do: 'pause', until: day } : { do: 'needed-until', day })}
      onClose={onClose}
      more={
        kind === 'needed-until' &&
        set !== null && (
          <Button onClick={() => !change.isPending && send({ do: 'needed-until', day: null })}>
            No last day
          </Button>
        )
      }
    />
  );
}
