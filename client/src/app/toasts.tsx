import { ToastContainer } from 'react-toastify/unstyled';

/** Bottom right, with a progress bar and a close button, for 5000 ms (specification, section 9). */
export function Toasts() {
  return (
    <ToastContainer position="bottom-right" autoClose={5000} closeButton newestOnTop={false} limit={4} />
  );
}
