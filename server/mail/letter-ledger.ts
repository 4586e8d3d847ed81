import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import type { JobData, JobName } from '#platform/jobs/job-map.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';

/** A claim that its process has not renewed for so long is over: the process died. */
const CLAIM_LASTS = '15 seconds';
/** Milliseconds between two renewals. */
const RENEWED_EVERY = 3000;

/** Entries are deleted after this: no job refers to them any more. */
const KEPT = '400 days';
/** Nobody looks back at letters about accounts for longer. */
const KEPT_OF_ACCOUNTS = '30 days';

/** The result of claiming a letter. */
export type Claim =
  | { kind: 'claimed'; claim: string; causedAt: Date }
  /** Sent, refused, or found to have nothing to say. */
  | { kind: 'settled' }
  /** Another job is sending it now. */
  | { kind: 'taken' };

/**
 * Records which letters were sent (`docs/decisions/009-letters.md`). A letter is claimed before it is sent and settled
 * afterwards. As long as its process lives, a claim is renewed; once the process has died, the claim runs out and the
 * letter is due again.
 */
@Injectable()
export class LetterLedger implements OnApplicationShutdown {
  private readonly claims = new Set<string>();
  private renewal: NodeJS.Timeout | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationShutdown(): void {
    clearInterval(this.renewal);
  }

  /** @param refusedToo an admin has the letter tried again though the mail server refused its address */
  async claim(cause: string, refusedToo: boolean): Promise<Claim> {
    const claim = randomUUID();
    const claimed = await queryRow(
      this.database,
      z.object({ caused_at: z.date() }),
      `update letters.letter set state = 'sending', claim = $2, claimed_at = now(), claims = claims + 1,
         queued_at = coalesce(queued_at, now()), due_at = now() + $3::interval, settled_at = null
       where cause = $1
         and (state = 'waiting' or state = 'sending' and due_at <= now() or state = 'refused' and $4)
       returning caused_at`,
      [cause, claim, CLAIM_LASTS, refusedToo],
    );
    if (claimed) {
      this.keep(claim);
      return { kind: 'claimed', claim, causedAt: claimed.caused_at };
    }
    const letter = await queryRow(
      this.database,
      z.object({ state: z.string() }),
      'select state from letters.letter where cause = $1',
      [cause],
    );
    // Without an entry it is unknown whether the letter was sent: it is not sent again.
    const isOpen = letter?.state === 'sending' || letter?.state === 'waiting';
    return { kind: isOpen ? 'taken' : 'settled' };
  }

  /** Renews a claim. @returns whether it still holds: a process that stood still for long may have lost it */
  async renew(claim: string): Promise<boolean> {
    return (await this.renewAll([claim])) === 1;
  }

  /** The mail server has the letter, whoever claims it by now. */
  async sent(cause: string, claim: string): Promise<void> {
    await this.database.query(
      `update letters.letter set state = 'sent', claim = null, queued_at = null, problem = null, settled_at = now()
       where cause = $1 and state <> 'sent'`,
      [cause],
    );
    this.forget(claim);
  }

  /** The letter has nothing to say any more. */
  async dropped(claim: string): Promise<void> {
    // If this fails, the claim runs out.
    this.forget(claim);
    await this.database.query(
      `update letters.letter set state = 'dropped', claim = null, queued_at = null, problem = null, settled_at = now()
       where claim = $1`,
      [claim],
    );
  }

  /** The mail server takes no letters to this address. */
  async refused(claim: string, problem: string): Promise<void> {
    // If this fails, the claim runs out.
    this.forget(claim);
    await this.database.query(
      `update letters.letter set state = 'refused', claim = null, queued_at = null, problem = $2, settled_at = now()
       where claim = $1`,
      [claim, problem],
    );
  }

  /**
   * The letter was not sent.
   * @param problem why, without the address
   * @param dueInMs when it is queued anew. Any job may claim it before that.
   */
  async release(claim: string, problem: string, dueInMs: number): Promise<void> {
    // If this fails, the claim runs out.
    this.forget(claim);
    await this.database.query(
      `update letters.letter set state = 'waiting', claim = null, claimed_at = null, queued_at = null, problem = $2,
         due_at = now() + make_interval(secs => $3)
       where claim = $1`,
      [claim, problem, dueInMs / 1000],
    );
  }

  /** Takes over a job of a release whose ledger did not have the letters about accounts. @returns the letter's cause */
  async adopt<Kind extends JobName<'mail'>>(
    jobId: string,
    kind: Kind,
    data: JobData<'mail', Kind>,
    correlationId: string | undefined,
  ): Promise<string> {
    const cause = `job-${jobId}`;
    await this.database.query(
      `insert into letters.letter (cause, kind, account_id, caused_at, queue, data, correlation_id, queued_at, due_at)
       values ($1, $2, $3, now(), 'mail', $4, $5, now(), now() + $6::interval) on conflict (cause) do nothing`,
      [cause, kind, data.accountId, JSON.stringify(data), correlationId ?? null, CLAIM_LASTS],
    );
    return cause;
  }

  /** Deletes old entries. */
  async prune(): Promise<void> {
    await this.database.query(
      `delete from letters.letter where caused_at < now() - $1::interval
         or queue = 'mail' and state not in ('waiting', 'sending') and caused_at < now() - $2::interval`,
      [KEPT, KEPT_OF_ACCOUNTS],
    );
  }

  private keep(claim: string): void {
    this.claims.add(claim);
    this.renewal ??= setInterval(() => {
      this.renewAll([...this.claims]).catch((error: unknown) =>
        this.logger.warn({ error }, 'the claims of letters could not be renewed'),
      );
    }, RENEWED_EVERY).unref();
  }

  private forget(claim: string): void {
    this.claims.delete(claim);
    if (this.claims.size > 0) return;
    clearInterval(this.renewal);
    this.renewal = undefined;
  }

  /** A letter that was queued again goes back to its claim as long as no other job has claimed it. */
  private async renewAll(claims: string[]): Promise<number | null> {
    const { rowCount } = await this.database.query(
      `update letters.letter set state = 'sending', due_at = now() + $2::interval
       where claim = any($1) and state in ('waiting', 'sending')`,
      [claims, CLAIM_LASTS],
    );
    return rowCount;
  }
}
