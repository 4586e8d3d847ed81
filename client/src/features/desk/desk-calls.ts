import * as m from '#words/messages.js';
import type { QueryClient } from '@tanstack/react-query';
import { readReaderPanel, type ReaderPanel } from '#contracts/accounts/reader-card.js';
import type { DeskCommand, DeskUndo, Person } from './desk-lines.js';
import * as calls from '#contracts/borrowing/borrow-calls.js';
import type { BorrowView, CommandAnswer } from '#contracts/borrowing/borrow-views.js';
import { bringCopyBack, reportCopyLost, type Copy } from '#contracts/copies/copy-views.js';
import { identifyScan as look, type Scanned } from '#contracts/desk/scan.js';
import type { HoldAnswer } from '#contracts/holds/hold-views.js';
import type { BorrowAnswer } from '../../domain/borrowing/borrow-commands.js';
import { sendPlacement } from '../../domain/holds/hold-commands.js';
import { keyOf, send } from '../../lib/api/send.js';
import { RequestError } from '../../lib/api/request-error.js';

/** Milliseconds after which an attempt is given up, to be made again: a network can be silent for ever. */
const ANSWERED_WITHIN = 20_000;

/** What a scan is. */
export function identifyScan(
  client: QueryClient,
  scan: string,
  readerId: string | undefined,
): Promise<Scanned> {
  return through(client, (signal) => send(look, { body: { scan, readerId } }, { signal }));
}

/** Carries out a scan; of books that came back the answer has those who wait for them. @param key the same for every attempt */
export function sendScan(
  client: QueryClient,
  { kind, borrowId = '', person, book, code, override }: DeskCommand,
  key: string,
): Promise<BorrowAnswer> {
  const query = { borrowId, userId: person?.id ?? '' };
  // What is kept for somebody else is named in one way alone.
  const body = {
    bookIds: override?.evenIfHeld && code !== undefined ? [] : [book.id],
    copies: code === undefined ? [] : [code],
  };
  const idempotencyKey = override?.key ?? key;
  const { beyondLimit } = override ?? {};
  const handed = { ...body, ...(beyondLimit && { beyondLimit }) };
  return through(client, (signal) => {
    const more = { idempotencyKey, signal };
    if (kind === 'issue') return send(calls.issueBooks, { query, body: handed }, more);
    if (kind === 'find') return send(calls.markFound, { query, body: { bookId: book.id } }, more);
    if (kind === 'take-back') return send(calls.takeBackBooks, { query, body }, more);
    const lent = { ...handed, ...(override?.evenIfHeld && { evenIfHeld: true }) };
    return send(calls.lendBooks, { query: { userId: query.userId }, body: lent }, more);
  });
}

/** A lost copy that no reader is charged for is there, or is lost after all. Said twice it is so all the same. */
export function sendCopy(client: QueryClient, is: 'found' | 'lost', code: string): Promise<Copy> {
  const call = is === 'found' ? bringCopyBack : reportCopyLost;
  return through(client, (signal) => send(call, { params: { id: code } }, { signal }));
}

export function sendUndo(
  client: QueryClient,
  { borrowId, userId, revision, override }: DeskUndo,
  key: string,
): Promise<CommandAnswer> {
  const body = { revision, ...(override?.evenIfHeld && { evenIfHeld: true }) };
  const idempotencyKey = override?.key ?? key;
  return through(client, (signal) =>
    send(calls.undoAtDesk, { query: { borrowId, userId }, body }, { idempotencyKey, signal }),
  );
}

/** Has the reader wait for a title. */
export function sendReservation(
  client: QueryClient,
  { person, book }: DeskCommand,
  key: string,
): Promise<HoldAnswer> {
  return through(client, () => sendPlacement(book.id, person?.id ?? '', key));
}

const panelOf = (id: string) => keyOf(readReaderPanel, { query: { id } });

/** How a reader stands; what is shown of them beside follows. */
export async function readerNow(client: QueryClient, id: string): Promise<ReaderPanel> {
  const panel = await through(client, (signal) => send(readReaderPanel, { query: { id } }, { signal }));
  client.setQueryData(panelOf(id), panel);
  return panel;
}

/** Counts what a scan changed at once: what is shown of the reader is asked for again no oftener than once in a while. */
export function countBooks(client: QueryClient, { id }: Person, change: number): void {
  if (change === 0 || !client.getQueryData(panelOf(id))) return;
  // What is on its way was asked for before.
  void client.cancelQueries({ queryKey: panelOf(id) });
  client.setQueryData<ReaderPanel>(panelOf(id), (panel) => {
    if (!panel) return panel;
    const { have, most } = panel.books;
    return { ...panel, books: { have: Math.max(0, have + change), most } };
  });
}

/** A borrow after something was done with one of its books. */
export async function borrowNow(client: QueryClient, borrowId: string): Promise<BorrowView> {
  const { borrow } = await through(client, (signal) =>
    send(calls.readBorrow, { query: { borrowId } }, { signal }),
  );
  return borrow;
}

/** As a command of the page, so that the end of a session is met as everywhere; the desk itself shows what fails. */
function through<Answer>(
  client: QueryClient,
  call: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  return client
    .getMutationCache()
    .build<Answer, Error, void, unknown>(client, {
      mutationFn: () => withinPatience(call),
      meta: { inPlace: true, showsProgress: true },
      retry: false,
      networkMode: 'always',
      gcTime: 0,
    })
    .execute();
}

async function withinPatience<Answer>(call: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const signal = AbortSignal.timeout(ANSWERED_WITHIN);
  try {
    return await call(signal);
  } catch (error) {
    throw signal.aborted ? new RequestError(0, m.desk_no_answer(), null) : error;
  }
}
