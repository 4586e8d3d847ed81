import type { QueryClient } from '@tanstack/react-query';
import type { FoundReaders } from '#contracts/accounts/reader-card.js';
import type { BorrowView, Undoable } from '#contracts/borrowing/borrow-views.js';
import { daysBetween } from '#contracts/local-day.js';
import { inPln } from '../../domain/fees/money.js';
import { ensureFresh } from '../../domain/live/ensure-fresh.js';
import { isoDay } from '../../lib/dates.js';
import { borrowNow, lookAtScan, sendScan, sendUndo } from './desk-calls.js';
import type { DeskLine, Person } from './desk-lines.js';
import type { PendingScan } from './kept-scans.js';
import { planFor, putBack, type DeskCommand } from './plan.js';

type FoundReader = FoundReaders['readers'][number];

/** Several readers are called as was typed. */
export interface Question {
  found: FoundReaders;
  choose: (reader: FoundReader | null) => void;
}

/** What a scan is carried out with. */
interface AtTheDesk {
  client: QueryClient;
  reader: Person | null;
  lines: readonly DeskLine[];
  welcome: (reader: Person | null) => void;
  /** Before it is sent: an attempt after this one sends the same. */
  remember: (known: Pick<PendingScan, 'command' | 'undo'>) => void;
  ask: (question: Question) => void;
  mark: (key: string, changed: Partial<DeskLine>) => unknown;
  sound: (tone: DeskLine['tone']) => void;
}

/**
 * Does what was scanned.
 * @returns what is said of it
 * @throws RequestError as the library refused it, or did not answer
 */
export async function carryOut(scan: PendingScan, at: AtTheDesk): Promise<DeskLine | undefined> {
  switch (scan.kind) {
    case 'end':
      at.welcome(null);
      return undefined;
    case 'undo':
      return undo(scan, at);
    case 'take-back-from':
      return scan.command && send(scan, scan.command, at);
    case 'scan':
      return scan.command ? send(scan, scan.command, at) : look(scan, at);
  }
}

const lineOf = ({ key, mode, text }: PendingScan) => ({ key, mode, text, at: Date.now() });

async function look(scan: PendingScan, at: AtTheDesk): Promise<DeskLine> {
  const readerId = scan.mode === 'hand-over' ? at.reader?.id : undefined;
  const scanned = await lookAtScan(at.client, scan.text, readerId);
  const plan = planFor(scanned, scan.mode, at.reader, scan.text);
  switch (plan.do) {
    case 'send':
      at.remember({ command: plan.command });
      return send(scan, plan.command, at);
    case 'welcome':
      return welcome(scan, plan.reader, at);
    case 'ask': {
      at.sound('heed');
      const chosen = await new Promise<FoundReader | null>((choose) => at.ask({ found: plan.found, choose }));
      if (chosen) return welcome(scan, chosen, at);
      at.welcome(null);
      return { ...lineOf(scan), tone: 'plain', headline: 'No reader was chosen', details: [] };
    }
    case 'say': {
      // Whoever was there before is not who was asked for.
      if (scanned.kind === 'reader' && scan.mode === 'hand-over') at.welcome(null);
      at.sound(plan.line.tone);
      return { ...lineOf(scan), details: [], ...plan.line };
    }
  }
}

function welcome(scan: PendingScan, reader: FoundReader, at: AtTheDesk): DeskLine {
  const { id, fullname, notice, cardBlocked } = reader;
  const person = { id, fullname };
  at.welcome(person);
  const details = [
    ...(notice ? [notice.message] : []),
    ...(cardBlocked ? ['The card is blocked: nothing can be handed out with it.'] : []),
  ];
  const tone = details.length > 0 ? 'heed' : 'good';
  at.sound(tone);
  return {
    ...lineOf(scan),
    tone,
    headline: fullname,
    details: details.length > 0 ? details : ['Scan the books, one after the other.'],
    person,
    ...(details.length > 0 && { remedy: 'see-reader' }),
  };
}

