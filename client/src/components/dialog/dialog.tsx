import X from 'lucide-react/icons/x';
import * as Primitive from 'radix-ui/dialog';
import type { ReactNode } from 'react';
import * as m from '#words/messages.js';
import { useFocusReturn } from '../../lib/use-focus-return.js';
import { Button } from '../form/button.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { Notice } from './notice.js';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  /** A sentence under the title, read out with it. */
  lead?: ReactNode;
  /** The person wants out: Cancel, Esc, a click beside it or the cross. Without it, only a button in it closes it. */
  onClose?: () => void;
  wide?: boolean;
  /** A click beside it does not close it: there is something in it to lose. */
  keep?: boolean;
  children: ReactNode;
}

/**
 * A window over the page, shown as long as it is rendered. It keeps the focus inside and gives it back; what is
 * behind it can neither be reached nor read.
 */
export function Dialog({ title, lead, onClose, wide = false, keep = false, children }: DialogProps) {
  const giveFocusBack = useFocusReturn();
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose?.()}>
      <Primitive.Portal>
        <Primitive.Overlay className={styles.overlay}>
          <Primitive.Content
            onOpenAutoFocus={toFirstField}
            className={wide ? `${styles.window} ${styles.wide}` : styles.window}
            {...(!lead && { 'aria-describedby': undefined })}
            onCloseAutoFocus={giveFocusBack}
            onInteractOutside={(event) => keep && event.preventDefault()}
          >
            <div className="flex items-start justify-between gap-4 pb-3 [border-bottom:3px_double_var(--line-strong)]">
              <Primitive.Title className="text-3 leading-[1.4]">{title}</Primitive.Title>
              {onClose && (
                <Primitive.Close
                  className="grid place-items-center size-8 m-0 -mr-2 -mt-1 rounded text-ink-soft cursor-pointer hover:bg-sunk hover:text-ink"
                  aria-label={m.common_close()}
                >
                  <X size={18} aria-hidden="true" />
                </Primitive.Close>
              )}
            </div>
            {lead && <Primitive.Description className="quiet">{lead}</Primitive.Description>}
            {children}
          </Primitive.Content>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** A form is opened to be filled in: the focus starts in its first field, not on the cross. */
function toFirstField(event: Event): void {
  const field = (event.currentTarget as HTMLElement).querySelector<HTMLElement>('input, select, textarea');
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** The buttons at the end of a dialog, the one that does it last. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-3 mt-2 to-480:[&>*]:flex-1">{children}</div>;
}

interface SubmitButtonsProps {
  /** The word on the button that sends the form. */
  action: string;
  busy: boolean;
  disabled?: boolean;
  onCancel: () => void;
  /** What else can be done. */
  children?: ReactNode;
}

/** The buttons of a form in a dialog. */
export function SubmitButtons({ action, busy, disabled = false, onCancel, children }: SubmitButtonsProps) {
  return (
    <DialogButtons>
      <Button onClick={onCancel}>{m.common_cancel()}</Button>
      {children}
      <Button type="submit" look="primary" disabled={disabled} busy={busy}>
        {action}
      </Button>
    </DialogButtons>
  );
}

export interface CommandDialogProps extends Pick<DialogProps, 'title' | 'lead'> {
  /** The word on the button that does it. */
  action: string;
  /** While it is done, the window stays; what the library says against it is said in the window. */
  command: { isPending: boolean; error: Error | null };
  onSubmit: () => void;
  onClose: () => void;
  /** What else can be done, beside the button. */
  more?: ReactNode;
  children: ReactNode;
}

/** A window in which a few things are asked for, and something is done with them. */
export function CommandDialog(props: CommandDialogProps) {
  const { title, lead, action, command, onSubmit, onClose, more, children } = props;
  const { isPending, error } = command;
  const close = () => !isPending && onClose();
  return (
    <Dialog title={title} lead={lead} keep onClose={close}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) onSubmit();
        }}
      >
        {children}
        {error && <Notice>{firstWordsOf(error)}</Notice>}
        <SubmitButtons action={action} busy={isPending} onCancel={close}>
          {more}
        </SubmitButtons>
      </form>
    </Dialog>
  );
}
