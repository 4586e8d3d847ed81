import type { FoundChromium } from '#platform/chromium/find-chromium.js';
import type { ProblemCode } from '#contracts/problem.js';

/** What the printing process is told, once. It goes over the channel between the two, never on a command line. */
export interface PrintOrder {
  reportId: string;
  databaseUrl: string;
  library: string;
  /** ISO time. */
  madeAt: string;
  chromium: Omit<FoundChromium, 'remove'>;
  sandbox: boolean;
  /** Of this run alone; removed when it is over. */
  folder: string;
}

/** What the printing process tells. */
export type PrintReport =
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

/** The browser could not be started. */
export class PrinterUnavailable extends Error {}
