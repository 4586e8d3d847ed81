import * as m from '#words/messages.js';
import type { QueryClient } from '@tanstack/react-query';
import type { FoundReaders } from '#contracts/accounts/reader-card.js';
import type { Undoable } from '#contracts/borrowing/borrow-events.js';
import type { BorrowView, CommandAnswer } from '#contracts/borrowing/borrow-views.js';
import type { BorrowAnswer } from '../../domain/borrowing/borrow-commands.js';
import { askBeyond, askIfHeld, heldReason } from '../../domain/borrowing/held-copy.js';
import { placedText } from '../../domain/holds/hold-texts.js';
import { ensureFresh } from '../../domain/live/ensure-fresh.js';
import { invalidate, queryKeys } from '../../domain/query-keys.js';
import { newKey } from '../../lib/api/use-idempotent-mutation.js';
import {
  borrowNow,
  countBooks,
  identifyScan,
  readerNow,
  sendCopy,
  sendReservation,
  sendScan,
  sendUndo,
} from './desk-calls.js';
import type { DeskLine, Person, PendingScan, DeskCommand, DeskUndo } from './desk-lines.js';
import { planFor } from './plan.js';
import { readerMessage } from './reader-message.js';
import {
  foundMessage,
  limitFor,
  heldMessage,
  type Kept,
  lentMessage,
  returnedMessage,
  placeOf,
} from './messages.js';

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
export async function executeScan(scan: PendingScan, at: AtTheDesk): Promise<DeskLine | undefined> {
  switch (scan.kind) {
    case 'end':
      at.welcome(null);
      return undefined;
    case 'undo':
      return undo(scan, at);
    case 'send':
      return scan.command && send(scan, scan.command, at);
    case 'reserve':
      return scan.command && reserve(scan, scan.command, at);
    case 'scan':
      return scan.command ? send(scan, scan.command, at) : look(scan, at);
  }
}

const lineOf = ({ key, mode, text }: PendingScan) => ({ key, mode, text, at: Date.now() });

async function look(scan: PendingScan, at: AtTheDesk): Promise<DeskLine> {
  const readerId = scan.mode === 'hand-over' ? at.reader?.id : undefined;
  const scanned = await identifyScan(at.client, scan.text, readerId);
  const plan = planFor(scanned, scan.mode, at.reader, scan.text);
  switch (plan.do) {
    case 'send':
      at.remember({ command: plan.command });
      return send(scan, plan.command, at);
    case 'meet':
      return meet(scan, plan.reader, at);
    case 'ask': {
      at.sound('heed');
      const chosen = await new Promise<FoundReader | null>((choose) => at.ask({ found: plan.found, choose }));
      if (chosen) return meet(scan, chosen, at);
      at.welcome(null);
      return { ...lineOf(scan), tone: 'plain', headline: m.desk_no_reader_chosen(), details: [] };
    }
    case 'say': {
      // Whoever was there before is not who was asked for.
      if (scanned.kind === 'reader' && scan.mode === 'hand-over') at.welcome(null);
      at.sound(plan.line.tone);
      return { ...lineOf(scan), details: [], ...plan.line };
    }
  }
}

/** Says how a reader stands before any of their books is scanned. Where they are handed over, they stand there from now on. */
async function meet(scan: PendingScan, { id, fullname }: FoundReader, at: AtTheDesk): Promise<DeskLine> {
  const panel = await readerNow(at.client, id);
  const person = { id, fullname };
  if (scan.mode === 'hand-over') at.welcome(person);
  const said = readerMessage(panel, scan.mode);
  at.sound(said.tone);
  return { ...lineOf(scan), ...said, person };
}

/** A lost copy is there for which no reader was charged. */
async function bringBack(scan: PendingScan, command: DeskCommand, at: AtTheDesk): Promise<DeskLine> {
  const { book, code = '' } = command;
  const { borrow } = await sendCopy(at.client, 'found', code);
  void at.client.invalidateQueries({ queryKey: queryKeys.copies(book.id) });
  const kept = borrow && heldMessage({ user: borrow.user, collectBy: null });
  const tone = kept?.tone ?? 'good';
  at.sound(tone);
  return {
    ...lineOf(scan),
    tone,
    headline: kept ? `${m.desk_found()}; ${kept.headline}` : m.desk_found(),
    details: [m.desk_lost_uncharged(), ...(kept?.details ?? [placeOf(command)])],
    book,
    code,
    did: 'bring-back',
  };
}

