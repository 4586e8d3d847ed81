import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { FirstAdmin as FirstAdminBody } from '#contracts/accounts/account-calls.js';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import { UNTOLD_PERSON } from '#contracts/accounts/untold-person.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { inTransaction } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import {} from '#platform/database/entities/sign-in.entity.js';
import { currentLanguage } from '#platform/language.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { isSameSecret } from '#platform/shared-secret.js';
import { SETTINGS } from '#platform/tokens.js';
import { hashPassword } from './passwords/passwords.js';
import { refuseWeak } from './passwords/weak-passwords.js';
import { COMMAND_LINE, recordRoles } from './readers/readers.commands.js';
import type { SessionOrigin } from './session-origin.js';
import { Sessions } from './sessions/sessions.js';
import { createAccount, type NewAccount } from './registration/create-account.js';

/**
 * Makes an account that may do everything and sign in at once, as whoever runs the installation says.
 * @throws DomainError `UsernameTaken`, `EmailTaken`
 */
export async function createAdmin(
  manager: EntityManager,
  person: Omit<NewAccount, 'roles' | 'emailConfirmed'>,
  at: Date,
): Promise<string> {
  const account = { ...person, roles: ['Reader' as const, 'Admin' as const], emailConfirmed: true };
  const { id: accountId } = await createAccount(manager, account, at);
  await recordRoles(manager, { accountId, by: COMMAND_LINE, given: ['Admin'], taken: [], at });
  return accountId;
}

/** While an installation has no account, whoever has the code that its terminal shows may make the first one: an admin's. */
@Injectable()
export class FirstAdmin {
  private code: string | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly sessions: Sessions,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  /** Whether pages lead to the set-up, and nowhere else. */
  get isAwaited(): boolean {
    return this.code !== undefined;
  }

  /** @param code known to nobody but who started the product */
  await(code: string): void {
    this.code = code;
  }

  /** @throws DomainError `LinkInvalid` for another code, and where there is an account already; RequestInvalid for a weak password */
  async make(body: FirstAdminBody, origin: SessionOrigin): Promise<SignedInUser> {
    if (this.code === undefined) throw setUpOver();
    const { code, password, confirmPassword: _confirmed, ...named } = body;
    if (!isSameSecret(this.code, code)) throw new DomainError('LinkInvalid', m.set_up_wrong_code());
    const person = { ...UNTOLD_PERSON, ...named };
    await refuseWeak(this.settings, 'password', password, person);
    const passwordHash = await hashPassword(password);
    const account = await inTransaction(this.dataSource, async (manager) => {
      // Two who have the code make one account.
      await manager.query('lock table account in share row exclusive mode');
      if (await manager.exists(AccountEntity)) return undefined;
      const id = await createAdmin(
        manager,
        { ...person, passwordHash, language: currentLanguage() },
        this.clock.now(),
      );
      return { ...(await manager.findOneByOrFail(AccountEntity, { id })), passwordHash };
    });
    this.code = undefined;
    if (!account) throw setUpOver();
    // The code and a password that is a minute old: the steps that follow ask for nothing more.
    return (await this.sessions.signIn(account, origin, { confirmed: true })).user;
  }
}

const setUpOver = () => new DomainError('LinkInvalid', m.set_up_over());
