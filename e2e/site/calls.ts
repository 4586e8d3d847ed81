import type { HTTPRequest } from 'puppeteer';
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
      if (answer === 'no answer') return request.abort('connectionfailed');
      const text = typeof answer.body === 'string';
      return request.respond({
        status: answer.status,
        contentType: text ? 'text/plain' : 'application/problem+json',
        body: text ? (answer.body as string) : JSON.stringify(answer.body),
      });
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
  const waiting: HTTPRequest[] = [];
  let free = false;
  const letGo = () => {
    free = true;
    for (const request of waiting.splice(0)) void request.continue();
  };
  await treating(
    page,
    call,
    async (request) => {
      if (free) await request.continue();
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

async function treating(
  page: BrowserPage,
  call: string,
  treat: (request: HTTPRequest) => Promise<void>,
  act: () => Promise<void>,
): Promise<void> {
  const onRequest = (request: HTTPRequest) => {
    const made = `${request.method()} ${new URL(request.url()).pathname.replace(/^\/api\//, '')}`;
    void (made.startsWith(call) ? treat(request) : request.continue());
  };
  await page.raw.setRequestInterception(true);
  page.raw.on('request', onRequest);
  try {
    await act();
  } finally {
    page.raw.off('request', onRequest);
    await page.raw.setRequestInterception(false);
  }
}
