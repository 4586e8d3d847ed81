import type { ReactNode } from 'react';
import { toast, ToastContainer, type ToastOptions } from 'react-toastify/unstyled';
import 'react-toastify/ReactToastify.css';
import '../styles/toasts.css';

/** As long as a toast is shown (specification, section 9). */
const TOAST_MS = 5000;

export type ToastKind = 'success' | 'info' | 'warning' | 'error';

/** Bottom right, with a progress bar and a close button, for 5000 ms (specification, section 9). */
export function ToastCorner() {
  return (
    <ToastContainer position="bottom-right" autoClose={TOAST_MS} closeButton newestOnTop={false} limit={3} />
  );
}

/** The same words twice at once help nobody: a toast is known by its text. */
const options = (text: string): ToastOptions => ({ toastId: text });

/** What a toast says beside its sentence. */
export interface ToastMore {
  /** Before the sentence. */
  title?: string;
  /** After the sentence: what it is about. */
  detail?: string;
  action?: { word: string; onAct: () => void };
  /** Until it is closed. */
  stays?: boolean;
}

export function showToast(kind: ToastKind, text: string, more: ToastMore = {}): void {
  // Said again while it is still there, it stays longer: who issues ten borrows in a row reads one toast.
  if (kind === 'success' && toast.isActive(text))
    toast.update(text, { render: message(text, more), autoClose: TOAST_MS });
  else toast[kind](message(text, more), { ...options(text), ...(more.stays && { autoClose: false }) });
}

function message(text: string, { title, detail, action }: ToastMore): ReactNode {
  if (!title && !detail && !action) return text;
  return (
    <div className="toast-words">
      {title ? <strong>{title}</strong> : <strong>{text}</strong>}
      {title && <span>{text}</span>}
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
