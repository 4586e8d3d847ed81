import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import type { Router } from 'express';
import { APP_TITLES } from '#contracts/app-title.js';
import { isSameSecret } from '#platform/shared-secret.js';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { mailboxRouter } from './mailbox.router.js';
import type { MailboxAccess } from './mailbox-access.js';
import { MessageStore } from './message-store.js';

const LARGEST_MESSAGE = 1024 * 1024;
const USER = 'lectern';

/** A mail server on loopback that delivers to a page. */
export interface Mailbox {
  /** Where to hand in mail. Contains a password that is made anew each time: never log it. */
  smtpUrl: string;
  /** The pages and calls below `/dev/mail`; to be mounted at the root, before what needs a signed-in caller. */
  router: Router;
  /** Opens them, and is another one after each start. */
  token: string;
  stop(): Promise<void>;
}

/**
 * Starts the mailbox that takes the place of a mail server where none is set: it keeps the last 500 messages,
 * for whoever for, and sends nothing anywhere.
 * @param options.library its name, which the page shows
 * @param options.folder where the messages survive a restart; without it they are kept in memory
 */
export async function startMailbox({
  folder,
  library = APP_TITLES.corrected,
  ...access
}: { folder?: string; library?: string } & Partial<Omit<MailboxAccess, 'token'>> = {}): Promise<Mailbox> {
  const token = randomBytes(24).toString('base64url');
  const store = await MessageStore.open(folder);
  const password = randomBytes(32).toString('hex');
  const server = new SMTPServer({
    size: LARGEST_MESSAGE,
    // Others use this machine too, and could send letters in the library's name. The password never leaves it.
    authMethods: ['PLAIN'],
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username = '', password: given = '' }, _session, done) {
      const isOurs = isSameSecret(`${username}:${given}`, `${USER}:${password}`);
      done(isOurs ? null : new Error('The mailbox takes mail from the library alone.'), { user: USER });
    },
    disableReverseLookup: true,
    closeTimeout: 500,
    logger: false,
    onData(stream, session, done) {
      receive(store, stream, session).then(() => done(), done);
    },
  });
  // A client that breaks off is no failure of ours.
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    smtpUrl: `smtp://${USER}:${password}@127.0.0.1:${port}`,
    router: mailboxRouter(store, { token, fromElsewhere: false, settings: {}, ...access }, library),
    token,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function receive(
  store: MessageStore,
  stream: SMTPServerDataStream & Readable,
  session: SMTPServerSession,
): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    // What is too large is read to its end all the same: the client listens only then.
    if (size <= LARGEST_MESSAGE) chunks.push(chunk);
  }
  if (size > LARGEST_MESSAGE) {
    throw Object.assign(new Error('The message is too large.'), { responseCode: 552 });
  }
  await store.add({
    id: randomUUID(),
    recipients: session.envelope.rcptTo.map(({ address }) => address),
    date: new Date(),
    raw: Buffer.concat(chunks),
  });
}
