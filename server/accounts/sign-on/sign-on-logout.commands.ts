import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ProviderWithSecret } from '#contracts/accounts/sign-on-providers.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { SessionCache } from '../sessions/session-cache.js';
import { OpenIdProvider, type LogoutClaims } from './open-id.js';
import { SignOnFailed } from './provider-fetch.js';
import { SignOnProviders } from './providers.js';
import { endSignOnSessions } from './sign-on-sessions.js';

/** Milliseconds for which a logout token is remembered: longer than it can be handed in. */
const REMEMBERED = 15 * 60_000;

/** Ends sessions when their provider says so. */
@Injectable()
export class SignOnLogoutCommands {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly providers: SignOnProviders,
    private readonly cache: SessionCache,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Ends the sessions that a logout token names; live connections of them are closed.
   * @throws DomainError NotFound; SignOnFailed for a token that does not hold, or was used
   */
  async end(key: string, token: string): Promise<void> {
    const provider = await this.providers.open(key);
    const { sid = null, sub = null, jti } = await this.read(provider, token);
    const now = this.clock.now();
    const ended = await inTransaction(this.database, async (connection) => {
      const { rowCount } = await connection.query(
        `with over as (delete from sign_on_logout where expires_at <= $3)
         insert into sign_on_logout (provider, token_id, expires_at) values ($1, $2, $4) on conflict do nothing`,
        [key, createHash('sha256').update(jti).digest(), now, new Date(now.getTime() + REMEMBERED)],
      );
      if (rowCount !== 1) throw refused();
      const which = `sign_on ->> 'provider' = $2 and ($3::text is null or sign_on ->> 'sid' = $3)
        and ($4::text is null or account_id = (select account_id from sign_on_identity
          where (provider, issuer, subject) = ($2, $5, $4)))`;
      return endSignOnSessions(connection, which, [key, sid, sub, provider.issuer]);
    });
    for (const accountId of ended) this.cache.forgetAccount(accountId);
  }

  private async read(provider: ProviderWithSecret, token: string): Promise<LogoutClaims> {
    try {
      return await (await OpenIdProvider.find(provider, this.providers.isNamed)).readLogout(token);
    } catch (error) {
      if (!(error instanceof SignOnFailed)) throw error;
      const { outcome, reason } = error;
      this.logger.warn({ provider: provider.key, outcome, reason }, 'a logout by a provider was refused');
      throw refused();
    }
  }
}

const refused = () => new DomainError('SignOnFailed', m.sign_on_logout_refused());
