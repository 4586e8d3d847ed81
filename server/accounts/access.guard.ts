import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { UNATTENDED_HEADER } from '#contracts/accounts/account-requests.js';
import { DomainError } from '#contracts/domain-error.js';
import { ALLOWED_ROLES, type Allowed, type SignedInRequest } from '../http/access.js';
import { Sessions } from './sessions.js';

/** Refuses every call unless its handler allows the caller by `@Allow(…)`. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: Sessions,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // Live sockets are authenticated at their handshake, by `Sessions`.
    if (context.getType() !== 'http') return true;
    const allowed =
      this.reflector.getAllAndOverride<Allowed[] | undefined>(ALLOWED_ROLES, [
        context.getHandler(),
        context.getClass(),
      ]) ?? [];
    if (allowed.includes('Everybody')) return true;

    const request = context.switchToHttp().getRequest<SignedInRequest>();
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw new DomainError('NotSignedIn', 'Please sign in.');
    const caller = await this.sessions.verify(token);
    request.signedIn = caller;
    if (!allowed.includes('SignedIn') && !caller.roles.some((role) => allowed.includes(role))) {
      throw new DomainError('NotAllowed', 'Your account may not do this.');
    }
    if (request.headers[UNATTENDED_HEADER] === undefined) this.sessions.use(caller.sid);
    return true;
  }
}
