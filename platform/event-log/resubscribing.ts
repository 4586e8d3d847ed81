import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import { status } from '@grpc/grpc-js';

/** Subscriptions in a row that are ended before their first event, until that counts as a failure. */
const MAX_IN_VAIN = 10;
/** Milliseconds after a subscription that was ended before its first event. */
const PAUSE = 100;

/** Whether the event store ended a subscription because its reader did not keep up (`Consumer too slow`). */
function isSlowConsumer(error: unknown): boolean {
  return types.isNativeError(error) && (error as { code?: unknown }).code === status.ABORTED;
}

/**
 * A subscription that goes on where the event store ended it because its reader did not keep up. That is no failure: the
 * store keeps a few dozen events for a live reader, and one append may have more. The new subscription catches up at the
 * reader's pace.
 * @param subscribe to what comes after a position
 * @param onEnded called each time before it goes on
 * @throws what else ends a subscription, and the end itself after many without an event
 */
export async function* resubscribing<Position, Event extends { readonly position: Position }>(
  subscribe: (after: Position | undefined) => AsyncIterable<Event>,
  after: Position | undefined,
  onEnded: () => void,
): AsyncGenerator<Event> {
  let last = after;
  for (let inVain = 0; ;) {
    const before = last;
    try {
      for await (const event of subscribe(last)) {
        last = event.position;
        yield event;
      }
      return;
    } catch (error) {
      inVain = last === before ? inVain + 1 : 0;
      if (!isSlowConsumer(error) || inVain >= MAX_IN_VAIN) throw error;
    }
    onEnded();
    if (inVain > 0) await sleep(PAUSE);
  }
}
