import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import {
  IMPORT_STATES,
  IMPORTS_SHOWN,
  type ImportKind,
  type ImportState,
  type StagedImport,
} from '#contracts/imports.js';
import type { Paged } from '#contracts/paging.js';
import {
  inTransaction,
  type Connection,
  type Database,
  type Queryable,
} from '#platform/database/database.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { JobName } from '#platform/jobs/job-map.js';
import type { Jobs } from '#platform/jobs/jobs.js';
import { writeToOutbox } from '#platform/jobs/outbox.js';
import * as m from '#words/messages.js';
import { correlationId } from '../http/correlation.js';

/** Rows of a file that are read at once. */
const BATCH = 500;

/** In these states nobody works on an import, and what it is to do can be chosen. */
const AT_REST: readonly ImportState[] = ['staged', 'done'];

const WORK = {
  running: AT_REST,
  undoing: ['done'],
} as const satisfies Partial<Record<ImportState, readonly ImportState[]>>;

export interface StageOptions {
  /** The file's. */
  name: string;
  startedBy: string | null;
  now: Date;
  signal?: AbortSignal | undefined;
  /** Told after each batch how many rows were read. */
  onProgress?: (rows: number) => void;
}

export interface WorkOptions {
  signal?: AbortSignal | undefined;
  onProgress?: (rows: number, part: number) => void;
}

const countRow = z.object({
  outcome: z.string(),
  done: z.string().nullable(),
  count: z.int(),
  chosen: z.int(),
});
export const importRow = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(IMPORT_STATES),
  is_left: z.boolean(),
  handled: z.int(),
  total: z.int(),
  started_by: z.string().nullable(),
  started_at: z.date(),
  counts: z.array(countRow),
});
const farRow = z.object({ handled: z.int(), total: z.int() });

/** Nobody has come further with it for so long that whoever was at it is gone. */
const IS_LEFT = `touched_at < now() - interval '2 minutes'`;

/**
 * The imports of one kind: files that are read into rows, which say what would become of each; then done, in batches, and whoever
 * dies at it leaves the rest to the next one.
 */
export abstract class StagedImports<View extends StagedImport> {
  protected abstract readonly of: ImportKind;
  /** The tables of the imports and of their rows. */
  protected abstract readonly files: string;
  protected abstract readonly rows: string;
  /** Whether a row r is to be done. */
  protected abstract readonly isToDo: string;
  protected abstract readonly outcomes: readonly string[];
  protected abstract readonly done: readonly string[];

  /** @param where says which imports i, and in which order */
  protected abstract views(database: Queryable, where: string, values?: readonly unknown[]): Promise<View[]>;

  /** What all imports i have. @param more further columns, and what they are joined to */
  protected select(more = '', joins = ''): string {
    return `
      select i.*, b.username as started_by, i.${IS_LEFT} and i.state in ('reading', 'running', 'undoing') as is_left, (
        select coalesce(json_agg(c), '[]') from (
          select r.outcome, r.done, count(*)::integer as count, count(*) filter (where ${this.isToDo})::integer as chosen
          from ${this.rows} r where r.import_id = i.id group by r.outcome, r.done) c) as counts ${more}
      from ${this.files} i left join account b on b.id = i.started_by ${joins}`;
  }

  protected viewOf(row: z.output<typeof importRow>): Pick<View, keyof StagedImport> {
    const { id, name, state, handled, total, counts } = row;
    const sum = (names: readonly string[], of: 'outcome' | 'done') =>
      Object.fromEntries(
        names.map((each) => [
          each,
          counts.filter((count) => count[of] === each).reduce((all, { count }) => all + count, 0),
        ]),
      );
    const view: StagedImport = {
      ...{ id, name, state, handled, total, isLeft: row.is_left },
      ...{ startedBy: row.started_by, startedAt: row.started_at.toISOString() },
      ...{ outcomes: sum(this.outcomes, 'outcome'), done: sum(this.done, 'done') },
      chosen: counts.reduce((all, { chosen }) => all + chosen, 0),
    };
    return view;
  }

