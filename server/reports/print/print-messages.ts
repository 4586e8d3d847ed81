import type { Language } from '#contracts/languages.js';
import type { FoundChromium } from '#platform/chromium/find-chromium.js';
import type { ProblemCode } from '#contracts/problem.js';

/** The single message to the printing process. Sent over the IPC channel, never on a command line. */
export interface PrintRequest {
  reportId: string;
  databaseUrl: string;
  library: string;
  /** What the library has at the head and the foot of what is printed, a line each; empty for nothing. */
  head: string;
  foot: string;
  /** ISO time. */
  madeAt: string;
  /** By whose days it is read. */
  timeZone: string;
  /** What is printed beside the books is in it. */
  language: Language;
  chromium: Omit<FoundChromium, 'remove'>;
  sandbox: boolean;
  /** Whether to print without it where the kernel allows the browser none: it then runs as nobody in particular. */
  mayDoWithoutSandbox: boolean;
  /** For this run only; deleted afterwards. */
  folder: string;
}

/** Messages from the printing process. */
export type PrintMessage =
  | { kind: 'browser'; pid: number }
  | { kind: 'progress'; percent: number }
  | { kind: 'warning'; message: string }
  | { kind: 'done' }
  | { kind: 'failed'; code: PrintFailure; message: string; stack: string | undefined };

export const PRINT_FAILURES = [
  'PrinterUnavailable',
  'ReportFailed',
  'ReportTooLarge',
  'NothingToPrint',
] as const satisfies readonly ProblemCode[];
export type PrintFailure = (typeof PRINT_FAILURES)[number];

/** The browser did not start. */
export class PrinterUnavailable extends Error {}
