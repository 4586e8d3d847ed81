import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { ReportKind, ReportState } from '#contracts/reports/report.js';
import type { Logger } from '../logging.js';
import { within } from '../within.js';
import type { Statements } from './database.js';

/** PostgreSQL notification channels of the product. */
export const CHANNELS = {
  /** The read models moved on: a `ReadModelChange`. */
  readModels: 'lectern_read_models',
  /** An account's roles or sessions changed; the payload is the account id. */
  accounts: 'lectern_accounts',
  /** A reader has another name; the payload is the account id. */
  readers: 'lectern_readers',
  /** The catalogue changed, and with it what its counts were. */
  catalogue: 'lectern_catalogue',
  /** A report came further: a `ReportProgress`. */
  reports: 'lectern_reports',
  /** A job waits in the outbox. */
  outbox: 'lectern_outbox',
} as const;

/**
 * Tells every process; part of the transaction: they hear of it when it commits.
 * @param payload below 8,000 bytes
 */
export async function notify(
  transaction: Statements,
  channel: (typeof CHANNELS)[keyof typeof CHANNELS],
  payload: string,
): Promise<void> {
  await transaction.query('select pg_notify($1, $2)', [channel, payload]);
}

/** What is told of a report while it is made. */
export interface ReportProgress {
  reportId: string;
  kind: ReportKind;
  state: ReportState;
  /** Percent. */
  progress: number;
}

/** What a projection tells when its rows are committed. */
export interface ReadModelChange {
  /** Log position up to which the rows now are, a decimal number. */
  position: string;
  /** The borrows that changed with their readers; absent when there were too many to name. */
  borrows?: [borrowId: string, readerId: string][];
  /** The books whose copies changed. */
  books?: number[];
}

interface NotificationEvents {
  notification: [channel: string, payload: string];
  /** The link was away: something may have been missed. */
  gap: [];
}

/** Milliseconds between two looks at whether the link still lives: one that broke without a word tells nobody anything. */
const LOOK_EVERY = 10_000;
/** Milliseconds after which a link that does not answer counts as lost. */
const PATIENCE = 5_000;

/**
 * Listens to all our channels over one connection, and comes back by itself when it is lost. After every
 * return it emits `gap`.
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

  /** How often the link was lost and made anew. */
  get reconnects(): number {
    return this.returns;
  }

  /** Whether there is a link. One that broke without a word is found out within a quarter of a minute. */
  get isConnected(): boolean {
    return this.client !== undefined;
  }

  async start(): Promise<void> {
    await this.connect();
    this.look = setInterval(() => void this.lookAtLink(), LOOK_EVERY);
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
      application_name: 'lectern notifications',
      connectionTimeoutMillis: PATIENCE,
    });
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ channel, payload }) => this.emit('notification', channel, payload ?? ''));
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

  private async lookAtLink(): Promise<void> {
    const { client } = this;
    if (!client) return;
    await within(PATIENCE, client.query('select 1'), 'no answer in time').catch((error: Error) =>
      this.lost(client, error),
    );
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
