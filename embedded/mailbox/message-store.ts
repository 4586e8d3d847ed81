import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readMessage, type Delivery, type MailboxMessage } from './message.js';

const MAX_MESSAGES = 500;
const MAX_BYTES = 50 * 1024 * 1024;

interface Kept {
  /** Sorts by time of arrival, and within one millisecond by number. */
  place: string;
  message: MailboxMessage;
  bytes: number;
  file: string | undefined;
}

/** A number distinguishes messages of the same millisecond. Files of earlier releases have none. */
const FILE_NAME = /^(\d{4}-\d\d-\d\dT\d\d)\.(\d\d)\.(\d\d\.\d{3}Z)-(?:(\d{8})-)?([0-9a-f-]{36})\.eml$/;
const RECIPIENTS = 'X-Delivered-For: ';

/** The last messages, in memory and, given a folder, in files that survive a restart. */
export class MessageStore {
  /** Oldest first. */
  private kept: Kept[] = [];
  private number = 0;

  private constructor(private readonly folder: string | undefined) {}

  /** @param folder made where it is not there; only its owner may look in */
  static async open(folder?: string): Promise<MessageStore> {
    const store = new MessageStore(folder);
    if (folder !== undefined) await store.load(folder);
    return store;
  }

  /** Newest first. */
  list(): MailboxMessage[] {
    return this.kept.map(({ message }) => message).reverse();
  }

  find(id: string): MailboxMessage | undefined {
    return this.kept.find(({ message }) => message.id === id)?.message;
  }

  async add(delivery: Delivery): Promise<void> {
    // Before anything is awaited: deliveries may be read at the same time.
    const number = String((this.number += 1)).padStart(8, '0');
    const message = await readMessage(delivery);
    const place = `${message.date.replaceAll(':', '.')}-${number}`;
    const file = this.folder === undefined ? undefined : join(this.folder, `${place}-${message.id}.eml`);
    if (file !== undefined) {
      const head = Buffer.from(`${RECIPIENTS}${delivery.recipients.join(', ')}\r\n`);
      await writeFile(file, Buffer.concat([head, delivery.raw]), { mode: 0o600 });
    }
    this.kept.push({ place, message, bytes: delivery.raw.length, file });
    this.kept.sort((one, other) => (one.place < other.place ? -1 : 1));
    await this.dropOldest();
  }

  private async load(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = (await readdir(folder)).filter((name) => FILE_NAME.test(name)).sort();
    for (const name of names) {
      const file = join(folder, name);
      const delivery = asDelivery(name, await readFile(file));
      if (!delivery) continue;
      this.number = Math.max(this.number, Number(FILE_NAME.exec(name)?.[4] ?? 0));
      this.kept.push({ place: name, message: await readMessage(delivery), bytes: delivery.raw.length, file });
    }
    await this.dropOldest();
  }

  private async dropOldest(): Promise<void> {
    let bytes = this.kept.reduce((sum, each) => sum + each.bytes, 0);
    while (this.kept.length > MAX_MESSAGES || bytes > MAX_BYTES) {
      const oldest = this.kept.shift();
      if (!oldest) return;
      bytes -= oldest.bytes;
      if (oldest.file !== undefined) await rm(oldest.file, { force: true });
    }
  }
}

function asDelivery(name: string, content: Buffer): Delivery | undefined {
  const end = content.indexOf('\r\n');
  const head = content.subarray(0, end).toString();
  const [, hour, minute, rest, , id] = FILE_NAME.exec(name) ?? [];
  if (end < 0 || !head.startsWith(RECIPIENTS) || id === undefined) return undefined;
  return {
    id,
    recipients: head.slice(RECIPIENTS.length).split(', '),
    date: new Date(`${hour}:${minute}:${rest}`),
    raw: content.subarray(end + 2),
  };
}
