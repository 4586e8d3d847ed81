import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as m from '#words/messages.js';
import { refuseBeforeBaseline } from '#platform/database/migrate.js';
import { assertReachable } from '#platform/database/assert-reachable.js';
import type { Logger } from '#platform/logging.js';
import { closeAll } from '#platform/run-process.js';
import type { ResolvedSettings, Settings } from '#platform/settings.js';
import { finishSwap } from './backup/folder-swap.js';
import { claimFolder, makeDataFolder } from './data-folder.js';
import { writeDurably, readPrivate, refuseForeignFolder } from './private-files.js';
import {
  storedPreviousSecrets,
  storedSecondFactorSecret,
  storedSessionSecret,
  rotateStoreSecret,
} from './stored-secrets.js';
import { EventStoreThread } from './event-store/event-store-thread.js';
import { DATABASE } from './postgres/owner-role.js';
import { rotateOwnerPassword, runningPostgres, startPostgres } from './postgres/postgres-server.js';
import { isAliveAndOurs, thisProcess, type ProcessIdentity } from './process-identity.js';

/** Milliseconds between two looks at whether PostgreSQL is still there. */
const CHECK_INTERVAL = 2_000;

/** The services of the zero-install default: everything that no setting gave an address. */
export interface Installation {
  settings: ResolvedSettings;
  /** Whether database and event log are the embedded ones: then the demo may be put in. */
  isEmbedded: boolean;
  /** Leaves word in the data folder, for the command line, of where people reach the product. */
  tellAddress(url: string): void;
  /** Stops what was started here, in the order that loses nothing. */
  close(): Promise<void>;
}

/** What a running product leaves in its data folder for the command line. */
interface RunningRecord extends ProcessIdentity {
  /** Of the embedded event store, where that is the one in use. */
  eventStoreUrl?: string;
  /** Where people reach it, once it is open. */
  url?: string;
}

/** Another process runs the product on this data folder. */
class AlreadyRunning extends Error {
  /** @param record nothing while the other process is only starting, or ending */
  constructor(readonly record: RunningRecord | undefined) {
    super(record ? m.start_already_running({ pid: String(record.pid) }) : m.start_just_starting());
    this.name = 'AlreadyRunning';
  }
}

/** The addresses that a killed product left may be somebody else's by now, who then must not be told a secret. */
class ClaimedByStranger extends Error {
  constructor() {
    super(m.start_claimed_by_stranger());
    this.name = 'ClaimedByStranger';
  }
}

/** What whoever opens an installation wants to know. */
export interface InstallationEvents {
  /** A part of it ended by itself: the product cannot go on. */
  onLoss: (reason: Error) => void;
  /** What it starts is starting by itself: this thread has time for other work. Called once, also if nothing is started. */
  onLaunched?: () => void;
}

export interface InstallationOptions {
  /** Whether its folder is removed afterwards: then its PostgreSQL waits for no disk, and ends at once. */
  forTrial?: boolean;
}

/** What a PostgreSQL has of which nothing is kept. */
const ON_TRIAL = { fsync: 'off', full_page_writes: 'off' };

/**
 * Starts PostgreSQL and the event store where the settings name none.
 * @throws AlreadyRunning; StartupError that names the setting; an Error with a sentence for the person at the terminal
 */