async function send(scan: PendingScan, command: DeskCommand, at: AtTheDesk): Promise<DeskLine> {
  if (command.kind === 'bring-back') return bringBack(scan, command, at);
  let answer: BorrowAnswer;
  try {
    answer = await sendScan(at.client, command, scan.key);
  } catch (error) {
    const limited = limitFor(command, error);
    const held = command.override?.evenIfHeld ? undefined : heldReason(error);
    if (limited?.limit !== 'books' && held === undefined) throw error;
    at.sound('heed');
    const override = { ...command.override, key: newKey() };
    if (limited) {
      const beyondLimit = await askBeyond('lend', command.person?.fullname ?? '', limited);
      if (!beyondLimit) return notLent(scan, command, m.desk_limit_stays(), limited.detail);
      return sendOverridden(scan, { ...command, override: { ...override, beyondLimit } }, at);
    }
    const whose = await whoseIsIt(scan.text, at);
    if (held === undefined || !(await askIfHeld('hand-over', held, whose)))
      return notLent(scan, command, m.desk_stays_kept(), held ?? '');
    return sendOverridden(scan, { ...command, override: { ...override, evenIfHeld: true } }, at);
  }
  const { kind, person, book, code } = command;
  const isHandedOver = kind === 'issue' || kind === 'lend';
  const { borrowId } = answer;
  ensureFresh(at.client, answer);
  if (person) countBooks(at.client, person, COUNTS[kind]);
  void tellMore(scan.key, command, answer, at);
  return {
    ...lineOf(scan),
    tone: 'good',
    headline: HEADLINES[kind],
    details: isHandedOver ? [] : [placeOf(command)],
    ...(person && { person }),
    book,
    borrowId,
    did: isHandedOver ? 'issue' : kind,
    ...(kind === 'issue' && { wasRented: true }),
    ...(code !== undefined && { code }),
  };
}

/** Remembered first: whatever becomes of this attempt, the next one sends the same. */
function sendOverridden(scan: PendingScan, command: DeskCommand, at: AtTheDesk): Promise<DeskLine> {
  at.remember({ command });
  return send(scan, command, at);
}

/** The reader for whom a copy is kept: a refusal does not name them. */
async function whoseIsIt(text: string, at: AtTheDesk): Promise<string | undefined> {
  try {
    const scanned = await identifyScan(at.client, text, undefined);
    return scanned.kind === 'book' ? scanned.keptFor?.user.fullname : undefined;
  } catch {
    // Then it is asked without their name.
    return undefined;
  }
}

/** The librarian was asked, and said no. */
function notLent(
  scan: PendingScan,
  { book, person, code }: DeskCommand,
  headline: string,
  detail: string,
): DeskLine {
  return {
    ...lineOf(scan),
    tone: 'plain',
    headline,
    details: [detail],
    book,
    ...(person && { person }),
    ...(code !== undefined && { code }),
  };
}

async function reserve(scan: PendingScan, command: DeskCommand, at: AtTheDesk): Promise<DeskLine> {
  const { book, person } = command;
  const { place } = await sendReservation(at.client, command, scan.key);
  invalidate(at.client, queryKeys.holds, queryKeys.standings);
  at.sound('good');
  const details = [m.desk_kept_at_turn()];
  return {
    ...lineOf(scan),
    tone: 'good',
    headline: placedText(place),
    details,
    book,
    ...(person && { person }),
  };
}

/** What is to be known besides is asked while the next scan is on its way already. */
async function tellMore(
  key: string,
  command: DeskCommand,
  { borrowId, keptFor = [] }: BorrowAnswer,
  at: AtTheDesk,
): Promise<void> {
  const next = keptFor.find(({ bookId }) => bookId === command.book.id);
  let now: BorrowView;
  try {
    now = await borrowNow(at.client, borrowId);
  } catch {
    // It is done all the same.
    if (next) at.mark(key, heldMessage(next));
    at.sound(next ? 'kept' : 'good');
    return;
  }
  const told = MESSAGES[command.kind](command, now, next);
  at.mark(key, told);
  at.sound(told.tone);
}

type Told = (command: DeskCommand, borrow: BorrowView, kept: Kept | undefined) => Partial<DeskLine> & Tone;
type Tone = Pick<DeskLine, 'tone'>;

