import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { PROBLEMS, type ProblemCode } from '#contracts/problem.js';
import { Clock } from '#platform/clock.js';
import {
  inTransaction,
  type Connection,
  type Database,
  type Queryable,
} from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { DATABASE } from '#platform/tokens.js';
import * as m from '#words/messages.js';

/** How a repeat of a command is recognised (see `commandIdentity`). */
export interface CommandIdentity {
  commandId: string;
  /** A digest of the request. */
  commandDigest: string;
}

const HOUR = 3_600_000;
/** Milliseconds for which a refusal is the answer to its key. */
const REMEMBERED_FOR = 24 * HOUR;

const refusedRow = z.object({
  announcement: z.string(),
  digest: z.string().nullable(),
  code: z.enum(Object.keys(PROBLEMS) as ProblemCode[]).nullable(),
  detail: z.string().nullable(),
});

/**
 * Refusals of commands with an `Idempotency-Key`, for all processes. Acceptances are in the event log and in the payments'
 * ledger; `docs/decisions/004-refusals-by-key.md` says why no command gets both answers.
 */
@Injectable()
export class RefusedCommands implements OnModuleInit {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.repeat('upkeep', 'forget-refusals', HOUR, () => this.forget());
  }

  /** Refusals of this instant and before no longer count. */
  expiredAt(): Date {
    return new Date(this.clock.now().getTime() - REMEMBERED_FOR);
  }

  /**
   * Asked before a command is accepted, on a state of the log that has been read. Withdraws the announcement of another
   * attempt, which then has to read that state too.
   * @returns the command's earlier refusal, if there was one
   */
  async admit(
    { commandId, commandDigest }: CommandIdentity,
    connection: Queryable = this.database,
  ): Promise<DomainError | undefined> {
    const row = await queryRow(connection, refusedRow, {
      name: 'admit-command',
      text: 'select * from admit_command($1, $2)',
      values: [commandId, this.expiredAt()],
    });
    return row && refusalOf(row, commandDigest);
  }

  /**
   * Asked before a command is refused. The state must be read and decided on once more before the refusal is settled.
   * @returns the announcement to settle, or the command's earlier refusal
   */
  async announce(
    { commandId, commandDigest }: CommandIdentity,
    connection: Queryable = this.database,
  ): Promise<string | DomainError> {
    for (;;) {
      const row = await queryRow(connection, refusedRow, 'select * from announce_refusal($1, $2, $3, $4)', [
        commandId,
        randomUUID(),
        this.clock.now(),
        this.expiredAt(),
      ]);
      // Without a row, another attempt has withdrawn it at this moment.
      if (row) return refusalOf(row, commandDigest) ?? row.announcement;
    }
  }

  /**
   * Makes a refusal the answer to the command.
   * @returns false if its announcement was withdrawn, or another attempt has settled it
   */
  async settle(
    { commandId, commandDigest }: CommandIdentity,
    announcement: string,
    { code, detail }: DomainError,
    connection: Queryable = this.database,
  ): Promise<boolean> {
    const { rowCount } = await connection.query(
      `update refused_command set digest = $3, code = $4, detail = $5
       where command_id = $1 and announcement = $2 and code is null`,
      [commandId, announcement, commandDigest, code, detail],
    );
    return rowCount === 1;
  }

  /**
   * Makes a refusal the answer to a command that writes something to the database before it can be accepted.
   * @param isBegun whether another attempt has written that; while this runs, none can
   * @returns the answer: this refusal or an earlier one; nothing if another attempt has begun
   */
  refuse(
    identity: CommandIdentity,
    refusal: DomainError,
    isBegun: (connection: Connection) => Promise<boolean>,
  ): Promise<DomainError | undefined> {
    return inTransaction(this.database, async (connection) => {
      await lockCommand(connection, identity);
      if (await isBegun(connection)) return undefined;
      const announced = await this.announce(identity, connection);
      if (announced instanceof DomainError) return announced;
      return (await this.settle(identity, announced, refusal, connection)) ? refusal : undefined;
    });
  }

  /** @returns how many no longer counted, and were deleted */
  async forget(): Promise<number> {
    const { rowCount } = await this.database.query('delete from refused_command where announced_at <= $1', [
      this.expiredAt(),
    ]);
    return rowCount ?? 0;
  }
}

/** Other attempts at the command that ask for the lock wait until the transaction has ended. */
export async function lockCommand(connection: Queryable, { commandId }: CommandIdentity): Promise<void> {
  await connection.query('select lock_command($1)', [commandId]);
}

/** @returns nothing for an announcement */
function refusalOf(
  { digest, code, detail }: z.output<typeof refusedRow>,
  commandDigest: string,
): DomainError | undefined {
  if (code === null || detail === null) return undefined;
  return digest === commandDigest ? new DomainError(code, detail) : keyReused();
}

/** A key names one request. */
export function keyReused(): DomainError {
  return new DomainError('IdempotencyKeyReused', m.error_key_reused());
}
