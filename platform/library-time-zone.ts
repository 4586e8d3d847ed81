import { z } from 'zod';
import * as m from '#words/messages.js';
import { isTimeZone } from '#contracts/local-day.js';
import type { Database, Queryable } from './database/database.js';
import { CHANNELS, notify, type Notifications } from './database/notifications.js';
import { queryRow } from './database/query-rows.js';
import type { Logger } from './logging.js';
import type { Settings } from './settings.js';
import { StartupError } from './startup-error.js';

type ZoneSettings = Pick<Settings, 'TIME_ZONE' | 'TZ'>;

/** What a start found and left. */
interface KeptTimeZone {
  name: string;
  /** What it was before this start. */
  before: string;
}

/**
 * The time zone by which the library counts its days. The database keeps it, so that all processes have the same, and so
 * has a library that was moved to another machine. `TIME_ZONE` changes it, for the processes that are running too; without that, an admin may.
 */
export class LibraryTimeZone {
  constructor(private kept: string) {}

  static async open(
    settings: ZoneSettings,
    database: Database,
    notifications: Notifications,
    logger: Logger,
  ): Promise<LibraryTimeZone> {
    const zone = new LibraryTimeZone((await keepTimeZone(database, settings)).name);
    const read = () =>
      storedTimeZone(database).then(
        (name) => (zone.kept = name ?? zone.kept),
        (error: unknown) => logger.warn({ error }, 'the time zone could not be read again'),
      );
    notifications.on('timeZone', () => void read());
    notifications.on('gap', () => void read());
    return zone;
  }

  /** Of the IANA database: `Europe/Warsaw`. */
  get name(): string {
    return this.kept;
  }
}

/**
 * Keeps the zone that is set. Where none is, the one that is kept stays; the first start keeps that of the machine.
 * @throws StartupError where the machine's zone has no name
 */
async function keepTimeZone(database: Queryable, settings: ZoneSettings): Promise<KeptTimeZone> {
  const kept = await storedTimeZone(database);
  const wanted = settings.TIME_ZONE ?? kept ?? zoneOfMachine(settings);
  if (wanted === undefined) {
    throw new StartupError(m.start_time_zone_missing());
  }
  if (kept === wanted) return { name: wanted, before: kept };
  await changeTimeZone(database, wanted);
  return { name: wanted, before: kept ?? wanted };
}

/** Tells whoever starts it by which days the library counts, where that may not be what they expect. */
export async function announceTimeZone(
  database: Queryable,
  settings: ZoneSettings,
  logger: Logger,
): Promise<void> {
  const { name, before } = await keepTimeZone(database, settings);
  if (before !== name) {
    logger.warn(
      { timeZone: name, before },
      'TIME_ZONE: the library counts its days by another time zone from now on',
    );
    return;
  }
  const ofMachine = settings.TIME_ZONE ?? zoneOfMachine(settings) ?? settings.TZ;
  if (ofMachine === name) return;
  logger.warn(
    { timeZone: name, ofMachine },
    'the library goes on counting its days by the time zone that it began with: set TIME_ZONE to change it',
  );
}

/** For all processes, from now on: what was recorded keeps its instants. */
export async function changeTimeZone(database: Queryable, name: string): Promise<void> {
  await database.query(
    `insert into library_time_zone (name) values ($1)
     on conflict (only_row) do update set name = excluded.name, since = now()`,
    [name],
  );
  await notify(database, CHANNELS.timeZone, '');
}

/** The one that the database keeps; nothing before the first start. */
export async function storedTimeZone(database: Queryable): Promise<string | undefined> {
  const row = await queryRow(database, z.object({ name: z.string() }), 'select name from library_time_zone');
  return row?.name;
}

/**
 * Of `TZ`, else of the system. A machine that says nothing is on UTC.
 * @returns nothing where `TZ` has rules in place of a name
 */
function zoneOfMachine({ TZ }: ZoneSettings): string | undefined {
  const name =
    TZ === undefined
      ? ((Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string }).timeZone ?? '')
      : TZ.replace(/^:/, '');
  if (isTimeZone(name)) return name;
  return TZ === undefined ? 'UTC' : undefined;
}
