import * as calls from '#contracts/stock-taking/stock-taking.js';
import type { ScanVerdict } from '#contracts/stock-taking/stock-taking.js';
import { send } from '../../lib/api/send.js';
import { RequestError, sentenceOf } from '../../lib/api/request-error.js';
import { newKey } from '../../lib/api/use-idempotent-mutation.js';
import { readStored, writeStored, createStore, type Store } from '../../lib/store.js';

interface Scan {
  code: string;
  /** Where the person stood. */
  shelf: string | null;
}

export interface Answered extends ScanVerdict {
  /** Tells apart the scans of a screen. */
  key: number;
  shelf: string | null;
}

interface QueueState {
  /** Scans that the server has not confirmed yet. */
  waiting: number;
  /** Why they wait, where that is longer than a moment. */
  trouble: string | null;
  /** The latest first. */
  answered: readonly Answered[];
}

/** Scans that one call takes: fewer than it may, so that the screen answers soon. */
const BATCH = 100;
const SHOWN = 30;
/** Milliseconds before the next attempt. */
const AGAIN = 3_000;

/**
 * What is scanned on this screen, on its way to the server: in its order, and kept in the browser until the server has it. It does
 * no harm to send a scan twice, as it is kept once.
 */
export class ScanQueue {
  readonly state: Store<QueueState> = createStore<QueueState>({ waiting: 0, trouble: null, answered: [] });
  private scans: Scan[];
  private readonly key: string;
  private count = 0;
  private isSending = false;
  private timer: number | undefined;

  constructor(
    private readonly id: string,
    private readonly onKept: () => void,
  ) {
    const prefix = `lectern-stock-taking:${id}:`;
    this.key = prefix + newKey();
    this.scans = leftBehind(prefix);
    this.keep();
  }

  /** Sends what an earlier window left behind. */
  start(): void {
    if (this.scans.length > 0) void this.send();
  }

  stop(): void {
    window.clearTimeout(this.timer);
  }

  add(code: string, shelf: string | null): void {
    this.scans.push({ code, shelf });
    this.keep();
    void this.send();
  }

  /** Tries at once, in place of waiting any longer. */
  retry(): void {
    window.clearTimeout(this.timer);
    void this.send();
  }

  private async send(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    try {
      while (this.scans.length > 0) await this.sendSome();
      this.state.set({ ...this.state.get(), trouble: null });
    } catch (error) {
      this.state.set({ ...this.state.get(), trouble: sentenceOf(error) });
      if (!(error instanceof RequestError) || error.isPassing || error.status === 429) {
        this.timer = window.setTimeout(() => void this.send(), AGAIN);
      }
    } finally {
      this.isSending = false;
    }
  }

  private async sendSome(): Promise<void> {
    const shelf = this.scans[0]?.shelf ?? null;
    const end = this.scans.slice(0, BATCH).findIndex((scan) => scan.shelf !== shelf);
    const some = this.scans.slice(0, end < 0 ? BATCH : end);
    const answers = await sendScans(
      this.id,
      some.map(({ code }) => code),
      shelf,
    );
    this.scans = this.scans.slice(some.length);
    const { answered } = this.state.get();
    const news = answers.map((answer) => ({ ...answer, shelf, key: (this.count += 1) })).reverse();
    this.state.set({ ...this.state.get(), answered: [...news, ...answered].slice(0, SHOWN) });
    this.keep();
    this.onKept();
  }

  private keep(): void {
    writeStored(this.key, this.scans.length === 0 ? null : JSON.stringify(this.scans));
    this.state.set({ ...this.state.get(), waiting: this.scans.length });
  }
}

export function sendScans(id: string, codes: readonly string[], shelf: string | null) {
  return send(calls.sendScans, { params: { id }, body: { codes: [...codes], shelf } });
}

/** What windows that are closed by now, or another one that is open, have not confirmed. */
function leftBehind(prefix: string): Scan[] {
  return storedKeys(prefix).flatMap((key) => {
    const scans = scansIn(readStored(key));
    writeStored(key, null);
    return scans;
  });
}

function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(window.localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

function scansIn(text: string | null): Scan[] {
  try {
    const kept = JSON.parse(text ?? '[]') as unknown;
    return (Array.isArray(kept) ? kept : []).flatMap((scan: Partial<Scan> | null) =>
      typeof scan?.code === 'string' ? [{ code: scan.code, shelf: scan.shelf ?? null }] : [],
    );
  } catch {
    return [];
  }
}

/** Characters of a code that are kept, as the server takes them. */
const MAX_CODE = 60;
/** What nobody prints on a label: controls and what turns writing around. */
const UNUSABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;
const COPY_CODE = /^\d+\s*-\s*\d+\s*-\s*\d$/;

/** A code as it was scanned, without what cannot be kept; empty where nothing is left. */
export function cleanCode(text: string): string {
  return text.replace(UNUSABLE, ' ').trim().slice(0, MAX_CODE).trim();
}

/**
 * The codes in a scanner's file: one a line, or a table of which some column has them (with commas, semicolons or tabs between).
 * A head of such a table is left out.
 */
export function codesOfFile(text: string): string[] {
  const rows = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|[\n\r]/)
    .map((line) => line.split(/[,;\t]/).map((cell) => cleanCode(cell.replace(/^\s*"|"\s*$/g, ''))));
  return rows.flatMap((cells, n) => {
    const code = cells.find((cell) => COPY_CODE.test(cell)) ?? cells.find((cell) => cell !== '');
    const isHead = n === 0 && cells.length > 1 && code !== undefined && !/\d/.test(code);
    return code === undefined || isHead ? [] : [code];
  });
}
