import pg from 'pg';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { Catalogue1763000000001 } from './migrations/1763000000001-catalogue.js';
import { Accounts1763000000002 } from './migrations/1763000000002-accounts.js';
import { Borrowing1763000000003 } from './migrations/1763000000003-borrowing.js';
import { LinksAndJobs1763000000004 } from './migrations/1763000000004-links-and-jobs.js';
import { BookSearch1763000000005 } from './migrations/1763000000005-book-search.js';
import { CatalogueAdmin1763000000006 } from './migrations/1763000000006-catalogue-admin.js';
import { Readers1763000000007 } from './migrations/1763000000007-readers.js';
import { Payments1763000000008 } from './migrations/1763000000008-payments.js';
import { Letters1763000000009 } from './migrations/1763000000009-letters.js';
import { AuditLooks1763000000010 } from './migrations/1763000000010-audit-looks.js';
import { Reports1763000000011 } from './migrations/1763000000011-reports.js';
import { Attempts1763000000012 } from './migrations/1763000000012-attempts.js';
import { DeskPayments1763000000013 } from './migrations/1763000000013-desk-payments.js';
import { CopyAllocations1763000000014 } from './migrations/1763000000014-copy-allocations.js';
import { LogIdentity1763000000015 } from './migrations/1763000000015-log-identity.js';
import { Pseudonyms1763000000016 } from './migrations/1763000000016-pseudonyms.js';
import { FollowerState1763000000018 } from './migrations/1763000000018-follower-state.js';
import { StartRefused } from '../start-refused.js';
import { EventNotes1763000000019 } from './migrations/1763000000019-event-notes.js';
import { Sessions1763000000020 } from './migrations/1763000000020-sessions.js';
import { SecondFactors1763000000021 } from './migrations/1763000000021-second-factors.js';
import { KnownOrigins1763000000030 } from './migrations/1763000000030-known-origins.js';
import { LettersDue1763000000031 } from './migrations/1763000000031-letters-due.js';
import { RefusedCommands1763000000032 } from './migrations/1763000000032-refused-commands.js';
import { LibraryTimeZone1763000000033 } from './migrations/1763000000033-library-time-zone.js';
import { House1763000000035 } from './migrations/1763000000035-house.js';
import { LettersInBatches1763000000041 } from './migrations/1763000000041-letters-in-batches.js';
import { LeanCopies1763000000042 } from './migrations/1763000000042-lean-copies.js';
import { CatalogueChanges1763000000044 } from './migrations/1763000000044-catalogue-changes.js';
import { AccountSearchChanges1763000000047 } from './migrations/1763000000047-account-search-changes.js';
import { Copies1763000000048 } from './migrations/1763000000048-copies.js';
import { PartsAndUndo1763000000049 } from './migrations/1763000000049-parts-and-undo.js';
import { ReaderCards1763000000051 } from './migrations/1763000000051-reader-cards.js';
import { CopyBinding1763000000052 } from './migrations/1763000000052-copy-binding.js';
import { Losses1763000000053 } from './migrations/1763000000053-losses.js';
import { QueueAtSize1763000000054 } from './migrations/1763000000054-queue-at-size.js';
import { StockTaking1763000000055 } from './migrations/1763000000055-stock-taking.js';
import { PlannedOnce1763000000056 } from './migrations/1763000000056-planned-once.js';
import { Refunds1763000000057 } from './migrations/1763000000057-refunds.js';
import { Holds1763000000058 } from './migrations/1763000000058-holds.js';
import { Kinds1763000000059 } from './migrations/1763000000059-kinds.js';
import { RuleTrials1763000000060 } from './migrations/1763000000060-rule-trials.js';
import { ClosedStockTakings1763000000062 } from './migrations/1763000000062-closed-stock-takings.js';
import { Reading1763000000063 } from './migrations/1763000000063-reading.js';
import { AbsentNames1763000000064 } from './migrations/1763000000064-absent-names.js';
import { RulesDrafts1763000000065 } from './migrations/1763000000065-rules-drafts.js';
import { HoldRanks1763000000068 } from './migrations/1763000000068-hold-ranks.js';
import { Series1763000000074 } from './migrations/1763000000074-series.js';
import { Facets1763000000075 } from './migrations/1763000000075-facets.js';
import { ReadingLists1763000000077 } from './migrations/1763000000077-reading-lists.js';
import { Merges1763000000079 } from './migrations/1763000000079-merges.js';
import { Duplicates1763000000080 } from './migrations/1763000000080-duplicates.js';
import { SearchesWithoutResult1763000000081 } from './migrations/1763000000081-searches-without-result.js';
import { Shelves1763000000082 } from './migrations/1763000000082-shelves.js';
import { KindsListed1763000000084 } from './migrations/1763000000084-kinds-listed.js';
import { LogProof1763000000086 } from './migrations/1763000000086-log-proof.js';
import { NamesAndAddresses1763000000091 } from './migrations/1763000000091-names-and-addresses.js';
import { LOCKS } from './locks.js';
import { ReadModelSchema } from './read-model-schema.js';
import {
  READ_MODEL,
  READ_MODEL_RELEASE,
  readModelIndexes,
  readModelSchema,
  readModelTables,
} from './read-model.js';
import { queryRow, queryRows } from './query-rows.js';

