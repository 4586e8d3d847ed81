import type { ReactNode } from 'react';
import X from 'lucide-react/icons/x';
import { toast, ToastContainer, type CloseButtonProps, type ToastOptions } from 'react-toastify/unstyled';
import 'react-toastify/ReactToastify.css';
import '../styles/toasts.css';
import * as m from '#words/messages.js';

/** As long as a toast is shown (specification, section 9). */
const TOAST_MS = 5000;
/** As long as one that says what is to be done next. */
const NEXT_TOAST_MS = 20_000;

export type ToastKind = 'success' | 'info' | 'warning' | 'error';

/** Bottom right, with a progress bar and a close button, for 5000 ms (specification, section 9). */
export function ToastCorner() {
  return (
    <ToastContainer
      position="bottom-right"
      autoClose={TOAST_MS}
      closeButton={CloseButton}
      newestOnTop={false}
      limit={3}
      aria-label={m.site_notifications()}
    />
  );
}

const CloseButton = ({ closeToast, theme }: CloseButtonProps) => (
  <button
    type="button"
    className={`Toastify__close-button Toastify__close-button--${theme}`}
    aria-label={m.site_close_toast()}
    onClick={() => closeToast(true)}
  >
    <X size={16} aria-hidden="true" />
  </button>
);

/** The same words twice at once help nobody: a toast is known by its text. */
const options = (text: string): ToastOptions => ({ toastId: text });

/** What a toast says beside its sentence. */
export interface ToastMore {
  /** Before the sentence. */
  title?: string;
  /** After the sentence: what it is about. */
  detail?: string;
  /** Before that, and loud: what is to be done with what lies on the desk now. It is shown longer. */
  next?: string;
  action?: { word: string; onAct: () => void };
  /** Until it is closed. */
  stays?: boolean;
}

export function showToast(kind: ToastKind, text: string, more: ToastMore = {}): void {
  // Said again while it is still there, it stays longer: who issues ten borrows in a row reads one toast.
  const autoClose = more.stays ? false : more.next === undefined ? TOAST_MS : NEXT_TOAST_MS;
  if (kind === 'success' && toast.isActive(text))
    toast.update(text, { render: message(text, more), autoClose });
  else toast[kind](message(text, more), { ...options(text), autoClose });
}

function message(text: string, { title, detail, next, action }: ToastMore): ReactNode {
  if (!title && !detail && !next && !action) return text;
  return (
    <div className="toast-words">
      {title ? <strong>{title}</strong> : <strong>{text}</strong>}
      {title && <span>{text}</span>}
      {next && <span className="toast-next">{next}</span>}
      {detail && <span>{detail}</span>}
      {action && (
        <button
          type="button"
          className="toast-action"
          onClick={() => {
            toast.dismiss(text);
            action.onAct();
          }}
        >
          {action.word}
        </button>
      )}
    </div>
  );
}
