import { commandLine, EXIT } from './command-line.js';

const HELP = `
The file is what an auditor downloads of a reader's history: one JSON object a line, each event with a hash over the
one before it. This checks that chain and compares every event with the event log, and names the first difference: an
event that was changed (and which field), removed, added or reordered, or a file that was cut off. Events that came
into the log after the export are told, and are no fault. It changes nothing: the product may be running. Where it
does not run, the services it needs are started for as long as this takes.

The chain alone shows carelessness, not intent: who changes a file can make the chain anew. The comparison with the
log finds that too. How the hashes are made is written in docs/decisions/041-audit.md.

Exit code: 0 when the file is what the log says, 1 when there is a difference, 2 when it could not be checked.`;

await commandLine(
  'check-export',
  'Checks the export of a reader’s history against the event log.',
  EXIT.couldNotRun,
)
  .argument('<file>', 'the exported file, for instance borrows-….jsonl')
  .run(HELP, () => import('./check-export-run.js'));
