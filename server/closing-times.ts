import type { Settings } from '#platform/settings.js';

/** Milliseconds for the final responses of requests whose time is over. */
export const FINAL_RESPONSES = 2_000;
/** Milliseconds for everything else that a server closes. */
const PARTS = 12_000;

/** Timeout of an orderly shutdown, in milliseconds. */
export function maxClosing({ DRAIN_SECONDS, SHUTDOWN_SECONDS }: Settings): number {
  return (DRAIN_SECONDS + SHUTDOWN_SECONDS) * 1000 + FINAL_RESPONSES + PARTS;
}
