/** The thread that folds what another reads: each takes about half of the time, on a core of its own. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { RuleBook } from '#borrowing/rule-book.js';
import { Trial } from '#borrowing/trial.js';
import {
  END_OF_LOG,
  type FoldOrder,
  type FoldPiece,
  type FoldReport,
  type RecordedTuple,
} from './fold-messages.js';
import { LogFold } from './log-fold.js';

if (parentPort) foldFor(parentPort, workerData as FoldOrder);

function foldFor(reader: MessagePort, { order, rules, setAside }: FoldOrder): void {
  const report = (message: FoldReport) => reader.postMessage(message);
  const fold = new LogFold(new Trial(order, RuleBook.of(rules)), new Set(setAside));
  reader.on('message', (piece: FoldPiece | typeof END_OF_LOG) => {
    if (piece === END_OF_LOG) {
      report(fold.outcome());
      reader.close();
      return;
    }
    for (const event of JSON.parse(piece) as RecordedTuple[]) fold.add(event);
    report({ kind: 'piece-done' });
  });
}
