import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';

export type { Logger };

/**
 * Structured log lines on standard output. Only what a call names is written: no bodies, tokens or addresses.
 * @param level from `LOG_LEVEL`
 */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: pino.stdSerializers.err },
  });
}

/** Nest's own messages through the same log; its start-up chatter at debug. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error(
      { context: rest.at(-1), error: message instanceof Error ? message : undefined },
      String(message),
    );
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  debug(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
}
