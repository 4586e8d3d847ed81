import { CATEGORIES, type CategoryName } from '#contracts/event-log/categories.js';
import { LIBRARY } from '#contracts/rules/rule-events.js';
import { isRuleEvent } from '#borrowing/rule-book.js';
import type { TrialOrder, TrialResult } from '#borrowing/trial.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { FoldThread } from './fold-thread.js';

/** An event can be neither read nor applied, and no operator has set it aside. */
export class LogUnreadable extends Error {}

/** The log ended its answer before its end. */
export class LogBrokeOff extends Error {}

/** All of them, so that the last event of the log is among what is read. */
const ALL = Object.keys(CATEGORIES) as CategoryName[];

/**
 * Reads the log from its beginning to what is its end now, and folds it under other rules in a thread of its own. Only reads.
 * @param progress called with the percentage of the log, each time that events have come
 * @throws LogUnreadable, LogBrokeOff; the log's error when it is unavailable
 */
export async function foldLog(
  log: EventLog,
  order: TrialOrder,
  progress: (percent: number) => void,
): Promise<TrialResult> {
  const stored = await log.readStream('rules', LIBRARY);
  const rules = stored.map(({ event }) => event).filter(isRuleEvent);
  const end = await log.last();
  let setAside: readonly string[] = [];
  for (;;) {
    const thread = new FoldThread({ order, rules, setAside });
    try {
      if (end) await readInto(thread, log, end.commit, progress);
      const outcome = await thread.finish();
      if (outcome.kind === 'folded') return outcome.result;
      if (outcome.kind === 'unreadable') throw new LogUnreadable(outcome.message);
      // An operator decided later on to leave out what was folded: that is rare, and the log is read again without it.
      setAside = [...setAside, ...outcome.events];
    } finally {
      await thread.terminate();
    }
  }
}

async function readInto(
  thread: FoldThread,
  log: EventLog,
  end: bigint,
  progress: (percent: number) => void,
): Promise<void> {
  const ending = new AbortController();
  try {
    for await (const events of log.followRecorded(ALL, undefined, ending.signal)) {
      const reached = events.at(-1)?.position.commit ?? 0n;
      await thread.add(reached <= end ? events : events.filter(({ position }) => position.commit <= end));
      progress(end === 0n ? 100 : Math.min(100, Number((reached * 100n) / end)));
      if (reached >= end) return;
    }
    throw new LogBrokeOff('the event log ended its answer before its end');
  } finally {
    ending.abort();
  }
}
