import * as m from '#words/messages.js';
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
      ? m.holds_cancel_of_question({ reader: hold.user.fullname, title: hold.title })
      : isReady
        ? m.holds_give_up_question()
        : m.holds_cancel_question();
  return (
    <Confirmation
      question={question}
      action={isReady ? m.holds_cancel_hold() : m.holds_cancel_reservation()}
      refusal={m.holds_keep_it()}
      busy={cancel.isPending}
      onDecline={() => !cancel.isPending && onClose()}
      onConfirm={() => cancel.mutate({ hold, change: { do: 'cancel' } }, { onSettled: onClose })}
    >
      {'user' in hold ? '' : `${hold.title}. `}
      {isReady ? m.holds_goes_to_next() : m.holds_place_lost()}
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
    title: m.holds_pause_title(),
    lead: m.holds_pause_lead(),
    label: m.holds_resume_on(),
    hint: m.holds_resume_hint(),
    action: m.holds_pause(),
    missing: m.holds_day_after_today(),
  },
  'needed-until': {
    title: m.holds_last_day(),
    lead: m.holds_last_day_lead(),
    label: m.holds_needed_until(),
    hint: m.holds_needed_hint(),
    action: m.common_save(),
    missing: m.holds_today_or_later(),
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
            {m.holds_no_last_day()}
          </Button>
        )
      }
    />
  );
}
