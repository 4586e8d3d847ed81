import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setOwnPin, setPin } from '#contracts/accounts/reader-card.js';
import * as m from '#words/messages.js';
import { CommandDialog } from '../../../components/dialog/dialog.js';
import { TypedField } from '../../../components/form/field.js';
import { useCall } from '../../../lib/api/send.js';
import { notify } from '../../../lib/notify.js';
import { invalidate, queryKeys } from '../../query-keys.js';

interface PinDialogProps {
  /** Whose card it is; without it, it is the caller's own. */
  readerId?: string;
  onClose: () => void;
}

/** Asks for the PIN of a card, which nobody is shown again. */
export function PinDialog({ readerId, onClose }: PinDialogProps) {
  const client = useQueryClient();
  const [pin, enter] = useState('');
  const options = {
    meta: { inPlace: true },
    onSuccess: ({ message }: { message: string }) => {
      notify.success(message);
      invalidate(client, queryKeys.standings);
      onClose();
    },
  };
  const ofReader = useCall(setPin, options);
  const own = useCall(setOwnPin, options);
  const save = () =>
    readerId === undefined
      ? own.mutate({ body: { pin } })
      : ofReader.mutate({ query: { id: readerId }, body: { pin } });
  return (
    <CommandDialog
      title={m.pin_set()}
      lead={m.pin_lead()}
      action={m.common_save()}
      command={readerId === undefined ? own : ofReader}
      onSubmit={save}
      onClose={onClose}
    >
      <TypedField
        label={m.pin_field()}
        hint={m.pin_rule()}
        name="pin"
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={pin}
        onValue={enter}
      />
    </CommandDialog>
  );
}
