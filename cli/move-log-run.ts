import { resolve } from 'node:path';
import { eventStoreAddress } from '#platform/event-log/event-store-address.js';
import { ANY_LOG, EMBEDDED } from '#platform/event-log/log-proof.js';
import { SHARED_LOCK_TTL } from '#platform/event-log/log-lock.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { createLogger } from '#platform/logging.js';
import { readSettings, type Settings } from '#platform/settings.js';
import { measureEmbeddedLog, openEmbeddedLog } from '../embedded/embedded-log.js';
import { openInstallation } from '../embedded/installation.js';
import { moveLog, type MoveReport, type Stage } from '../projections/move-log/move-log.js';
import { LogsDiffer } from '../projections/move-log/walk-logs.js';
import { EXIT, Refused } from './command-line.js';
import { refuseNoLibrary } from './event-log-services.js';
import { ProgressLine } from './progress-line.js';
import { withStopSignal } from './stop-signal.js';

/** Where the log is, and its library's database. */
interface Library {
  databaseUrl: string;
  eventStoreUrl: string;
  /** Aborts if a service ends that was started for this. */
  lost: AbortSignal;
}

export async function run({ to: given }: { to?: string }): Promise<void> {
  // Other users of the machine see the arguments of a process.
  process.title = 'lectern move-log';
  const settings = readSettings();
  const to = given ?? settings.MOVE_LOG_TO;
  if (to === undefined) throw new Error('Say where to: --to, or MOVE_LOG_TO or MOVE_LOG_TO_FILE.');
  const place = placeOf(to);
  if (given !== undefined && place.isSecret) {
    process.stderr.write(
      'The password in --to can be seen by everybody on this machine: name a file in MOVE_LOG_TO_FILE instead.\n',
    );
  }
  refuseNoLibrary(settings, 'Set DATA_DIR, or DATABASE_URL and EVENTSTORE_URL.');
  if (to === 'embedded' && settings.EVENTSTORE_URL === undefined) {
    throw new Error(
      'Set EVENTSTORE_URL to where the log is: without it, it is in the embedded event store already.',
    );
  }
  const report = await withStopSignal((signal) =>
    withLibrary(settings, (library) => move(settings, library, to, place.name, signal)),
  ).catch((error: unknown) => {
    throw error instanceof LogsDiffer ? new Refused(error.message) : error;
  });
  print(report, place.name);
}

/** What may be said of an address. */
function placeOf(to: string): { name: string; isSecret: boolean } {
  if (to === 'embedded') return { name: EMBEDDED, isSecret: false };
  try {
    const { hosts, credentials } = eventStoreAddress(to);
    return {
      name: hosts.map(({ address, port }) => `${address}:${port}`).join(', '),
      isSecret: credentials !== undefined,
    };
  } catch (error) {
    throw new Error(`--to: ${(error as Error).message}`, { cause: error });
  }
}

/** The services of a library that does not run; what is embedded is started for as long as the work takes. */
async function withLibrary<Result>(
  settings: Settings,
  work: (library: Library) => Promise<Result>,
): Promise<Result> {
  const { DATABASE_URL, EVENTSTORE_URL } = settings;
  const lost = new AbortController();
  if (DATABASE_URL !== undefined && EVENTSTORE_URL !== undefined)
    return work({ databaseUrl: DATABASE_URL, eventStoreUrl: EVENTSTORE_URL, lost: lost.signal });
  // No token is signed or verified here, so no secret is needed.
  const installation = await openInstallation({ ...settings, JWT_SECRET: '-' }, createLogger('error'), {
    onLoss: (reason) => lost.abort(reason),
  });
  try {
    const resolved = installation.settings;
    return await work({
      databaseUrl: resolved.DATABASE_URL,
      eventStoreUrl: resolved.EVENTSTORE_URL,
      lost: lost.signal,
    });
  } finally {
    await installation.close();
  }
}

async function move(
  { DATA_DIR, EVENTSTORE_URL }: Settings,
  { databaseUrl, eventStoreUrl, lost }: Library,
  to: string,
  place: string,
  stop: AbortSignal,
): Promise<MoveReport> {
  const ended = new AbortController();
  const embedded =
    to === 'embedded'
      ? await openEmbeddedLog(databaseUrl, resolve(DATA_DIR), createLogger('error'), (reason) =>
          ended.abort(reason),
        )
      : undefined;
  const line = new ProgressLine();
  let shown: Stage | undefined;
  try {
    // The move itself compares what is in both.
    const source = eventStoreClient(eventStoreUrl, ANY_LOG);
    const target = eventStoreClient(embedded?.connectionString ?? to, ANY_LOG, { setting: '--to' });
    try {
      return await moveLog({
        ...{ databaseUrl, source, target, to: place },
        // Nobody but us reaches an embedded event store that we started ourselves.
        grace: EVENTSTORE_URL === undefined ? 0 : SHARED_LOCK_TTL,
        ...(embedded && { onCopied: () => measureEmbeddedLog(databaseUrl) }),
        progress: (stage, events, part) => {
          if (stage !== shown) line.clear();
          if (stage !== shown) process.stdout.write(`Events are ${stage} …\n`);
          shown = stage;
          line.show(events, `events ${stage}`, part);
        },
        signal: AbortSignal.any([stop, lost, ended.signal]),
      });
    } finally {
      line.clear();
      await Promise.all([source.dispose(), target.dispose()]);
    }
  } finally {
    await embedded?.stop();
  }
}

function print({ wasDone, events, copied, chain, rebuilt, verified }: MoveReport, place: string): void {
  const number = (value: number) => value.toLocaleString('en');
  const next =
    place === EMBEDDED ? 'without EVENTSTORE_URL' : 'with EVENTSTORE_URL set to the address of the new one';
  const start = `The old event log is closed. Start Lectern ${next}.\n`;
  if (wasDone) {
    process.stdout.write(`The event log was moved to ${place} before: nothing is left to do. ${start}`);
    return;
  }
  const differences = verified?.differences ?? [];
  process.stdout.write(
    `${number(events)} events are in ${place} (${number(copied)} of them copied now), and none differs. Chain: ${chain}\n` +
      `The lists were made of them in ${rebuilt?.seconds.toFixed(1)} s, and compared: ` +
      `${differences.length === 0 ? 'no difference' : `${number(differences.length)} differences; npm run verify names them`}.\n` +
      start,
  );
  process.exitCode = differences.length === 0 ? EXIT.clean : EXIT.differences;
}
