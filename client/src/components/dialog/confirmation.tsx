import * as AlertDialog from 'radix-ui/alert-dialog';
import type { ReactNode } from 'react';
import * as m from '#words/messages.js';
import { useFocusReturn } from '../../lib/use-focus-return.js';
import { Button } from '../form/button.js';
import styles from './dialog.module.css';

interface ConfirmationProps {
  /** What is asked, for instance "Are you sure you want to delete this book?". */
  question: string;
  /** What would be lost, by its name. */
  children?: ReactNode;
  /** What is to be chosen before. */
  more?: ReactNode;
  /** The word on the button that does it. */
  action: string;
  /** The word on the button that does not. */
  refusal?: string;
  /** The button to press is the one that does not. */
  overrides?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onDecline: () => void;
}

/** Asks before something is lost. Shown as long as it is rendered; the focus starts on the button that does nothing. */
export function Confirmation(props: ConfirmationProps) {
  const { question, children, more, action, refusal = m.common_cancel(), busy = false } = props;
  const { overrides = false, onConfirm, onDecline } = props;
  const giveFocusBack = useFocusReturn();
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onDecline()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={styles.overlay}>
          <AlertDialog.Content
            className={styles.window}
            onCloseAutoFocus={giveFocusBack}
            {...(!children && { 'aria-describedby': undefined })}
          >
            <AlertDialog.Title className="text-3 leading-[1.4]">{question}</AlertDialog.Title>
            {children && <AlertDialog.Description className="quiet">{children}</AlertDialog.Description>}
            {more}
            <div className="flex flex-wrap justify-end gap-3 mt-2 to-480:[&>*]:flex-1">
              <AlertDialog.Cancel asChild>
                <Button look={overrides ? 'primary' : 'quiet'}>{refusal}</Button>
              </AlertDialog.Cancel>
              <Button look={overrides ? 'quiet' : 'primary'} busy={busy} onClick={onConfirm}>
                {action}
              </Button>
            </div>
          </AlertDialog.Content>
        </AlertDialog.Overlay>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
