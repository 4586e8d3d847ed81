import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import { raw, urlencoded, type RequestHandler } from 'express';
import { signOnEnded } from '#contracts/accounts/sign-on.js';
import { numbersForBook } from '#circulation/rules/borrow.policy.js';
import { Clock } from '#platform/clock.js';
import { isDemoAidOn, SHARED_ADDRESS_WARNING, sharesOneAddress } from '#platform/exposure.js';
import type { JobOptions } from '#platform/jobs/jobs.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { LibraryRules } from '#rules/library-rules.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { NestLog, type Logger } from '#platform/logging.js';
import type { RunningOperations } from '#platform/operations/operations-port.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { AppModule } from './app.module.js';
import { FirstAdmin } from './accounts/first-admin.js';
import { FINAL_RESPONSES } from './closing-times.js';
import { RESPONSE_TIMEOUT, enforceDeadline } from './http/request-deadline.js';
import { serveApiDocs } from './http/api-docs.js';
import { beginTogether } from './http/begin-together.js';
import { handlersOf, type Handler } from './http/api-routes.js';
import { Closing } from './http/closing.js';
import { correlation } from './http/correlation.js';
import { requireCsrfToken } from './http/csrf.js';
import { Drain } from './http/drain.js';
import { requireAllowedHost } from './http/allowed-hosts.js';
import { ProblemFilter } from './http/problem.filter.js';
import { noStore, securityHeaders } from './http/security-headers.js';
import { SecurityLog } from './http/security-log.js';
import { builtSite } from './http/site-build.js';
import { serveFontFiles } from './http/font-files.js';
import { inRequestLanguage } from './http/request-language.js';
import { exchangeRoutes } from './catalogue/exchange/exchange-routes.js';
import { OaiRepository } from './catalogue/exchange/oai/repository.js';
import { SearchRetrieve } from './catalogue/exchange/sru/search-retrieve.js';
import { PublicFiles } from './public-pages/public-files.js';
import { PublicPages } from './public-pages/public-pages.js';
import { outsideApi, site } from './http/site.js';
import { LiveAdapter } from './live/live-adapter.js';
import { LiveGateway } from './live/live.gateway.js';
import { ServerOperations } from './operations/server-operations.js';
import { ReadYourWrites } from './http/read-your-writes.js';
import { Sip2Answers } from './self-service/sip2/answers.js';
import { openSip2Port, type RunningSip2 } from './self-service/sip2/sip2-port.js';
import { SANDBOX_ROUTES } from './payments/sandbox/sandbox.controller.js';
import { STRIPE_WEBHOOK_PATH } from './payments/stripe/stripe-webhook-path.js';

/** A listening server. */
export interface RunningServer {
  /** Its address, for instance `http://127.0.0.1:3000`. */
  url: string;
  /** Where devices speak SIP2, if they may. */
  sip2Port: number | undefined;
  /** Of its requests. */
  handlers: readonly Handler[];
  /** Completes requests and disconnects clients, within `maxClosing`. */
  close(): Promise<void>;
}

export interface ServerOptions {
  logger: Logger;
  /** Tests set the time. */
  clock?: Clock;
  /** Tests shorten the delays of the queues, and stop the rounds. */
  jobs?: JobOptions;
  /** Milliseconds within which each call is answered; tests shorten them. */
  answeredWithin?: number;
  /** With which the first account may be made, where there is none. */
  setUpCode?: string | undefined;
  /** Pages of the embedded services, served beside the product's own. */
  pages?: RequestHandler;
}

/** Bytes of a page or an answer: for smaller ones the processor's time is worth more than the network's. */
const COMPRESSED_FROM = 8_192;
/** Limit of JSON bodies, well above the largest cart. */
const BODY_LIMIT = '100kb';
/** Limit of the payment provider's events. */
const WEBHOOK_LIMIT = '1mb';

/**
 * Starts the server on `HOST` and `PORT` (0 for any free port).
 * @throws when the port is taken, or the database cannot be reached
 */
