import type { Request, RequestHandler } from 'express';
import { isLoopbackAddress } from '#platform/exposure.js';
import { isSameSecret } from '#platform/shared-secret.js';
import type { Settings } from '#platform/settings.js';
import * as m from '#words/messages.js';
import { HostCookie } from '../../server/http/cookies.js';

/** Who may look into the mailbox. */
export interface MailboxAccess {
  token: string;
  /** Whether it opens to other machines too; the mailbox was asked for by name then. */
  fromElsewhere: boolean;
  settings: Pick<Settings, 'PUBLIC_URL'>;
}

/** What a proxy puts on a request that came from elsewhere. */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Lets in who has the token that the start printed: the mailbox shows every reader's letters, and with them links that
 * open accounts. A browser that opens `?token=` gets a cookie in its place and is sent on at once, so that the token
 * stays in no history and no `Referer`; programs send it with each call.
 */
export function requireMailboxToken({ token, fromElsewhere, settings }: MailboxAccess): RequestHandler {
  const cookie = new HostCookie('lectern-mailbox', settings);
  return (request, response, next) => {
    response.set({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const { token: given, ...others } = request.query;
    const isGiven = typeof given === 'string' && isSameSecret(given, token);
    if (!isGiven && !isSameSecret(cookie.read(request) ?? '', token)) {
      return void response.status(401).type('text').send(`${m.mailbox_token_needed()}\n`);
    }
    if (!fromElsewhere && !isFromThisMachine(request)) {
      return void response.status(403).type('text').send(`${m.mailbox_elsewhere()}\n`);
    }
    if (!isGiven || request.baseUrl + request.path !== '/dev/mail/') return next();
    cookie.set(request, response, token, { path: '/dev/mail' });
    const query = new URLSearchParams(others as Record<string, string>).toString();
    response.redirect(303, `/dev/mail${query === '' ? '' : `?${query}`}`);
  };
}

function isFromThisMachine({ socket, headers }: Request): boolean {
  return (
    isLoopbackAddress(socket.remoteAddress) && PASSED_ON.every((header) => headers[header] === undefined)
  );
}