  /** The newest first. */
  recent(database: Queryable): Promise<View[]> {
    return this.views(database, `order by i.started_at desc, i.id limit ${IMPORTS_SHOWN}`);
  }

  async find(database: Queryable, id: string): Promise<View | undefined> {
    const [found] = await this.views(database, 'where i.id = $1', [id]);
    return found;
  }

  /** @throws DomainError ImportNotFound */
  async read(database: Queryable, id: string): Promise<View> {
    const found = await this.find(database, id);
    if (!found) throw new DomainError('ImportNotFound', m.import_gone());
    return found;
  }

  /**
   * Rows by their place in the file.
   * @param select the columns of rows r, without a condition
   */
  protected async page<Row extends z.ZodType>(
    database: Queryable,
    [row, select]: [Row, string],
    [id, outcome]: [string, string | undefined],
    { offset, limit }: { offset: number; limit: number },
  ): Promise<Paged<z.output<Row>>> {
    const where = `where r.import_id = $1 and ($2::text is null or r.outcome = $2)`;
    const values = [id, outcome ?? null];
    const paged = `${select} ${where} order by r.place offset $3 limit $4`;
    const items = await queryRows(database, row, paged, [...values, offset, limit]);
    const count = `select count(*)::integer as count from ${this.rows} r ${where}`;
    const total = await queryRow(database, z.object({ count: z.int() }), count, values);
    return { items, totalCount: total?.count ?? 0 };
  }

  /**
   * Reads a file into rows; nothing else is touched.
   * @param own what this kind has beside what all imports have, by columns
   * @param write writes rows of the import with this id
   * @returns the import's id
   * @throws the errors of the stream and of the signal; then nothing of it stays
   */
  async stage<Read>(
    database: Database,
    file: AsyncIterable<Read>,
    { name, startedBy, now, signal, onProgress }: StageOptions,
    own: Readonly<Record<string, unknown>>,
    write: (id: string, rows: readonly Read[]) => Promise<void>,
  ): Promise<string> {
    const id = randomUUID();
    const given = { id, name, state: 'reading', started_by: startedBy, started_at: now, ...own };
    await database.query(
      `insert into ${this.files} (touched_at, ${Object.keys(given).join(', ')})
       values (now(), ${Object.keys(given)
         .map((_, n) => `$${n + 1}`)
         .join(', ')})`,
      Object.values(given),
    );
    try {
      let batch: Read[] = [];
      let rows = 0;
      const flush = async (state: ImportState) => {
        await write(id, batch);
        rows += batch.length;
        batch = [];
        await database.query(
          `update ${this.files} set state = $2, handled = $3, touched_at = now() where id = $1`,
          [id, state, state === 'reading' ? rows : 0],
        );
        await this.notify(database, id);
        onProgress?.(rows);
        signal?.throwIfAborted();
      };
      await this.notify(database, id);
      for await (const row of file) {
        batch.push(row);
        if (batch.length >= BATCH) await flush('reading');
      }
      await flush('staged');
      return id;
    } catch (error) {
      await this.drop(database, id);
      throw error;
    }
  }

  /**
   * Moves an import on, unless somebody else has. Work that nobody does any more is begun again.
   * @returns whether it was in one of these states
   */
  async move(
    database: Queryable,
    id: string,
    from: readonly ImportState[],
    to: ImportState,
  ): Promise<boolean> {
    const { rowCount } = await database.query(
      `update ${this.files} set state = $3, handled = 0, touched_at = now(), total = case $3
         when 'running' then (select count(*) from ${this.rows} r where r.import_id = $1 and ${this.isToDo})
         when 'undoing' then (select count(*) from ${this.rows} where import_id = $1 and done in ('added', 'changed'))
         else total end
       where id = $1 and (state = any($2::text[]) or state = $3 and ${IS_LEFT})`,
      [id, from, to],
    );
    if (rowCount === 1) await this.notify(database, id);
    return rowCount === 1;
  }

  /** Begins the work as a command does, which does it itself. @returns whether nobody else is at it */
  begin(database: Queryable, id: string, during: keyof typeof WORK = 'running'): Promise<boolean> {
    return this.move(database, id, WORK[during], during);
  }

