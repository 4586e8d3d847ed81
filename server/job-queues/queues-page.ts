import { currentLocale } from '#words/locale.js';
import * as m from '#words/messages.js';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { DomainError } from '#contracts/domain-error.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { QUEUES } from '#platform/jobs/job-map.js';
import { Jobs } from '#platform/jobs/jobs.js';
import type { Logger } from '#platform/logging.js';
import { LOGGER } from '#platform/tokens.js';
import { QUEUES_PATH, QueuesTicket } from './queues-ticket.js';
import { PROBLEMS } from '#contracts/problem.js';
import { escapeMarkup } from '#platform/markup.js';
import { PALETTE_STYLE } from '#platform/palette.js';

/** Only the board's own files. Its components use inline styles. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

const READING = new Set(['GET', 'HEAD']);

/**
 * The allowed actions: retry failed jobs, promote delayed ones, pause and resume a queue, delete one job. The board's
 * other actions (writing jobs, emptying queues) would lose or forge letters.
 */
const ALLOWED_CHANGES = [
  /^\/api\/queues\/[\w-]+\/(pause|resume|promote|retry\/failed)$/,
  /^\/api\/queues\/[\w-]+\/[^/]+\/(retry|promote|clean)$/,
];

/** The page at `/admin/queues`: every queue with its jobs, those that failed and why. */
@Injectable()
export class QueuesPage implements OnModuleInit {
  private board: Promise<RequestHandler> | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly pass: QueuesTicket,
    private readonly jobs: Jobs,
    private readonly library: LibraryFacts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const handler: RequestHandler = (request, response, next) => {
      this.answer(request, response, next).catch(next);
    };
    this.host.httpAdapter.use(QUEUES_PATH, handler);
  }

  private async answer(request: Request, response: Response, next: NextFunction): Promise<void> {
    response.set({ 'content-security-policy': POLICY, 'cache-control': 'no-store' });
    try {
      const { accountId } = await this.pass.check(request);
      if (!READING.has(request.method)) {
        refuseForeign(request);
        refuseUnknown(request);
        this.logger.info({ accountId, change: `${request.method} ${request.path}` }, 'a queue was changed');
      }
    } catch (error) {
      if (error instanceof DomainError && request.header('sec-fetch-dest') === 'document') {
        return refusalPage(response, error);
      }
      throw error;
    }
    withoutForeignStyles(response);
    this.board ??= this.open().catch((error: unknown) => {
      this.board = undefined;
      throw error;
    });
    (await this.board)(request, response, next);
  }

  /** Loaded and created on first use: until then its queues need no connections. */
  private async open(): Promise<RequestHandler> {
    const [{ createBullBoard }, { BullMQAdapter }, { ExpressAdapter }] = await Promise.all([
      import('@bull-board/api'),
      import('@bull-board/api/bullMQAdapter'),
      import('@bull-board/express'),
    ]);
    const adapter = new ExpressAdapter();
    adapter.setBasePath(QUEUES_PATH);
    createBullBoard({
      queues: QUEUES.map((name) => new BullMQAdapter(this.jobs.queue(name))),
      serverAdapter: adapter,
      options: {
        uiConfig: {
          boardTitle: `${this.library.name}: queues`,
          hideDocsLink: true,
          hideRedisDetails: true,
          miscLinks: [{ text: 'Back to the library', url: '/#/admin/dashboard' }],
        },
      },
    });
    return adapter.getRouter() as RequestHandler;
  }
}

/** A page of another site cannot change a queue, even with the browser's cookies. */
function refuseForeign(request: Request): void {
  const site = request.header('sec-fetch-site');
  const origin = request.header('origin');
  const own =
    site !== undefined
      ? site === 'same-origin'
      : origin !== undefined && hostOf(origin) === request.header('host');
  if (!own) throw new DomainError('CrossSiteRequest', m.jobs_foreign_call());
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function refuseUnknown(request: Request): void {
  if (request.method === 'PUT' && ALLOWED_CHANGES.some((change) => change.test(request.path))) return;
  throw new DomainError('NotAllowed', m.jobs_changes_allowed());
}

/** The board's page loads a web font from another server; this removes it. */
function withoutForeignStyles(response: Response): void {
  const send = response.send.bind(response);
  response.send = (body: unknown) =>
    send(typeof body === 'string' ? body.replace(/<link\b[^>]*\bhref="https?:[^>]*>/g, '') : body);
}

/** Shown to people who open the queues' page without access: a browser shows no problem body. */
function refusalPage(response: Response, refusal: DomainError): void {
  response.status(PROBLEMS[refusal.code]).type('html').send(`<!doctype html>
<html lang="${currentLocale()}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${m.jobs_closed()}</title>
    <link rel="icon" href="data:,">
    <style>
      ${PALETTE_STYLE}
      body { max-width: 36rem; margin: 0 auto; padding: 4rem 1.5rem; background: var(--paper); color: var(--ink); font: 1rem/1.6 Inter, system-ui, sans-serif; }
      h1 { margin: 0 0 1rem; font: 500 1.75rem/1.2 Newsreader, Georgia, serif; }
      a { color: var(--accent); }
    </style>
  </head>
  <body>
    <h1>${m.jobs_closed()}</h1>
    <p>${escapeMarkup(refusal.detail)}</p>
    <p><a href="/#/admin/dashboard">${m.jobs_to_panel()}</a></p>
  </body>
</html>
`);
}
