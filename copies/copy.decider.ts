import * as m from '#words/messages.js';
import { type CopyEvent, COPY_EVENTS, type CopyCondition } from '#contracts/copies/copy-events.js';
import { DomainError } from '#contracts/domain-error.js';

/** A copy of a book, folded from its events. */
export interface CopyOfLibrary {
  readonly condition: CopyCondition;
  /** `undefined`: as it came with the book; no event says it. */
  readonly shelfMark: string | null | undefined;
}

/** A copy to which nothing has happened: it came with its book, or was there before the log knew copies. */
export const IMPLIED_COPY: CopyOfLibrary = { condition: 'present', shelfMark: undefined };

/** The copy after one of its events. Every event applies to every state. */
export function evolveCopy(before: CopyOfLibrary, { type, data }: CopyEvent): CopyOfLibrary {
  const { condition } = COPY_EVENTS[type];
  return {
    condition: condition === 'unchanged' ? before.condition : condition,
    shelfMark: 'shelfMark' in data ? data.shelfMark : before.shelfMark,
  };
}

/** Whether the copy counts among those that the library can lend. */
export function isInService({ condition }: CopyOfLibrary): boolean {
  return condition === 'present';
}

/** The commands on a copy. `by` is a pseudonym, `at` the instant of the command, ISO 8601 in UTC. */
export type CopyCommand =
  /** Null: no place of its own. */
  | { type: 'MoveCopy'; shelfMark: string | null; by: string; at: string }
  | { type: 'WithdrawCopy'; by: string; at: string }
  /** `borrowId` where it was lent; that borrow has given it up then. */
  | { type: 'ReportLost'; borrowId: string | null; by: string; at: string }
  | { type: 'ReportDamaged'; borrowId: string | null; by: string; at: string }
  /** It is here, and can be lent. */
  | { type: 'BringBack'; by: string; at: string };

/** A copy as it is when it is decided on. */
export interface CopyAtHand {
  bookId: number;
  copy: number;
  /** As a label shows it, for the sentence of a refusal. */
  code: string;
  state: CopyOfLibrary;
  /** What it is out for, and no other copy of the title can stand in for it. */
  heldFor: 'rent' | 'loan' | undefined;
  /** The pseudonym of the reader who lost it and is charged for it; that it is found takes their charge back. */
  lostBy: string | undefined;
}

/**
 * Decides what happens to a copy.
 * @returns the event to store; nothing if it is so already
 * @throws DomainError CopyNotOnShelf, CopyWithdrawn, OwnFee
 */
export function decideOnCopy(at: CopyAtHand, command: CopyCommand): CopyEvent | undefined {
  const { bookId, copy, state } = at;
  const id = { bookId, copy };
  switch (command.type) {
    case 'MoveCopy':
      if ((state.shelfMark ?? null) === command.shelfMark) return undefined;
      notWithdrawn(at, 'move');
      return {
        type: 'CopyMoved',
        data: { ...id, shelfMark: command.shelfMark, movedBy: command.by, movedAt: command.at },
      };
    case 'WithdrawCopy':
      if (state.condition === 'withdrawn') return undefined;
      notHeld(at, 'withdraw');
      return { type: 'CopyWithdrawn', data: { ...id, withdrawnBy: command.by, withdrawnAt: command.at } };
    case 'ReportLost':
      if (state.condition === 'lost') return undefined;
      notWithdrawn(at, 'lose');
      notHeld(at, 'lose');
      return { type: 'CopyLost', data: { ...id, ...reported(command) } };
    case 'ReportDamaged':
      if (state.condition === 'damaged') return undefined;
      notWithdrawn(at, 'damage');
      notHeld(at, 'damage');
      return { type: 'CopyDamaged', data: { ...id, ...reported(command) } };
    case 'BringBack':
      if (isInService(state)) return undefined;
      notLostByOneself(at, command);
      return state.condition === 'damaged'
        ? { type: 'CopyRepaired', data: { ...id, repairedBy: command.by, repairedAt: command.at } }
        : { type: 'CopyFound', data: { ...id, foundBy: command.by, foundAt: command.at } };
  }
}

/** One more copy of a book, under the next number. */
export function addCopy(
  { bookId, copy }: { bookId: number; copy: number },
  { shelfMark, by, at }: { shelfMark: string | null; by: string; at: string },
): CopyEvent<'CopyAdded'> {
  return { type: 'CopyAdded', data: { bookId, copy, shelfMark, addedBy: by, addedAt: at } };
}

function reported({ borrowId, by, at }: { borrowId: string | null; by: string; at: string }) {
  return { borrowId, reportedBy: by, reportedAt: at };
}

/** A copy that is out is never taken from its reader by the catalogue. */
function notHeld({ code, heldFor: held }: CopyAtHand, action: 'withdraw' | 'lose' | 'damage'): void {
  if (held === undefined) return;
  throw new DomainError('CopyNotOnShelf', m.copies_held({ code, action, held }));
}

/** Nobody takes back a charge of their own, by whichever way. */
function notLostByOneself({ code, lostBy }: CopyAtHand, { by }: CopyCommand): void {
  if (lostBy !== by) return;
  throw new DomainError('OwnFee', m.copies_own_fee({ code }));
}

function notWithdrawn({ code, state }: CopyAtHand, action: 'move' | 'lose' | 'damage'): void {
  if (state.condition !== 'withdrawn') return;
  throw new DomainError('CopyWithdrawn', m.copies_was_withdrawn({ code, action }));
}