  /**
   * Has it done, or what was done undone, by a job.
   * @throws DomainError ImportNotFound, ImportBusy
   */
  enqueue(database: Database, id: string, job: JobName<'imports'>): Promise<View> {
    return inTransaction(database, async (connection) => {
      await this.read(connection, id);
      if (!(await this.begin(connection, id, job === 'undo' ? 'undoing' : 'running'))) throw busy();
      await writeToOutbox(connection, 'imports', job, { importId: id }, correlationId());
      return this.read(connection, id);
    });
  }

  /** Does the jobs of this name. One whose process ends goes on where it was, by the queue's next worker. */
  handle(
    jobs: Jobs,
    job: JobName<'imports'>,
    signal: AbortSignal,
    work: (importId: string, options: WorkOptions) => Promise<boolean>,
  ): void {
    jobs.handle('imports', job, async ({ importId }, context) => {
      const onProgress = (_rows: number, part: number) => void context.reportProgress(Math.floor(part * 100));
      const isDone = await work(importId, { signal, onProgress });
      if (!isDone) throw new Error('The process ends; the import goes on later.');
    });
  }

  /**
   * Works through an import, as long as it is in this state, until a batch has no rows. Each is one transaction, so that the work
   * goes on where it was stopped.
   * @param work does a batch. @returns how many rows
   * @param options whose signal stops it between two batches
   * @returns whether it came to the end
   */
  async inBatches(
    database: Database,
    id: string,
    state: ImportState,
    work: (connection: Connection) => Promise<number>,
    { signal, onProgress }: WorkOptions,
  ): Promise<boolean> {
    while (!signal?.aborted) {
      const far = await inTransaction(database, async (connection) => {
        // Of two workers the second waits, and finds the rows done.
        const { rowCount } = await connection.query(
          `select from ${this.files} where id = $1 and state = $2 for update`,
          [id, state],
        );
        const rows = rowCount === 1 ? await work(connection) : 0;
        if (rows === 0) return undefined;
        const after = await queryRow(
          connection,
          farRow,
          `update ${this.files} set handled = handled + $2, touched_at = now() where id = $1 returning handled, total`,
          [id, rows],
        );
        await this.notify(connection, id);
        return after;
      });
      if (!far) return true;
      onProgress?.(far.handled, far.handled / Math.max(far.total, 1));
    }
    return false;
  }

  /** Changes what an import is to do. @throws DomainError ImportNotFound, ImportBusy */
  change(database: Database, id: string, work: (connection: Connection) => Promise<unknown>): Promise<View> {
    return inTransaction(database, async (connection) => {
      await connection.query(`select from ${this.files} where id = $1 for update`, [id]);
      if (!AT_REST.includes((await this.read(connection, id)).state)) throw busy();
      await work(connection);
      await this.notify(connection, id);
      return this.read(connection, id);
    });
  }

  /** What came of it stays. @throws DomainError ImportNotFound, ImportBusy */
  async forget(database: Database, id: string): Promise<{ deleted: number }> {
    const { rowCount } = await database.query(
      `delete from ${this.files} where id = $1 and (state in ('staged', 'done', 'undone') or ${IS_LEFT})`,
      [id],
    );
    if (rowCount === 1) return { deleted: 1 };
    await this.read(database, id);
    throw busy();
  }

  /** Deletes one whose file broke off. */
  async drop(database: Queryable, id: string): Promise<void> {
    await database.query(`delete from ${this.files} where id = $1`, [id]);
  }

  /** Notifies every server process of how far an import is, on commit. */
  private async notify(database: Queryable, id: string): Promise<void> {
    await database.query(
      `select pg_notify($2, json_build_object('of', $3::text, 'importId', id, 'state', state, 'handled', handled,
         'total', total)::text) from ${this.files} where id = $1`,
      [id, CHANNELS.imports, this.of],
    );
  }
}

export const busy = () => new DomainError('ImportBusy', m.import_busy());
export const rowNotFound = () => new DomainError('ImportNotFound', m.import_row_gone());
