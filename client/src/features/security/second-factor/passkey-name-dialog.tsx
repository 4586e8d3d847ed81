import { useState, type FormEvent } from 'react';
import { passkeyNameSchema } from '#contracts/accounts/second-factor.js';
import { Dialog, SubmitButtons } from '../../../components/dialog.js';
import { Field } from '../../../components/field.js';
import { Notice } from '../../../components/notice.js';

interface PasskeyNameDialogProps {
  title: string;
  lead: string;
  action: string;
  name: string;
  busy: boolean;
  refusal: string | undefined;
  onName: (name: string) => void;
  onClose: () => void;
}

/** Asks for the name of a passkey, a new one's or another one for one that is there. */
export function PasskeyNameDialog(props: PasskeyNameDialogProps) {
  const { title, lead, action, busy, refusal, onName, onClose } = props;
  const [name, setName] = useState(props.name);
  const [trouble, setTrouble] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const checked = passkeyNameSchema.safeParse(name);
    setTrouble(checked.error?.issues[0]?.message);
    if (checked.success && !busy) onName(checked.data);
  };
  return (
    <Dialog title={title} lead={lead} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        {refusal !== undefined && <Notice>{refusal}</Notice>}
        <Field label="Name" hint="By which you know it again: “Phone”, “Blue key”." errors={[trouble]}>
          {(control) => (
            <input
              {...control}
              type="text"
              autoComplete="off"
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <SubmitButtons action={action} busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
