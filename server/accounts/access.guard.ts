import * as m from '#words/messages.js';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { QueryBus } from '@nestjs/cqrs';
import { UNATTENDED_HEADER } from '#contracts/accounts/account-requests.js';
import { allows } from '#contracts/allows.js';
import type { Allowed } from '#contracts/permissions.js';
import type { Call } from '#contracts/call.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import {
  ALLOWED,
  CONFIRMED_MINUTES,
  DEVICE_COOKIE,
  notAllowed,
  type SignedIn,
  type SignedInRequest,
} from '../http/access.js';
import { HostCookie } from '../http/cookies.js';
import { CALL } from '../http/serves.js';
import { DeviceBySecret } from '../self-service/devices/devices.queries.js';
import { Sessions } from './sessions/sessions.js';

/** Refuses every request unless the call that its handler serves may be made by the caller. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly deviceCookie: HostCookie;

  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
    private readonly queries: QueryBus,
    @Inject(SETTINGS) settings: ResolvedSettings,
  ) {
    this.deviceCookie = new HostCookie(DEVICE_COOKIE, settings);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // Live sockets are authenticated at their handshake, by `Sessions`.
    if (context.getType() !== 'http') return true;
    const handler = context.getHandler();
    const call = this.reflector.get<Call | undefined>(CALL, handler);
    const allowed = call?.may ?? this.reflector.get<readonly Allowed[] | undefined>(ALLOWED, handler) ?? [];
    if (allowed.includes('Everybody')) return true;

    const request = context.switchToHttp().getRequest<SignedInRequest>();
    if (allowed.includes('Device') && (await this.isDevice(request))) return true;
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw new DomainError('NotSignedIn', m.account_please_sign_in());
    const caller = await this.sessions.verify(token);
    request.signedIn = caller;
    if (caller.mustAddSecondFactor && !call?.opensToEnrol) {
      throw new DomainError('SecondFactorRequired', m.account_needs_second_factor());
    }
    if (!allows(allowed, caller.permissions)) throw notAllowed();
    if (call?.confirmed) this.requireConfirmation(caller);
    if (request.headers[UNATTENDED_HEADER] === undefined) this.sessions.use(caller.sid);
    return true;
  }

  private async isDevice(request: SignedInRequest): Promise<boolean> {
    const secret = this.deviceCookie.read(request);
    if (secret === undefined) return false;
    const device = await this.queries.execute(new DeviceBySecret({ secret }));
    if (device) request.device = device;
    return device !== undefined;
  }

  private requireConfirmation({ confirmedAt }: SignedIn): void {
    const since = this.clock.now().getTime() - CONFIRMED_MINUTES * 60_000;
    if (confirmedAt !== null && confirmedAt.getTime() >= since) return;
    throw new DomainError('ConfirmationNeeded', m.account_confirmation_needed());
  }
}
