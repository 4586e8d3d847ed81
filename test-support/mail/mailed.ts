import type { MailboxMessage } from '../../embedded/mailbox/message.js';

/** The tokens of mailboxes, by the origin of the product. */
const tokens = new Map<string, string>();

/** Remembers the mailbox of the product at this address. */
export function noteMailbox(url: string, token: string): void {
  tokens.set(new URL(url).origin, token);
}

/** Reads what a product has printed, for the address of its mailbox. */
export function findMailbox(printed: string): void {
  const page = /^ *Mailbox +(\S+)/m.exec(printed)?.[1];
  if (page === undefined) return;
  noteMailbox(page, new URL(page).searchParams.get('token') ?? '');
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
