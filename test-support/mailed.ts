import type { MailboxMessage } from '../embedded/mailbox/message.js';

/** The tokens of the mailboxes that processes of this test have announced, by the address of the product. */
const tokens = new Map<string, string>();

/** Reads what a product has printed, for the address of its mailbox. */
export function noteMailbox(printed: string): void {
  const page = /^ *Mailbox +(\S+)/m.exec(printed)?.[1];
  if (page === undefined) return;
  const { origin, searchParams } = new URL(page);
  tokens.set(origin, searchParams.get('token') ?? '');
}

/** The address of its mailbox as the start printed it, to be opened in a browser. */
function mailboxOf(url: string): string {
  return `${url}/dev/mail?token=${tokens.get(new URL(url).origin)}`;
}

/** What the mailbox of the product has for an address, the newest first. */
export async function lettersTo(url: string, to: string): Promise<MailboxMessage[]> {
  const address = new URL(mailboxOf(url));
  address.pathname += '/messages';
  address.searchParams.set('to', to);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The mailbox at ${url} does not open: ${answer.status}.`);
  return (await answer.json()) as MailboxMessage[];
}