const MESSAGES: Record<DeskCommand['kind'], Told> = {
  issue: lentMessage,
  lend: lentMessage,
  'take-back': returnedMessage,
  find: foundMessage,
  'bring-back': foundMessage,
};

const HEADLINES: Record<DeskCommand['kind'], string> = {
  ...{ issue: m.desk_lent(), lend: m.desk_lent(), 'take-back': m.desk_back() },
  ...{ find: m.desk_found(), 'bring-back': m.desk_found() },
};

/** By how much the reader has more books: what was rented before counted already, and what is lost no more. */
const COUNTS: Record<DeskCommand['kind'], -1 | 0 | 1> = {
  ...{ issue: 0, lend: 1, 'take-back': -1, find: 0, 'bring-back': 0 },
};

/** What a line did, as the library calls it. */
const UNDOES: Record<Exclude<DeskLine['did'], undefined | 'bring-back'>, readonly Undoable[]> = {
  issue: ['issue'],
  'take-back': ['return', 'take-back'],
  find: ['finding'],
};

const UNCOUNTS: Record<keyof typeof UNDOES, number> = { issue: -1, 'take-back': 1, find: 0 };

const UNDONE: Record<NonNullable<DeskLine['did']>, string> = {
  issue: m.desk_undone_issue(),
  'take-back': m.desk_undone_take_back(),
  find: m.desk_undone_find(),
  'bring-back': m.desk_undone_bring_back(),
};

/** Where the copy waits for somebody else by now, the librarian is asked. @returns nothing where it is left as it is */
async function undoUnlessHeld(
  wanted: DeskUndo,
  text: string,
  key: string,
  at: AtTheDesk,
): Promise<CommandAnswer | undefined> {
  try {
    return await sendUndo(at.client, wanted, key);
  } catch (error) {
    const held = wanted.override ? undefined : heldReason(error);
    if (held === undefined) throw error;
    at.sound('heed');
    const whose = await whoseIsIt(text, at);
    if (!(await askIfHeld('undo', held, whose))) return undefined;
    const overridden: DeskUndo = { ...wanted, override: { key: newKey(), evenIfHeld: true } };
    at.remember({ undo: overridden });
    return undoUnlessHeld(overridden, text, key, at);
  }
}

async function undo(scan: PendingScan, at: AtTheDesk): Promise<DeskLine> {
  const target = at.lines.find((line) =>
    scan.text === '' ? line.did !== undefined && !line.undone : line.key === scan.text,
  );
  const nothing = (detail: string): DeskLine => {
    at.sound('refused');
    return {
      ...lineOf(scan),
      text: '',
      tone: 'refused',
      headline: m.desk_nothing_to_undo(),
      details: [detail],
    };
  };
  const { borrowId, book, key, code, did = 'issue' } = target ?? {};
  if (did === 'bring-back') {
    await sendCopy(at.client, 'lost', code ?? '');
    return undone(scan, target, at);
  }
  let { undo: wanted } = scan;
  if (!wanted) {
    if (borrowId === undefined || !book || key === undefined) {
      return nothing(m.desk_nothing_undoable());
    }
    const borrow = await borrowNow(at.client, borrowId);
    const offer = borrow.undo.find(
      ({ what, bookIds }) => bookIds.includes(book.id) && UNDOES[did].includes(what),
    );
    if (!offer) {
      return nothing(m.desk_undo_too_late({ title: book.title }));
    }
    wanted = { borrowId, userId: borrow.user.id, revision: offer.revision, line: key };
    at.remember({ undo: wanted });
  }
  const answer = await undoUnlessHeld(wanted, target?.text ?? '', scan.key, at);
  if (!answer) {
    return {
      ...lineOf(scan),
      text: '',
      tone: 'plain',
      headline: m.desk_not_undone(),
      details: [m.desk_copy_stays_held()],
      ...(target?.book && { book: target.book }),
    };
  }
  ensureFresh(at.client, answer);
  if (target?.person && !target.wasRented) countBooks(at.client, target.person, UNCOUNTS[did]);
  return undone(scan, target, at);
}

function undone(scan: PendingScan, target: DeskLine | undefined, at: AtTheDesk): DeskLine {
  if (target) at.mark(target.key, { undone: true });
  at.sound('plain');
  return {
    ...lineOf(scan),
    text: '',
    tone: 'plain',
    headline: m.desk_undone(),
    details: [UNDONE[target?.did ?? 'issue']],
    ...(target?.book && { book: target.book }),
    ...(target?.person && { person: target.person }),
  };
}
