import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readMessage, type Delivery, type MailboxMessage } from './message.js';

const MAX_MESSAGES = 500;
const MAX_BYTES = 50 * 1024 * 1024;

interface Kept {
  id: string;
  /** In small letters. */
  recipients: string[];
  /** Sorts by time of arrival, and within one millisecond by number. */
  place: string;
  /** Parsed when somebody first looks at it: most messages of a busy day are looked at by nobody. */
  read: () => Promise<MailboxMessage>;
  bytes: number;
  file: string | undefined;
}

/** A number distinguishes messages of the same millisecond. */
const FILE_NAME = /^(\d{4}-\d\d-\d\dT\d\d)\.(\d\d)\.(\d\d\.\d{3}Z)-(\d{8})-([0-9a-f-]{36})\.eml$/;
const RECIPIENTS = 'X-Delivered-For: ';

/** The last messages, in memory and, given a folder, in files that survive a restart. */
export class MessageStore {
  /** Oldest first. */
  private kept: Kept[] = [];
  private bytes = 0;
  private number = 0;

  private constructor(private readonly folder: string | undefined) {}

  /** @param folder made where it is not there; only its owner may look in */
  static async open(folder?: string): Promise<MessageStore> {
    const store = new MessageStore(folder);
    if (folder !== undefined) await store.load(folder);
    return store;
  }

  /** Newest first. */
  ids(): string[] {
    return this.kept.map(({ id }) => id).reverse();
  }

  /**
   * Newest first.
   * @param recipient in small letters; all messages without it
   */
  list(recipient?: string): Promise<MailboxMessage[]> {
    const some = this.kept.filter(
      ({ recipients }) => recipient === undefined || recipients.includes(recipient),
    );
    return Promise.all(some.reverse().map(({ read }) => read()));
  }

  async find(id: string): Promise<MailboxMessage | undefined> {
    return this.kept.find((each) => each.id === id)?.read();
  }

  async add(delivery: Delivery): Promise<void> {
    const number = String((this.number += 1)).padStart(8, '0');
    const place = `${delivery.date.toISOString().replaceAll(':', '.')}-${number}`;
    const file = this.folder === undefined ? undefined : join(this.folder, `${place}-${delivery.id}.eml`);
    if (file !== undefined) {
      const head = Buffer.from(`${RECIPIENTS}${delivery.recipients.join(', ')}\r\n`);
      await writeFile(file, Buffer.concat([head, delivery.raw]), { mode: 0o600, flag: 'wx' });
    }
    this.keep(delivery, place, file);
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
      this.keep(delivery, name, file);
    }
    await this.dropOldest();
  }

  private keep(delivery: Delivery, place: string, file: string | undefined): void {
    let message: Promise<MailboxMessage> | undefined;
    const kept: Kept = {
      id: delivery.id,
      recipients: delivery.recipients.map((recipient) => recipient.toLowerCase()),
      place,
      read: () => (message ??= readMessage(delivery)),
      bytes: delivery.raw.length,
      file,
    };
    // Files may be written in another order than that in which their messages came.
    let at = this.kept.length;
    while (at > 0 && (this.kept[at - 1]?.place ?? '') > place) at -= 1;
    this.kept.splice(at, 0, kept);
    this.bytes += kept.bytes;
  }

  private async dropOldest(): Promise<void> {
    while (this.kept.length > MAX_MESSAGES || this.bytes > MAX_BYTES) {
      const oldest = this.kept.shift();
      if (!oldest) return;
      this.bytes -= oldest.bytes;
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
