import { BlockList, isIP } from 'node:net';
import type { NextFunction, Request, Response } from 'express';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** What a proxy puts on a request that came from elsewhere. */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Lets in who asks from this very machine, under its own name: the mailbox shows every reader's letters, and with them
 * links that open accounts. A request that a proxy passed on comes from elsewhere, and one for another name from a
 * page that had its name point here.
 */
export function fromThisMachine(request: Request, response: Response, next: NextFunction): void {
  const isOurs =
    isLoopback(request.socket.remoteAddress) &&
    PASSED_ON.every((header) => request.headers[header] === undefined) &&
    isNoForeignName(request.headers.host);
  if (isOurs) return next();
  response
    .status(403)
    .type('text')
    .send(
      'The mailbox opens only on the machine that runs the library, by http://localhost or its address.\n' +
        'To send e-mails for real, set SMTP_URL.\n',
    );
}

function isLoopback(address = ''): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const version = isIP(plain);
  return version !== 0 && LOOPBACK.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}

/** An address cannot be made to point elsewhere; of the names, only those that are every machine's own. */
function isNoForeignName(host = ''): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0 || name === 'localhost' || name.endsWith('.localhost');
}
