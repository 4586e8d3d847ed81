import { setTimeout as sleep } from 'node:timers/promises';
import * as m from '#words/messages.js';
import { inLanguage, terminalLanguage } from './language.js';
import { createLogger, type Logger } from './logging.js';
import type { Settings } from './settings.js';

/** Milliseconds after the first signal from which a further one ends the process at once: `npm` sends each twice. */
const FORCE_EXIT_AFTER = 1_000;

/** What a starting process may report. */
export interface OpeningProcess {
  /**
   * A part is open: it is closed, in the reverse of this order, when the process ends.
   * @throws ProcessIsClosing where the process was asked to end meanwhile: then no further part is opened
   */
  opened(close: () => Promise<void>): void;
  /**
   * Does what may tell whoever starts the process something, in their language. What answers other people is not opened by it:
   * their texts would be in that language too.
   */
  atTerminal<Result>(work: () => Result): Result;
  /** A part has ended by itself: the process closes what is left and ends with code 1. */
  lost(reason: Error): void;
}

/** How one of the product's processes begins and ends. */
export interface ProcessPlan<Read extends Settings> {
  /** For the log: 'the server'. */
  name: string;
  /** For whoever starts it, at the begin of a line. */
  title: () => string;
  /** @throws an Error with a sentence for whoever starts the process */
  readSettings: () => Read;
  /** Opens part after part. */
  open: (process: OpeningProcess, settings: Read, logger: Logger) => Promise<void>;
  /** Milliseconds after which an orderly end is given up. */
  maxClosing: (settings: Read) => number;
  /** A sentence that a person can act on; the error's own message where there is none. */
  explain?: (error: unknown, settings: Read) => string;
}

class ProcessIsClosing extends Error {}

/**
 * Runs one of the product's processes: reads its settings, opens its parts, and closes them in order at SIGINT, SIGTERM
 * or SIGHUP, or when a part is lost. The exit code is 0 when everything is closed; 1 when the start failed, a part was
 * lost, an error was handled nowhere, or something did not close in time. A second signal ends it at once.
 */
export function runProcess<Read extends Settings>(plan: ProcessPlan<Read>): void {
  const language = terminalLanguage(process.env);
  let settings: Read;
  try {
    settings = inLanguage(language, () => plan.readSettings());
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
    return;
  }
  const logger = createLogger(settings.LOG_LEVEL);
  const closers: (() => Promise<void>)[] = [];
  let opening: Promise<void> = Promise.resolve();
  let closing: Promise<void> | undefined;

  // What is just being opened is waited for: it could not be closed before.
  const close = (): Promise<void> =>
    (closing ??= opening.catch(() => undefined).then(() => closeAll(closers)));

  const leave = (code: number) => {
    const within = plan.maxClosing(settings);
    const tooLong = sleep(within, undefined, { ref: false }).then(() => {
      throw new Error(`It took longer than ${within / 1000} s.`);
    });
    void Promise.race([close(), tooLong]).then(
      () => process.exit(code),
      (error: unknown) => {
        logger.error({ error }, `${plan.name} did not close cleanly`);
        process.exit(1);
      },
    );
  };

  // Nobody waits for what failed, so nobody knows what it left undone: the process starts afresh instead.
  for (const unexpected of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(unexpected, (error: unknown) => {
      logger.fatal({ error, unexpected }, `${plan.name} met an error that nothing handles, and ends`);
      leave(1);
    });
  }

  let signalled: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signalled === undefined) {
        signalled = performance.now();
        logger.info({ signal }, `${plan.name} closes`);
        leave(0);
      } else if (performance.now() - signalled > FORCE_EXIT_AFTER) process.exit(1);
    });
  }

  const parts: OpeningProcess = {
    atTerminal: (work) => inLanguage(language, work),
    opened(closePart) {
      closers.push(closePart);
      if (closing) throw new ProcessIsClosing();
    },
    lost(reason) {
      if (closing) return;
      logger.fatal({ error: reason }, `a part of ${plan.name} ended by itself`);
      leave(1);
    },
  };
  opening = plan.open(parts, settings, logger);
  opening.catch((error: unknown) => {
    if (closing) return;
    const words = parts.atTerminal(() => {
      const sentence = plan.explain?.(error, settings) ?? (error as Error).message ?? String(error);
      return `${m.start_failed({ name: plan.title() })}\n${sentence}`;
    });
    process.stderr.write(`\n${words}\n\n`);
    logger.debug({ error }, 'the start failed');
    leave(1);
  });
}

/**
 * Closes in the reverse of the order of opening. One that fails does not keep the others open.
 * @throws what the first one threw that failed
 */
export async function closeAll(closers: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const closer of [...closers].reverse()) {
    await closer().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