export async function openInstallation(
  settings: Settings,
  logger: Logger,
  { onLoss, onLaunched = () => undefined, forTrial = false }: InstallationEvents & InstallationOptions,
): Promise<Installation> {
  const folder = resolve(settings.DATA_DIR);
  makeDataFolder(folder);
  const claim = await claimFolder(folder);
  if (!claim) throw new AlreadyRunning(readRecord(folder));

  const closers: (() => Promise<void>)[] = [() => claim.release()];
  const close = () => closeAll(closers);
  try {
    // The thread loads while PostgreSQL starts.
    const eventStore = settings.EVENTSTORE_URL ?? new EventStoreThread();
    if (typeof eventStore !== 'string') closers.push(() => eventStore.discard());
    // The claim guarantees that no other process works here: an existing record belongs to a killed one.
    rmSync(recordFile(folder), { force: true });
    await finishSwap(folder);
    let databaseUrl = settings.DATABASE_URL;
    if (databaseUrl !== undefined) {
      onLaunched();
      await assertReachable(databaseUrl);
    } else {
      rotateOwnerPassword(join(folder, 'postgres'));
      const postgres = await startPostgres(join(folder, 'postgres'), forTrial ? ON_TRIAL : {}, onLaunched);
      closers.push(() => postgres.stop(forTrial ? 'immediate' : 'fast'));
      const watch = setInterval(() => {
        if (postgres.isRunning()) return;
        clearInterval(watch);
        onLoss(new Error('PostgreSQL ended by itself. Start Lectern again: nothing acknowledged is lost.'));
      }, CHECK_INTERVAL);
      watch.unref();
      closers.push(async () => clearInterval(watch));
      for (const warning of postgres.warnings) logger.warn(warning);
      await postgres.createDatabase(DATABASE);
      databaseUrl = postgres.url(DATABASE);
      // Before the event store looks for its tables there.
      await refuseBeforeBaseline(databaseUrl, `DATA_DIR: ${folder}`);
    }
    let eventStoreUrl: string;
    if (typeof eventStore === 'string') eventStoreUrl = eventStore;
    else {
      // Anew at each start, when nobody uses the last one.
      const secretFile = rotateStoreSecret(folder, 'refused');
      const store = await eventStore.start({
        databaseUrl,
        secretFile,
        onExit: onLoss,
        log: (level, message, facts) => logger[level]({ ...facts, part: 'event store' }, message),
      });
      closers.push(() => store.stop());
      eventStoreUrl = store.connectionString;
    }
    const record: RunningRecord = {
      ...thisProcess(),
      ...(settings.EVENTSTORE_URL === undefined && { eventStoreUrl }),
    };
    writeDurably(recordFile(folder), JSON.stringify(record));
    closers.push(async () => rmSync(recordFile(folder), { force: true }));
    return {
      settings: {
        ...settings,
        DATABASE_URL: databaseUrl,
        EVENTSTORE_URL: eventStoreUrl,
        ...sessionSecrets(folder, settings),
        ...storedSecondFactorSecret(folder, settings),
        ownsDatabase: settings.DATABASE_URL === undefined,
        eventsInDatabase: settings.EVENTSTORE_URL === undefined,
      },
      isEmbedded: settings.DATABASE_URL === undefined && settings.EVENTSTORE_URL === undefined,
      tellAddress: (url) => writeDurably(recordFile(folder), JSON.stringify({ ...record, url })),
      close,
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/**
 * For command lines: the services of the running product where it runs, else its own for as long as the work takes.
 */
export async function withInstallation<Result>(
  settings: Settings,
  logger: Logger,
  work: (settings: ResolvedSettings) => Promise<Result>,
  { forTrial = false }: InstallationOptions = {},
): Promise<Result> {
  let lose: (reason: Error) => void = () => undefined;
  const lost = new Promise<never>((_resolve, reject) => (lose = reject));
  lost.catch(() => undefined);
  let installation: Installation;
  try {
    installation = await openInstallation(settings, logger, { onLoss: lose, forTrial });
  } catch (error) {
    if (!(error instanceof AlreadyRunning) || !error.record) throw error;
    if (!isAliveAndOurs(error.record)) throw new ClaimedByStranger();
    return work(addressesOf(error.record, settings));
  }
  try {
    return await Promise.race([work(installation.settings), lost]);
  } finally {
    await installation.close();
  }
}

/** Where people reach the product that runs on this data folder; nothing where none does, or is not open yet. */
export function addressOfRunning({ DATA_DIR }: Settings): string | undefined {
  const folder = resolve(DATA_DIR);
  refuseForeignFolder('DATA_DIR', folder);
  const record = readRecord(folder);
  return record && isAliveAndOurs(record) ? record.url : undefined;
}

/** The addresses of the services that another process runs. */
function addressesOf(record: RunningRecord, settings: Settings): ResolvedSettings {
  const folder = resolve(settings.DATA_DIR);
  const eventStoreUrl = settings.EVENTSTORE_URL ?? record.eventStoreUrl;
  if (eventStoreUrl === undefined) {
    throw new Error(m.start_own_event_store({ pid: String(record.pid) }));
  }
  return {
    ...settings,
    DATABASE_URL: settings.DATABASE_URL ?? runningPostgres(join(folder, 'postgres')).url(DATABASE),
    EVENTSTORE_URL: eventStoreUrl,
    ...sessionSecrets(folder, settings),
  };
}

const recordFile = (folder: string) => join(folder, 'running.json');

function readRecord(folder: string): RunningRecord | undefined {
  try {
    return JSON.parse(readPrivate(recordFile(folder))) as RunningRecord;
  } catch {
    return undefined;
  }
}

function sessionSecrets(
  folder: string,
  { JWT_SECRET, NODE_ENV }: Settings,
): Pick<ResolvedSettings, 'JWT_SECRET' | 'storedPreviousSecrets'> {
  if (JWT_SECRET !== undefined) return { JWT_SECRET };
  if (NODE_ENV === 'production') {
    throw new Error(m.start_jwt_secret_missing());
  }
  return { JWT_SECRET: storedSessionSecret(folder), storedPreviousSecrets: storedPreviousSecrets(folder) };
}
