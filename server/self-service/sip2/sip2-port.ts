import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { inContext } from '#platform/deadline.js';
import { isLoopbackName } from '#platform/exposure.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { StartupError } from '#platform/startup-error.js';
import * as m from '#words/messages.js';
import { Conversation, type Answering } from './conversation.js';
import { Frames } from './frames.js';

export const LIMITS = {
  /** At once: a library has a few dozen devices. */
  connections: 200,
  /** Milliseconds within which a device signs in, and after which one that says nothing is cut off: it connects anew. */
  signIn: 30_000,
  idle: 10 * 60_000,
};
/** Milliseconds that answers under way have when the port closes. */
const CLOSING = 5_000;

export interface RunningSip2 {
  port: number;
  close(): Promise<void>;
}

/**
 * Opens the port for devices, if one is set.
 * @throws StartupError where others would come in the clear, and nobody said that they may
 * @throws when the port is taken, or the certificate cannot be read
 */
export async function openSip2Port(
  settings: ResolvedSettings,
  answering: Answering,
  logger: Logger,
  limits = LIMITS,
): Promise<RunningSip2 | undefined> {
  const { SIP2_PORT, SIP2_HOST } = settings;
  if (SIP2_PORT === undefined) return undefined;
  const certificate = certificateOf(settings);
  if (!certificate && settings.SIP2_TLS === 'required' && !isLoopbackName(SIP2_HOST)) {
    throw new StartupError(m.start_sip2_in_the_clear({ host: SIP2_HOST }));
  }
  const open = new Set<Connection>();
  const connect = (socket: Socket) => {
    const connection = new Connection(socket, new Conversation(answering), logger, limits);
    open.add(connection);
    void connection.ended.then(() => open.delete(connection));
  };
  const server = certificate
    ? createTlsServer({ ...certificate, handshakeTimeout: limits.signIn }, connect)
    : createServer(connect);
  // Those whose encryption is not agreed upon yet are among them.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.maxConnections = limits.connections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(SIP2_PORT, SIP2_HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  logger.info({ host: SIP2_HOST, port, tls: certificate !== undefined }, 'devices can come by SIP2');
  return {
    port,
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const connection of open) connection.close();
      const ended = Promise.all([...open].map((connection) => connection.ended));
      await Promise.race([ended, sleep(CLOSING, undefined, { ref: false })]);
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function certificateOf({ SIP2_TLS_CERT, SIP2_TLS_KEY }: ResolvedSettings) {
  if (SIP2_TLS_CERT === undefined && SIP2_TLS_KEY === undefined) return undefined;
  if (SIP2_TLS_CERT === undefined || SIP2_TLS_KEY === undefined) {
    throw new StartupError(m.start_sip2_half_a_certificate());
  }
  return { cert: readFileSync(SIP2_TLS_CERT), key: readFileSync(SIP2_TLS_KEY) };
}

/** The connection of one device: a message is read once the one before is answered. */
class Connection {
  /** When all that was under way is over. */
  readonly ended: Promise<void>;
  private isBusy = false;
  private isClosing = false;

  constructor(
    private readonly socket: Socket,
    private readonly conversation: Conversation,
    private readonly logger: Logger,
    private readonly limits: typeof LIMITS,
  ) {
    this.ended = this.talk();
  }

  /** Ends it, after the answer that is under way. */
  close(): void {
    this.isClosing = true;
    if (!this.isBusy) this.socket.destroy();
  }

  private async talk(): Promise<void> {
    const { socket, limits } = this;
    const strangers = setTimeout(() => this.conversation.isSignedIn || socket.destroy(), limits.signIn);
    socket.setKeepAlive(true).setTimeout(limits.idle, () => socket.destroy());
    try {
      const frames = new Frames();
      for await (const bytes of socket) {
        for (const frame of frames.add(bytes as Buffer)) if (!(await this.answer(frame))) return;
      }
    } catch (error) {
      // A device that went away, or sends no end.
      this.logger.debug({ error }, 'the connection of a device was broken off');
    } finally {
      clearTimeout(strangers);
      socket.end(() => socket.destroy());
    }
  }

  /** @returns whether it goes on */
  private async answer(frame: Buffer): Promise<boolean> {
    this.isBusy = true;
    try {
      const answer = await inContext({ correlationId: randomUUID() }, () => this.answered(frame));
      if (answer && !this.socket.write(answer)) await once(this.socket, 'drain');
      return answer !== undefined && !this.isClosing;
    } finally {
      this.isBusy = false;
    }
  }

  /** Nothing, where nobody can say what became of it: the device connects anew and sends it again. */
  private async answered(frame: Buffer): Promise<Buffer | undefined> {
    try {
      return await this.conversation.answer(frame);
    } catch (error) {
      this.logger.error({ error }, 'a message of a device could not be answered');
      return undefined;
    }
  }
}
