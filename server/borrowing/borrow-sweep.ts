import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { addDays, localDay, startOfDay } from '#contracts/local-day.js';
import type { ProblemCode } from '#contracts/problem.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { LibraryRules } from '#rules/library-rules.js';
import type { Logger } from '#platform/logging.js';
import { queryRows } from '#platform/database/query-rows.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import { ChangeBorrow } from './borrow.commands.js';
import { BORROW_POLICY, type BorrowPolicy } from '#circulation/rules/borrow.policy.js';
import { FINE_ACTOR } from './accrue-fee.command.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';

/** The result of a sweep. */
export interface SweepResult {
  /** Rents that nobody collected: their copies are back on the shelf. */
  expired: number;
  /** Late borrows that are now charged up to date. */
  charged: number;
  /** Candidates for which, by the log, there is nothing to do. */
  unchanged: number;
  /** Candidates that failed. Each is logged with its id and returns in the next sweep. */
  failed: number;
}

type Sweeping = 'ExpireBorrow' | 'ChargeFine';

const candidateRow = z.object({
  borrow_id: z.string(),
  reader_id: z.string(),
  /** The date that made it a candidate, as PostgreSQL writes it, in full precision. */
  since: z.string(),
});
type Candidate = z.output<typeof candidateRow>;

const HOUR = 3_600_000;
/** Batch size of the candidates. */
const BATCH = 200;
/** After this many timeouts of the event log in a row, the sweep fails and is retried as a job. */
const MAX_SILENCES = 3;

/** Refusals that mean the candidate was already handled: the read model lags behind the log. */
const NOTHING_TO_DO: readonly ProblemCode[] = [
  'BorrowNotRented',
  'CollectionStillPossible',
  'BorrowNotIssued',
  'BorrowNotOverdue',
  'NothingToCharge',
];

/** Days of which the sweep knows the beginnings: what is late for longer is looked at as if it could owe all that its rules allow. */
const MAX_DAYS = 3_660;

/**
 * Reads only: leaves out what costs nothing yet or is charged up to now; the decider decides about the rest. What ends on a
 * day of the library is over when the next one has begun, so the days' beginnings say how many a borrow is late.
 * Both queries walk an index, from the date they stopped at.
 */
const CANDIDATES: Record<Sweeping, (schema: string) => string> = {
  ExpireBorrow: (schema) => `
    select borrow_id, reader_id, collect_by::text as since from ${schema}.borrow
    where reserved > 0 and collect_by < $1 and (collect_by, borrow_id) > ($2::timestamptz, $3::uuid)
    order by collect_by, borrow_id limit $4`,
  ChargeFine: (schema) => `
    select borrow_id, reader_id, due_date::text as since from ${schema}.borrow
    where status in ('Issued', 'Not_Paid', 'Paid') and due_date < $1
      and (due_date, borrow_id) > ($2::timestamptz, $3::uuid)
      and lent > 0
      -- Of rules that this process does not know, the decider has to say.
      and charged < coalesce((
        select case
          -- Where some books are back, their days count too: the decider knows.
          when lent < jsonb_array_length(books) or due_date < ($8::timestamptz[])[1] then sum(cap)
          else least(sum(cap),
            (cardinality($8::timestamptz[]) - width_bucket(due_date, $8::timestamptz[]))::bigint * sum(rate * of_them)) end
        from (
          -- Those without one are lent by the default.
          select coalesce((each -> 'terms' ->> 'version')::integer, 0) as version,
            count(*) filter (where each ? 'issuedAt') as of_them
          from jsonb_array_elements(books) each group by 1, each -> 'terms' ->> 'reader'
        ) lent_by join unnest($5::integer[], $6::integer[], $7::integer[]) as rules (version, cap, rate) using (version)
      ), 2147483647)
    order by due_date, borrow_id limit $4`,
};

/**
 * The hourly sweep: a borrow that was not collected in time expires, a late one is charged for each day of the library that has begun.
 * The read model supplies the candidates, the log decides. Sweeping twice, or from two processes at once, changes
 * nothing.
 */
