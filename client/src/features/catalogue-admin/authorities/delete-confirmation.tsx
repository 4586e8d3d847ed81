import * as m from '#words/messages.js';
import type { UseMutationResult } from '@tanstack/react-query';
import { useRef, type ReactNode, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { Confirmation } from '../../../components/dialog/confirmation.js';
import { sentenceOf } from '../../../lib/api/request-error.js';

interface DeleteConfirmationProps<Wanted> {
  question: string;
  /** What is to be deleted, as the command takes it. */
  wanted: Wanted;
  command: UseMutationResult<unknown, Error, Wanted>;
  /** Done or declined: the question goes away. */
  onClose: () => void;
  /** Gets the focus once the authority, and the button that had it, are gone. */
  listRef: RefObject<HTMLElement | null>;
  onDeleted?: () => void;
  /** Its name. */
  children: ReactNode;
}

/** Asks before deleting. A refusal is shown where it was asked, with the server's reason. */
export function DeleteConfirmation<Wanted>(props: DeleteConfirmationProps<Wanted>) {
  const { question, wanted, command, onClose, listRef, onDeleted, children } = props;
  const sending = useRef(false);
  const close = () => {
    command.reset();
    onClose();
  };
  const confirm = () => {
    if (sending.current) return;
    sending.current = true;
    command.mutate(wanted, {
      onSuccess: () => {
        flushSync(close);
        onDeleted?.();
        // After the dialog has given the focus back to a button that is about to go.
        window.setTimeout(() => listRef.current?.focus({ preventScroll: true }));
      },
      onError: () => (sending.current = false),
    });
  };
  return (
    <Confirmation
      question={question}
      action={m.common_delete()}
      busy={command.isPending}
      onConfirm={confirm}
      onDecline={close}
    >
      <span className="text-ink font-strong wrap-anywhere">{children}</span>
      <span role="alert">
        {command.isError && (
          <span className="block mt-3 p-3 border-l-3 border-danger rounded bg-danger-wash text-ink">
            {sentenceOf(command.error)}
          </span>
        )}
      </span>
    </Confirmation>
  );
}
