import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logging.js';

/**
 * Ends the process in order at SIGINT or SIGTERM: with code 0 when everything is closed, with 1 when something
 * does not close or takes too long. The same signal a second time ends it at once.
 * @param name for the log: 'the server'
 * @param within milliseconds after which an orderly end is given up
 */
export function endAtSignal(name: string, close: () => Promise<void>, within: number, logger: Logger): void {
  let ending: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    try {
      const tooLong = sleep(within, 'too long' as const, { ref: false });
      if ((await Promise.race([close(), tooLong])) === 'too long') {
        throw new Error(`It took longer than ${within / 1000} s.`);
      }
      process.exit(0);
    } catch (error) {
      logger.error({ error }, `${name} did not close cleanly`);
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      logger.info({ signal }, `${name} closes`);
      ending ??= end();
    });
  }
}
