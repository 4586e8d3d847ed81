import { useId, useState } from 'react';
import { EVENT_GROUPS, type Webhook, type WebhookFields } from '#contracts/webhooks/webhooks.js';
import * as m from '#words/messages.js';
import { CommandDialog, Dialog, DialogButtons } from '../../components/dialog/dialog.js';
import { Button } from '../../components/form/button.js';
import { TypedField } from '../../components/form/field.js';
import { RequestError } from '../../lib/api/request-error.js';
import { kindText } from './webhook-texts.js';

interface WebhookDialogProps {
  /** What is in the fields at first; without it, a webhook is added. */
  webhook?: Webhook | undefined;
  command: { isPending: boolean; error: Error | null };
  onSave: (fields: WebhookFields) => void;
  onClose: () => void;
}

/** Asks where to send what. */
export function WebhookDialog({ webhook, command, onSave, onClose }: WebhookDialogProps) {
  const [address, setAddress] = useState(webhook?.address ?? 'https://');
  const [kinds, setKinds] = useState<readonly string[]>(webhook?.kinds ?? []);
  const [names, setNames] = useState(webhook?.names ?? false);
  const id = useId();
  const { error } = command;
  const errors = (error instanceof RequestError && error.fieldErrors) || {};
  const choose = (kind: string, isChosen: boolean) =>
    setKinds([...kinds.filter((each) => each !== kind), ...(isChosen ? [kind] : [])]);
  return (
    <CommandDialog
      title={webhook ? m.webhooks_edit() : m.webhooks_add()}
      lead={m.webhooks_dialog_lead()}
      action={m.common_save()}
      command={{ ...command, error: Object.keys(errors).length > 0 ? null : error }}
      onSubmit={() => onSave({ address: address.trim(), kinds: [...kinds], names })}
      onClose={onClose}
    >
      <TypedField
        label={m.webhooks_address()}
        hint={m.webhooks_address_hint()}
        type="url"
        name="address"
        value={address}
        error={errors['address']?.[0]}
        onValue={setAddress}
      />
      {EVENT_GROUPS.map(({ name, kinds: group }) => (
        <fieldset
          key={name()}
          className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,12rem),1fr))] gap-x-4 min-w-0 m-0 p-0 border-0"
          aria-describedby={`${id}-kinds`}
        >
          <legend className="p-0 font-serif font-medium">{name()}</legend>
          {Object.keys(group).map((kind) => (
            <label key={kind} className="flex items-center gap-3 min-h-9 to-480:min-h-11">
              <input
                type="checkbox"
                name={kind}
                checked={kinds.includes(kind)}
                onChange={({ target }) => choose(kind, target.checked)}
              />
              {kindText(kind)}
            </label>
          ))}
        </fieldset>
      ))}
      <p id={`${id}-kinds`} role="alert" className="text-danger text-1 empty:hidden">
        {errors['kinds']?.[0]}
      </p>
      <label className="flex items-center gap-3 min-h-11">
        <input type="checkbox" checked={names} onChange={({ target }) => setNames(target.checked)} />
        {m.webhooks_with_names()}
      </label>
    </CommandDialog>
  );
}

/** Shows a secret, which nobody can see again. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const [said, setSaid] = useState(m.webhooks_secret_lead());
  const copy = () =>
    void navigator.clipboard.writeText(secret).then(
      () => setSaid(m.webhooks_secret_copied()),
      () => setSaid(m.webhooks_secret_not_copied()),
    );
  return (
    <Dialog title={m.webhooks_secret()}>
      <TypedField
        label={m.webhooks_secret()}
        readOnly
        value={secret}
        onValue={() => undefined}
        onFocus={({ target }) => target.select()}
      />
      <p className="note" role="status">
        {said}
      </p>
      <DialogButtons>
        <Button onClick={copy}>{m.common_copy()}</Button>
        <Button look="primary" onClick={onClose}>
          {m.common_done()}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