export async function startServer(
  settings: ResolvedSettings,
  options: ServerOptions,
): Promise<RunningServer> {
  const { logger } = options;
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(settings, logger, options.clock, options.jobs),
    {
      logger: new NestLog(logger),
      bodyParser: false,
      abortOnError: false,
    },
  );
  const drain = new Drain(app.getHttpServer());
  const operations = app.get(ServerOperations);
  let operationsPort: RunningOperations | undefined;
  let sip2: RunningSip2 | undefined;
  try {
    app.disable('x-powered-by');
    app.set('etag', false);
    app.set('trust proxy', settings.TRUST_PROXY);
    if (sharesOneAddress(settings)) logger.warn(SHARED_ADDRESS_WARNING);
    app.use(beginTogether(), correlation, inRequestLanguage);
    app.use(...operations.handlers);
    app.use(enforceDeadline(options.answeredWithin ?? RESPONSE_TIMEOUT, logger));
    app.use(securityHeaders(settings), requireAllowedHost(settings));
    app.use(compression({ threshold: COMPRESSED_FROM }));
    app.use(outsideApi(serveFontFiles()));
    if (options.pages) app.use(outsideApi(options.pages));
    app.use(exchangeRoutes({ '/oai': app.get(OaiRepository), '/sru': app.get(SearchRetrieve) }));
    const facts = app.get(LibraryFacts);
    const firstAdmin = app.get(FirstAdmin);
    if (options.setUpCode !== undefined) firstAdmin.await(options.setUpCode);
    const built = builtSite();
    if (built) {
      const timeZone = app.get(LibraryTimeZone);
      const rules = app.get(LibraryRules);
      const clock = app.get(Clock);
      const library = () => {
        const now = clock.now().toISOString();
        const { loanDays, maxRenewals: renewals } = numbersForBook(rules.shownAt(now));
        return { facts, timeZone: timeZone.name, loanDays, renewals, isNew: firstAdmin.isAwaited };
      };
      app.use(outsideApi(app.get(PublicFiles).routes()));
      app.use(outsideApi(site(built, settings, library, app.get(PublicPages), logger)));
    }
    app.use('/api', noStore, requireCsrfToken, app.get(ReadYourWrites).carryPosition);
    // The signature covers the raw bytes.
    app.use(STRIPE_WEBHOOK_PATH, raw({ type: () => true, limit: WEBHOOK_LIMIT }));
    // As OpenID Connect has it; no other call takes a form that any page could send.
    app.use(`/api/${signOnEnded.path}`, urlencoded({ extended: false, limit: BODY_LIMIT }));
    app.useBodyParser('json', { limit: BODY_LIMIT });
    app.setGlobalPrefix('api', { exclude: [SANDBOX_ROUTES] });
    app.useGlobalFilters(new ProblemFilter(logger, app.get(SecurityLog)));
    if (isDemoAidOn('API_DOCS', settings)) serveApiDocs(app, facts.name);
    app.useWebSocketAdapter(new LiveAdapter(app, settings, logger));
    await app.listen(settings.PORT, settings.HOST);
    sip2 = await openSip2Port(settings, app.get(Sip2Answers), logger);
    operationsPort = await operations.openPort();
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
  const close = async () => {
    try {
      await sip2?.close();
      await closeInOrder(app, drain, settings, logger);
    } finally {
      await operationsPort?.close();
    }
  };
  let closing: Promise<void> | undefined;
  return {
    url: await app.getUrl(),
    sip2Port: sip2?.port,
    handlers: handlersOf(app),
    close: () => (closing ??= close()),
  };
}

/**
 * Closes the app without errors for clients that can go elsewhere. It announces the shutdown (/readyz, and each
 * response) while a proxy takes it out of service, stops accepting connections, disconnects the live clients, completes
 * the requests, at last with a final response, and closes its parts.
 */
async function closeInOrder(
  app: NestExpressApplication,
  drain: Drain,
  { DRAIN_SECONDS, SHUTDOWN_SECONDS }: ResolvedSettings,
  logger: Logger,
): Promise<void> {
  app.get(ServerOperations).beginClosing();
  drain.begin();
  if (DRAIN_SECONDS > 0) await sleep(DRAIN_SECONDS * 1000);
  await drain.stopListening();
  const [late] = await Promise.all([
    drain.settled(SHUTDOWN_SECONDS * 1000),
    app.get(LiveGateway).disconnectGradually(),
  ]);
  app.get(Closing).begin();
  const cut = late > 0 ? await drain.settled(FINAL_RESPONSES) : 0;
  drain.cut();
  if (cut > 0) logger.warn({ cut }, 'requests were cut off: they took too long to end');
  await app.close();
}
