import { readForWindow, writeForWindow } from '../../lib/browser-storage.js';
import type { DeskLine, DeskMode, Person } from './desk-lines.js';
import type { DeskCommand, DeskUndo } from './plan.js';

/** Something that the librarian did and that is not finished. */
export interface PendingScan {
  /** The idempotency key of its command. */
  key: string;
  mode: DeskMode;
  /**
   * `end`: the reader goes; `undo`: of the line with the key `text`, or of the last one; `reserve`: the reader waits for what
   * `command` could not lend.
   */
  kind: 'scan' | 'undo' | 'end' | 'take-back-from' | 'reserve';
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
const keyOf = (userId: string) => `desk-1-${userId}`;

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
