import * as m from '#words/messages.js';
import type { QueryClient } from '@tanstack/react-query';
import type { FoundReaders } from '#contracts/accounts/reader-card.js';
import { looksLikeCardNumber } from '#contracts/accounts/card-number.js';
import { readCopyCode } from '#contracts/catalogue/copy-code.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { endVisit, type Holder } from '#contracts/desk/scan.js';
import { amountText } from '../../domain/fees/money.js';
import { askBeyond } from '../../domain/borrowing/held-copy.js';
import { send } from '../../lib/api/send.js';
import { newKey } from '../../lib/api/use-idempotent-mutation.js';
import { session } from '../../lib/session.js';
import { createStore } from '../../lib/store.js';
import { executeScan, type Question } from './execute-scan.js';
import { borrowNow, readerNow } from './desk-calls.js';
import {
  changedLine,
  withLine,
  type DeskCommand,
  type DeskLine,
  type DeskMode,
  storeDesk,
  storedDesk,
  type StoredDesk,
  type PendingScan,
} from './desk-lines.js';
import { findFor, takeBackFrom } from './plan.js';
import { refusalOf, waitBefore } from './messages.js';
import { readerMessage } from './reader-message.js';
import { sound } from './sounds.js';

interface DeskState extends StoredDesk {
  /** Attempts in a row at the first scan that got no answer. */
  tries: number;
  /** Several readers are called as was typed: one has to be chosen before it goes on. */
  question: Question | null;
}

const EMPTY: DeskState = {
  mode: 'hand-over',
  reader: null,
  pending: [],
  lines: [],
  tries: 0,
  question: null,
};

const PAID = { tone: 'good', headline: m.desk_back_paid(), owes: 0, remedy: undefined } as const;

const store = createStore<DeskState>(EMPTY);
/** Whose scans they are: nobody else's name is put to them. */
let owner: string | undefined;
let client: QueryClient | undefined;
let isWorking = false;
let stopWaiting: (() => void) | undefined;

function change(changed: Partial<DeskState>): void {
  store.set({ ...store.get(), ...changed });
  if (owner !== undefined) storeDesk(owner, store.get());
}

function enqueue(scan: Omit<PendingScan, 'key'>): void {
  const pending: PendingScan = { ...scan, key: newKey() };
  change({ pending: [...store.get().pending, pending] });
  void work();
}

/** One after the other, in their order; one that gets no answer is tried again until it does. */
async function work(): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  try {
    for (;;) {
      const [scan] = store.get().pending;
      if (!scan || !client || session.current()?.id !== owner) return;
      const whose = owner;
      const isDone = await attempt(scan, client);
      if (owner !== whose) return;
      const tries = isDone ? 0 : store.get().tries + 1;
      const left = store.get().pending.filter(({ key }) => !isDone || key !== scan.key);
      change({ tries, pending: left });
      if (!isDone) await pause(waitBefore(tries));
    }
  } finally {
    isWorking = false;
  }
}

/** @returns whether it is over, one way or the other */
async function attempt(scan: PendingScan, queries: QueryClient): Promise<boolean> {
  const { reader, lines, tries } = store.get();
  const whose = owner;
  try {
    const line = await executeScan(scan, {
      client: queries,
      reader,
      lines,
      welcome,
      remember: (known) =>
        change({
          pending: store.get().pending.map((each) => (each.key === scan.key ? { ...each, ...known } : each)),
        }),
      ask: (question) => change({ question }),
      mark: (key, changed) =>
        owner === whose && change({ lines: changedLine(store.get().lines, key, changed) }),
      sound,
    });
    if (line && owner === whose) say(line);
    return true;
  } catch (error) {
    // With what became known of it meanwhile.
    const known = store.get().pending.find(({ key }) => key === scan.key) ?? scan;
    const refusal = refusalOf(error, known, tries);
    if (!refusal || owner !== whose) return false;
    // What was scanned was to be a reader: nobody's books go to whoever was there before.
    if (refusal.endsReader) welcome(null);
    say(refusal.line);
    sound('refused');
    return true;
  }
}

