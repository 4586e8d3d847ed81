import { resolve } from 'node:path';
import * as m from '#words/messages.js';
import { eventStoreAddress } from '#platform/event-log/event-store-address.js';
import { ANY_LOG, EMBEDDED } from '#platform/event-log/log-proof.js';
import { SHARED_LOCK_TTL } from '#platform/event-log/log-lock.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { createLogger } from '#platform/logging.js';
import { readSettings, type Settings } from '#platform/settings.js';
import { measureEmbeddedLog, openEmbeddedLog } from '../embedded/embedded-log.js';
import { openInstallation } from '../embedded/installation.js';
import { moveLog, placeName, type MoveReport, type Stage } from '../projections/move-log/move-log.js';
import { LogsDiffer } from '../projections/move-log/walk-logs.js';
import { EXIT, Refused } from './command-line.js';
import { refuseNoLibrary } from './event-log-services.js';
import { ProgressLine } from './progress-line.js';
import { inSeconds } from './seconds.js';
import { withStopSignal } from './stop-signal.js';

const STAGES: Record<Stage, { begins: () => string; done: (inputs: { count: number }) => string }> = {
  compared: { begins: m.cli_move_stage_compared, done: m.cli_progress_compared },
  copied: { begins: m.cli_move_stage_copied, done: m.cli_progress_events_copied },
  'read back': { begins: m.cli_move_stage_read_back, done: m.cli_progress_read_back },
  'put into the lists': { begins: m.cli_move_stage_put_into_lists, done: m.cli_progress_put_into_lists },
  verified: { begins: m.cli_move_stage_verified, done: m.cli_progress_verified },
};

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
  if (to === undefined) throw new Error(m.cli_move_where());
  const place = placeOf(to);
  if (given !== undefined && place.isSecret) {
    process.stderr.write(`${m.cli_move_password_seen()}\n`);
  }
  refuseNoLibrary(settings, m.cli_set_data_dir_or_services());
  if (to === 'embedded' && settings.EVENTSTORE_URL === undefined) {
    throw new Error(m.cli_move_from_where());
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
          if (stage !== shown) process.stdout.write(`${STAGES[stage].begins()}\n`);
          shown = stage;
          line.show(events, STAGES[stage].done, part);
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
  const next = place === EMBEDDED ? m.cli_move_start_embedded() : m.cli_move_start_elsewhere();
  const named = placeName(place);
  if (wasDone) {
    process.stdout.write(`${m.cli_move_done_before({ place: named, next })}\n`);
    return;
  }
  const count = verified?.differences.length ?? 0;
  const seconds = inSeconds((rebuilt?.seconds ?? 0) * 1000);
  process.stdout.write(
    `${m.cli_moved({ events, place: named, copied, chain })}\n` +
      `${count === 0 ? m.cli_moved_no_difference({ seconds }) : m.cli_moved_differences({ seconds, count })}\n` +
      `${next}\n`,
  );
  process.exitCode = count === 0 ? EXIT.clean : EXIT.differences;
}
