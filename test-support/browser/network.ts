import type { CDPSession, Page, Protocol } from 'puppeteer';

/** A request of a page, with the status of its answer once it has one. */
export interface MadeRequest {
  method: string;
  url: string;
  status?: number;
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Tells of a page's requests from here on. Browsers of tests tell of none by themselves: that costs an eighth of their time. */
export function networkOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? openSession(page);
  sessions.set(page, session);
  return session;
}

async function openSession(page: Page): Promise<CDPSession> {
  const session = await page.createCDPSession();
  await session.send('Network.enable');
  return session;
}

/** The requests that a page makes from here on: a list that grows. */
export async function requestsOf(page: Page): Promise<MadeRequest[]> {
  const made: MadeRequest[] = [];
  const byId = new Map<Protocol.Network.RequestId, MadeRequest>();
  const network = await networkOf(page);
  network.on('Network.requestWillBeSent', ({ requestId, request: { method, url } }) => {
    const request = { method, url };
    byId.set(requestId, request);
    made.push(request);
  });
  network.on('Network.responseReceived', ({ requestId, response: { status } }) => {
    Object.assign(byId.get(requestId) ?? {}, { status });
  });
  return made;
}

/** Takes the network away from a page, or gives it back. */
export async function setOffline(page: Page, offline: boolean): Promise<void> {
  const unlimited = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  await (await networkOf(page)).send('Network.emulateNetworkConditions', { offline, ...unlimited });
}
