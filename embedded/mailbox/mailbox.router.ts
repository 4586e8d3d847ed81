import { Router, type Request, type Response } from 'express';
import { mailboxPage } from './mailbox-page.js';
import { MAILBOX_SCRIPT } from './mailbox-script.js';
import { MAILBOX_STYLE } from './mailbox-style.js';
import type { MailboxMessage } from './message.js';
import type { MessageStore } from './message-store.js';
import { requireMailboxToken, type MailboxAccess } from './mailbox-access.js';

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; frame-src 'self'; " +
  "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** A message's own HTML: no scripts, nothing fetched, an origin of its own; its links open a tab. */
const MESSAGE_SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';
const MESSAGE_POLICY =
  `sandbox ${MESSAGE_SANDBOX}; default-src 'none'; style-src 'unsafe-inline'; img-src data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** The mailbox over HTTP: a page for people, and `GET /dev/mail/messages?to=&token=` for tests. */
export function mailboxRouter(store: MessageStore, access: MailboxAccess, library: string): Router {
  const router = Router();
  router.use('/dev/mail', requireMailboxToken(access));

  const asset = (path: string, type: string, body: string) =>
    router.get(path, (_request: Request, response: Response) => {
      head(response, PAGE_POLICY).type(type).send(body);
    });
  asset('/dev/mail', 'html', mailboxPage(library));
  asset('/dev/mail/mailbox.css', 'css', MAILBOX_STYLE);
  asset('/dev/mail/mailbox.js', 'js', MAILBOX_SCRIPT);

  /** Newest first; `to` asks for one recipient's messages, whatever the case of the letters. */
  router.get('/dev/mail/messages', async (request, response) => {
    const to = typeof request.query['to'] === 'string' ? request.query['to'].trim().toLowerCase() : '';
    head(response, PAGE_POLICY).json(await store.list(to === '' ? undefined : to));
  });

  /** The same with no more than the beginning of each message, for the page's list; `q` asks for what has these words. */
  router.get('/dev/mail/list', async (request, response) => {
    const words = typeof request.query['q'] === 'string' ? folded(request.query['q']).split(/\s+/) : [];
    const all = store.ids();
    const messages = await store.list();
    head(response, PAGE_POLICY).json({
      all,
      found: messages
        .filter((message) => hasWords(message, words))
        .map(({ id, to, subject, text, date }) => ({
          id,
          to,
          subject,
          date,
          excerpt: beginning(text, subject),
        })),
    });
  });

  router.get('/dev/mail/messages/:id', async (request, response) => {
    const message = await store.find(request.params.id);
    head(response, PAGE_POLICY)
      .status(message ? 200 : 404)
      .json(message ?? null);
  });

  router.get('/dev/mail/messages/:id/html', async (request, response) => {
    const message = await store.find(request.params.id);
    head(response, MESSAGE_POLICY)
      .status(message ? 200 : 404)
      .type('html')
      .send(message ? withLinksInTabs(message.html) : '');
  });

  return router;
}

/** A message holds secrets, and a page that shows one must not be shown by another site. */
function head(response: Response, policy: string): Response {
  return response.set({
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
  });
}

const EXCERPT = 140;

/** What the list shows of a text: its beginning, on one line. */
function beginning(text: string, subject: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return (line.startsWith(subject) ? line.slice(subject.length).trim() : line).slice(0, EXCERPT);
}

function hasWords({ to, from, subject, text }: MailboxMessage, words: string[]): boolean {
  const searched = folded([to, from, subject, text].join('\n'));
  return words.every((word) => searched.includes(word));
}

/** Without case and accents: "zazolc" finds "Zażółć". */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replace(/ł/gi, 'l').toLowerCase().trim();
}

function withLinksInTabs(html: string): string {
  const base = '<base target="_blank">';
  return /<head[^>]*>/i.test(html) ? html.replace(/<head[^>]*>/i, (tag) => tag + base) : base + html;
}
