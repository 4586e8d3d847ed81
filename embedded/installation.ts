import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings, Settings } from '#platform/settings.js';
import { startEventStoreThread } from './event-store/event-store-thread.js';
import { startPostgres } from './postgres/postgres-server.js';

const DATABASE = 'lectern';

/** The services of the zero-install default: everything that no setting gave an address. */
export interface Installation {
  settings: ResolvedSettings;
  /** Whether database and event log are the embedded ones: then the demo may be put in. */
  isEmbedded: boolean;
  /** Stops what was started here, in the order that loses nothing. */
  close(): Promise<void>;
}

/** What a running product leaves in its data folder for the command line. */
interface RunningRecord {
  pid: number;
  port: number;
  eventStoreUrl: string;
}

/** Another process runs the product on this data folder. */
export class AlreadyRunning extends Error {
  constructor(readonly record: RunningRecord) {
    super(
      `Lectern already runs on this data folder (process ${record.pid}). Stop it first, or set another DATA_DIR.`,
    );
    this.name = 'AlreadyRunning';
  }
}

/**
 * Starts PostgreSQL and the event store where the settings name none.
 * @param onLoss called when a part of it ends by itself: the product cannot go on
 * @throws AlreadyRunning; an Error with a sentence for the person at the terminal
 */
export async function openInstallation(
  settings: Settings,
  logger: Logger,
  onLoss: (reason: Error) => void,
): Promise<Installation> {
  const folder = resolve(settings.DATA_DIR);
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const running = await runningRecord(folder);
  if (running) throw new AlreadyRunning(running);

  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.reverse()) await closer();
  };
  try {
    let databaseUrl = settings.DATABASE_URL;
    if (databaseUrl === undefined) {
      const postgres = await startPostgres(join(folder, 'postgres'));
      closers.push(() => postgres.stop());
      await postgres.createDatabase(DATABASE);
      databaseUrl = postgres.url(DATABASE);
    }
    let eventStoreUrl = settings.EVENTSTORE_URL;
    if (eventStoreUrl === undefined) {
      const store = await startEventStoreThread({
        databaseUrl,
        onExit: onLoss,
        log: (level, message, facts) => logger[level]({ ...facts, part: 'event store' }, message),
      });
      closers.push(() => store.stop());
      eventStoreUrl = store.connectionString;
      const record: RunningRecord = { pid: process.pid, port: store.port, eventStoreUrl };
      writeFileSync(recordFile(folder), JSON.stringify(record), { mode: 0o600 });
      closers.push(async () => rmSync(recordFile(folder), { force: true }));
    }
    return {
      settings: {
        ...settings,
        DATABASE_URL: databaseUrl,
        EVENTSTORE_URL: eventStoreUrl,
        JWT_SECRET: settings.JWT_SECRET ?? secretOf(folder, settings),
        eventsInDatabase: settings.EVENTSTORE_URL === undefined,
      },
      isEmbedded: settings.DATABASE_URL === undefined && settings.EVENTSTORE_URL === undefined,
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
): Promise<Result> {
  let installation: Installation;
  try {
    installation = await openInstallation(settings, logger, (reason) => {
      throw reason;
    });
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error;
    const postgres = await startPostgres(join(resolve(settings.DATA_DIR), 'postgres'));
    return work({
      ...settings,
      DATABASE_URL: settings.DATABASE_URL ?? postgres.url(DATABASE),
      EVENTSTORE_URL: settings.EVENTSTORE_URL ?? error.record.eventStoreUrl,
      JWT_SECRET: settings.JWT_SECRET ?? secretOf(resolve(settings.DATA_DIR), settings),
    });
  }
  try {
    return await work(installation.settings);
  } finally {
    await installation.close();
  }
}

const recordFile = (folder: string) => join(folder, 'running.json');

/** The record of a product that runs: one whose process is gone, or whose store does not answer, is stale. */
async function runningRecord(folder: string): Promise<RunningRecord | undefined> {
  if (!existsSync(recordFile(folder))) return undefined;
  const record = JSON.parse(readFileSync(recordFile(folder), 'utf8')) as RunningRecord;
  const answers = await new Promise<boolean>((done) => {
    const socket = connect(record.port, '127.0.0.1');
    socket.setTimeout(1000, () => socket.destroy());
    socket.once('connect', () => {
      done(true);
      socket.destroy();
    });
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
  });
  return answers && isAlive(record.pid) ? record : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function secretOf(folder: string, settings: Settings): string {
  if (settings.NODE_ENV === 'production') {
    throw new Error('Set JWT_SECRET (at least 32 characters) where NODE_ENV is production.');
  }
  const file = join(folder, 'jwt-secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
