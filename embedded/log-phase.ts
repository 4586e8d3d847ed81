import type { Logger } from '#platform/logging.js';

/** For whoever asks where the time of a start goes: a line at `debug`, milliseconds from the begin of the process. */
export function logPhase(logger: Logger, phase: string): void {
  logger.debug({ sinceStartMs: Math.round(performance.now()) }, phase);
}
