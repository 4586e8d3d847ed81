import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { JobData, JobName } from '#platform/jobs/job-map.js';
import { PermanentJobError, type JobContext } from '#platform/jobs/jobs.js';
import { LetterRelay } from '#platform/letters/letter-relay.js';
import type { Logger } from '#platform/logging.js';
import { LOGGER } from '#platform/tokens.js';
import { LetterLedger } from './letter-ledger.js';
import type { RenderedLetter } from './letter.js';
import { LetterNotTaken, Mailer } from './mailer.js';

/** Added to the queue's own pause: by then it has tried again, unless it forgot the letter. */
const GRACE_MS = 60_000;
/** Once a job has no tries left, its letter waits for so long before it gets another job. */
const AFTER_LAST_TRY_MS = 15 * 60_000;
/** Milliseconds between two attempts to record that a letter was sent. */
const RECORD_AGAIN_MS = 1000;

/** A letter ready to be sent. */
export interface AddressedLetter {
  to: string;
  content: RenderedLetter;
  /** Where a second copy would say the same: mail programs recognise it by this id. */
  id?: string;
}

/** A letter as the ledger knows it. */
export interface RequestedLetter {
  cause: string;
  causedAt: Date;
}

/** A letter as its job knows it. */
interface LetterToDeliver {
  cause: string;
  /** What the log's lines name. */
  about: object;
  /**
   * Writes the letter, by what is true now.
   * @returns nothing if it has nothing to say any more
   */
  write(request: RequestedLetter): Promise<AddressedLetter | undefined>;
  /** What the log says. */
  sent: string;
  dropped: string;
}

/**
 * Sends a letter that the ledger shows as due, once. Whoever dies after the letter's last line is handed over and before
 * that is recorded leaves a letter that is sent a second time: all that happens in between is the mail server's answer.
 */
@Injectable()
export class LetterDelivery implements OnApplicationShutdown {
  private readonly closing = new AbortController();

  constructor(
    private readonly ledger: LetterLedger,
    private readonly mailer: Mailer,
    private readonly relay: LetterRelay,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationShutdown(): void {
    this.closing.abort();
  }

  /** @throws an Error if the letter was not sent: the job is retried */
  async deliver(letter: LetterToDeliver, context: JobContext): Promise<void> {
    const { jobId, correlationId, isRetry } = context;
    const about = { jobId, ...letter.about, correlationId };
    const claimed = await this.ledger.claim(letter.cause, isRetry);
    if (claimed.kind === 'settled') return this.logger.info(about, 'this letter is settled already');
    if (claimed.kind === 'taken') return this.logger.info(about, 'another job has this letter in hand');
    try {
      const outcome = await this.send(letter, claimed, context);
      if (outcome === 'sent') await this.record(letter.cause, claimed.claim);
      else await this.ledger.dropped(claimed.claim);
      this.logger.info(about, letter[outcome]);
    } finally {
      this.relay.letterDone();
    }
  }

  /** A letter about an account, which may be asked for by a job of a release whose ledger had none of them. */
  async deliverToAccount<Kind extends JobName<'mail'>>(
    kind: Kind,
    data: JobData<'mail', Kind>,
    context: JobContext,
    { about, ...letter }: Omit<LetterToDeliver, 'cause' | 'about'> & { about?: object | undefined },
  ): Promise<void> {
    const { jobId, correlationId } = context;
    const cause = data.cause ?? (await this.ledger.adopt(jobId, kind, data, correlationId));
    await this.deliver({ ...letter, cause, about: { accountId: data.accountId, ...about } }, context);
  }

  private async send(
    letter: LetterToDeliver,
    { claim, causedAt }: { claim: string; causedAt: Date },
    context: JobContext,
  ): Promise<'sent' | 'dropped'> {
    try {
      const written = await letter.write({ cause: letter.cause, causedAt });
      if (!written) return 'dropped';
      // Writing takes as long as the log does. From here on it is the mail server alone.
      if (!(await this.ledger.renew(claim))) throw new Error('Another job has taken this letter over.');
      await this.mailer.send(written.to, written.content, written.id);
      return 'sent';
    } catch (error) {
      await this.giveBack(claim, error, context);
      throw error;
    }
  }

  /** As long as this process lives, it knows what the ledger could not be told. */
  private async record(cause: string, claim: string): Promise<void> {
    for (;;) {
      try {
        return await this.ledger.sent(cause, claim);
      } catch (error) {
        this.logger.warn({ error }, 'a letter was sent and could not be recorded; it is tried again');
        await sleep(RECORD_AGAIN_MS, undefined, { signal: this.closing.signal });
      }
    }
  }

  private async giveBack(claim: string, error: unknown, { nextTryInMs }: JobContext): Promise<void> {
    // Other errors may name what must not be stored.
    const problem =
      error instanceof LetterNotTaken || error instanceof PermanentJobError
        ? error.message
        : (error as Error).name;
    const dueInMs = nextTryInMs === undefined ? AFTER_LAST_TRY_MS : nextTryInMs + GRACE_MS;
    try {
      if (error instanceof PermanentJobError) await this.ledger.refused(claim, problem);
      else await this.ledger.release(claim, problem, dueInMs);
    } catch (cause) {
      this.logger.warn({ error: cause }, 'a letter that was not sent is due again when its claim runs out');
    }
  }
}
