import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { DomainError } from '#contracts/domain-error.js';
import { isLoopbackName, plainAddress } from '#platform/exposure.js';
import type { Settings } from '#platform/settings.js';
import * as m from '#words/messages.js';

/** Names that were asked for lately, with what came of it. */
const REMEMBERED = 1_000;

type Names = Pick<Settings, 'PUBLIC_URL' | 'HOST' | 'ALLOWED_HOSTS'>;

/**
 * Tells whether a request asks for this installation by a name that it goes by. A page of another site can have its own
 * name point to this machine (DNS rebinding) and would then read our answers as its own.
 *
 * An IP address counts if the connection was made to it: nobody can have an address point elsewhere.
 */
export function allowedHosts({
  PUBLIC_URL,
  HOST,
  ALLOWED_HOSTS,
}: Names): (request: IncomingMessage) => boolean {
  const names = new Set([HOST.toLowerCase(), ...ALLOWED_HOSTS]);
  if (PUBLIC_URL !== undefined) names.add(bare(new URL(PUBLIC_URL).hostname));
  const known = new LRUCache<string, boolean>({ max: REMEMBERED });
  const isOwn = (host: string, localAddress: string) => {
    // Parsed as browsers do; a host with anything else in it, such as a path or a user, is none.
    if (host === '' || !URL.canParse(`http://${host}`)) return false;
    const url = new URL(`http://${host}`);
    if (url.pathname !== '/' || url.username !== '' || url.search !== '' || url.hash !== '') return false;
    const name = bare(url.hostname);
    return names.has(name) || isLoopbackName(name) || name === plainAddress(localAddress);
  };
  return ({ headers: { host = '' }, socket: { localAddress = '' } }) => {
    const asked = `${localAddress} ${host}`;
    let answer = known.get(asked);
    if (answer === undefined) known.set(asked, (answer = isOwn(host, localAddress)));
    return answer;
  };
}

/** Refuses every request for another name. */
export function requireAllowedHost(settings: Names): RequestHandler {
  const isOwn = allowedHosts(settings);
  return (request, _response, next) => {
    if (isOwn(request)) return next();
    next(new DomainError('UnknownHost', m.error_unknown_host()));
  };
}

/** An IPv6 address without its brackets, and a name without the dot at its end. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$|\.$/g, '');
}
