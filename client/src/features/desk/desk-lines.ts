import type { LimitReason } from '#contracts/borrowing/borrow-events.js';
import type { Holder } from '#contracts/desk/scan.js';
import type { Limited } from '../../domain/borrowing/held-copy.js';
import { readForWindow, writeForWindow } from '../../lib/store.js';

/** What the desk does with books: gives them to the reader who stands there, or takes back whatever is brought. */
export type DeskMode = 'hand-over' | 'take-back';

export interface Person {
  id: string;
  fullname: string;
}

/** What can be done about a scan that was refused. */
export type Remedy = 'pay' | 'pay-out' | 'take-back' | 'see-reader' | 'again' | 'reserve';

/** What can be done about a reader whose card was scanned. */
export type Offer =
  /** In PLN. */
  | { do: 'pay'; amount?: number }
  | { do: 'pay-out'; amount: number }
  /** What waits for them. */
  | { do: 'hand-over'; commands: readonly DeskCommand[] }
  /** The membership ended on that day. */
  | { do: 'renew-membership'; until: string }
  | { do: 'see-reader' };

/** What became of a scan: a row of the running list. The last one is shown large. */
export interface DeskLine {
  /** Of the scan, which is also the key of its command. */
  key: string;
  /** Milliseconds since 1970. */
  at: number;
  mode: DeskMode;
  /** As scanned or typed. */
  text: string;
  /**
   * `good`: done; `heed`: done, and something is to be said or asked; `kept`: done, and somebody waits for the copy;
   * `refused`: not done; `plain`: nothing was to be done.
   */
  tone: 'good' | 'heed' | 'kept' | 'refused' | 'plain';
  /** What happened, as it can be read from two metres. */
  headline: string;
  /** Further things to know, a sentence each. */
  details: string[];
  book?: { id: number; title: string };
  code?: string;
  shelfMark?: string | null;
  person?: Person;
  /** A reader's card was scanned, or their name typed: what can be done about them, the most urgent first. */
  offers?: readonly Offer[];
  /** Money that changed hands since it was said, in words. */
  settled?: string;
  borrowId?: string;
  /** What was done, as far as it can be undone. */
  did?: 'issue' | 'take-back' | 'find' | 'bring-back';
  undone?: boolean;
  /** It was rented before, and handed over now. */
  wasRented?: boolean;
  /** In PLN, for the borrow: by its reader, or to be paid out by the library. */
  owes?: number;
  remedy?: Remedy | undefined;
  /** The limit that refused it, and what was sent: a librarian may go beyond it. */
  limited?: Limited & { command: DeskCommand };
  /** Who may have brought it: one of them has to be chosen. */
  choices?: readonly Holder[];
  /** It is one of theirs who lost it. */
  isLost?: true;
}

/** Lines that are kept: a long visit at the desk. */
const MAX_LINES = 60;

/** The latest first. */
export function withLine(lines: readonly DeskLine[], line: DeskLine): DeskLine[] {
  return [line, ...lines.filter(({ key }) => key !== line.key)].slice(0, MAX_LINES);
}

export function changedLine(
  lines: readonly DeskLine[],
  key: string,
  change: Partial<DeskLine>,
): readonly DeskLine[] {
  return lines.map((line) => (line.key === key ? { ...line, ...change } : line));
}

/** What the librarian said yes to, and the key of the request that is sent then. */
interface Override {
  key: string;
  /** Somebody else waits for the copy. */
  evenIfHeld?: true;
  /** Why it goes beyond the limits that are in its way. */
  beyondLimit?: LimitReason;
}

/** What is sent for a scan. It is kept until it is answered, and repeated as it is. */
export interface DeskCommand {
  /** `find`: a reader lost it, and is charged for it; `bring-back`: it was lost by nobody. */
  kind: 'issue' | 'lend' | 'take-back' | 'find' | 'bring-back';
  /** Of a borrow that is there. */
  borrowId?: string;
  person?: Person;
  book: { id: number; title: string };
  /** The label, where that was scanned. */
  code?: string;
  shelfMark?: string | null;
  /** When it was due, of a book that is taken back. */
  dueDate?: string | null;
  /** The librarian was asked: it is done all the same, as a request of its own. */
  override?: Override;
}

/** The undoing that is sent, of a line. */
export interface DeskUndo {
  borrowId: string;
  userId: string;
  /** Of the event that is undone. */
  revision: number;
  line: string;
  override?: Override;
}

/** Something that the librarian did and that is not finished. */
export interface PendingScan {
  /** The idempotency key of its command. */
  key: string;
  mode: DeskMode;
  /**
   * `end`: the reader goes; `undo`: of the line with the key `text`, or of the last one; `send`: `command` was chosen by a button;
   * `reserve`: the reader waits for what `command` could not lend.
   */
  kind: 'scan' | 'undo' | 'end' | 'send' | 'reserve';
  text: string;
  /** What is sent for it, once that is known: every attempt sends the same. */
  command?: DeskCommand;
  undo?: DeskUndo;
}

/** What a window of the desk has in hand. */
export interface StoredDesk {
  mode: DeskMode;
  /** Who stands there. */
  reader: Person | null;
  /** In the order in which it was done. */
  pending: readonly PendingScan[];
  /** The latest first. */
  lines: readonly DeskLine[];
}

/** The number changes with the shape. */
const keyOf = (userId: string) => `desk-2-${userId}`;

/** What this person had in hand in this window before it was loaded anew. */
export function storedDesk(userId: string): StoredDesk | null {
  try {
    return JSON.parse(readForWindow(keyOf(userId)) ?? 'null') as StoredDesk | null;
  } catch {
    return null;
  }
}

/** Kept for as long as the window is open. It is written before anything is sent. */
export function storeDesk(userId: string, { mode, reader, pending, lines }: StoredDesk): void {
  writeForWindow(keyOf(userId), JSON.stringify({ mode, reader, pending, lines }));
}
