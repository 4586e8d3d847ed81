import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { ignoringCase } from '#platform/database/entities/account-search.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { GuessLimits } from './guess-limits.js';
import { passwordMatches } from './passwords.js';
import type { SessionOrigin } from './session-origin.js';
import { Sessions } from './sessions.js';

/** Signs in by username or e-mail address, case-insensitive, and password. */
export class SignIn extends Command<SignedInUser> {
  constructor(
    readonly name: string,
    readonly password: string,
    readonly origin: SessionOrigin,
  ) {
    super();
  }
}

@CommandHandler(SignIn)
export class SignInHandler implements ICommandHandler<SignIn> {
  constructor(
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    private readonly sessions: Sessions,
    private readonly guesses: GuessLimits,
  ) {}

  /**
   * @throws DomainError `WrongCredentials`, with the same text and after the same work for an unknown name;
   * `EmailNotConfirmed`, only after the correct password; TooManyAttempts
   */
  async execute({ name, password, origin }: SignIn): Promise<SignedInUser> {
    const account = await this.byName(name);
    return this.guesses.attempt({ accountId: account?.id, name, source: origin.source }, () =>
      this.signIn(account, password, origin),
    );
  }

  private async signIn(
    account: AccountEntity | undefined,
    password: string,
    origin: SessionOrigin,
  ): Promise<SignedInUser> {
    const matches = await passwordMatches(account?.passwordHash, password);
    if (!account || !matches) {
      throw new DomainError('WrongCredentials', 'The username or the password is wrong.');
    }
    if (!account.emailConfirmed) {
      throw new DomainError(
        'EmailNotConfirmed',
        'Please confirm your e-mail address first, by the link that we have sent to you.',
      );
    }
    const { token, expiresAt } = await this.sessions.start(account, origin);
    return {
      id: account.id,
      username: account.username,
      token,
      roles: account.roles,
      expiresAt: expiresAt.toISOString(),
    };
  }

  /** The address's owner precedes an account whose username is that address: nobody can block another's sign-in. */
  private async byName(name: string): Promise<AccountEntity | undefined> {
    const found = await this.accounts
      .createQueryBuilder('account')
      .addSelect('account.passwordHash')
      .where([{ username: ignoringCase(name) }, { email: ignoringCase(name) }])
      .limit(2)
      .getMany();
    const lowered = name.toLowerCase();
    return found.find((account) => account.email.toLowerCase() === lowered) ?? found[0];
  }
}
