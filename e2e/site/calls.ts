import type { CDPSession, Page, Protocol } from 'puppeteer';
import type { BrowserPage } from '../../test-support/browser/browser-page.js';

/** What a call gets in place of the server's answer. */
interface Answer {
  status: number;
  body: unknown;
}

/** The body of a refusal, as the server writes it. */
export function problem(status: number, detail: string): Answer {
  return { status, body: { code: 'X', title: 'Refused', status, detail } };
}

/**
 * Answers calls itself while `act` goes on, as a server in trouble would.
 * @param call method and beginning of the path, for instance `GET Book`
 */
export async function answering(
  page: BrowserPage,
  call: string,
  answer: Answer,
  act: () => Promise<void>,
): Promise<void> {
  const answers = await answersOf(page.raw);
  answers.set(call, answer);
  try {
    await act();
  } finally {
    answers.delete(call);
  }
}

const known = new WeakMap<Page, Promise<Map<string, Answer>>>();

/**
 * What is answered to which calls of a page. Once it has been asked for, all calls of the page are paused for a moment, for good:
 * where that ended while a request was on its way, the request was lost now and then, and with it what the page waited for.
 */
function answersOf(page: Page): Promise<Map<string, Answer>> {
  const answers = known.get(page) ?? pauseCalls(page);
  known.set(page, answers);
  return answers;
}

async function pauseCalls(page: Page): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const devtools = await page.createCDPSession();
  devtools.on('Fetch.requestPaused', ({ request, requestId }) => {
    const made = `${request.method} ${new URL(request.url).pathname.replace(/^\/api\//, '')}`;
    const answer = [...answers].find(([call]) => made.startsWith(call))?.[1];
    // A page that was left meanwhile has dropped its requests.
    (answer
      ? respond(devtools, requestId, answer)
      : devtools.send('Fetch.continueRequest', { requestId })
    ).catch(() => undefined);
  });
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }] });
  return answers;
}

function respond(devtools: CDPSession, requestId: Protocol.Fetch.RequestId, { status, body }: Answer) {
  return devtools.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    responseHeaders: [{ name: 'content-type', value: 'application/problem+json' }],
    body: Buffer.from(JSON.stringify(body)).toString('base64'),
  });
}
