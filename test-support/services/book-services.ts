import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

/** Open Library and Google Books, as one server of loopback that answers what a test has put there. */
export interface BookServices {
  url: string;
  /** Addresses that were asked for, in their order. */
  asked: string[];
  /** The answer of an address that begins so, of the last one put there; anything else is answered 404. */
  reply(address: string, reply: Reply): void;
  replyJson(address: string, body: unknown): void;
  reset(): void;
  close(): Promise<void>;
}

export async function startBookServices(): Promise<BookServices> {
  let replies: [string, Reply][] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const address = decodeURIComponent(request.url ?? '');
    asked.push(address);
    const reply = replies.find(([start]) => address.startsWith(start))?.[1];
    if (reply) reply(request, response);
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"notfound"}');
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    reply: (address, reply) => void replies.unshift([address, reply]),
    replyJson: (address, body) =>
      void replies.unshift([
        address,
        (_request, response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      ]),
    reset: () => {
      replies = [];
      asked.length = 0;
    },
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
