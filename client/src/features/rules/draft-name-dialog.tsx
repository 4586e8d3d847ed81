import { useState } from 'react';
import { Dialog, SubmitButtons } from '../../components/dialog.js';
import { Field } from '../../components/field.js';
import formStyles from '../../components/form.module.css';
import { Notice } from '../../components/notice.js';
import { firstWordsOf } from '../../lib/api/request-error.js';

interface DraftNameDialogProps {
  /** The day on which the rules are to begin, if one was chosen. */
  from: string;
  busy: boolean;
  error: Error | null;
  onKeep: (name: string) => void;
  onClose: () => void;
}

/** Asks what a new draft is to be called. */
export function DraftNameDialog({ from, busy, error, onKeep, onClose }: DraftNameDialogProps) {
  const [name, setName] = useState(from === '' ? '' : `Rules from ${from}`);
  const [isTried, setTried] = useState(false);
  return (
    <Dialog
      title="Keep as a draft"
      lead="All admins see it and can change it. Nothing is decided by it until it is put in force."
      keep
      onClose={onClose}
    >
      <form
        className={formStyles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (name.trim() !== '' && !busy) onKeep(name);
        }}
      >
        {error && <Notice>{firstWordsOf(error)}</Notice>}
        <Field label="Name" errors={[isTried && name.trim() === '' ? 'Give it a name.' : undefined]}>
          {(control) => (
            <input
              {...control}
              type="text"
              autoComplete="off"
              maxLength={80}
              aria-required="true"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <SubmitButtons action="Keep it" busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
