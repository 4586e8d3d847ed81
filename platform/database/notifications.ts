import { EventEmitter } from 'node:events';
import pg from 'pg';
import { z } from 'zod';
import { waiverRequestStateSchema } from '#contracts/borrowing/waiver-requests.js';
import { IMPORT_KINDS, IMPORT_STATES } from '#contracts/imports.js';
import { REPORT_KINDS, REPORT_STATES } from '#contracts/reports/report.js';
import type { Logger } from '../logging.js';
import type { Statements } from './database.js';

/** PostgreSQL notification channels of the product. */
export const CHANNELS = {
  /** The read models moved on. */
  readModels: 'lectern_read_models',
  /** An account's roles or sessions changed. */
  accounts: 'lectern_accounts',
  /** A reader has another name. */
  readers: 'lectern_readers',
  /** A reader or their card was blocked, or is not any more. */
  readerBlocks: 'lectern_reader_blocks',
  /** A reader is of another kind. */
  readerKinds: 'lectern_reader_kinds',
  /** Books, or the names that books have, changed. */
  catalogue: 'lectern_catalogue',
  /** A report came further. */
  reports: 'lectern_reports',
  /** A waiver was asked for, or such a request was answered. */
  waivers: 'lectern_waivers',
  /** An import came further. */
  imports: 'lectern_imports',
  /** A copy was bound to a reader's hold. */
  holds: 'lectern_holds',
  /** A job waits in the outbox. */
  outbox: 'lectern_outbox',
  /** A letter is due. */
  letters: 'lectern_letters',
  /** The library counts its days by another time zone. */
  timeZone: 'lectern_time_zone',
  /** The library says something else of itself. */
  library: 'lectern_library',
  /** There is a new version of the rules, or one was withdrawn; or a draft of them changed. */
  rules: 'lectern_rules',
  /** A trial of rules waits for somebody to work on it. */
  simulations: 'lectern_trials',
  /** A webhook is to be told otherwise than before. */
  webhooks: 'lectern_webhooks',
} as const;
type Channel = keyof typeof CHANNELS;

/**
 * Notifies every process when the transaction commits.
 * @param payload below 8,000 bytes
 */
export async function notify(
  transaction: Statements,
  channel: (typeof CHANNELS)[Channel],
  payload: string,
): Promise<void> {
  await transaction.query('select pg_notify($1, $2)', [channel, payload]);
}

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('not JSON');
    return z.NEVER;
  }
});

/** What a projection tells when its rows are committed. */
const readModelChange = z.object({
  /** Log position up to which the rows now are. */
  position: z.string().regex(/^-?\d{1,20}$/),
  /** The schema of the rows; absent where that is the first version's. */
  schema: z.string().optional(),
  /** The borrows that changed with their readers; absent when there were too many to name. */
  borrows: z.array(z.tuple([z.guid(), z.guid()])).optional(),
  /** The books whose copies changed. */
  books: z.array(z.int()).optional(),
  /** The books whose holds changed, and the readers. */
  holds: z.array(z.int()).optional(),
  holders: z.array(z.guid()).optional(),
});
export type ReadModelChange = z.output<typeof readModelChange>;

/** What changed in the catalogue: these books, some names of one kind, or more than was named. */
export type CatalogueChange = { books: readonly number[] } | 'author' | 'genre' | 'publisher' | 'everything';

const catalogueChange = z.string().transform((text, context): CatalogueChange => {
  if (text === '') return 'everything';
  if (text === 'author' || text === 'genre' || text === 'publisher') return text;
  const [, ids] = /^books (\d{1,10}(?:,\d{1,10})*)$/.exec(text) ?? [];
  if (ids !== undefined) return { books: ids.split(',').map(Number) };
  context.addIssue('not a change of the catalogue');
  return z.NEVER;
});

