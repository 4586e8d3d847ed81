/** A message as the mailbox shows it. */
export interface MailboxMessage {
  id: string;
  /** The addresses that the message was handed in for, separated by a comma and a space. */
  to: string;
  from: string;
  subject: string;
  text: string;
  /** Empty where the message has plain text only. */
  html: string;
  /** Where its links lead, each once, in their order. */
  links: string[];
  /** When it came, ISO. */
  date: string;
}

/** A message as it came over SMTP. */
export interface Delivery {
  id: string;
  recipients: string[];
  date: Date;
  raw: Buffer;
}

/** Reads what was delivered. */
export async function readMessage({ id, recipients, date, raw }: Delivery): Promise<MailboxMessage> {
  // Loaded with the first letter: no start waits for it.
  const { simpleParser } = await import('mailparser');
  const parsed = await simpleParser(raw, { skipTextToHtml: true });
  const html = parsed.html || '';
  const text = parsed.text ?? '';
  return {
    id,
    to: recipients.join(', '),
    from: parsed.from?.text ?? '',
    subject: parsed.subject ?? '',
    text,
    html,
    links: html ? hrefs(html) : addresses(text),
    date: date.toISOString(),
  };
}

function hrefs(html: string): string[] {
  const found = html.matchAll(/\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi);
  return [...new Set([...found].map(([, double, single]) => unescape(double ?? single ?? '')))];
}

function addresses(text: string): string[] {
  return [...new Set(text.match(/https?:\/\/[^\s<>"]+/g) ?? [])];
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescape(text: string): string {
  return text.replace(
    /&(?:(\w+)|#(\d+)|#x([0-9a-f]+));/gi,
    (whole, name?: string, dec?: string, hex?: string) => {
      if (name) return ENTITIES[name.toLowerCase()] ?? whole;
      const code = dec ? Number.parseInt(dec, 10) : Number.parseInt(hex ?? '', 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
