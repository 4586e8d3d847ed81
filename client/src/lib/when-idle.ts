/** Browsers that cannot tell when they are idle get so many milliseconds. */
const A_WHILE = 500;
/** Nobody waits for longer than this, however busy the page is. */
const AT_LAST = 2_000;

/**
 * Does something once the page is loaded and drawn, and has nothing better to do: for what a first look does not need.
 * @returns a function that takes it back
 */
export function whenIdle(task: () => void): () => void {
  let cancel: () => void;
  const wait = () => {
    if (typeof window.requestIdleCallback === 'function') {
      const idle = window.requestIdleCallback(task, { timeout: AT_LAST });
      cancel = () => window.cancelIdleCallback(idle);
    } else {
      const timer = window.setTimeout(task, A_WHILE);
      cancel = () => window.clearTimeout(timer);
    }
  };
  if (document.readyState === 'complete') wait();
  else {
    window.addEventListener('load', wait, { once: true });
    cancel = () => window.removeEventListener('load', wait);
  }
  return () => cancel();
}
