import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { startMailbox } from '../../embedded/mailbox/mailbox.js';
import type { MailboxMessage } from '../../embedded/mailbox/message.js';

/** The embedded mailbox with its pages, for one test. */
export interface TestMailbox {
  smtpUrl: string;
  /** Where its pages are. */
  port: number;
  /** Asks with the token. */
  get: (path: string) => Promise<Response>;
  token: string;
  /** What it answers to programs, newest first. */
  messages: (to?: string) => Promise<MailboxMessage[]>;
  stop(): Promise<void>;
}

export async function openTestMailbox(
  folder?: string,
  access: Parameters<typeof startMailbox>[0] = {},
): Promise<TestMailbox> {
  const mailbox = await startMailbox({ ...access, ...(folder !== undefined && { folder }) });
  const server = createServer(express().use(mailbox.router));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const get = (path: string) => fetch(withToken(new URL(path, origin), mailbox.token));
  return {
    smtpUrl: mailbox.smtpUrl,
    port,
    get,
    token: mailbox.token,
    async messages(to) {
      const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
      return (await (await get(`/dev/mail/messages${query}`)).json()) as MailboxMessage[];
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await mailbox.stop();
    },
  };
}

/** The address as a program that knows the token asks for it. */
function withToken(address: URL, token: string): URL {
  address.searchParams.set('token', token);
  return address;
}