/** Whoever was there is gone, or begins anew: the letter of their visit is sent. Nobody waits for that. */
function welcome(reader: DeskState['reader']): void {
  const before = store.get().reader;
  change({ reader });
  // Where it is not told, the visit ends by itself, a little later.
  if (before) send(endVisit, { query: { userId: before.id } }).catch(() => undefined);
}

function say(line: DeskLine): void {
  change({ lines: withLine(store.get().lines, line) });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    stopWaiting = resolve;
    window.setTimeout(resolve, milliseconds);
  });
}

function isTwice(text: string, mode: DeskMode): boolean {
  if (!readCopyCode(text) && !looksLikeCardNumber(text)) return false;
  const { pending, lines } = store.get();
  const last = pending.at(-1);
  if (last) return last.kind === 'scan' && last.text === text && last.mode === mode;
  const [line] = lines;
  return line?.text === text && line.mode === mode && Date.now() - line.at < TWICE_WITHIN && !line.undone;
}

/** Milliseconds in which the same label is the same scan: scanners read twice what is held before them. */
const TWICE_WITHIN = 1500;

/** The desk of this window. It goes on working off its scans wherever in the site the librarian is. */
export const desk = {
  store,

  /** Begins, or goes on with what was unfinished. @param userId of the librarian */
  open(queries: QueryClient, userId: string): void {
    client = queries;
    if (owner !== userId) {
      owner = userId;
      store.set({ ...EMPTY, ...storedDesk(userId) });
    }
    void work();
  },

  scan: (text: string): void => {
    const { mode } = store.get();
    const trimmed = text.trim();
    if (trimmed !== '' && !isTwice(trimmed, mode)) enqueue({ kind: 'scan', mode, text: trimmed });
  },

  turnTo: (mode: DeskMode): void => {
    if (store.get().mode !== mode) change({ mode });
  },

  /** The reader goes: whoever comes next scans their card. */
  endReader(): void {
    const { mode } = store.get();
    enqueue({ kind: 'end', mode, text: '' });
  },

  /** Undoes what was done for a line; without one, what was done last. */
  undo(line = ''): void {
    const { mode, pending } = store.get();
    // The second half of a double click.
    if (line !== '' && pending.some(({ kind, text }) => kind === 'undo' && text === line)) return;
    enqueue({ kind: 'undo', mode, text: line });
  },

  /** What was refused is scanned once more, as in its time. */
  again({ key, text, mode }: DeskLine): void {
    change({ lines: store.get().lines.filter((line) => line.key !== key) });
    enqueue({ kind: 'scan', mode, text });
  },

  /** What a limit refused is sent once more, with the reason that the librarian gives. */
  async goBeyond({ key, text, mode, limited }: DeskLine): Promise<void> {
    const { command } = limited ?? {};
    const beyondLimit = limited && (await askBeyond('lend', command?.person?.fullname ?? '', limited));
    if (!command || !beyondLimit) return;
    change({ lines: store.get().lines.filter((line) => line.key !== key) });
    const override = { ...command.override, key: newKey(), beyondLimit };
    enqueue({ kind: 'send', mode, text, command: { ...command, override } });
  },

  /** Takes a book back from one of those who may have brought it. */
  takeBackFrom(line: DeskLine, holder: Holder): void {
    if (!line.book) return;
    change({ lines: store.get().lines.filter(({ key }) => key !== line.key) });
    const { code, shelfMark = null, book } = line;
    const scanned = { book, copy: code === undefined ? null : { code, shelfMark } };
    enqueue({
      kind: 'send',
      mode: 'take-back',
      text: line.text,
      command: line.isLost ? findFor(holder, scanned) : takeBackFrom(holder, scanned),
    });
  },

  /** Hands over what waits for a reader, as if each of it were scanned. */
  handOver({ key, offers = [] }: DeskLine, commands: readonly DeskCommand[]): void {
    // Once: a second press would find it handed over.
    const left = offers.filter((offer) => offer.do !== 'hand-over');
    change({ lines: changedLine(store.get().lines, key, { offers: left }) });
    for (const command of commands) enqueue({ kind: 'send', mode: 'hand-over', text: '', command });
  },

  /** The reader waits for a book of which no copy could be lent. */
  reserve({ key, text, mode, book, person }: DeskLine): void {
    if (!book || !person) return;
    change({ lines: store.get().lines.filter((line) => line.key !== key) });
    enqueue({ kind: 'reserve', mode, text, command: { kind: 'lend', book, person } });
  },

  /** Money changed hands for it, or may have. */
  async lookAgain(line: DeskLine): Promise<void> {
    const { key, borrowId, did, offers, person, mode, remedy } = line;
    if (!client) return;
    if (offers && person) {
      const again = readerMessage(await readerNow(client, person.id), mode);
      const { settled } = store.get().lines.find((line) => line.key === key) ?? {};
      const details = settled === undefined ? again.details : [`${settled}.`, ...again.details];
      change({ lines: changedLine(store.get().lines, key, { ...again, details }) });
      return;
    }
    if (borrowId === undefined || (did !== 'take-back' && did !== 'find')) return;
    const { fineDue, refundDue } = await borrowNow(client, borrowId);
    const owes = did === 'find' && remedy === 'pay-out' ? refundDue : fineDue;
    // Of a part that was paid, what is left.
    const headline = line.headline.replace(amountText(line.owes ?? 0), amountText(owes));
    const now =
      owes > 0 ? { owes, headline } : did === 'find' ? { ...PAID, headline: m.desk_found_settled() } : PAID;
    change({ lines: changedLine(store.get().lines, key, now) });
  },

  /** Money was taken for it. What was not lent for want of it can be tried again; a book that is back says so by itself. */
  paid({ key, did, offers }: DeskLine, headline: string, left: number): void {
    if (did === 'take-back' || did === 'find') return;
    if (offers) return change({ lines: changedLine(store.get().lines, key, { settled: headline }) });
    const all = left === 0 && { tone: 'good' as const, owes: 0, remedy: 'again' as const };
    change({ lines: changedLine(store.get().lines, key, { headline, details: [], ...all }) });
  },

  /**
   * Money changed hands for a borrow beside what was scanned. It is said in place of a toast, which would lie over what one works on;
   * what was scanned of that borrow says how it stands now.
   */
  settled({ id, user: person }: Pick<BorrowView, 'id' | 'user'>, headline: string): void {
    const { mode, lines } = store.get();
    say({ key: newKey(), at: Date.now(), mode, text: '', tone: 'good', headline, details: [], person });
    for (const line of lines) {
      // What cannot be asked now, it goes on saying as it was.
      if (line.borrowId === id && line.owes !== undefined) desk.lookAgain(line).catch(() => undefined);
    }
  },

  /** Somebody of those who were found, or nobody. */
  choose(reader: FoundReaders['readers'][number] | null): void {
    const { question } = store.get();
    change({ question: null });
    question?.choose(reader);
  },

  /** The library is there again, as far as this window knows. */
  tryNow(): void {
    stopWaiting?.();
    void work();
  },
};

/** Whether something was scanned that is not finished. */
export const hasUnfinished = (): boolean => store.get().pending.length > 0;

session.subscribe(() => {
  const userId = session.current()?.id;
  if (userId === owner) {
    desk.tryNow();
    return;
  }
  // Readers' names do not stay behind; what is unfinished goes on once the same librarian is back.
  if (owner !== undefined) storeDesk(owner, { ...store.get(), lines: [] });
  if (userId === undefined) return;
  desk.choose(null);
  owner = undefined;
  store.set(EMPTY);
});
