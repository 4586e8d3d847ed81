import { useState } from 'react';
import { Dialog, SubmitButtons } from '../../components/dialog.js';
import { Field } from '../../components/field.js';
import formStyles from '../../components/form.module.css';
import { Notice } from '../../components/notice.js';
import { firstWordsOf } from '../../lib/api/request-error.js';

export interface ListFields {
  name: string;
  description: string;
  onHome: boolean;
}

interface ListDialogProps {
  title: string;
  action: string;
  /** What is in the fields at first. */
  fields?: ListFields;
  /** The name cannot be changed. */
  keepsName?: boolean;
  /** Whether it is a list of the library's, which the home page can show. */
  ofLibrary?: boolean;
  busy: boolean;
  error: Error | null;
  onSave: (fields: ListFields) => void;
  onClose: () => void;
}

/** Asks for the name of a list, and for what else is said of it. */
export function ListDialog(props: ListDialogProps) {
  const { title, action, fields, keepsName = false, ofLibrary = false, busy, error, onSave, onClose } = props;
  const [name, setName] = useState(fields?.name ?? '');
  const [description, setDescription] = useState(fields?.description ?? '');
  const [onHome, setOnHome] = useState(fields?.onHome ?? true);
  const [isTried, setTried] = useState(false);
  const isNameless = name.trim() === '';
  return (
    <Dialog title={title} keep onClose={() => !busy && onClose()}>
      <form
        className={formStyles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (isNameless) event.currentTarget.querySelector('input')?.focus();
          else if (!busy) onSave({ name: name.trim(), description: description.trim(), onHome });
        }}
      >
        {error && <Notice>{firstWordsOf(error)}</Notice>}
        {!keepsName && (
          <Field label="Name" errors={[isTried && isNameless ? 'Give the list a name.' : undefined]}>
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
        )}
        <Field
          label="Description"
          hint={
            ofLibrary
              ? 'Shown under the name.'
              : 'If you like. It is shown to whoever you share the list with.'
          }
        >
          {(control) => (
            <textarea
              {...control}
              rows={3}
              maxLength={1000}
              value={description}
              onChange={({ target }) => setDescription(target.value)}
            />
          )}
        </Field>
        {ofLibrary && (
          <label className={formStyles.check}>
            <input type="checkbox" checked={onHome} onChange={({ target }) => setOnHome(target.checked)} />
            Show it on the home page
          </label>
        )}
        <SubmitButtons action={action} busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
