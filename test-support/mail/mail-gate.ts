import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/**
 * A mail server that takes so many letters as it is let, and keeps whoever hands over another one waiting for its answer. A
 * letter whose sender dies meanwhile was not taken.
 */
export interface MailGate {
  url: string;
  /** Recipients of the letters that were taken, in order. */
  readonly taken: readonly string[];
  /** How many letters are handed over and wait. */
  waiting(): number;
  /** Lets so many more in. */
  letIn(count: number): void;
  close(): Promise<void>;
}

export async function openMailGate(): Promise<MailGate> {
  const taken: string[] = [];
  const waiting = new Map<string, () => void>();
  let room = 0;
  const admit = () => {
    for (const [session, take] of waiting) {
      if (room === 0) return;
      room -= 1;
      waiting.delete(session);
      take();
    }
  };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 200,
    onData(stream, { id, envelope }, done) {
      simpleParser(stream as unknown as Readable).then(() => {
        waiting.set(id, () => {
          taken.push(envelope.rcptTo.map(({ address }) => address).join());
          done();
        });
        admit();
      }, done);
    },
    onClose: ({ id }) => void waiting.delete(id),
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    taken,
    waiting: () => waiting.size,
    letIn(count) {
      room += count;
      admit();
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
