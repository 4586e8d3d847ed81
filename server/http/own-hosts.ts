import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { DomainError } from '#contracts/domain-error.js';
import { isLoopbackName, plainAddress } from '#platform/exposure.js';
import type { Settings } from '#platform/settings.js';

type Names = Pick<Settings, 'PUBLIC_URL' | 'HOST' | 'ALLOWED_HOSTS'>;

/**
 * Tells whether a request asks for this installation by a name that it goes by. A page of another site can have its own
 * name point to this machine (DNS rebinding) and would then read our answers as its own.
 *
 * An IP address counts if the connection was made to it: nobody can have an address point elsewhere.
 */
export function ownHosts({ PUBLIC_URL, HOST, ALLOWED_HOSTS }: Names): (request: IncomingMessage) => boolean {
  const names = new Set([HOST.toLowerCase(), ...ALLOWED_HOSTS]);
  if (PUBLIC_URL !== undefined) names.add(bare(new URL(PUBLIC_URL).hostname));
  return ({ headers: { host = '' }, socket }) => {
    // Parsed as browsers do; a host with anything else in it, such as a path or a user, is none.
    if (host === '' || !URL.canParse(`http://${host}`)) return false;
    const url = new URL(`http://${host}`);
    if (url.pathname !== '/' || url.username !== '' || url.search !== '' || url.hash !== '') return false;
    const name = bare(url.hostname);
    return names.has(name) || isLoopbackName(name) || name === plainAddress(socket.localAddress ?? '');
  };
}

/** Refuses every request for another name. */
export function refuseForeignHosts(settings: Names): RequestHandler {
  const isOwn = ownHosts(settings);
  return (request, _response, next) => {
    if (isOwn(request)) return next();
    next(
      new DomainError(
        'UnknownHost',
        'The library does not go by this name. Whoever runs it can add the name to PUBLIC_URL or ALLOWED_HOSTS.',
      ),
    );
  };
}

/** An IPv6 address without its brackets, and a name without the dot at its end. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$|\.$/g, '');
}
