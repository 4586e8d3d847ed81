import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds without a request after which connections that nobody has used are closed too. */
const QUIET = 100;
/** Milliseconds that a turn of the event loop takes which does next to nothing, and the longest wait for one. */
const IDLE_TURN = 1;
const TAKING_IN = 1000;

/**
 * Lets a server end without cutting a request off. From `begin` on each answer says `connection: close`, so that
 * callers leave with an answer in hand rather than by a connection that closes under their next request.
 */
export class Drain {
  private readonly underWay = new Set<ServerResponse>();
  private closing = false;
  private connections = 0;

  /** To be made before the server listens, and before sockets are attached to it: their polls are no requests. */
  constructor(private readonly server: Server) {
    server.on('connection', () => (this.connections += 1));
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      this.underWay.add(response);
      response.once('close', () => this.underWay.delete(response));
      if (this.closing) sayGoodbye(response);
    });
  }

  begin(): void {
    this.closing = true;
    this.underWay.forEach(sayGoodbye);
  }

  /**
   * Takes no new connection, and closes those on which nothing is asked. The kernel accepts connections ahead of the
   * process and resets those that are still queued when the listener closes, so it closes right after a turn of the
   * event loop that found none. (Node takes one in each turn.)
   */
  async stopListening(): Promise<void> {
    const until = performance.now() + TAKING_IN;
    // From here on each turn takes connections between its beginning and its end.
    await turn();
    for (let queued = true; queued && performance.now() < until;) {
      const [began, before] = [performance.now(), this.connections];
      await turn();
      queued = this.connections > before || performance.now() - began > IDLE_TURN;
    }
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

function sayGoodbye(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
