import { useState } from 'react';
import type { HoldView, QueuedHold } from '#contracts/holds/hold-views.js';
import { isDay, NOT_A_DAY } from '#contracts/local-day.js';
import { Button } from '../../components/form/button.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { CommandDialog } from '../../components/dialog/dialog.js';
import { DateInput } from '../../components/form/date-input.js';
import { Field } from '../../components/form/field.js';
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
  const [day, setDay] = useState(set ?? '');
  const [wrong, setWrong] = useState<string>();
  const earliest = isoDay(useNow(true) + (kind === 'pause' ? DAY_MS : 0));
  const send = (wanted: HoldChange) => change.mutate({ hold, change: wanted }, { onSuccess: onClose });
  const submit = () => {
    if (day !== '' && !isDay(day)) return setWrong(NOT_A_DAY);
    if (day < earliest) return setWrong(missing);
    send(kind === 'pause' ? { do: 'pause', until: day } : { do: 'needed-until', day });
  };
  return (
    <CommandDialog
      title={title}
      lead={`${hold.title}. ${lead}`}
      action={action}
      command={change}
      onSubmit={submit}
      onClose={onClose}
      more={
        kind === 'needed-until' &&
        set !== null && (
          <Button onClick={() => !change.isPending && send({ do: 'needed-until', day: null })}>
            No last day
          </Button>
        )
      }
    >
      <Field label={label} hint={hint} errors={[wrong]}>
        {(control) => (
          <DateInput
            {...control}
            min={earliest}
            value={day}
            onChange={({ target }) => {
              setDay(target.value);
              setWrong(undefined);
            }}
          />
        )}
      </Field>
    </CommandDialog>
  );
}
