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

/** The same words twice at once help nobody: a toast is known by its text. */
const options = (text: string): ToastOptions => ({ toastId: text });

/** Toasts in the person's corner of the screen. */
export const notify = {
  success: (text: string) => void toast.success(text),
  info: (text: string) => void toast.info(text, options(text)),
  warning: (text: string) => void toast.warning(text, options(text)),
  error: (text: string, title?: string) => void toast.error(message(text, title), options(text)),
};
