import { CATEGORIES, type CategoryName } from '#contracts/event-log/categories.js';
import { LIBRARY } from '#contracts/rules/rule-events.js';
import { isRuleEvent } from '#circulation/rules/rule-book.js';
import type { SimulationInput, SimulationResult } from '#circulation/simulation/simulation.js';
import { readEncoded } from '#platform/event-log/encoded-events.js';
import { EventLog } from '#platform/event-log/event-log.js';
import type { ResilientEventStoreClient } from '#platform/event-log/resilient-event-store-client.js';
import { FoldThread } from './fold-thread.js';

/** An event can be neither read nor applied, and no operator has skipped it. */
export class LogUnreadable extends Error {}

/** The log ended its answer before its end. */
export class LogReadInterrupted extends Error {}

/** All of them, so that the last event of the log is among what is read. */
const ALL = Object.keys(CATEGORIES) as CategoryName[];

/**
 * Reads the log from its beginning to what is its end now, and folds it under other rules in a thread of its own. Only reads.
 * @param progress called with the percentage of the log, each time that events were folded
 * @throws LogUnreadable, LogReadInterrupted; the log's error when it is unavailable
 */
export async function foldLog(
  client: ResilientEventStoreClient,
  order: SimulationInput,
  progress: (percent: number) => void,
): Promise<SimulationResult> {
  const log = new EventLog(client);
  const stored = await log.readStream('rules', LIBRARY);
  const rules = stored.map(({ event }) => event).filter(isRuleEvent);
  const end = (await log.last())?.commit ?? 0n;
  let setAside: readonly string[] = [];
  for (;;) {
    const reached = (commit: bigint) =>
      progress(end === 0n ? 100 : Math.min(100, Number((commit * 100n) / end)));
    const thread = new FoldThread({ order, rules, setAside, end }, reached);
    try {
      for await (const piece of readEncoded(client, ALL)) await thread.add(piece);
      const outcome = await thread.finish();
      if (outcome.kind === 'folded') return outcome.result;
      if (outcome.kind === 'broke-off')
        throw new LogReadInterrupted('the event log ended its answer before its end');
      if (outcome.kind === 'unreadable') throw new LogUnreadable(outcome.message);
      // An operator decided later on to leave out what was folded: that is rare, and the log is read again without it.
      setAside = [...setAside, ...outcome.events];
    } finally {
      await thread.terminate();
    }
  }
}
