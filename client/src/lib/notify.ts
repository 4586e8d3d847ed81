import type { ToastKind, ToastMore } from './toast-corner.js';

/** What shows toasts is not among what a page has to wait for; the app loads it soon afterwards. */
export const loadToasts = () => import('./toast-corner.js');

function show(kind: ToastKind, text: string, more?: ToastMore): void {
  loadToasts().then(
    ({ showToast }) => showToast(kind, text, more),
    (error: unknown) => window.reportError?.(error),
  );
}

/** Toasts in the person's corner of the screen. */
export const notify = {
  /** @param more what it was done to, in a line of its own, what comes next, and what can be done about it */
  success: (text: string, more?: Pick<ToastMore, 'detail' | 'next' | 'action'>) =>
    show('success', text, more),
  info: (text: string, more?: Pick<ToastMore, 'action' | 'stays'>) => show('info', text, more),
  warning: (text: string) => show('warning', text),
  error: (text: string, title?: string) => show('error', text, title === undefined ? {} : { title }),
};
