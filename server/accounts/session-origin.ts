import * as m from '#words/messages.js';
import { isIPv4, isIPv6 } from 'node:net';
import Bowser from 'bowser';
import { randomBytes } from 'node:crypto';
import {
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  type PipeTransform,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { addressKey } from '../http/address-key.js';
import { HostCookie } from '../http/cookies.js';

/** Where a session is begun, in the words by which its owner recognizes it, as they are kept: in English. */
export interface SessionOrigin {
  /** "Firefox on Windows" */
  device: string;
  /** "203.0.113.x": the network without the part that names one machine. */
  network: string;
  source: Source;
}

/** Where a request comes from, as far as limits and their exceptions go. */
export interface Source {
  /** As limits count it, see `addressKey`. */
  address: string;
  /** The browser, by its cookie. */
  browser: string;
}

const UNKNOWN_DEVICE = 'Unknown device';
const THIS_MACHINE = 'this machine';
const UNKNOWN_NETWORK = 'unknown network';
/** Real ones are shorter; what follows is not worth the reading. */
const LONGEST_USER_AGENT = 400;
const LONGEST_DEVICE = 80;

/** The browser and the system that a user agent names, "Firefox on Windows". */
export function deviceOf(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent.trim() === '') return UNKNOWN_DEVICE;
  const { browser, os } = Bowser.parse(userAgent.slice(0, LONGEST_USER_AGENT));
  const named = [browser.name, os.name].filter((name) => name !== undefined && name !== '');
  return named.join(' on ').slice(0, LONGEST_DEVICE) || UNKNOWN_DEVICE;
}

/** The network of an address: the first three bytes of IPv4, the first six of IPv6. */
export function networkOf(address: string | undefined): string {
  const plain = (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (plain === '127.0.0.1' || plain === '::1') return THIS_MACHINE;
  if (isIPv4(plain)) return plain.replace(/\d+$/, 'x');
  if (!isIPv6(plain)) return UNKNOWN_NETWORK;
  const [head = '', tail] = plain.split('::');
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = tail === undefined ? 0 : 8 - (before?.length ?? 0) - (after?.length ?? 0);
  const groups = [...(before ?? []), ...Array<string>(Math.max(0, zeros)).fill('0'), ...(after ?? [])];
  return `${groups.slice(0, 3).join(':')}:x`;
}

/** The same in the language of who reads it. */
export function readableOrigin({ device, network }: Pick<SessionOrigin, 'device' | 'network'>) {
  const [browser = '', system] = device.split(' on ');
  const known = system === undefined ? device : m.security_device({ browser, system });
  const near = network === THIS_MACHINE ? m.security_network_own() : network;
  return {
    device: device === UNKNOWN_DEVICE ? m.security_device_unknown() : known,
    network: network === UNKNOWN_NETWORK ? m.security_network_unknown() : near,
  };
}

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
