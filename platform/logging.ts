import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

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

/** The place of a frame: a file of ours, line and column. */
const PLACE = /(?:file:\/\/)?(\/?[^\s()]+\.c?js):(\d+):(\d+)/g;

/** Read when an error is told for the first time: they are larger than the files themselves. */
const maps = new Map<string, SourceMap | undefined>();

/** A stack trace by the sources' lines, where a compiled file has a map beside it. */
export function sourceStack(stack: string | undefined): string | undefined {
  return stack?.replace(PLACE, (place, file: string, line: string, column: string) => {
    const source = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    // Packages in the bundle have no map: the nearest entry would be of other code.
    if (!source || !('originalSource' in source) || source.generatedLine !== Number(line) - 1) return place;
    const name = source.originalSource.replace(/^(?:file:\/\/)?(?:\.{1,2}\/)+/, '');
    return `${name}:${source.originalLine + 1}:${source.originalColumn + 1}`;
  });
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMap['payload']);
  } catch {
    // There is none, as of Node's own files; the stack then tells the compiled place.
    return undefined;
  }
}