/** All migrations, in their order. A published one is never changed. */
const MIGRATIONS = [
  Catalogue1763000000001,
  Accounts1763000000002,
  Borrowing1763000000003,
  LinksAndJobs1763000000004,
  BookSearch1763000000005,
  CatalogueAdmin1763000000006,
  Readers1763000000007,
  Payments1763000000008,
  Letters1763000000009,
  AuditLooks1763000000010,
  Reports1763000000011,
  Attempts1763000000012,
  DeskPayments1763000000013,
  CopyAllocations1763000000014,
  LogIdentity1763000000015,
  Pseudonyms1763000000016,
  FollowerState1763000000018,
  EventNotes1763000000019,
  Sessions1763000000020,
  SecondFactors1763000000021,
  KnownOrigins1763000000030,
  LettersDue1763000000031,
  RefusedCommands1763000000032,
  LibraryTimeZone1763000000033,
  House1763000000035,
  LettersInBatches1763000000041,
  LeanCopies1763000000042,
  CatalogueChanges1763000000044,
  AccountSearchChanges1763000000047,
  Copies1763000000048,
  PartsAndUndo1763000000049,
  ReaderCards1763000000051,
  CopyBinding1763000000052,
  Losses1763000000053,
  QueueAtSize1763000000054,
  StockTaking1763000000055,
  PlannedOnce1763000000056,
  Refunds1763000000057,
  Holds1763000000058,
  Kinds1763000000059,
  RuleTrials1763000000060,
  ClosedStockTakings1763000000062,
  Reading1763000000063,
  AbsentNames1763000000064,
  RulesDrafts1763000000065,
  HoldRanks1763000000068,
  Series1763000000074,
  Facets1763000000075,
  ReadingLists1763000000077,
  Merges1763000000079,
  Duplicates1763000000080,
  SearchesWithoutResult1763000000081,
  Shelves1763000000082,
  KindsListed1763000000084,
  LogProof1763000000086,
  NamesAndAddresses1763000000091,
];

/** Their names, as the table `migration` has them once they were applied. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);

/**
 * Brings the database to the present schema. Several processes may do so at once: one works, the others wait.
 * @throws StartRefused where a newer release has changed it already
 */
export async function migrate(url: string): Promise<void> {
  const lock = new pg.Client({ connectionString: url });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [LOCKS.migrations]);
    await refuseNewer(lock);
    const source = await new DataSource({
      type: 'postgres',
      url,
      driver: pg,
      migrations: MIGRATIONS,
      migrationsTableName: 'migration',
      installExtensions: false,
    }).initialize();
    try {
      await source.runMigrations({ transaction: 'each' });
    } finally {
      await source.destroy();
    }
    await makeEmptyReadModel(lock);
  } finally {
    await lock.end();
  }
}

/**
 * Where no event was ever followed, this release's lists are complete once their tables are there: nobody waits for them to be
 * built.
 */
async function makeEmptyReadModel(connection: pg.Client): Promise<void> {
  const schemas = new ReadModelSchema(connection);
  const newest = (await schemas.versions()).at(-1);
  if (newest === undefined || newest >= READ_MODEL_RELEASE.version) return;
  const older = readModelSchema(newest);
  const { rowCount } = await connection.query(`select from ${older}.checkpoint where commit_position < 0`);
  if (rowCount === 0) return;
  await connection.query(`
    begin;
    ${readModelTables(READ_MODEL)}
    ${readModelIndexes(READ_MODEL)}
    update ${READ_MODEL}.checkpoint set log_id = (select (to_jsonb(c) ->> 'log_id')::uuid from ${older}.checkpoint c);
    commit`);
}

/**
 * Refuses a database that has a migration this release does not know.
 * @throws StartRefused
 */
async function refuseNewer(connection: pg.Client): Promise<void> {
  const isMigrated = await queryRow(
    connection,
    z.object({ found: z.boolean() }),
    `select to_regclass('public.migration') is not null as found`,
  );
  if (!isMigrated?.found) return;
  const rows = await queryRows(
    connection,
    z.object({ name: z.string() }),
    'select name from public.migration order by timestamp',
  );
  const unknown = rows.find(({ name }) => !MIGRATION_NAMES.includes(name));
  if (!unknown) return;
  throw new StartRefused(
    `The database was changed by a newer release of Lectern (${unknown.name}): install that release, or restore a backup made by this one.`,
  );
}
