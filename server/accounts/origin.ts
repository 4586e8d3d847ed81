import { randomBytes } from 'node:crypto';
import {
  createParamDecorator,
  Inject,
  Injectable,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { addressKey } from '../http/address-key.js';
import { HostCookie } from '../http/cookies.js';
import { deviceOf, networkOf, type SessionOrigin } from './session-origin.js';

const HALF_A_YEAR_MS = 180 * 24 * 3_600_000;
const COOKIE_FORM = /^[\w-]{43}$/;

interface Exchange {
  request: Request;
  response: Response;
}

const HttpExchange = createParamDecorator((_data: unknown, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest<Request>(), response: http.getResponse<Response>() };
});

/**
 * Tells where a request comes from. A browser gets a cookie that tells it from others; it opens nothing: an owner who
 * comes back by it is not kept out by strangers who guess their password.
 */
@Injectable()
class OriginOfExchange implements PipeTransform<Exchange, SessionOrigin> {
  private readonly cookie: HostCookie;

  constructor(@Inject(SETTINGS) settings: ResolvedSettings) {
    this.cookie = new HostCookie('lectern-browser', settings);
  }

  transform({ request, response }: Exchange): SessionOrigin {
    const sent = this.cookie.read(request);
    const browser =
      sent !== undefined && COOKIE_FORM.test(sent) ? sent : randomBytes(32).toString('base64url');
    this.cookie.set(request, response, browser, { path: '/api/Account', maxAge: HALF_A_YEAR_MS });
    return {
      device: deviceOf(request.headers['user-agent']),
      network: networkOf(request.ip),
      source: { address: addressKey(request.ip ?? ''), browser },
    };
  }
}

/** Where a request comes from, in a handler's parameters. */
export const Origin = (): ParameterDecorator => HttpExchange(OriginOfExchange);
