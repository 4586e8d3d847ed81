import { ToastContainer } from 'react-toastify/unstyled';
import { TOAST_MS } from '../lib/notify.js';

/** Bottom right, with a progress bar and a close button, for 5000 ms (specification, section 9). */
export function Toasts() {
  return (
    <ToastContainer position="bottom-right" autoClose={TOAST_MS} closeButton newestOnTop={false} limit={3} />
  );
}
