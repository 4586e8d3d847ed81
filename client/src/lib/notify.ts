import type { ToastKind } from './toast-corner.js';

/** What shows toasts is not among what a page has to wait for; the app loads it soon afterwards. */
export const loadToasts = () => import('./toast-corner.js');

function show(kind: ToastKind, text: string, title?: string): void {
  loadToasts().then(
    ({ showToast }) => showToast(kind, text, title),
    (error: unknown) => window.reportError?.(error),
  );
}

/** Toasts in the person's corner of the screen. */
export const notify = {
  success: (text: string) => show('success', text),
  info: (text: string) => show('info', text),
  warning: (text: string) => show('warning', text),
  error: (text: string, title?: string) => show('error', text, title),
};
