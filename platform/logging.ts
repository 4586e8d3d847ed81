import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { sourceStack } from './source-stack.js';

export type { Logger };

/**
 * Structured log lines on standard output. Only what a call names is written: no bodies, tokens or addresses.
 * @param level from `LOG_LEVEL`
 * @param destination standard output, unless a test wants to read the lines
 */
export function createLogger(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: describeError },
    },
    destination,
  );
}

/**
 * What a log line says of an error. Only these parts: a database error carries the statement's parameters and
 * the offending row in further ones, and with them people's addresses and password hashes.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : undefined;
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    stack: sourceStack(error.stack),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
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
