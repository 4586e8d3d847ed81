import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A letter as a mail server got it. */
export interface GotLetter {
  to: string;
  subject: string;
  text: string;
  messageId: string;
}

/** A mail server of the test's own that keeps every letter, however many there are. */
export interface LetterBox {
  url: string;
  readonly letters: readonly GotLetter[];
  close(): Promise<void>;
}

/**
 * @param tookMs milliseconds that it takes over each letter
 * @param refuses whether it takes no letter for now
 */
export async function openLetterBox(tookMs = 0, refuses = () => false): Promise<LetterBox> {
  const letters: GotLetter[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 500,
    onRcptTo({ address }, _session, done) {
      done(refuses() ? Object.assign(new Error(`<${address}> not now`), { responseCode: 451 }) : null);
    },
    onData(stream, { envelope }, done) {
      simpleParser(stream as unknown as Readable).then(({ subject = '', text = '', messageId = '' }) => {
        letters.push({ to: envelope.rcptTo.map(({ address }) => address).join(), subject, text, messageId });
        setTimeout(done, tookMs);
      }, done);
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    letters,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
