import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { jobsOf, type JobName, type QueueName } from '#platform/jobs/job-map.js';
import { Jobs, PermanentJobError, type JobContext } from '#platform/jobs/jobs.js';
import type { DueLetter } from '#letters/due-letter.js';
import type { BatchOrder, BatchOutcome } from '#letters/letter-queue-worker.js';
import type { Logger } from '#platform/logging.js';
import { LOGGER } from '#platform/tokens.js';
import { AdaptiveThrottle } from './adaptive-throttle.js';
import type { Claim } from './letter-claims.js';
import { LetterLedger } from './letter-ledger.js';
import type { RenderedLetter } from './letter.js';
import { LetterRejected, Mailer, MailServerUnavailable } from './mailer.js';

/** Added to the queue's own pause: by then it has tried again, unless it forgot the letter. */
const GRACE_MS = 60_000;
/** Once a job has no tries left, its letter waits for so long before it gets another job. */
const AFTER_LAST_TRY_MS = 15 * 60_000;
/** Milliseconds between two attempts to record that a letter was sent. */
const RECORD_AGAIN_MS = 1000;
/** Letters that are claimed and read for at once, at most. */
const BATCH = 100;
/** Milliseconds after which what was read for a batch is no longer what is true now: its other letters wait for the next. */
const BATCH_LASTS_MS = 10_000;
/** Its letters give way to people who wait. */
const UNHURRIED: QueueName = 'letters';

/** A letter ready to be sent. */
export interface AddressedLetter {
  to: string;
  content: RenderedLetter;
  /** Where a second copy would say the same: mail programs recognise it by this id. */
  id?: string;
}

/** A letter as the ledger knows it. */
export interface RequestedLetter<Data = unknown> {
  cause: string;
  causedAt: Date;
  kind: string;
  data: Data;
}

/** Some letters, with what they are written from. */
export interface PreparedLetters {
  /**
   * Writes one of them, by what is true now.
   * @returns nothing if it has nothing to say any more
   */
  write(letter: RequestedLetter): Promise<AddressedLetter | undefined>;
  /** Whether it is known already, without asking anybody, that one has nothing to say any more. */
  isMoot?(letter: RequestedLetter): boolean;
}

/** Knows how letters of some kinds are written, and what the log says of them. */
export interface LetterWriter {
  /** Reads at once what several letters are written from. */
  prepare(letters: readonly RequestedLetter[]): Promise<PreparedLetters>;
  /** What the log's lines name. */
  about(letter: RequestedLetter): object;
  /** What the log says. */
  sent: string;
  dropped: string;
}

type QueueOfLetters = 'mail' | 'letters';

/** What the data of every letter's job have. */
interface LetterData {
  accountId: string;
  cause: string;
}

/** The ledger's data are not what this kind of letter needs. */
class LetterUnreadable extends Error {
  override readonly name = 'LetterUnreadable';
}

interface LetterOfBatch {
  letter: RequestedLetter;
  /** Of the request that caused it. */
  correlationId: string | undefined;
  writer: LetterWriter | undefined;
  prepared: PreparedLetters;
}

/**
 * Sends the letters that the ledger shows as due, each once. Whoever dies after a letter's last line is handed over and
 * before that is recorded leaves a letter that is sent a second time: all that happens in between is the mail server's answer.
 */
@Injectable()
export class LetterDelivery implements OnApplicationShutdown {
  private readonly writers = new Map<string, LetterWriter>();
  private readonly closing = new AbortController();
  private readonly pace = new AdaptiveThrottle();

