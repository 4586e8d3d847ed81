/** A page that nobody has touched for longer asks the server by itself, and not for a person. */
const ATTENDED_FOR_MS = 60_000;

let lastSeen = Date.now();

for (const sign of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const) {
  window.addEventListener(sign, () => (lastSeen = Date.now()), { passive: true, capture: true });
}

/** Whether somebody sits at the page: what it asks for meanwhile counts as use of the session. */
export function isAttended(): boolean {
  return Date.now() - lastSeen < ATTENDED_FOR_MS;
}
