import { z } from 'zod';
import * as m from '#words/messages.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Queryable } from './database.js';
import { StartupError } from '../startup-error.js';
import { queryRow, queryRows } from './query-rows.js';
import {
  READ_MODEL_RELEASE,
  readModelSchema,
  readModelVersion,
  shadowSchemaOf,
  type ReadModelRelease,
} from './read-model.js';

/** A SQLSTATE. */
const UNDEFINED_TABLE = '42P01';

/**
 * Which schema of the read model is there, and which one this release reads. Each version of the read model has one of its
 * own, that of this release beside the ones of releases before it, whose servers may still be running.
 */
export class ReadModelSchema {
  /** The schema of this release's version, built or not. */
  readonly own: string;
  private isBuilt = false;

  constructor(
    private readonly database: Queryable,
    readonly release: ReadModelRelease = READ_MODEL_RELEASE,
  ) {
    this.own = readModelSchema(release.version);
  }

  /**
   * The schema that queries read now: this release's own, or while that is being made an older one, if they can.
   * @throws DomainError ListsBeingBuilt
   */
  async toRead(): Promise<string> {
    if (this.isBuilt) return this.own;
    const versions = await this.versions();
    this.isBuilt = versions.includes(this.release.version);
    if (this.isBuilt) return this.own;
    const readable = versions.filter((version) => this.release.reads.includes(version)).at(-1);
    if (readable !== undefined) return readModelSchema(readable);
    const refusal = await this.beingBuilt();
    // They may have become complete while it was counted how far they are.
    this.isBuilt = (await this.versions()).includes(this.release.version);
    if (this.isBuilt) return this.own;
    throw refusal;
  }

  /** The schema with the newest rows there are for this release: its own, or the one that its own is made from. */
  async present(): Promise<string> {
    const newest = (await this.versions()).filter((version) => version <= this.release.version).at(-1);
    if (newest === undefined) throw new Error('This database has no read model in it.');
    return readModelSchema(newest);
  }

  /**
   * Refuses rows of a later release.
   * @throws StartupError
   */
  async refuseNewer(): Promise<void> {
    const { version } = this.release;
    const newer = (await this.versions()).find((each) => each > version);
    if (newer === undefined) return;
    throw new StartupError(m.start_lists_newer({ found: newer, wanted: version }));
  }

  /** The versions whose rows are complete, in their order. */
  async versions(): Promise<number[]> {
    const schemas = await queryRows(
      this.database,
      z.object({ name: z.string() }),
      `select nspname as name from pg_namespace where nspname like 'read\\_model%'`,
    );
    return schemas.flatMap(({ name }) => readModelVersion(name) ?? []).sort((one, other) => one - other);
  }

  private async beingBuilt(): Promise<DomainError> {
    const [done, of] = [
      await this.eventsIn(shadowSchemaOf(this.own)),
      await this.eventsIn(await this.present()),
    ];
    return new DomainError('ListsBeingBuilt', m.error_lists_built({ done, of }));
  }

  /** How many events the rows of a schema are made of: 0 where there is none, or where it has just become another one. */
  private async eventsIn(schema: string): Promise<number> {
    try {
      const row = await queryRow(
        this.database,
        z.object({ events: z.coerce.number() }),
        `select events from ${schema}.checkpoint`,
      );
      return row?.events ?? 0;
    } catch (error) {
      if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return 0;
      throw error;
    }
  }
}
