import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds without a request after which connections that nobody has used are closed too. */
const QUIET = 100;

/**
 * Lets a server end without cutting a request off. From `begin` on each answer says `connection: close`, so that
 * callers leave with an answer in hand rather than by a connection that closes under their next request.
 */
export class Drain {
  private readonly underWay = new Set<ServerResponse>();
  private closing = false;

  /** To be made before the server listens, and before sockets are attached to it: their polls are no requests. */
  constructor(private readonly server: Server) {
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      this.underWay.add(response);
      response.once('close', () => this.underWay.delete(response));
      if (this.closing) closeAfterwards(response);
    });
  }

  begin(): void {
    this.closing = true;
    this.underWay.forEach(closeAfterwards);
  }

  /** Takes no new connection, and closes those on which nothing is asked. */
  stopListening(): void {
    if (this.server.listening) this.server.close();
  }

  /**
   * Waits until every request has its answer.
   * @param within milliseconds that this may take
   * @returns how many are still under way
   */
  async settled(within: number): Promise<number> {
    const until = Date.now() + within;
    let quietSince = Date.now();
    while (Date.now() < until && Date.now() - quietSince < QUIET) {
      await sleep(20);
      if (this.underWay.size > 0) quietSince = Date.now();
    }
    return this.underWay.size;
  }

  /** Closes what connections are left: browsers hold some in reserve. */
  cut(): void {
    this.server.closeAllConnections();
  }
}

function closeAfterwards(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
