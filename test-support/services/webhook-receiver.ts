import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { loopbackCertificate } from './loopback-certificate.js';

/** What a webhook's receiver was sent. */
export interface Received {
  id: string;
  body: string;
  headers: Record<string, string>;
  event: { type: string; timestamp: string; data: Record<string, unknown> };
  /** Whether it was answered with a success. */
  isTaken: boolean;
}

/** How a request is answered: with a status, or in any other way. */
export type Reply = number | ((response: ServerResponse) => void);

/** Somebody who is told of events, over HTTP, and answers as a test wants. */
export interface WebhookReceiver {
  url: string;
  received: Received[];
  /** The ids of what it took, without repetitions. */
  taken(): string[];
  reply: (received: Received) => Reply;
  close(): Promise<void>;
}

export async function startWebhookReceiver({ tls = false } = {}): Promise<WebhookReceiver> {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const event = JSON.parse(body) as Received['event'];
      const each = { id: headers['webhook-id'] ?? '', body, headers, event, isTaken: false };
      receiver.received.push(each);
      const reply = receiver.reply(each);
      if (typeof reply === 'function') return reply(response);
      each.isTaken = reply >= 200 && reply < 300;
      response.writeHead(reply).end('said the receiver');
    });
  };
  const { certificate: cert, privateKey: key } = loopbackCertificate;
  const server = tls ? https.createServer({ cert, key }, listener) : http.createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const receiver: WebhookReceiver = {
    url: `http${tls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received: [],
    taken: () => [...new Set(receiver.received.filter(({ isTaken }) => isTaken).map(({ id }) => id))],
    reply: () => 204,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return receiver;
}

/** Whether it has a signature of this secret, by the library of Standard Webhooks for receivers; of the last minutes. */
export function isSignedWith(secret: string, { body, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}
