import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The sum of the protocol, written once more: what is tested is not asked. */
function checksum(bytes: Buffer): string {
  let sum = 0;
  for (const byte of bytes) sum += byte;
  return ((0x10000 - (sum & 0xffff)) & 0xffff).toString(16).toUpperCase().padStart(4, '0');
}

/** A device that speaks SIP2, as simple as bought ones are. */
export class Sip2Client {
  static readonly OVER = 'The connection is over.';
  private received = '';
  private sequence = 0;
  private isOver = false;
  private readonly waiting: (() => void)[] = [];

  private constructor(readonly socket: Socket) {
    // Byte by byte: the sum is one of bytes.
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.received += text;
      this.wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isOver = true;
      this.wake();
    });
  }

  /** @param authority of the server's certificate, where it has one */
  static async connect(port: number, authority?: string): Promise<Sip2Client> {
    const socket =
      authority === undefined
        ? connect(port, '127.0.0.1')
        : connectTls({ port, host: '127.0.0.1', ca: authority, servername: 'localhost' });
    await once(socket, authority === undefined ? 'connect' : 'secureConnect');
    return new Sip2Client(socket);
  }

  /** @returns whether it was let in */
  async signIn(login: string, password: string): Promise<boolean> {
    return (await this.ask(`9300CN${login}|CO${password}|CPdoor|`)) === '941';
  }

  /** Sends a message with a sequence number and a checksum; gives the answer without them, and checks them. */
  async ask(message: string): Promise<string> {
    this.sequence = (this.sequence + 1) % 10;
    return this.askAs(this.sequence, message);
  }

  async askAs(sequence: number, message: string): Promise<string> {
    const summed = `${message}AY${sequence}AZ`;
    const answer = await this.say(`${summed}${checksum(Buffer.from(summed))}\r`);
    const [, text = '', number, sum] = /^([^]*?)AY(\d)AZ([0-9A-F]{4})$/.exec(answer) ?? [];
    const bytes = Buffer.from(answer, 'latin1');
    if (sum === undefined || checksum(bytes.subarray(0, -4)) !== sum || Number(number) !== sequence) {
      throw new Error(`An answer is not signed as it should be: ${answer}`);
    }
    return Buffer.from(text, 'latin1').toString();
  }

  /** Sends text as it is; gives the next line. @throws where the connection ends before one comes */
  async say(text: string | Buffer): Promise<string> {
    this.socket.write(text);
    return this.line();
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.received.indexOf('\r');
      if (end >= 0) {
        const line = this.received.slice(0, end);
        this.received = this.received.slice(end + 1);
        return line;
      }
      if (this.isOver) throw new Error(Sip2Client.OVER);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** Until the other side ends it. */
  async over(): Promise<void> {
    while (!this.isOver) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  close(): void {
    this.socket.destroy();
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** The fields of an answer, by identifier; those that come more than once are all there. */
export function sipFields(answer: string, fixed: number): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const field of answer
    .slice(2 + fixed)
    .split('|')
    .filter(Boolean)) {
    (fields[field.slice(0, 2)] ??= []).push(field.slice(2));
  }
  return fields;
}
