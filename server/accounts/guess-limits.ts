import { createHmac, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '#contracts/domain-error.js';
import type { ProblemCode } from '#contracts/problem.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import { writeToOutbox } from '#platform/jobs/outbox.js';
import { KeyedQueue } from '#platform/keyed-queue.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { correlationId } from '../http/correlation.js';
import { TooManyAttempts } from '../http/too-many-attempts.js';
import { AttemptLimit } from './attempt-limit.js';
import { KnownOrigins } from './known-origins.js';
import type { Source } from './session-origin.js';
import { Turns } from './turns.js';

const QUARTER_OF_AN_HOUR = 15 * 60_000;
const DAY = 24 * 3_600_000;

/** Wrong guesses in a quarter of an hour. */
const PER_ACCOUNT_AND_SOURCE = 10;
const PER_ACCOUNT = 20;
const PER_ADDRESS = 40;
/** Guesses of one address that a process checks at a time: fewer than any limit, so that those which turn out right refuse no others. */
const LANES = 8;

/** A try at a secret of an account: its password, a code. */
export interface Guess {
  /** The account's id; undefined if nobody has that name. */
  accountId: string | undefined;
  /** What was given as the name. Unknown ones are limited as accounts are: a limit reveals nothing. */
  name: string;
  source: Source;
}

/**
 * Limits wrong guesses at the secrets of accounts, by account and source, by account, and by address, for all servers
 * together. What succeeds is not counted, so a school behind one address can sign in.
 *
 * The limit of an account never locks its owner out: it does not apply where he has signed in before, elsewhere he has
 * his turn after a wait, and a letter tells him. That of an address does not apply to a browser that he has used before.
 */
@Injectable()
export class GuessLimits {
  readonly known: KnownOrigins;
  private readonly ofBoth: AttemptLimit;
  private readonly ofAccount: AttemptLimit;
  private readonly ofAddress: AttemptLimit;
  private readonly letters: AttemptLimit;
  private readonly turns: Turns;
  private readonly lanes = new KeyedQueue();
  private next = 0;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
    @Inject(SETTINGS) { JWT_SECRET }: ResolvedSettings,
  ) {
    const secret = createHmac('sha256', JWT_SECRET).update('limits of guesses').digest('hex');
    const limit = (what: string, attempts: number, windowMs = QUARTER_OF_AN_HOUR) =>
      new AttemptLimit({ what, attempts, windowMs }, database, clock, secret);
    this.ofBoth = limit('guess', PER_ACCOUNT_AND_SOURCE);
    this.ofAccount = limit('guess-at-account', PER_ACCOUNT);
    this.ofAddress = limit('guess-from-address', PER_ADDRESS);
    this.letters = limit('letter-about-guesses', 1, DAY);
    this.turns = new Turns('guess-turn', database, clock, secret);
    this.known = new KnownOrigins(database, clock, secret);
  }

  /**
   * Checks a guess if the limits allow it. It is counted before its result is known, so concurrent ones cannot exceed
   * them, and not any more once it has turned out not to be wrong.
   * @param check throws DomainError with the code `wrong` if the guess is wrong
   * @throws TooManyAttempts; whatever `check` throws
   */
  attempt<Result>(
    guess: Guess,
    check: () => Promise<Result>,
    wrong: ProblemCode = 'WrongCredentials',
  ): Promise<Result> {
    this.next = (this.next + 1) % LANES;
    return this.lanes.run(`${guess.source.address} ${this.next}`, () => this.tryNow(guess, check, wrong));
  }

  private async tryNow<Result>(
    guess: Guess,
    check: () => Promise<Result>,
    wrong: ProblemCode,
  ): Promise<Result> {
    const { accountId, name, source } = guess;
    const account = accountId ?? `nobody ${name.toLowerCase()}`;
    const known = await this.known.know(accountId ?? randomUUID(), source);
    // By the browser where it is known: then it is no matter how often its address changes.
    const both = `${account} ${known.browser ? `browser ${source.browser}` : source.address}`;
    const takes: (() => Promise<void>)[] = [];
    const giveBack = async () => {
      for (const each of takes) await each();
    };
    const take = async (limit: AttemptLimit, key: string) => {
      const at = await limit.take(key, accountId);
      takes.push(() => limit.giveBack(key, at));
    };
    try {
      await take(this.ofBoth, both);
      if (!known.browser) await take(this.ofAddress, source.address);
      if (!known.browser && !known.address) {
        await take(this.ofAccount, account).catch((error: unknown) => this.inTurn(error, guess, both));
      }
    } catch (error) {
      await giveBack();
      throw error;
    }
    try {
      const result = await check();
      await giveBack();
      await this.ofBoth.forget(both);
      return result;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === wrong)) await giveBack();
      throw error;
    }
  }

  /** An account whose limit is used up: who has waited passes, and its owner is told. */
  private async inTurn(error: unknown, { accountId }: Guess, both: string): Promise<void> {
    if (!(error instanceof TooManyAttempts)) throw error;
    await this.tellOwner(accountId);
    await this.turns.take(both, accountId);
  }

  /** At most once a day. For an unknown name it does the same work, with an id that nobody has. */
  private async tellOwner(accountId = randomUUID() as string): Promise<void> {
    try {
      await this.letters.take(accountId);
    } catch (error) {
      if (error instanceof TooManyAttempts) return;
      throw error;
    }
    const letter = { accountId, at: this.clock.now().toISOString() };
    await inTransaction(this.database, (connection) =>
      writeToOutbox(connection, 'mail', 'guessed-at', letter, correlationId()),
    );
  }
}
