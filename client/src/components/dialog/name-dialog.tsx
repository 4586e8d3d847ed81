import { useState, type ReactNode } from 'react';
import * as m from '#words/messages.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { Dialog, SubmitButtons } from './dialog.js';
import { TypedField } from '../form/field.js';
import { Notice } from './notice.js';

interface NameDialogProps {
  title: string;
  lead?: string;
  action: string;
  /** The name at first. */
  first: string;
  /** Said where no name is given. */
  nameless: string;
  /** The name cannot be changed. */
  keepsName?: boolean;
  /** Nothing but Cancel closes it while it is busy, and the focus goes where the name is missing. */
  firm?: boolean;
  hint?: string;
  maxLength?: number;
  busy: boolean;
  error: Error | null;
  /** What is said of an error. */
  wordsOf?: (error: Error) => string;
  onSave: (name: string) => void;
  onClose: () => void;
  /** Fields for what else is asked. */
  children?: ReactNode;
}

/** Asks for the name of something. */
export function NameDialog({ title, lead, action, first, nameless, busy, error, ...rest }: NameDialogProps) {
  const {
    keepsName = false,
    firm = false,
    hint,
    maxLength = 80,
    wordsOf = firstWordsOf,
    onSave,
    onClose,
    children,
  } = rest;
  const [name, setName] = useState(first);
  const [isTried, setTried] = useState(false);
  const isNameless = name.trim() === '';
  return (
    <Dialog title={title} lead={lead} keep onClose={() => !(firm && busy) && onClose()}>
      <form
        className="flex flex-col gap-4 [&_textarea]:resize-y"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!isNameless && !busy) onSave(name);
          if (isNameless && firm) event.currentTarget.querySelector('input')?.focus();
        }}
      >
        {error && <Notice>{wordsOf(error)}</Notice>}
        {!keepsName && (
          <TypedField
            label={m.common_name()}
            hint={hint}
            error={isTried && isNameless ? nameless : undefined}
            type="text"
            autoComplete="off"
            maxLength={maxLength}
            aria-required="true"
            value={name}
            onValue={setName}
          />
        )}
        {children}
        <SubmitButtons action={action} busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
