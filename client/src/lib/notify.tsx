import type { ReactNode } from 'react';
import { toast, type ToastOptions } from 'react-toastify/unstyled';

function message(text: string, title?: string): ReactNode {
  if (!title) return text;
  return (
    <>
      <strong>{title}</strong>
      <span>{text}</span>
    </>
  );
}

/** As long as a toast is shown (specification, section 9). */
export const TOAST_MS = 5000;

/** The same words twice at once help nobody: a toast is known by its text. */
const options = (text: string): ToastOptions => ({ toastId: text });

/** Toasts in the person's corner of the screen. */
export const notify = {
  /** Said again while it is still there, it stays longer: who issues ten borrows in a row reads one toast. */
  success: (text: string) => {
    if (toast.isActive(text)) toast.update(text, { autoClose: TOAST_MS });
    else toast.success(text, options(text));
  },
  info: (text: string) => void toast.info(text, options(text)),
  warning: (text: string) => void toast.warning(text, options(text)),
  error: (text: string, title?: string) => void toast.error(message(text, title), options(text)),
};
