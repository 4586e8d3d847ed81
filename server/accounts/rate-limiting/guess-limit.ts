import { type BinaryLike, createHmac, randomUUID } from 'node:crypto';
import { DomainError } from '#contracts/domain-error.js';
import type { ProblemCode } from '#contracts/problem.js';
import type { Clock } from '#platform/clock.js';
import { type Database, inTransaction, type Queryable } from '#platform/database/database.js';
import { requestAccountLetter } from '#letters/notification-request.js';
import { KeyedMutex } from '#platform/keyed-mutex.js';
import { correlationId } from '../../http/correlation.js';
import { TooManyAttempts } from '../../http/too-many-attempts.js';
import { AttemptLimit } from './attempt-limit.js';
import type { KnownOrigins } from './known-origins.js';
import type { Source } from '../session-origin.js';
import { z } from 'zod';
import { queryRow } from '#platform/database/query-rows.js';

const QUARTER_OF_AN_HOUR = 15 * 60_000;
const DAY = 24 * 3_600_000;

/** Guesses of one address that a process checks at a time: fewer than any limit, so that those which turn out right refuse no others. */
const LANES = 8;

/** A try at a secret of an account: its password, a code. */
export interface Guess {
  /** The account's id; undefined if nobody has that name. */
  accountId: string | undefined;
  /** What was given as the name, as `rateLimitName` has it. Unknown ones are limited as accounts are: a limit reveals nothing. */
  name: string;
  source: Source;
}

/** Wrong guesses at one kind of secret in a quarter of an hour. */
export interface GuessAllowance {
  /** The name of its counters: `guess`. */
  what: string;
  perAccountAndSource: number;
  perAddress: number;
  /** From where the owner never was, all together, and what the letter to them says; none for what nobody can guess. */
  perAccount?: { guesses: number; secret: 'password' | 'code' };
  /** In a day, turns included: from where the owner has been, and from everywhere else. No new password resets it. */
  perAccountInADay?: number;
}

/** Limits wrong guesses at one kind of secret; see `GuessLimits`. */
export class GuessLimit {
  private readonly ofBoth: AttemptLimit;
  private readonly ofAddress: AttemptLimit;
  private readonly ofAccount: AttemptLimit | undefined;
  private readonly ofDay: AttemptLimit | undefined;
  private readonly letters: AttemptLimit;
  private readonly cooldown: Cooldown;
  private readonly lanes = new KeyedMutex();
  private next = 0;

  constructor(
    private readonly allowance: GuessAllowance,
    private readonly known: KnownOrigins,
    private readonly database: Database,
    private readonly clock: Clock,
    secret: BinaryLike,
  ) {
    const { what, perAccountAndSource, perAddress, perAccount, perAccountInADay } = allowance;
    const limit = (name: string, attempts: number, windowMs = QUARTER_OF_AN_HOUR) =>
      new AttemptLimit({ what: name, attempts, windowMs }, database, clock, secret);
    this.ofBoth = limit(what, perAccountAndSource);
    this.ofAddress = limit(`${what}-from-address`, perAddress);
    this.ofAccount = perAccount && limit(`${what}-at-account`, perAccount.guesses);
    this.ofDay =
      perAccountInADay === undefined ? undefined : limit(`${what}-in-a-day`, perAccountInADay, DAY);
    this.letters = limit(`letter-about-${what}`, 1, DAY);
    this.cooldown = new Cooldown(`${what}-turn`, database, clock, secret);
  }

  /**
   * Checks a guess if the limits allow it. It is counted before its result is known, so concurrent ones cannot exceed
   * them, and not any more once it has turned out not to be wrong.
   * @param check throws DomainError with the code `wrong` if the guess is wrong
   * @throws TooManyAttempts; whatever `check` throws
   */
  attempt<Result>(guess: Guess, check: () => Promise<Result>, wrong: ProblemCode): Promise<Result> {
    this.next = (this.next + 1) % LANES;
    return this.lanes.run(`${guess.source.address} ${this.next}`, () => this.tryNow(guess, check, wrong));
  }

