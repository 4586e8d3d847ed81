import { useState } from 'react';
import * as m from '#words/messages.js';
import { Field } from '../../components/form/field.js';
import { NameDialog } from '../../components/dialog/name-dialog.js';

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
export function ListDialog({ fields, ofLibrary = false, onSave, ...dialog }: ListDialogProps) {
  const [description, setDescription] = useState(fields?.description ?? '');
  const [onHome, setOnHome] = useState(fields?.onHome ?? true);
  return (
    <NameDialog
      {...dialog}
      first={fields?.name ?? ''}
      nameless={m.lists_nameless()}
      firm
      onSave={(name) => onSave({ name: name.trim(), description: description.trim(), onHome })}
    >
      <Field
        label={m.common_description()}
        hint={ofLibrary ? m.lists_description_of_library() : m.lists_description_of_reader()}
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
        <label className="flex items-center gap-3 min-h-11">
          <input type="checkbox" checked={onHome} onChange={({ target }) => setOnHome(target.checked)} />
          {m.lists_show_on_home()}
        </label>
      )}
    </NameDialog>
  );
}
