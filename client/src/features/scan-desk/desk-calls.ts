import type { QueryClient } from '@tanstack/react-query';
import { borrowDetailsSchema } from '#contracts/borrowing/borrow-details.js';
import {
  commandAnswerSchema,
  lentAnswerSchema,
  type BorrowView,
  type CommandAnswer,
} from '#contracts/borrowing/borrow-views.js';
import { scannedSchema, type Scanned } from '#contracts/desk/scan.js';
import { request, type RequestOptions } from '../../lib/api/request.js';
import { RequestError } from '../../lib/api/request-error.js';
import type { DeskCommand } from './plan.js';

/** Milliseconds after which an attempt is given up, to be made again: a network can be silent for ever. */
const ANSWERED_WITHIN = 20_000;

const PATHS = {
  issue: 'Borrow/issue-books',
  'take-back': 'Borrow/take-back-books',
} as const;

/** What a scan is. */
export function lookAtScan(
  client: QueryClient,
  scan: string,
  readerId: string | undefined,
): Promise<Scanned> {
  const body = { scan, ...(readerId !== undefined && { readerId }) };
  return through(client, (signal) => request(scannedSchema, 'Desk/scan', { method: 'POST', body, signal }));
}

/** Carries out a scan. @param key the same for every attempt */
export async function sendScan(
  client: QueryClient,
  { kind, borrowId, person, book, code }: DeskCommand,
  key: string,
): Promise<CommandAnswer> {
  const options = {
    query: { ...(borrowId !== undefined && { borrowId }), userId: person.id },
    body: { bookIds: [book.id], copies: code === undefined ? [] : [code] },
    idempotencyKey: key,
  };
  if (kind !== 'lend') return send(client, PATHS[kind], options);
  const { id, ...answer } = await through(client, (signal) =>
    request(lentAnswerSchema, 'Borrow/lend', { ...options, method: 'POST', signal }),
  );
  return { ...answer, borrowId: id };
}

/** @param revision of the event that is undone */
export function sendUndo(
  client: QueryClient,
  { borrowId, userId, revision }: { borrowId: string; userId: string; revision: number },
  key: string,
): Promise<CommandAnswer> {
  return send(client, 'Borrow/undo', {
    query: { borrowId, userId },
    body: { revision },
    idempotencyKey: key,
  });
}

/** A borrow after something was done with one of its books. */
export async function borrowNow(client: QueryClient, borrowId: string): Promise<BorrowView> {
  const { borrow } = await through(client, (signal) =>
    request(borrowDetailsSchema, 'Borrow/details', { query: { borrowId }, signal }),
  );
  return borrow;
}

function send(client: QueryClient, path: string, options: RequestOptions): Promise<CommandAnswer> {
  return through(client, (signal) =>
    request(commandAnswerSchema, path, { ...options, method: 'POST', signal }),
  );
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
    throw signal.aborted ? new RequestError(0, 'No answer', null) : error;
  }
}
