import * as m from '#words/messages.js';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { UNATTENDED_HEADER } from '#contracts/accounts/account-requests.js';
import type { Allowed, Call } from '#contracts/call.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { ALLOWED_ROLES, CONFIRMED_MINUTES, type SignedIn, type SignedInRequest } from '../http/access.js';
import { CALL } from '../http/serves.js';
import { Sessions } from './sessions/sessions.js';

/** Refuses every request unless the call that its handler serves may be made by the caller. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // Live sockets are authenticated at their handshake, by `Sessions`.
    if (context.getType() !== 'http') return true;
    const handler = context.getHandler();
    const call = this.reflector.get<Call | undefined>(CALL, handler);
    const allowed =
      call?.may ?? this.reflector.get<readonly Allowed[] | undefined>(ALLOWED_ROLES, handler) ?? [];
    if (allowed.includes('Everybody')) return true;

    const request = context.switchToHttp().getRequest<SignedInRequest>();
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw new DomainError('NotSignedIn', m.account_please_sign_in());
    const caller = await this.sessions.verify(token);
    request.signedIn = caller;
    if (caller.mustAddSecondFactor && !call?.opensToEnrol) {
      throw new DomainError('SecondFactorRequired', m.account_needs_second_factor());
    }
    if (!allowed.includes('SignedIn') && !caller.roles.some((role) => allowed.includes(role))) {
      throw new DomainError('NotAllowed', m.account_not_allowed());
    }
    if (call?.confirmed) this.requireConfirmation(caller);
    if (request.headers[UNATTENDED_HEADER] === undefined) this.sessions.use(caller.sid);
    return true;
  }

  private requireConfirmation({ confirmedAt }: SignedIn): void {
    const since = this.clock.now().getTime() - CONFIRMED_MINUTES * 60_000;
    if (confirmedAt !== null && confirmedAt.getTime() >= since) return;
    throw new DomainError('ConfirmationNeeded', m.account_confirmation_needed());
  }
}
