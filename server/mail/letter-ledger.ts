import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { QueueName } from '#platform/jobs/job-map.js';
import { KeyedMutex } from '#platform/keyed-mutex.js';
import {
  DUE_LETTER_COLUMNS,
  dueLetter,
  IS_UNCLAIMED,
  KNOWN_KINDS,
  type DueLetter,
} from '#letters/due-letter.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import { Claim, CLAIM_LASTS, LetterClaims } from './letter-claims.js';

/** Entries are deleted after this: no job refers to them any more. */
const KEPT = '400 days';
/** Nobody looks back at letters about accounts for longer. */
const KEPT_OF_ACCOUNTS = '30 days';

/** The result of claiming a letter. */
export type ClaimedLetter =
  | { kind: 'claimed'; claim: Claim; letter: DueLetter }
  /** Sent, or found to have nothing to say. */
  | { kind: 'settled' }
  /** The mail server takes no letters to its address. */
  | { kind: 'refused'; problem: string }
  /** Another job is sending it now. */
  | { kind: 'taken' };

/** A letter that is done with. */
interface SettledLetter {
  cause: string;
  claim: Claim;
  /** Or else it had nothing to say. */
  sent: boolean;
}

/**
 * Records which letters were sent (`docs/decisions/015-letters.md`). A letter is claimed before it is sent and settled
 * afterwards.
 */
