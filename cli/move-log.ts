import { commandLine, EXIT } from './command-line.js';

const HELP = `
From the embedded event store to EventStoreDB: npm run move-log -- --to esdb://store:2113
And back, with EVENTSTORE_URL set to where the log is: npm run move-log -- --to embedded

An address with a password does not belong on a command line, where everybody on the machine sees it: put it into a file,
and name that file in MOVE_LOG_TO_FILE. Write it as you would write EVENTSTORE_URL.

Lectern must not be running. Every event is copied with its id, type, data, metadata, time and order, and compared. Then
the lists are made of the copy, letters and payments go on where they were, and the old log is closed: nothing in it is
changed or removed, and a start with it is refused and says where the log went. What is interrupted before that changes
nothing: the same command goes on where it was.

Exit code: 0 when the log is moved, 1 when the copy or the lists differ, 2 when it could not be moved.`;

await commandLine(
  'move-log',
  'Moves the event log to another event store, with everything that was ever recorded.',
  EXIT.couldNotRun,
)
  .option('--to <address>', 'esdb://… of the new event store, or "embedded"; else MOVE_LOG_TO or its file')
  .run(HELP, () => import('./move-log-run.js'));