  constructor(
    private readonly ledger: LetterLedger,
    private readonly mailer: Mailer,
    private readonly jobs: Jobs,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationShutdown(): void {
    this.closing.abort();
  }

  /** Registers who writes the letters of a kind: those of a batch, and those that have a job of their own. */
  handle<Queue extends QueueOfLetters>(queue: Queue, kind: JobName<Queue>, writer: LetterWriter): void {
    this.writers.set(kind, writer);
    this.jobs.handle(queue, kind, (data, context) => this.work(kind, data as LetterData, context));
  }

  /** Sends a batch of letters that nobody had in hand yet. */
  async sendBatch(queue: QueueName, { due, isStopping }: BatchOrder): Promise<BatchOutcome> {
    const { claim, letters } = await this.ledger.claimFresh(queue, BATCH);
    const began = performance.now();
    const left = await this.dropMoot(claim, await this.writersFor(queue, letters));
    let away = false;
    const isOver = () => away || isStopping() || performance.now() - began > BATCH_LASTS_MS;
    const sendOnOneConnection = async () => {
      while (left.length > 0) {
        if (queue === UNHURRIED) await this.pace.turn(due);
        if (isOver()) return;
        const next = left.shift();
        if (!next) return;
        const problem = await this.sendOfBatch(queue, claim, next);
        if (problem instanceof MailServerUnavailable) away = true;
      }
    };
    const { concurrency } = this.jobs.policy(queue);
    await Promise.all(Array.from({ length: concurrency }, sendOnOneConnection));
    if (left.length > 0) {
      await this.ledger.giveBack(
        claim,
        left.map(({ letter }) => letter.cause),
      );
    }
    if (away) return 'away';
    return letters.length === BATCH ? 'full' : 'all';
  }

  /** Those that have nothing to say any more keep nobody waiting. @returns the others */
  private async dropMoot(claim: Claim, letters: readonly LetterOfBatch[]): Promise<LetterOfBatch[]> {
    const isMoot = ({ letter, prepared }: LetterOfBatch) => prepared.isMoot?.(letter) === true;
    const moot = letters.filter(isMoot);
    if (moot.length === 0) return [...letters];
    try {
      await Promise.all(moot.map(({ letter }) => this.ledger.dropped(claim, letter.cause)));
    } catch (error) {
      this.logger.warn({ error }, 'letters with nothing to say are due again when their claim runs out');
    }
    for (const { letter, correlationId, writer } of moot) {
      this.logger.info({ ...writer?.about(letter), correlationId }, writer?.dropped);
    }
    return letters.filter((each) => !isMoot(each));
  }

  private async writersFor(queue: QueueName, letters: readonly DueLetter[]): Promise<LetterOfBatch[]> {
    const byWriter = new Map<
      LetterWriter,
      { letter: RequestedLetter; correlationId: string | undefined }[]
    >();
    const unreadable: LetterOfBatch[] = [];
    for (const { cause, kind, data, caused_at: causedAt, correlation_id } of letters) {
      const parsed = jobsOf(queue)
        .get(kind)
        ?.safeParse({ ...data, cause });
      const writer = this.writers.get(kind);
      const letter = { cause, kind, causedAt, data: parsed?.data };
      const correlationId = correlation_id ?? undefined;
      if (parsed?.success && writer)
        byWriter.set(writer, [...(byWriter.get(writer) ?? []), { letter, correlationId }]);
      else
        unreadable.push({
          letter,
          correlationId,
          writer: undefined,
          prepared: fails(new LetterUnreadable()),
        });
    }
    const prepared = [...byWriter].map(async ([writer, requested]) => {
      const prepared = await writer.prepare(requested.map(({ letter }) => letter)).catch(fails);
      return requested.map((each) => ({ ...each, writer, prepared }));
    });
    return [...unreadable, ...(await Promise.all(prepared)).flat()];
  }

  /** @returns why the letter was not sent: it gets a job of its own then */
  private async sendOfBatch(
    queue: QueueName,
    claim: Claim,
    { letter, correlationId, writer, prepared }: LetterOfBatch,
  ): Promise<unknown> {
    const about = { ...writer?.about(letter), correlationId };
    try {
      const outcome = await this.send(claim, letter, prepared);
      this.logger.info(about, writer?.[outcome]);
      return undefined;
    } catch (error) {
      this.logger.warn(
        { queue, ...about, error },
        'a letter was not sent; it is tried again by a job of its own',
      );
      await this.giveBack(claim, letter.cause, error, this.jobs.policy(queue).firstRetryMs, true);
      return error;
    }
  }

  /** @throws an Error if the letter was not sent: the job is retried */
  private async work(kind: string, data: LetterData, context: JobContext): Promise<void> {
    const { jobId, correlationId, isRetry, nextTryInMs } = context;
    const writer = this.writers.get(kind);
    if (!writer) throw new Error(`Nobody writes letters of the kind ${kind}.`);
    const { cause } = data;
    const about = { jobId, ...writer.about({ cause, kind, data, causedAt: new Date() }), correlationId };
    const claimed = await this.ledger.claim(cause, isRetry);
    if (claimed.kind === 'refused') throw new PermanentJobError(claimed.problem);
    if (claimed.kind === 'settled') return this.logger.info(about, 'this letter is settled already');
    if (claimed.kind === 'taken') return this.logger.info(about, 'another job has this letter in hand');
    const letter = { cause, kind, data, causedAt: claimed.letter.caused_at };
    try {
      const outcome = await this.send(claimed.claim, letter, await writer.prepare([letter]));
      this.logger.info(about, writer[outcome]);
    } catch (error) {
      const dueInMs = nextTryInMs === undefined ? AFTER_LAST_TRY_MS : nextTryInMs + GRACE_MS;
      await this.giveBack(claimed.claim, cause, error, dueInMs, false);
      throw error;
    }
  }

  private async send(
    claim: Claim,
    letter: RequestedLetter,
    prepared: PreparedLetters,
  ): Promise<'sent' | 'dropped'> {
    const { cause } = letter;
    const written = await prepared.write(letter);
    if (!written) {
      await this.ledger.dropped(claim, cause);
      return 'dropped';
    }
    if (!(await this.ledger.holds(claim, cause)))
      throw new Error('Another process has taken this letter over.');
    await this.mailer.send(written.to, written.content, written.id);
    await this.record(claim, cause);
    return 'sent';
  }

  /** As long as this process lives, it knows what the ledger could not be told. */
  private async record(claim: Claim, cause: string): Promise<void> {
    for (;;) {
      try {
        return await this.ledger.sent(claim, cause);
      } catch (error) {
        this.logger.warn({ error }, 'a letter was sent and could not be recorded; it is tried again');
        await sleep(RECORD_AGAIN_MS, undefined, { signal: this.closing.signal });
      }
    }
  }

  private async giveBack(
    claim: Claim,
    cause: string,
    error: unknown,
    dueInMs: number,
    jobToFollow: boolean,
  ): Promise<void> {
    // Other errors may name what must not be stored.
    const isTold = error instanceof LetterRejected || error instanceof PermanentJobError;
    const problem = isTold ? error.message : (error as Error).name;
    try {
      if (error instanceof PermanentJobError) await this.ledger.refused(claim, cause, problem, jobToFollow);
      else await this.ledger.release(claim, cause, problem, dueInMs);
    } catch (failed) {
      this.logger.warn({ error: failed }, 'a letter that was not sent is due again when its claim runs out');
    }
  }
}

/** Writes nothing, for a reason. */
const fails = (error: unknown): PreparedLetters => ({
  write: async () => {
    throw error;
  },
});