async function send(scan: PendingScan, command: DeskCommand, at: AtTheDesk): Promise<DeskLine> {
  const answer = await sendScan(at.client, command, scan.key);
  const { kind, person, book, code } = command;
  const { borrowId } = answer;
  ensureFresh(at.client, answer);
  void tellMore(scan.key, command, borrowId, at);
  return {
    ...lineOf(scan),
    tone: 'good',
    headline: kind === 'take-back' ? 'Back' : 'Lent',
    details: kind === 'take-back' ? [placeOf(command)] : [],
    person,
    book,
    borrowId,
    did: kind === 'take-back' ? 'take-back' : 'issue',
    ...(kind === 'issue' && { wasRented: true }),
    ...(code !== undefined && { code }),
  };
}

/** What is to be known besides is asked while the next scan is on its way already. */
async function tellMore(key: string, command: DeskCommand, borrowId: string, at: AtTheDesk): Promise<void> {
  let now: BorrowView;
  try {
    now = await borrowNow(at.client, borrowId);
  } catch {
    // It is done all the same.
    at.sound('good');
    return;
  }
  const told = command.kind === 'take-back' ? ofTakenBack(command, now) : ofLent(command, now);
  at.mark(key, told);
  at.sound(told.tone);
}

function ofLent(command: DeskCommand, borrow: BorrowView): Pick<DeskLine, 'tone' | 'headline' | 'details'> {
  const until = borrow.dueDate === null ? '' : ` until ${isoDay(borrow.dueDate)}`;
  return {
    tone: 'good',
    headline: `Lent${until}`,
    details: command.kind === 'issue' ? ['Rented online, handed over.'] : [],
  };
}

function ofTakenBack(
  command: DeskCommand,
  borrow: BorrowView,
): Pick<DeskLine, 'tone' | 'headline' | 'details'> & Partial<DeskLine> {
  const { dueDate } = command;
  const late = dueDate ? Math.max(0, daysBetween(isoDay(dueDate), isoDay(Date.now()))) : 0;
  const left = borrow.books.filter(({ state }) => state === 'lent').length;
  const details = [
    placeOf(command),
    ...(left > 0
      ? [left === 1 ? 'One more book of this borrow is out.' : `${left} more books of this borrow are out.`]
      : []),
  ];
  const days = late === 1 ? '1 day late' : `${late} days late`;
  if (borrow.fineDue > 0) {
    if (late > 0) details.unshift(`${days}.`);
    return {
      tone: 'heed',
      headline: `${inPln(borrow.fineDue)} to pay`,
      details,
      owes: borrow.fineDue,
      remedy: 'pay',
    };
  }
  return { tone: 'good', headline: late > 0 ? `Back, ${days}` : 'Back', details };
}

function placeOf({ shelfMark }: DeskCommand): string {
  return putBack(shelfMark);
}

/** What a line did, as the library calls it. */
const UNDOES: Record<NonNullable<DeskLine['did']>, readonly Undoable[]> = {
  issue: ['issue'],
  'take-back': ['return', 'take-back'],
};

async function undo(scan: PendingScan, at: AtTheDesk): Promise<DeskLine> {
  const target = at.lines.find((line) =>
    scan.text === '' ? line.did !== undefined && !line.undone : line.key === scan.text,
  );
  const nothing = (detail: string): DeskLine => {
    at.sound('refused');
    return { ...lineOf(scan), text: '', tone: 'refused', headline: 'Nothing to undo', details: [detail] };
  };
  let { undo: wanted } = scan;
  if (!wanted) {
    const { borrowId, book, key, did } = target ?? {};
    if (borrowId === undefined || !book || key === undefined) {
      return nothing('Nothing was lent or taken back here that can be undone.');
    }
    const borrow = await borrowNow(at.client, borrowId);
    const offer = borrow.undo.find(
      ({ what, bookIds }) => bookIds.includes(book.id) && UNDOES[did ?? 'issue'].includes(what),
    );
    if (!offer) {
      return nothing(`${book.title}: more than ten minutes have passed, or something depends on it since.`);
    }
    wanted = { borrowId, userId: borrow.user.id, revision: offer.revision, line: key };
    at.remember({ undo: wanted });
  }
  const answer = await sendUndo(at.client, wanted, scan.key);
  ensureFresh(at.client, answer);
  at.mark(wanted.line, { undone: true });
  at.sound('plain');
  return {
    ...lineOf(scan),
    text: '',
    tone: 'plain',
    headline: 'Undone',
    details: [
      target?.did === 'issue' ? 'The book is not lent any more.' : 'The book is with the reader again.',
    ],
    ...(target?.book && { book: target.book }),
    ...(target?.person && { person: target.person }),
  };
}
