import type { Language } from '#contracts/languages.js';
import type { Encoding } from '#contracts/self-service/devices.js';
import type { ActingDevice } from '../../http/access.js';
import { formatResponse, parseRequest, zeroOne } from './codec.js';
import { decode, readFrame, writeFrame, type Frame } from './frames.js';
import type { Request, RequestName } from './messages.js';

/** What is answered by the library: the others are matters of the conversation itself. */
export type Asked = Exclude<Request, { name: 'login' | 'resend' }>;

/** What a device has said of the patron before it. It lasts until they go, another one comes, or the connection ends. */
export interface PatronSession {
  card?: string;
  /** In which they chose to be answered. */
  language?: Language | undefined;
}

/** By what a device was let in. It is looked at with each message: another password, or none any more, is known at once. */
export interface Credentials {
  login: string;
  password: string;
}

/** Whom a conversation asks. */
export interface Answering {
  signIn(credentials: Credentials): Promise<ActingDevice | undefined>;
  /**
   * @returns the answer without its end; nothing for a device that is let in no more
   * @throws whatever makes it impossible to say what became of the request: the device is to send it again
   */
  answer(request: Asked, credentials: Credentials, session: PatronSession): Promise<string | undefined>;
}

/** Wrong logins, and messages in a row that cannot be read, after which a connection ends. */
const MAX_WRONG = 3;
const MAX_UNREADABLE = 5;

/** What one device says over one connection, and what it is answered. */
export class Conversation {
  private credentials: Credentials | undefined;
  private session: PatronSession = {};
  private wrongLogins = 0;
  private unreadable = 0;
  private last: { asked: Buffer; answered: Buffer } | undefined;

  /** Logins are plain in each. */
  private encoding: Encoding = 'UTF-8';

  constructor(private readonly answering: Answering) {}

  get isSignedIn(): boolean {
    return this.credentials !== undefined;
  }

  /**
   * @param bytes one message, without its end
   * @returns what is sent back; nothing where the connection is to end
   * @throws as `Answering.answer`
   */
  async answer(bytes: Buffer): Promise<Buffer | undefined> {
    const frame = readFrame(bytes);
    const request =
      frame.detection === 'wrong' ? undefined : parseRequest(decode(frame.message, this.encoding));
    if (!request) return this.askAgain(frame);
    this.unreadable = 0;
    if (request.name === 'resend') return this.last?.answered ?? this.askAgain(frame);
    if (this.last && isRepeat(frame, request) && bytes.equals(this.last.asked)) return this.last.answered;
    const text = request.name === 'login' ? await this.signIn(request) : await this.ask(request);
    if (text === undefined) return undefined;
    const answered = writeFrame(text, frame, this.encoding);
    this.last = { asked: Buffer.from(bytes), answered };
    return answered;
  }

  private async signIn({ loginUserId, loginPassword }: Extract<Request, { name: 'login' }>) {
    const credentials = { login: loginUserId, password: loginPassword };
    const device = await this.answering.signIn(credentials);
    this.credentials = device && credentials;
    if (device) this.encoding = device.encoding;
    this.session = {};
    if (!device && (this.wrongLogins += 1) >= MAX_WRONG) return undefined;
    return formatResponse('login', { ok: zeroOne(device !== undefined) });
  }

  private async ask(request: Asked): Promise<string | undefined> {
    if (!this.credentials) return undefined;
    if ('patronId' in request && request.patronId !== this.session.card)
      this.session = { card: request.patronId };
    const text = await this.answering.answer(request, this.credentials, this.session);
    if (request.name === 'endSession') this.session = {};
    return text;
  }

  /** The checksum alone: there is no sequence number in it. */
  private askAgain({ detection }: Frame): Buffer | undefined {
    if ((this.unreadable += 1) >= MAX_UNREADABLE) return undefined;
    return writeFrame(formatResponse('resend', {}), { detection }, this.encoding);
  }
}

/** Those that name no transaction are asked anew: a device may send the very same every minute. */
const UNDATED: readonly RequestName[] = ['login', 'status'];

const isRepeat = ({ sequence }: Frame, { name }: Request) =>
  sequence !== undefined && !UNDATED.includes(name);
