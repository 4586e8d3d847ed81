import { useState } from 'react';
import { MOVE_REASONS, type MoveReason } from '#contracts/holds/hold-events.js';
import type { QueuedHold } from '#contracts/holds/hold-views.js';
import { Dialog, SubmitButtons } from '../../components/dialog/dialog.js';
import { Field } from '../../components/form/field.js';
import { Notice } from '../../components/dialog/notice.js';
import { SelectField } from '../../components/form/select-field.js';
import { useHoldCommand } from '../../domain/holds/hold-commands.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { MOVE_LABELS } from '../../domain/holds/move-labels.js';

/** Longest reason in words, as the library takes it. */
const NOTE_LENGTH = 500;

interface MoveDialogProps {
  hold: QueuedHold;
  /** Before which hold it is to stand, as it was asked for; null: last of all. */
  before: string | null;
  /** The others that wait, in their order. */
  others: readonly QueuedHold[];
  onClose: () => void;
}

/** Gives a hold another place. Everybody who waits behind it is affected, so it is said why. */
export function MoveDialog({ hold, before, others, onClose }: MoveDialogProps) {
  const move = useHoldCommand({ inPlace: true });
  const [place, setPlace] = useState(before ?? '');
  const [reason, setReason] = useState<MoveReason | ''>('');
  const [note, setNote] = useState('');
  const [wrong, setWrong] = useState<string>();
  const close = () => !move.isPending && onClose();
  const submit = () => {
    if (reason === '') return setWrong('Say why.');
    const words = note.trim();
    const change = {
      do: 'move' as const,
      before: place === '' ? null : place,
      reason,
      ...(words !== '' && { note: words }),
    };
    move.mutate({ hold, change }, { onSuccess: onClose });
  };
  return (
    <Dialog
      title={`Move ${hold.user.fullname}`}
      lead={`${hold.title}, ${hold.place} of ${others.length + 1} now. Who moves a hold and why is kept.`}
      keep
      onClose={close}
    >
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!move.isPending) submit();
        }}
      >
        <SelectField
          label="Place"
          value={place}
          options={[
            ...others.map(({ id, user }) => ({ value: id, label: `Before ${user.fullname}` })),
            { value: '', label: 'Last of all' },
          ]}
          onChoose={setPlace}
        />
        <Field label="Reason" errors={[wrong]}>
          {(control) => (
            <select
              {...control}
              value={reason}
              onChange={({ target }) => {
                setReason(MOVE_REASONS.find((each) => each === target.value) ?? '');
                setWrong(undefined);
              }}
            >
              <option value="">Choose a reason</option>
              {MOVE_REASONS.map((each) => (
                <option key={each} value={each}>
                  {MOVE_LABELS[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="In words" hint="Readers do not see it.">
          {(control) => (
            <input
              {...control}
              maxLength={NOTE_LENGTH}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          )}
        </Field>
        {move.isError && <Notice>{firstWordsOf(move.error)}</Notice>}
        <SubmitButtons action="Move" busy={move.isPending} onCancel={close} />
      </form>
    </Dialog>
  );
}
