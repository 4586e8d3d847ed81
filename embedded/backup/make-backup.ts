import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import * as m from '#words/messages.js';
import { LOCKS } from '#platform/database/locks.js';
import { queryRow } from '#platform/database/query-rows.js';
import { SECOND_FACTOR_SECRET_FILE, SESSION_SECRET_FILES } from '../stored-secrets.js';
import { DATABASE } from '../postgres/owner-role.js';
import { runningPostgres } from '../postgres/postgres-server.js';
import { BackupFolder, type BackupTarget } from './backup-folder.js';
import { clusterContent, CONTROL_FILE, segmentsBetween } from './cluster-files.js';
import { isAbsent } from './copied-file.js';
import { EncryptedArchive, type BackupLock } from './encrypted-archive.js';
import { holdingsSchema, ofThisProgram, type BackupFile, type Manifest } from './manifest.js';

export interface BackupOptions {
  dataDir: string;
  /** Where the backup goes: a folder or, with a lock, one encrypted file; created if it does not exist. */
  place: string;
  lock?: BackupLock;
  /** Whether to include the letters of the embedded mailbox. */
  mailbox: boolean;
  /** Stops the backup, and removes what it has written. */
  signal: AbortSignal;
  /** Called with the number of bytes copied so far. */
  progress?: (bytes: number) => void;
}

/**
 * Copies a whole installation while its PostgreSQL runs: each file as of some moment, and the WAL of that time, with which
 * PostgreSQL makes the copy consistent when it first starts on it.
 * @throws an Error with a sentence for the person at the terminal; the place is then unchanged
 */
export async function makeBackup(options: BackupOptions): Promise<Manifest> {
  const { place, dataDir, lock } = options;
  const target: BackupTarget = lock
    ? await EncryptedArchive.create(place, dataDir, lock)
    : await BackupFolder.create(place, dataDir);
  try {
    return await new BackupRun(options, target).run();
  } catch (error) {
    await target.abandon();
    throw error;
  }
}

class BackupRun {
  private readonly cluster: string;
  private readonly files: BackupFile[] = [];
  private readonly folders: string[] = [];
  private copied = 0;

  constructor(
    private readonly options: BackupOptions,
    private readonly target: BackupTarget,
  ) {
    this.cluster = join(resolve(options.dataDir), 'postgres', 'cluster');
  }

  async run(): Promise<Manifest> {
    // Copying a cluster requires a superuser.
    const url = runningPostgres(join(resolve(this.options.dataDir), 'postgres')).adminUrl(DATABASE);
    const session = new pg.Client({ connectionString: url });
    let broken: Error | undefined;
    session.on('error', (error) => (broken = error));
    await session.connect();
    try {
      // The password is to be the one that the copied cluster knows.
      await session.query('select pg_advisory_lock_shared($1)', [LOCKS.superuserPassword]);
      const facts = await factsOf(session);
      // The slot keeps the WAL while files are copied. The slot, and PostgreSQL's backup mode, end with this session,
      // however it ends.
      await session.query('select pg_create_physical_replication_slot($1, true, true)', [
        `lectern_backup_${randomBytes(6).toString('hex')}`,
      ]);
      const start = await one(
        session,
        z.object({ lsn: z.string() }),
        'select pg_backup_start($1, true) as lsn',
        [`lectern ${new Date().toISOString()}`],
      );
      await this.copyCluster();
      if (broken) throw broken;
      const holds = await countHoldings(session);
      const stop = await one(
        session,
        z.object({ lsn: z.string(), labelfile: z.string() }),
        'select lsn, labelfile from pg_backup_stop(wait_for_archive => false)',
      );
      await this.write('cluster/backup_label', stop.labelfile);
      const segments = segmentsBetween(facts.timeline, start.lsn, stop.lsn, facts.segmentBytes);
      for (const name of segments)
        await this.copy(join(this.cluster, 'pg_wal', name), `cluster/pg_wal/${name}`);
      await this.copyBesideCluster();
      const manifest: Manifest = {
        ...ofThisProgram(),
        migrations: facts.migrations,
        postgres: facts.version,
        madeAt: new Date().toISOString(),
        wal: { start: start.lsn, end: stop.lsn },
        holds,
        folders: this.folders,
        files: this.files,
      };
      this.options.signal.throwIfAborted();
      await this.target.complete(manifest);
      return manifest;
    } finally {
      await session.end();
    }
  }

