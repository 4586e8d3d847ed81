import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { SignJWT } from 'jose';
import { openQueues } from '#contracts/dashboard/queues.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SigningKeys } from '#platform/signing-keys.js';
import { SETTINGS } from '#platform/tokens.js';
import { mayMake, notAllowed, type SignedIn } from '../http/access.js';
import { HostCookie } from '../http/cookies.js';
import { GetStanding } from '../accounts/sessions/sessions.queries.js';

/** The path of the page, and of its cookie by plain http. */
export const QUEUES_PATH = '/admin/queues';

const COOKIE = 'lectern-queues';
const ISSUER = 'lectern-queues';
const ALGORITHM = 'HS256';
const MINUTES = 15;

/**
 * Lets an admin's browser open the page of the queues, without the header that other calls carry. The cookie is no
 * session: it is valid for this page only, for a quarter of an hour, while the session that asked for it lasts and the
 * account may do that.
 */
@Injectable()
export class QueuesTicket {
  private readonly keys: SigningKeys;
  private readonly cookie: HostCookie;

  constructor(
    @Inject(SETTINGS) settings: ResolvedSettings,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {
    this.keys = new SigningKeys(settings, 'ticket for the queues');
    this.cookie = new HostCookie(COOKIE, settings);
  }

  /** @returns when the ticket expires */
  async give(caller: SignedIn, request: Request, response: Response): Promise<Date> {
    const now = this.clock.now();
    const expires = new Date(now.getTime() + MINUTES * 60_000);
    const ticket = new SignJWT({ sid: caller.sid })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setSubject(caller.accountId)
      .setIssuer(ISSUER)
      .setIssuedAt(now)
      .setExpirationTime(expires);
    const value = await this.keys.sign(ticket);
    this.cookie.set(request, response, value, { path: QUEUES_PATH, maxAge: MINUTES * 60_000 });
    return expires;
  }

  /**
   * The owner of the request's ticket, as their account is now.
   * @throws DomainError `NotSignedIn`, `SessionEnded`, `NotAllowed`
   */
  async check(request: Request): Promise<SignedIn> {
    const caller = await this.queries.execute(new GetStanding({ sid: await this.sessionOf(request) }));
    if (!mayMake(openQueues, caller)) throw notAllowed(m.jobs_not_for_account());
    return caller;
  }

  private async sessionOf(request: Request): Promise<string> {
    try {
      const payload = await this.keys.verify(this.cookie.read(request) ?? '', {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        currentDate: this.clock.now(),
        requiredClaims: ['sub', 'exp', 'sid'],
      });
      return String(payload['sid']);
    } catch {
      throw new DomainError('NotSignedIn', m.jobs_open_from_panel());
    }
  }
}