  private async tryNow<Result>(
    guess: Guess,
    check: () => Promise<Result>,
    wrong: ProblemCode,
  ): Promise<Result> {
    const { accountId, name, source } = guess;
    const account = accountId ?? `nobody ${name}`;
    const known = await this.known.know(accountId ?? randomUUID(), source);
    // By the browser where it is known: then it is no matter how often its address changes.
    const both = `${account} ${known.browser ? `browser ${source.browser}` : source.address}`;
    const takes: (() => Promise<void>)[] = [];
    const giveBack = async () => {
      for (const each of takes) await each();
    };
    const take = async (limit: AttemptLimit | undefined, key: string, resets = true) => {
      if (!limit) return;
      const at = await limit.take(key, resets ? accountId : undefined);
      takes.push(() => limit.giveBack(key, at));
    };
    const isKnown = known.browser || known.address;
    try {
      await take(this.ofBoth, both);
      if (!known.browser) await take(this.ofAddress, source.address);
      await take(this.ofDay, `${account} ${isKnown ? 'known' : 'elsewhere'}`, false);
      if (!isKnown) {
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
    const { perAccount } = this.allowance;
    if (!(error instanceof TooManyAttempts) || !perAccount) throw error;
    await this.tellOwner(perAccount.secret, accountId);
    await this.cooldown.take(both, accountId);
  }

  /** At most once a day. For an unknown name it does the same work, with an id that nobody has. */
  private async tellOwner(secret: 'password' | 'code', accountId = randomUUID() as string): Promise<void> {
    try {
      await this.letters.take(accountId);
    } catch (error) {
      if (error instanceof TooManyAttempts) return;
      throw error;
    }
    const letter = { accountId, at: this.clock.now().toISOString(), secret };
    await inTransaction(this.database, (connection) =>
      requestAccountLetter(connection, 'guessed-at', letter, correlationId()),
    );
  }
}

/** How long somebody waits for their turn, and how long they have then to come. */
const WAIT_MS = 5 * 60_000;
const KEPT_MS = 15 * 60_000;

const turnRow = z.object({ from: z.date() });

/**
 * One attempt each for those who have waited, at something whose common limit is used up: whoever uses it up cannot
 * keep the others out for longer than the wait.
 */
export class Cooldown {
  constructor(
    private readonly what: string,
    private readonly database: Queryable,
    private readonly clock: Clock,
    private readonly secret: BinaryLike,
  ) {}

  /**
   * Takes the key's turn, once.
   * @param accountId whose new password resets the wait
   * @throws TooManyAttempts if it has not come yet: the wait begins with the first call
   */
  async take(key: string, accountId?: string): Promise<void> {
    const now = this.clock.now();
    const hash = createHmac('sha256', this.secret).update(`${this.what} ${key}`).digest();
    const { rowCount } = await this.database.query(
      'delete from attempt where what = $1 and key = $2 and at[1] <= $3 and expires_at > $3',
      [this.what, hash, now],
    );
    if (rowCount === 1) return;
    const from = new Date(now.getTime() + WAIT_MS);
    const turn = await queryRow(
      this.database,
      turnRow,
      `insert into attempt as turn (what, key, at, expires_at, account_id) values ($1, $2, array[$3::timestamptz], $4, $5)
       on conflict (what, key) do update set
         at = case when turn.expires_at > $6 then turn.at else excluded.at end,
         expires_at = case when turn.expires_at > $6 then turn.expires_at else excluded.expires_at end
       returning at[1] as "from"`,
      [this.what, hash, from, new Date(from.getTime() + KEPT_MS), accountId ?? null, now],
    );
    const wait = (turn?.from ?? from).getTime() - now.getTime();
    throw new TooManyAttempts(Math.max(1, Math.ceil(wait / 1000)));
  }
}
