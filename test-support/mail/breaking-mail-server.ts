import { EventEmitter, once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import type { GotLetter, LetterBox } from './letter-box.js';

/** Where the connection breaks that hands over a letter: in the midst of it, or with the answer that never leaves. */
export type BreakingPoint = 'in the letter' | 'before acceptance' | 'after acceptance';

/** A letter that the mail server has accepted. */
export interface AcceptedLetter extends GotLetter {
  /** When, by the clock of the process. */
  at: number;
  /** Whether the sender was there to be told. */
  wasTold: boolean;
}

/** A mail server that is killed, is silent, and breaks connections, as a test has it. It never loses what it accepted. */
export class BreakingMailServer implements LetterBox {
  readonly letters: AcceptedLetter[] = [];
  private readonly sockets = new Map<number, Socket>();
  private readonly broken = new EventEmitter();
  private breakAt: BreakingPoint | undefined;
  private isSilent = false;
  private server: SMTPServer | undefined;

  private constructor(private port: number) {}

  static async open(): Promise<BreakingMailServer> {
    const opened = new BreakingMailServer(0);
    await opened.start();
    return opened;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Takes letters, again at its address. */
  async start(): Promise<void> {
    if (this.server) return;
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 100,
      onData: (stream, session, done) => {
        const socket = this.sockets.get(Number(session.remotePort));
        const to = session.envelope.rcptTo.map(({ address }) => address).join();
        this.take(stream as unknown as Readable, to, server, socket).then(() => done(), done);
      },
    });
    server.on('error', () => undefined);
    server.server.on('connection', (socket: Socket) => {
      const port = Number(socket.remotePort);
      this.sockets.set(port, socket);
      socket.once('close', () => this.sockets.delete(port));
      if (this.isSilent) socket.pause();
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', () => resolve()));
    this.port = (server.server.address() as AddressInfo).port;
  }

  /** Ends as by `kill -9`: no connection is left, and none can be made. */
  async kill(): Promise<void> {
    const server = this.server;
    if (!server) return;
    this.server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of this.sockets.values()) socket.destroy();
    await closed;
  }

  /** From here on it hears nothing. */
  silence(): void {
    this.isSilent = true;
    for (const socket of this.sockets.values()) socket.pause();
  }

  restore(): void {
    this.isSilent = false;
    for (const socket of this.sockets.values()) socket.resume();
  }

  /** Breaks the connection with the next letter. Resolves when it did. */
  async breakNext(point: BreakingPoint, signal: AbortSignal): Promise<void> {
    this.breakAt = point;
    try {
      await once(this.broken, 'broken', { signal });
    } finally {
      this.breakAt = undefined;
    }
  }

  close(): Promise<void> {
    return this.kill();
  }

  private async take(stream: Readable, to: string, server: SMTPServer, socket?: Socket): Promise<void> {
    if (this.breaks('in the letter', socket)) return void stream.resume();
    const { subject = '', text = '', messageId = '' } = await simpleParser(stream);
    if (this.breaks('before acceptance', socket) || server !== this.server) return;
    const breaks = this.breaks('after acceptance', socket);
    const wasTold = !breaks && socket?.destroyed === false;
    this.letters.push({ to, subject, text, messageId, at: Date.now(), wasTold });
  }

  private breaks(point: BreakingPoint, socket: Socket | undefined): boolean {
    if (this.breakAt !== point) return false;
    this.breakAt = undefined;
    socket?.destroy();
    this.broken.emit('broken');
    return true;
  }
}
