/** The thread that decodes and folds what another reads. It has nearly all of the work, on a core of its own. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { RuleBook } from '#circulation/rules/rule-book.js';
import { Simulation } from '#circulation/simulation/simulation.js';
import { encodedEvents, parsedEvent } from '#platform/event-log/encoded-events.js';
import { END_OF_LOG, type FoldRequest, type FoldChunk, type FoldMessage } from './fold-messages.js';
import { LogFold } from './log-fold.js';

if (parentPort) foldFor(parentPort, workerData as FoldRequest);

function foldFor(reader: MessagePort, { order, rules, setAside, end }: FoldRequest): void {
  const report = (message: FoldMessage) => reader.postMessage(message);
  const fold = new LogFold(new Simulation(order, RuleBook.of(rules)), new Set(setAside));
  let reached = 0n;
  reader.on('message', (piece: FoldChunk | typeof END_OF_LOG) => {
    if (piece === END_OF_LOG) {
      report(reached < end ? { kind: 'broke-off' } : fold.outcome());
      reader.close();
      return;
    }
    for (const encoded of encodedEvents(piece)) {
      reached = BigInt(encoded.getCommitPosition());
      // What was appended since the trial began is none of its events.
      if (reached > end) break;
      const event = parsedEvent(encoded);
      if (event?.category === 'borrows') fold.add(event);
    }
    report({ kind: 'piece-done', reached });
  });
}
