import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { sharesOneAddress } from '#platform/exposure.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { derivedKey } from '#platform/signing-keys.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { GuessLimit, type Guess, type GuessAllowance } from './guess-limit.js';
import { KnownOrigins } from './known-origins.js';

const PASSWORDS: GuessAllowance = {
  what: 'guess',
  perAccountAndSource: 10,
  perAddress: 40,
  perAccount: { guesses: 20, secret: 'password' },
};

/**
 * Six digits, of which three codes are right at a time: a guess is right with a probability of 3 in a million. Nobody
 * has more than 100 a day where the owner never was, however many addresses they have (10 in a quarter of an hour, then one
 * for each address that waited), and 100 more where the owner has been: 0.0006 in a day, if the owner is idle about the
 * letter that says that their password is known.
 */
const CODES: GuessAllowance = {
  what: 'code-guess',
  perAccountAndSource: 8,
  perAddress: 40,
  perAccount: { guesses: 10, secret: 'code' },
  perAccountInADay: 100,
};

/** Recovery codes (80 random bits) and passkeys: nobody guesses one, so only the work is limited, for each caller by themselves. */
const UNGUESSABLE: GuessAllowance = { what: 'proof', perAccountAndSource: 8, perAddress: 40 };

/**
 * Limits wrong guesses at the secrets of accounts, by account and source, by account, and by address, for all servers
 * together. What succeeds is not counted, so a school behind one address can sign in.
 *
 * The limit of an account never locks its owner out: it does not apply where they have signed in before, elsewhere they have
 * their turn after a wait, and a letter tells them. That of an address does not apply to a browser that they have used before.
 * Who has the password can use up the codes of a day elsewhere; a recovery code, a passkey and a new password by letter
 * still open the account then.
 */
@Injectable()
export class GuessLimits {
  readonly known: KnownOrigins;
  private readonly passwords: GuessLimit;
  private readonly codes: GuessLimit;
  private readonly unguessable: GuessLimit;

  constructor(
    @Inject(DATABASE) database: Database,
    clock: Clock,
    @Inject(SETTINGS) settings: ResolvedSettings,
  ) {
    const secret = derivedKey(settings.JWT_SECRET, 'limits of guesses');
    const known = new KnownOrigins(database, clock, secret, sharesOneAddress(settings));
    const limited = (allowance: GuessAllowance) => new GuessLimit(allowance, known, database, clock, secret);
    this.known = known;
    this.passwords = limited(PASSWORDS);
    this.codes = limited(CODES);
    this.unguessable = limited(UNGUESSABLE);
  }

  /** A password. Wrong is what `check` refuses as `WrongCredentials`. @throws TooManyAttempts; whatever `check` throws */
  attempt<Result>(guess: Guess, check: () => Promise<Result>): Promise<Result> {
    return this.passwords.attempt(guess, check, 'WrongCredentials');
  }

  /**
   * A second factor, after the password. Wrong is what `check` refuses as `ProofRefused`.
   * @param isCode six digits, which can be guessed
   * @throws TooManyAttempts; whatever `check` throws
   */
  attemptProof<Result>(guess: Guess, isCode: boolean, check: () => Promise<Result>): Promise<Result> {
    return (isCode ? this.codes : this.unguessable).attempt(guess, check, 'ProofRefused');
  }
}
