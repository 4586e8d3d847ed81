import * as m from '#words/messages.js';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { MoveReason } from '#contracts/holds/hold-events.js';
import * as calls from '#contracts/holds/hold-views.js';
import type { HoldAnswer, HoldView } from '#contracts/holds/hold-views.js';
import { newKey, useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { send } from '../../lib/api/send.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';
import { invalidate, queryKeys } from '../query-keys.js';
import { placedText } from './hold-texts.js';

/** What can be done with a hold. Days are the library's, as yyyy-MM-dd. */
export type HoldChange =
  | { do: 'cancel' }
  | { do: 'pause'; until: string }
  | { do: 'resume' }
  | { do: 'needed-until'; day: string | null }
  | { do: 'move'; before: string | null; reason: MoveReason; note?: string };

type AnyHold = Pick<HoldView, 'id' | 'bookId' | 'title'>;

function doneText(change: HoldChange): string {
  switch (change.do) {
    case 'cancel':
      return m.event_hold_cancelled();
    case 'pause':
      return m.holds_paused_until({ day: change.until });
    case 'resume':
      return m.event_hold_resumed();
    case 'needed-until':
      return change.day === null ? m.holds_kept_whatever() : m.holds_kept_until({ day: change.day });
    case 'move':
      return m.event_hold_moved();
  }
}

function sendChange({ id }: AnyHold, change: HoldChange, idempotencyKey: string): Promise<HoldAnswer> {
  const params = { id };
  const key = { idempotencyKey };
  switch (change.do) {
    case 'cancel':
      return send(calls.cancelHold, { params }, key);
    case 'pause':
      return send(calls.pauseHold, { params, body: { until: change.until } }, key);
    case 'resume':
      return send(calls.resumeHold, { params }, key);
    case 'needed-until':
      return send(calls.changeNeededUntil, { params, body: { day: change.day } }, key);
    case 'move': {
      const { do: _move, ...body } = change;
      return send(calls.moveHold, { params, body }, key);
    }
  }
}

/** Lists of holds, the title and what is kept for the reader are as the command left them, or are asked for again. */
function askAgain(client: QueryClient, bookId: number): void {
  invalidate(
    client,
    queryKeys.holds,
    queryKeys.book(bookId),
    queryKeys.copies(bookId),
    queryKeys.standings,
    queryKeys.today,
  );
}

/** Changes a hold: their own, or a reader's where a librarian does it. @param inPlace the screen shows a refusal itself */
export function useHoldCommand({ inPlace = false } = {}) {
  const client = useQueryClient();
  return useIdempotentMutation({
    meta: { inPlace },
    requestOf: ({ hold, change }: { hold: AnyHold; change: HoldChange }) =>
      `${hold.id} ${JSON.stringify(change)}`,
    send: ({ hold, change }, idempotencyKey) => sendChange(hold, change, idempotencyKey),
    onSuccess: (_answer, { hold, change }) => {
      notify.success(doneText(change), { detail: hold.title });
      askAgain(client, hold.bookId);
    },
    // What was refused, the screen may have shown wrongly.
    onError: (_error, { hold }) => askAgain(client, hold.bookId),
  });
}

/** A title to wait for. */
export interface WantedTitle {
  id: number;
  title: string;
  /** For whom, where a librarian does it; without it, it is the caller who waits. */
  reader?: { id: string; fullname: string };
}

export function sendPlacement(
  bookId: number,
  userId: string | undefined,
  idempotencyKey: string,
): Promise<HoldAnswer> {
  return send(calls.placeHold, { query: { userId }, body: { bookId } }, { idempotencyKey });
}

/** Places a hold; what is said of it has a way to take it back. @param inPlace the screen shows a refusal itself */
export function usePlaceHold({ inPlace = false } = {}) {
  const client = useQueryClient();
  return useIdempotentMutation({
    meta: { inPlace },
    requestOf: ({ id, reader }: WantedTitle) => `${id} ${reader?.id}`,
    send: ({ id, reader }, idempotencyKey) => sendPlacement(id, reader?.id, idempotencyKey),
    onSuccess: ({ id, place }, { id: bookId, title, reader }) => {
      askAgain(client, bookId);
      notify.success(placedText(place), {
        detail: reader ? `${title} · ${reader.fullname}` : title,
        action: {
          word: m.common_undo(),
          onAct: () => void takeBack(client, { id, bookId, title }),
        },
      });
    },
    onError: (_error, { id }) => askAgain(client, id),
  });
}

async function takeBack(client: QueryClient, hold: AnyHold): Promise<void> {
  try {
    await sendChange(hold, { do: 'cancel' }, newKey());
    notify.success(doneText({ do: 'cancel' }), { detail: hold.title });
  } catch (error) {
    notify.error(sentenceOf(error));
  } finally {
    askAgain(client, hold.bookId);
  }
}