@Injectable()
export class LetterLedger implements OnApplicationShutdown {
  private readonly claims: LetterClaims;
  private readonly statements = new KeyedMutex();
  private settled: SettledLetter[] = [];
  private recording: Promise<void> | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.claims = new LetterClaims(database, (work) => this.serialize(work), logger);
  }

  onApplicationShutdown(): void {
    this.claims.stop();
  }

  /**
   * Claims letters of a queue that nobody had in hand yet, the oldest first.
   * @param most so many, at most
   */
  async claimFresh(queue: QueueName, most: number): Promise<{ claim: Claim; letters: DueLetter[] }> {
    const claim = new Claim();
    const letters = await queryRows(this.database, dueLetter, {
      name: 'claim-letters',
      text: `
        with due as (
          select cause from letters.letter
          where queue = $1 and settled_at is null and due_at <= now() and ${IS_UNCLAIMED} and kind = any($2)
          order by caused_at limit $3 for update skip locked
        )
        update letters.letter l
        set state = 'sending', claim = $4, claimed_at = now(), claims = 1, due_at = now() + $5::interval
        from due where l.cause = due.cause
        returning ${DUE_LETTER_COLUMNS}`,
      values: [queue, KNOWN_KINDS, most, claim.id, CLAIM_LASTS],
    });
    if (letters.length > 0)
      this.claims.keep(
        claim,
        letters.map(({ cause }) => cause),
      );
    return { claim, letters };
  }

  /** @param refusedToo an admin has the letter tried again though the mail server refused its address */
  async claim(cause: string, refusedToo: boolean): Promise<ClaimedLetter> {
    const claim = new Claim();
    const letter = await queryRow(
      this.database,
      dueLetter,
      `update letters.letter l set state = 'sending', claim = $2, claimed_at = now(), claims = claims + 1,
         queued_at = coalesce(queued_at, now()), due_at = now() + $3::interval, settled_at = null
       where cause = $1
         and (state = 'waiting' or state = 'sending' and due_at <= now() or state = 'refused' and $4)
       returning ${DUE_LETTER_COLUMNS}`,
      [cause, claim.id, CLAIM_LASTS, refusedToo],
    );
    if (letter) {
      this.claims.keep(claim, [cause]);
      return { kind: 'claimed', claim, letter };
    }
    const found = await queryRow(
      this.database,
      z.object({ state: z.string(), problem: z.string().nullable() }),
      'select state, problem from letters.letter where cause = $1',
      [cause],
    );
    if (found?.state === 'refused') return { kind: 'refused', problem: found.problem ?? 'refused' };
    // Without an entry it is unknown whether the letter was sent: it is not sent again.
    const isOpen = found?.state === 'sending' || found?.state === 'waiting';
    return { kind: isOpen ? 'taken' : 'settled' };
  }

  /** Whether a letter is still this process's to send. */
  holds(claim: Claim, cause: string): Promise<boolean> {
    return this.claims.holds(claim, cause);
  }

  /** The mail server has the letter, whoever claims it by now. */
  async sent(claim: Claim, cause: string): Promise<void> {
    await this.record({ cause, claim, sent: true });
    this.claims.forget(claim, cause);
  }

  /** The letter has nothing to say any more. */
  async dropped(claim: Claim, cause: string): Promise<void> {
    // If this fails, the claim runs out.
    this.claims.forget(claim, cause);
    await this.record({ cause, claim, sent: false });
  }

  /**
   * The mail server takes no letters to this address.
   * @param jobToFollow whether the letter is still to get a job: those who look after the queues see the refusal there
   */
  async refused(claim: Claim, cause: string, problem: string, jobToFollow: boolean): Promise<void> {
    // If this fails, the claim runs out.
    this.claims.forget(claim, cause);
    await this.database.query(
      `update letters.letter set state = 'refused', claim = null, queued_at = null, problem = $3, due_at = now(),
         settled_at = case when $4 then null else now() end
       where cause = $1 and claim = $2`,
      [cause, claim.id, problem, jobToFollow],
    );
  }

  /**
   * The letter was not sent.
   * @param problem why, without the address
   * @param dueInMs when it is queued anew. Any job may claim it before that.
   */
  async release(claim: Claim, cause: string, problem: string, dueInMs: number): Promise<void> {
    // If this fails, the claim runs out.
    this.claims.forget(claim, cause);
    await this.database.query(
      `update letters.letter set state = 'waiting', claim = null, claimed_at = null, queued_at = null, problem = $3,
         due_at = now() + make_interval(secs => $4)
       where cause = $1 and claim = $2`,
      [cause, claim.id, problem, dueInMs / 1000],
    );
  }

  /** Letters of a batch that nobody has tried to send: they are as before. */
  async giveBack(claim: Claim, causes: readonly string[]): Promise<void> {
    for (const cause of causes) this.claims.forget(claim, cause);
    await this.serialize(() =>
      this.database.query(
        `update letters.letter set state = 'waiting', claim = null, claimed_at = null, claims = 0, due_at = now()
         where cause = any($1) and claim = $2`,
        [causes, claim.id],
      ),
    );
  }

  /** Statements of one process that change several of the same rows would wait for each other for ever. */
  private serialize<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.statements.run('letters', work);
  }

  /**
   * Returns when it is recorded. What comes while a statement is under way is recorded together by the next one; whoever sends
   * letters waits for it before the next, so no more than their connections are on their way unrecorded.
   */
  private record(letter: SettledLetter): Promise<void> {
    this.settled.push(letter);
    return (this.recording ??= this.serialize(async () => {
      const letters = this.settled;
      this.settled = [];
      this.recording = undefined;
      await this.database.query({
        name: 'record-letters',
        text: `
          update letters.letter l set state = case when done.sent then 'sent' else 'dropped' end,
            claim = null, queued_at = null, problem = null, settled_at = now()
          from unnest($1::text[], $2::uuid[], $3::boolean[]) done(cause, claim, sent)
          where l.cause = done.cause and l.state <> 'sent' and (done.sent or l.claim = done.claim)`,
        values: [
          letters.map(({ cause }) => cause),
          letters.map(({ claim }) => claim.id),
          letters.map(({ sent }) => sent),
        ],
      });
    }));
  }

  /** Deletes old entries. */
  async prune(): Promise<void> {
    await this.database.query(
      `delete from letters.letter where caused_at < now() - $1::interval
         or queue = 'mail' and state not in ('waiting', 'sending') and caused_at < now() - $2::interval`,
      [KEPT, KEPT_OF_ACCOUNTS],
    );
  }
}
