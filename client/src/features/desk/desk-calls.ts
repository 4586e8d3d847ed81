import type { QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { borrowDetailsSchema } from '#contracts/borrowing/borrow-details.js';
import {
  commandAnswerSchema,
  lentAnswerSchema,
  takenBackSchema,
  type BorrowView,
  type CommandAnswer,
  type TakenBack,
} from '#contracts/borrowing/borrow-views.js';
import { scannedSchema, type Scanned } from '#contracts/desk/scan.js';
import type { HoldAnswer } from '#contracts/holds/hold-views.js';
import { sendPlacement } from '../../domain/holds/hold-commands.js';
import { request, type RequestOptions } from '../../lib/api/request.js';
import { RequestError } from '../../lib/api/request-error.js';
import type { DeskCommand, DeskUndo } from './plan.js';

/** Milliseconds after which an attempt is given up, to be made again: a network can be silent for ever. */
const ANSWERED_WITHIN = 20_000;

/** What the library answers to a scan that was carried out; of books that came back with those who wait for them. */
export type DeskAnswer = CommandAnswer & Partial<Pick<TakenBack, 'keptFor'>>;

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
  { kind, borrowId, person, book, code, insists }: DeskCommand,
  key: string,
): Promise<DeskAnswer> {
  const options = {
    query: { ...(borrowId !== undefined && { borrowId }), userId: person.id },
    // What is kept for somebody else is named in one way alone.
    body: {
      bookIds: insists && code !== undefined ? [] : [book.id],
      copies: code === undefined ? [] : [code],
      ...(insists && { evenIfHeld: true }),
    },
    idempotencyKey: insists?.key ?? key,
  };
  if (kind === 'issue') return send(client, commandAnswerSchema, 'Borrow/issue-books', options);
  if (kind === 'take-back') return send(client, takenBackSchema, 'Borrow/take-back-books', options);
  const { id, ...answer } = await send(client, lentAnswerSchema, 'Borrow/lend', options);
  return { ...answer, borrowId: id };
}

export function sendUndo(
  client: QueryClient,
  { borrowId, userId, revision, insists }: DeskUndo,
  key: string,
): Promise<CommandAnswer> {
  return send(client, commandAnswerSchema, 'Borrow/undo', {
    query: { borrowId, userId },
    body: { revision, ...(insists && { evenIfHeld: true }) },
    idempotencyKey: insists?.key ?? key,
  });
}

/** Has the reader wait for a title. */
export function sendReservation(
  client: QueryClient,
  { person, book }: DeskCommand,
  key: string,
): Promise<HoldAnswer> {
  return through(client, () => sendPlacement(book.id, person.id, key));
}

/** A borrow after something was done with one of its books. */
export async function borrowNow(client: QueryClient, borrowId: string): Promise<BorrowView> {
  const { borrow } = await through(client, (signal) =>
    request(borrowDetailsSchema, 'Borrow/details', { query: { borrowId }, signal }),
  );
  return borrow;
}

function send<Schema extends z.ZodType>(
  client: QueryClient,
  answer: Schema,
  path: string,
  options: RequestOptions,
): Promise<z.infer<Schema>> {
  return through(client, (signal) => request(answer, path, { ...options, method: 'POST', signal }));
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