  private async copyCluster(): Promise<void> {
    const { folders, files } = await clusterContent(this.cluster);
    await this.addFolder('cluster');
    for (const path of folders) await this.addFolder(`cluster/${path}`);
    for (const path of files) {
      if (path === CONTROL_FILE) await this.write(`cluster/${path}`, await wholeControlFile(this.cluster));
      else await this.copyWhereThere(join(this.cluster, path), `cluster/${path}`);
    }
  }

  private async copyBesideCluster(): Promise<void> {
    const dataDir = resolve(this.options.dataDir);
    await this.copy(join(dataDir, 'postgres', 'password'), 'password');
    // These do not exist if they are set, were never changed, or if there is no demo for strangers.
    for (const name of [...Object.values(SESSION_SECRET_FILES), SECOND_FACTOR_SECRET_FILE, 'demo-password']) {
      await this.copyWhereThere(join(dataDir, name), name);
    }
    const mailbox = join(dataDir, 'mailbox');
    if (!this.options.mailbox || !existsSync(mailbox)) return;
    await this.addFolder('mailbox');
    for (const name of (await readdir(mailbox)).sort()) {
      if (name.endsWith('.eml')) await this.copyWhereThere(join(mailbox, name), `mailbox/${name}`);
    }
  }

  private async addFolder(path: string): Promise<void> {
    await this.target.addFolder(path);
    this.folders.push(path);
  }

  private async copy(from: string, path: string): Promise<void> {
    this.options.signal.throwIfAborted();
    this.record(path, await this.target.copy(from, path));
  }

  /** A table or a letter that was deleted since the listing is not missing: the WAL accounts for it. */
  private async copyWhereThere(from: string, path: string): Promise<void> {
    await this.copy(from, path).catch((error: unknown) => {
      if (!isAbsent(error)) throw error;
    });
  }

  private async write(path: string, content: string | Buffer): Promise<void> {
    this.record(path, await this.target.write(path, content));
  }

  private record(path: string, content: { bytes: number; sha256: string }): void {
    this.files.push({ path, ...content });
    this.copied += content.bytes;
    this.options.progress?.(this.copied);
  }
}

/** PostgreSQL writes this file at once, but some systems may show a reader half of it. */
async function wholeControlFile(cluster: string): Promise<Buffer> {
  let before = await readFile(join(cluster, CONTROL_FILE));
  for (;;) {
    await sleep(20);
    const again = await readFile(join(cluster, CONTROL_FILE));
    if (again.equals(before)) return again;
    before = again;
  }
}

const clusterRow = z.object({
  version: z.string(),
  timeline: z.int(),
  segmentBytes: z.int(),
  migrations: z.array(z.string()),
  wal: z.string(),
  tablespaces: z.int(),
});
type ClusterFacts = Omit<z.output<typeof clusterRow>, 'wal' | 'tablespaces'>;

async function factsOf(session: pg.Client): Promise<ClusterFacts> {
  const { wal, tablespaces, ...facts } = await one(
    session,
    clusterRow,
    `select split_part(current_setting('server_version'), ' ', 1) as version,
       (select timeline_id from pg_control_checkpoint()) as timeline,
       (select setting::integer from pg_settings where name = 'wal_segment_size') as "segmentBytes",
       current_setting('wal_level') as wal,
       (select count(*)::integer from pg_tablespace) as tablespaces,
       array(select name from migration order by id)::text[] as migrations`,
  );
  if (wal === 'minimal') {
    throw new Error(m.cli_backup_wal_minimal());
  }
  // Every cluster has these: pg_default and pg_global.
  if (tablespaces > 2) throw new Error(m.cli_backup_tablespaces());
  return facts;
}

async function countHoldings(session: pg.Client): Promise<Manifest['holds']> {
  return one(
    session,
    holdingsSchema,
    `select (select count(*)::integer from eventstore.event) as events,
       (select coalesce(max(position), -1)::text from eventstore.event) as position,
       (select count(*)::integer from account) as accounts,
       (select count(*)::integer from book) as books,
       (select count(*)::integer from book_cover) as covers`,
  );
}

async function one<Row extends z.ZodType>(
  session: pg.Client,
  schema: Row,
  sql: string,
  parameters: unknown[] = [],
): Promise<z.output<Row>> {
  const row = await queryRow(session, schema, sql, parameters);
  if (row === undefined) throw new Error('PostgreSQL gave no answer.');
  return row;
}
