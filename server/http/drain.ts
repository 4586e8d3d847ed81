import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds of inactivity after which unused connections are closed too. */
const QUIET = 100;
/** Milliseconds of an idle turn of the event loop, and the longest wait for one. */
const IDLE_TURN = 1;
const TAKING_IN = 1000;

/**
 * Shuts a server down without aborting requests. After `begin`, each response says `connection: close`, so that
 * clients leave with a response rather than by a connection that closes under their next request.
 */
export class Drain {
  private readonly underWay = new Set<ServerResponse>();
  private closing = false;
  private connections = 0;

  /** Create it before the server listens and before sockets are attached: it must not count their polling. */
  constructor(private readonly server: Server) {
    server.on('connection', () => (this.connections += 1));
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

  /**
   * Accepts no new connections, and closes idle ones. The kernel accepts connections ahead of the process and resets
   * those still queued when the listener closes, so it closes right after a turn of the event loop that found none.
   * (Node accepts one per turn.)
   */
  async stopListening(): Promise<void> {
    const until = performance.now() + TAKING_IN;
    // From here on each turn accepts connections between its beginning and its end.
    await turn();
    for (let queued = true; queued && performance.now() < until;) {
      const [began, before] = [performance.now(), this.connections];
      await turn();
      queued = this.connections > before || performance.now() - began > IDLE_TURN;
    }
    if (this.server.listening) this.server.close();
  }

  /**
   * Waits until every request has its response.
   * @param within milliseconds to wait at most
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

  /** Closes the remaining connections: browsers keep some in reserve. */
  cut(): void {
    this.server.closeAllConnections();
  }
}

function closeAfterwards(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
