import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { tie } from './relay.js';

/** Milliseconds between two looks at who is ready. */
const CHECK_INTERVAL = 100;

/** A small reverse proxy, as one stands before an installation: calls and sockets go round whoever is ready. */
export interface RoundRobinProxy {
  url: string;
  /** Calls that it answered 502 itself, as the server that it had given them to was gone. */
  readonly lost: number;
  close(): Promise<void>;
}

/** @param targets addresses of servers; who answers /readyz with 200 gets calls */
export async function startProxy(targets: readonly string[]): Promise<RoundRobinProxy> {
  const ready = new Set<string>();
  const agent = new Agent({ keepAlive: true });
  const open = new Set<Duplex>();
  let turn = 0;
  let lost = 0;

  const look = async () => {
    for (const target of targets) {
      const answer = await fetch(`${target}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => undefined,
      );
      if (answer?.status === 200) ready.add(target);
      else ready.delete(target);
      await answer?.body?.cancel();
    }
  };
  const next = (tried: ReadonlySet<string> = new Set()) => {
    const candidates = targets.filter((target) => ready.has(target) && !tried.has(target));
    turn += 1;
    return candidates[turn % candidates.length];
  };

  const pass = (asked: IncomingMessage, body: Buffer, answer: ServerResponse, tried: Set<string>): void => {
    const target = next(tried);
    if (target === undefined) {
      lost += 1;
      answer.writeHead(502, { 'content-type': 'text/plain' }).end('Nobody is ready.');
      return;
    }
    const onward = request(
      target + asked.url,
      { method: asked.method, headers: { ...asked.headers, connection: 'keep-alive' }, agent },
      (got) => {
        const { connection: _hopByHop, ...headers } = got.headers;
        answer.writeHead(got.statusCode ?? 502, headers);
        got.pipe(answer);
        got.once('error', () => answer.destroy());
      },
    );
    onward.once('error', (error: NodeJS.ErrnoException) => {
      if (answer.headersSent) return void answer.destroy();
      // A connection that was not even made has done nothing: another server may be asked.
      if (error.code === 'ECONNREFUSED') return pass(asked, body, answer, tried.add(target));
      lost += 1;
      answer.writeHead(502, { 'content-type': 'text/plain' }).end('The server did not answer.');
    });
    onward.end(body);
  };

  const server = createServer((asked, answer) => {
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.once('end', () => pass(asked, Buffer.concat(chunks), answer, new Set()));
  });
  server.on('upgrade', (asked: IncomingMessage, client: Socket, head: Buffer) => {
    const target = next();
    if (target === undefined) return void client.destroy();
    const { hostname, port } = new URL(target);
    const onward = connect(Number(port), hostname, () => {
      const lines = [`${asked.method} ${asked.url} HTTP/1.1`];
      for (let index = 0; index < asked.rawHeaders.length; index += 2) {
        lines.push(`${asked.rawHeaders[index]}: ${asked.rawHeaders[index + 1]}`);
      }
      onward.write(`${lines.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      client.pipe(onward).pipe(client);
    });
    tie(client, onward, open);
  });

  await look();
  // One look at a time: where looks take longer than the interval, those that wait would only add up.
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined));
  }, CHECK_INTERVAL);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get lost() {
      return lost;
    },
    close: async () => {
      clearInterval(timer);
      await looking;
      for (const socket of open) socket.destroy();
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
      agent.destroy();
    },
  };
}