/** The payload of each channel. */
const PAYLOADS = {
  readModels: json.pipe(readModelChange),
  /** The account's id. */
  accounts: z.guid(),
  /** The account's id. */
  readers: z.guid(),
  /** The account's id. */
  readerBlocks: z.guid(),
  /** The reader's pseudonym. */
  readerKinds: z.guid(),
  catalogue: catalogueChange,
  reports: json.pipe(
    z.object({
      reportId: z.guid(),
      kind: z.enum(REPORT_KINDS),
      state: z.enum(REPORT_STATES),
      /** Percent. */
      progress: z.number(),
    }),
  ),
  imports: json.pipe(
    z.object({
      of: z.enum(IMPORT_KINDS),
      importId: z.guid(),
      state: z.enum(IMPORT_STATES),
      handled: z.int(),
      total: z.int(),
    }),
  ),
  waivers: json.pipe(
    z.object({
      /** The pseudonym of who asked. */
      askedBy: z.guid(),
      borrowId: z.guid(),
      /** Grosze. */
      amount: z.int(),
      state: waiverRequestStateSchema,
    }),
  ),
  /** Nobody reads it. */
  holds: z.string(),
  /** Nobody reads it. */
  outbox: z.string(),
  /** Nobody reads it. */
  letters: z.string(),
  /** Nobody reads it. */
  timeZone: z.string(),
  /** Nobody reads it. */
  library: z.string(),
  /** Nobody reads it. */
  rules: z.string(),
  /** Nobody reads it. */
  simulations: z.string(),
  /** The webhook's id. */
  webhooks: z.guid(),
} satisfies Record<Channel, z.ZodType>;

/** An event for each channel, with its parsed payload. */
export type NotificationEvents = { [Name in Channel]: [z.output<(typeof PAYLOADS)[Name]>] } & {
  /** Something may have been missed: the link was away, or a payload was malformed. */
  gap: [];
};

const NAMES = new Map<string, Channel>(
  (Object.keys(CHANNELS) as Channel[]).map((name) => [CHANNELS[name], name]),
);

/** Milliseconds between two looks at whether the link still lives: one that broke without a word tells nobody anything. */
const CHECK_INTERVAL = 10_000;
/** Milliseconds after which a link that does not answer counts as lost. */
const TIMEOUT = 5_000;

/**
 * Listens to all our channels over one connection, and comes back by itself when it is lost. After every
 * return it emits `gap`, as it does for a payload that is not what its channel carries.
 */
export class Notifications extends EventEmitter<NotificationEvents> {
  private client: pg.Client | undefined;
  private stopped = false;
  private retry: NodeJS.Timeout | undefined;
  private look: NodeJS.Timeout | undefined;
  private returns = 0;

  constructor(
    private readonly url: string,
    private readonly logger: Logger,
  ) {
    super();
    this.setMaxListeners(50);
  }

  /** How often the connection was lost and restored. */
  get reconnects(): number {
    return this.returns;
  }

  /** Whether there is a link. One that broke without a word is found out within a quarter of a minute. */
  get isConnected(): boolean {
    return this.client !== undefined;
  }

  async start(): Promise<void> {
    await this.connect();
    this.look = setInterval(() => void this.lookAtLink(), CHECK_INTERVAL);
    this.look.unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    clearInterval(this.look);
    const client = this.client;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      keepAlive: true,
      query_timeout: TIMEOUT,
      application_name: 'lectern notifications',
      connectionTimeoutMillis: TIMEOUT,
    });
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ channel, payload }) => this.receive(channel, payload ?? ''));
    try {
      await client.connect();
      for (const channel of Object.values(CHANNELS)) await client.query(`listen ${channel}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    if (this.stopped) return void (await client.end());
    this.client = client;
  }

  private receive(channel: string, payload: string): void {
    const name = NAMES.get(channel);
    if (name === undefined || this.listenerCount(name) === 0) return;
    const parsed = PAYLOADS[name].safeParse(payload);
    if (parsed.success) {
      // The payload belongs to the name, which the types of an emitter cannot say.
      (this as EventEmitter).emit(name, parsed.data);
      return;
    }
    const [issue] = parsed.error.issues;
    this.logger.warn(
      { channel, bytes: payload.length, problem: `${issue?.path.join('.')}: ${issue?.code}` },
      'a malformed notification was ignored; everything is looked up again',
    );
    this.emit('gap');
  }

  private async lookAtLink(): Promise<void> {
    const { client } = this;
    if (!client) return;
    await client.query('select 1').catch((error: Error) => this.lost(client, error));
  }

  private lost(client: pg.Client, error?: Error): void {
    if (this.stopped || this.client !== client) return;
    this.client = undefined;
    this.logger.warn({ error }, 'the notification link to the database was lost');
    client.end().catch(() => undefined);
    this.reconnect(250);
  }

  private reconnect(delay: number): void {
    if (this.stopped) return;
    this.retry = setTimeout(() => {
      this.connect().then(
        () => {
          this.returns += 1;
          this.emit('gap');
        },
        () => this.reconnect(Math.min(delay * 2, 5000)),
      );
    }, delay);
  }
}