@Injectable()
export class BorrowSweep implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.repeat('upkeep', 'sweep-borrows', HOUR, (_data, { jobId }) => this.sweep(jobId));
  }

  /**
   * Sweeps once.
   * @throws DomainError EventStoreUnavailable when the log keeps timing out; a borrow that fails is only counted
   */
  async sweep(correlationId: string): Promise<SweepResult> {
    const now = this.clock.now();
    const result: SweepResult = { expired: 0, charged: 0, unchanged: 0, failed: 0 };
    await this.decideEach('ExpireBorrow', now, correlationId, result);
    await this.decideEach('ChargeFine', now, correlationId, result);
    const level = result.failed > 0 ? 'warn' : 'info';
    this.logger[level]({ ...result, correlationId }, 'the borrows were swept');
    return result;
  }

  private async decideEach(
    type: Sweeping,
    now: Date,
    correlationId: string,
    result: SweepResult,
  ): Promise<void> {
    let silences = 0;
    for await (const { borrow_id: borrowId, reader_id: readerId } of this.candidates(type, now)) {
      try {
        const context = {
          actor: FINE_ACTOR,
          correlationId,
          ...commandIdentity(randomUUID(), FINE_ACTOR, type, { borrowId }),
        };
        await this.commands.execute(new ChangeBorrow({ readerId, change: { type, borrowId }, context }));
        silences = 0;
        result[type === 'ExpireBorrow' ? 'expired' : 'charged'] += 1;
      } catch (error) {
        const code = error instanceof DomainError ? error.code : undefined;
        if (code !== undefined && NOTHING_TO_DO.includes(code)) {
          result.unchanged += 1;
          continue;
        }
        result.failed += 1;
        this.logger.error({ borrowId, error }, 'a borrow could not be swept');
        silences = code === 'EventStoreUnavailable' ? silences + 1 : 0;
        if (silences >= MAX_SILENCES) throw error;
      }
    }
  }

  private async *candidates(type: Sweeping, now: Date): AsyncGenerator<Candidate> {
    let [since, after] = ['-infinity', '00000000-0000-0000-0000-000000000000'];
    const zone = this.rules.timeZone.name;
    const today = localDay(now.getTime(), zone);
    const begins = (daysAgo: number) => new Date(startOfDay(addDays(today, -daysAgo), zone));
    const fees = type === 'ChargeFine' ? this.fees(begins) : [];
    for (;;) {
      const statement = CANDIDATES[type](await this.readModel.toRead());
      const rows = await queryRows(this.database, candidateRow, statement, [
        begins(0),
        since,
        after,
        BATCH,
        ...fees,
      ]);
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
      [since, after] = [last.since, last.borrow_id];
    }
  }

  /**
   * What the rules may charge at most: by version, the cap and the fee of a book and day, whatever the kinds of reader and book;
   * and when the days began that can still make a fee dearer.
   */
  private fees(begins: (daysAgo: number) => Date): unknown[] {
    const { changes } = this.rules.versions;
    const versions = [{ ...BORROW_POLICY, version: 0 }, ...changes.map(({ policy }) => policy)];
    const caps = versions.map((policy) => mostOf(policy, 'fineCap'));
    const rates = versions.map((policy) => mostOf(policy, 'finePerBookAndDay'));
    const days = caps.map((cap, n) => Math.ceil(cap / (rates[n] || cap || 1)));
    const length = Math.min(MAX_DAYS, Math.max(...days));
    const begun = Array.from({ length }, (_, n) => begins(length - 1 - n));
    return [versions.map(({ version }) => version), caps, rates, begun];
  }
}

function mostOf(policy: BorrowPolicy, name: 'fineCap' | 'finePerBookAndDay'): number {
  const others = policy.exceptions.flatMap(({ numbers }) => numbers[name] ?? []);
  return Math.max(policy[name], ...others);
}
