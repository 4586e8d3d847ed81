import { Router, type Request, type Response } from 'express';
import { currentLanguage } from '#platform/language.js';
import { escapeMarkup } from '#platform/markup.js';
import * as m from '#words/messages.js';
import { mailboxScript } from './mailbox-script.js';
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

  const asset = (path: string, type: string, body: () => string) =>
    router.get(path, (_request: Request, response: Response) => {
      head(response, PAGE_POLICY).type(type).send(body());
    });
  asset('/dev/mail', 'html', () => mailboxPage(library));
  asset('/dev/mail/mailbox.css', 'css', () => MAILBOX_STYLE);
  asset('/dev/mail/mailbox.js', 'js', () => mailboxScript(library));

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

/** The page at `/dev/mail`, of the library of this name. Its style and its script are calls of their own, as its content security policy asks. */
const mailboxPage = (library: string): string => `<!doctype html>
<html lang="${currentLanguage()}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeMarkup(m.mailbox_title({ library }))}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/dev/mail/mailbox.css">
    <script src="/dev/mail/mailbox.js" defer></script>
  </head>
  <body>
    <header class="top">
      <h1>${marked(m.mailbox_heading.parts({ library }), 'span class="of"')}</h1>
      <p>${m.mailbox_what_it_is()}</p>
      <a href="/">${m.mailbox_to_library()}</a>
    </header>
    <main>
      <nav class="list" aria-label="${m.mailbox_messages()}">
        <div class="search">
          <label for="filter">${m.mailbox_find()}</label>
          <input id="filter" type="search" placeholder="${m.mailbox_find_hint()}" autocomplete="off" spellcheck="false">
        </div>
        <p id="away" class="away" role="status" hidden>${m.mailbox_away()}</p>
        <ol id="messages"></ol>
        <div id="empty" class="empty" hidden>
          <p class="empty-title">${m.mailbox_empty()}</p>
          <p>${m.mailbox_empty_hint()}</p>
        </div>
        <p id="none" class="empty" hidden>${m.mailbox_none_found()}</p>
      </nav>
      <article id="message" class="message" aria-live="polite" hidden>
        <div class="message-head">
          <a class="back" href="#">${m.mailbox_all()}</a>
          <h2 id="subject"></h2>
          <dl>
            <div><dt>${m.mailbox_to()}</dt><dd id="to"></dd></div>
            <div><dt>${m.mailbox_from()}</dt><dd id="from"></dd></div>
            <div><dt>${m.mailbox_received()}</dt><dd><time id="date"></time></dd></div>
            <div id="links-row"><dt>${m.mailbox_links()}</dt><dd id="links"></dd></div>
          </dl>
          <div class="tabs" role="tablist" aria-label="${m.mailbox_forms()}">
            <button type="button" role="tab" id="tab-html" aria-controls="panel-html">${m.mailbox_letter()}</button>
            <button type="button" role="tab" id="tab-text" aria-controls="panel-text">${m.mailbox_plain_text()}</button>
          </div>
        </div>
        <div id="panel-html" class="panel" role="tabpanel" aria-labelledby="tab-html">
          <iframe id="frame" title="${m.mailbox_frame()}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
        </div>
        <div id="panel-text" class="panel" role="tabpanel" aria-labelledby="tab-text" tabindex="0" hidden>
          <pre id="text"></pre>
        </div>
      </article>
      <p id="choose" class="choose">${m.mailbox_choose()}</p>
    </main>
    <noscript><p class="empty">${marked(m.mailbox_no_script.parts(), 'a href="/dev/mail/messages"')}</p></noscript>
  </body>
</html>
`;

/** @param tag what the marked words of a message are in, with its attributes */
function marked(parts: readonly m.MessagePart[], tag: string): string {
  const html = parts.map((part) => {
    if (part.type === 'text') return escapeMarkup(part.value);
    return part.type === 'markup-start' ? `<${tag}>` : `</${tag.split(' ')[0]}>`;
  });
  return html.join('');
}
