import type { CDPSession, Page, Protocol } from 'puppeteer';
import type { BrowserPage } from '../../test-support/browser-page.js';

/** What a call gets in place of the server's answer. */
export type Answer = { status: number; body: unknown } | 'no answer';

/** The body of a refusal, as the server writes it. */
export function problem(status: number, detail: string, errors?: Record<string, string[]>): Answer {
  return { status, body: { code: 'X', title: 'Refused', status, detail, ...(errors && { errors }) } };
}

/**
 * Answers calls itself while `act` goes on, as a server or a network in trouble would.
 * @param call method and beginning of the path, for instance `GET Book`
 */
export async function answering(
  page: BrowserPage,
  call: string,
  answer: Answer,
  act: () => Promise<void>,
): Promise<void> {
  await treating(
    page,
    call,
    (request) => {
      if (answer === 'no answer') return request.fail();
      const text = typeof answer.body === 'string';
      return request.respond(
        answer.status,
        text ? 'text/plain' : 'application/problem+json',
        text ? (answer.body as string) : JSON.stringify(answer.body),
      );
    },
    act,
  );
}

/** Holds calls back while `act` goes on, until it lets them go. */
export async function holding(
  page: BrowserPage,
  call: string,
  act: (held: { count: () => number; letGo: () => void }) => Promise<void>,
): Promise<void> {
  const waiting: PausedRequest[] = [];
  let free = false;
  const letGo = () => {
    free = true;
    for (const request of waiting.splice(0)) void request.goOn().catch(() => undefined);
  };
  await treating(
    page,
    call,
    async (request) => {
      if (free) await request.goOn();
      else waiting.push(request);
    },
    async () => {
      try {
        await act({ count: () => waiting.length, letGo });
      } finally {
        letGo();
      }
    },
  );
}

/** A request of a page, before it goes out. */
interface PausedRequest {
  goOn(): Promise<unknown>;
  respond(status: number, contentType: string, body: string): Promise<unknown>;
  /** As where the connection breaks off. */
  fail(): Promise<unknown>;
}

type Treat = (request: PausedRequest) => Promise<unknown> | void;

async function treating(
  page: BrowserPage,
  call: string,
  treat: Treat,
  act: () => Promise<void>,
): Promise<void> {
  const treatments = await treatmentsOf(page.raw);
  treatments.set(call, treat);
  try {
    await act();
  } finally {
    treatments.delete(call);
  }
}

const known = new WeakMap<Page, Promise<Map<string, Treat>>>();

/**
 * What is done with which calls of a page. Once it has been asked for, all calls of the page are paused for a moment, for good:
 * where that ended while a request was on its way, the request was lost now and then, and with it what the page waited for.
 */
function treatmentsOf(page: Page): Promise<Map<string, Treat>> {
  const treatments = known.get(page) ?? pauseCalls(page);
  known.set(page, treatments);
  return treatments;
}

async function pauseCalls(page: Page): Promise<Map<string, Treat>> {
  const treatments = new Map<string, Treat>();
  const devtools = await page.createCDPSession();
  devtools.on('Fetch.requestPaused', (event) => {
    const made = `${event.request.method} ${new URL(event.request.url).pathname.replace(/^\/api\//, '')}`;
    const request = pausedRequest(devtools, event);
    const treatment = [...treatments].find(([call]) => made.startsWith(call));
    // A page that was left meanwhile has dropped its requests.
    Promise.resolve(treatment ? treatment[1](request) : request.goOn()).catch(() => undefined);
  });
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }] });
  return treatments;
}

function pausedRequest(
  devtools: CDPSession,
  { requestId }: Protocol.Fetch.RequestPausedEvent,
): PausedRequest {
  return {
    goOn: () => devtools.send('Fetch.continueRequest', { requestId }),
    respond: (responseCode, contentType, body) =>
      devtools.send('Fetch.fulfillRequest', {
        requestId,
        responseCode,
        responseHeaders: [{ name: 'content-type', value: contentType }],
        body: Buffer.from(body).toString('base64'),
      }),
    fail: () => devtools.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionFailed' }),
  };
}
