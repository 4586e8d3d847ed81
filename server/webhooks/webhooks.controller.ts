import { randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import * as m from '#words/messages.js';
import { Controller, Inject } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { streamNamed } from '#contracts/event-log/categories.js';
import * as calls from '#contracts/webhooks/webhooks.js';
import type { Webhook, WebhookChange } from '#contracts/webhooks/webhooks.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Database, type Queryable } from '#platform/database/database.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { EventLog, type LogPosition } from '#platform/event-log/event-log.js';
import { DATABASE } from '#platform/tokens.js';
import { isPrivateHost, lookupPublicAddress } from '../http/public-address.js';
import { Serves, type Asked } from '../http/serves.js';
import { RequestInvalid } from '../http/validation.js';
import { PublicEvents, type PlacedEvent } from './public-events.js';
import {
  deliveryRow,
  recordTry,
  WebhookDeliveries,
  webhookRow,
  type WebhookRow,
} from './webhook-deliveries.js';

/** Milliseconds for which a former secret signs beside the present one. */
const FORMER_SIGNS = 24 * 3_600_000;

const placeRow = z.object({
  stream: z.string(),
  revision: z.coerce.bigint(),
  after_commit: z.coerce.bigint(),
  after_prepare: z.coerce.bigint(),
});
const changeRow = z.object({
  id: z.coerce.number(),
  at: z.date().transform((at) => at.toISOString()),
  by: z.string().nullable(),
  address: z.string(),
  what: calls.webhookChangeSchema,
});

/** What admins change. */
const COLUMNS =
  'address, kinds, names, secrets, commit_position, prepare_position, failing_since, tries, next_try, off_since, off_why';
const WELL = { failing_since: null, tries: 0, next_try: null, off_since: null, off_why: null };

/** Events for others: who asks for them, and the webhooks that are told of them. */
@Controller()
export class WebhooksController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly log: EventLog,
    private readonly events: PublicEvents,
    private readonly deliveries: WebhookDeliveries,
    private readonly clock: Clock,
  ) {}

  @Serves(calls.listEvents)
  async listEvents({ query: { after, ...query } }: Asked<typeof calls.listEvents>) {
    const [commit = 0n, prepare = 0n] = after?.split('-').map(BigInt) ?? [];
    const { events, next } = await this.events.page({
      ...query,
      after: after ? { commit, prepare } : undefined,
    });
    const payloads = events.map(async ({ stored }) => {
      return { id: stored.id, ...(await this.events.payloadOf(stored, false)) };
    });
    return { events: await Promise.all(payloads), next: next ? `${next.commit}-${next.prepare}` : null };
  }

  @Serves(calls.listWebhooks)
  async list(): Promise<Webhook[]> {
    const all = `select * from webhook order by created_at limit ${calls.MAX_WEBHOOKS}`;
    return (await queryRows(this.database, webhookRow, all)).map(viewOf);
  }

  @Serves(calls.addWebhook)
  async add({ body, caller }: Asked<typeof calls.addWebhook>) {
    await this.checkAddress(body.address);
    const id = randomUUID();
    const { secret, sealed } = await this.newSecret(id);
    const added = { ...body, secrets: [sealed], ...placeAt(await this.log.end()), tries: 0 };
    return inTransaction(this.database, async (connection) => {
      await connection.query('lock table webhook in share row exclusive mode');
      const row = await queryRow(
        connection,
        webhookRow,
        `insert into webhook (id, created_at, ${COLUMNS})
         select $1, $2, ${COLUMNS} from jsonb_populate_record(null::webhook, $3)
         where (select count(*) from webhook) < ${calls.MAX_WEBHOOKS} returning *`,
        [id, this.clock.now(), added],
      );
      if (!row) throw new RequestInvalid({ address: [m.webhooks_too_many({ most: calls.MAX_WEBHOOKS })] });
      await this.note(connection, row, caller.accountId, ['added']);
      return { ...viewOf(row), secret };
    });
  }

  @Serves(calls.changeWebhook)
  async change({ params: { id }, body, caller }: Asked<typeof calls.changeWebhook>): Promise<Webhook> {
    await this.checkAddress(body.address);
    return this.update(id, caller.accountId, (row) => ({
      ...body,
      what: (['address', 'kinds', 'names'] as const).filter(
        (each) => String(row[each]) !== String(body[each]),
      ),
    }));
  }

  @Serves(calls.renewSecret)
  async renewSecret({ params: { id }, caller }: Asked<typeof calls.renewSecret>) {
    const { secret, sealed } = await this.newSecret(id);
    const until = new Date(this.clock.now().getTime() + FORMER_SIGNS).toISOString();
    const webhook = await this.update(id, caller.accountId, ({ secrets }) => ({
      secrets: [sealed, ...secrets.slice(0, 1).map((former) => ({ ...former, until }))],
      what: ['secret'],
    }));
    return { ...webhook, secret };
  }

  @Serves(calls.switchWebhook)
  async switch({
    params: { id },
    body: { from },
    caller,
  }: Asked<typeof calls.switchWebhook>): Promise<Webhook> {
    const off = { off_since: this.clock.now(), off_why: 'admin' };
    const change =
      typeof from === 'number'
        ? { ...WELL, ...placeAt((await this.placed(id, from)).after), what: ['again' as const] }
        : {
            ...(from === 'off' ? off : WELL),
            ...(from === 'now' && placeAt(await this.log.end())),
            what: [from],
          };
    return this.update(id, caller.accountId, () => change);
  }

  @Serves(calls.removeWebhook)
  async remove({ params: { id }, caller }: Asked<typeof calls.removeWebhook>): Promise<Webhook[]> {
    await inTransaction(this.database, async (connection) => {
      const row = await this.row(connection, id);
      await connection.query('delete from webhook where id = $1', [id]);
      await this.note(connection, row, caller.accountId, ['removed']);
    });
    return this.list();
  }

  @Serves(calls.listDeliveries)
  async listDeliveries({ params: { id } }: Asked<typeof calls.listDeliveries>) {
    await this.row(this.database, id);
    return queryRows(
      this.database,
      deliveryRow,
      `select id, tried from webhook_delivery where webhook_id = $1 order by id desc limit ${calls.DELIVERIES_SHOWN}`,
      [id],
    );
  }

  @Serves(calls.sendNow)
  async sendNow({ params: { id }, body: { again } }: Asked<typeof calls.sendNow>) {
    const webhook = await this.row(this.database, id);
    const placed = again === null ? undefined : await this.placed(id, again);
    const delivery = await recordTry(this.database, id, await this.deliveries.tell(webhook, placed));
    if (!delivery) throw new DomainError('NotFound', m.webhooks_gone());
    return delivery;
  }

  @Serves(calls.listWebhookChanges)
  listChanges() {
    return queryRows(
      this.database,
      changeRow,
      `select c.id, c.at, a.fullname as by, c.address, c.what from webhook_change c left join account a on a.id = c.by
       order by c.id desc limit ${calls.WEBHOOK_CHANGES_SHOWN}`,
    );
  }

  /** @throws RequestInvalid for one of this machine or its network, or that is not encrypted, unless the operator named its host */
  private async checkAddress(text: string): Promise<void> {
    const address = new URL(text);
    if (this.deliveries.isNamed(address)) return;
    const refuse = (message: string) => new RequestInvalid({ address: [message] });
    if (address.protocol !== 'https:') throw refuse(m.webhooks_address_insecure());
    if (isPrivateHost(address)) throw refuse(m.webhooks_address_private());
    // A name that leads nowhere today may lead somewhere tomorrow.
    await promisify(lookupPublicAddress)(address.hostname, {}).catch(({ code }: NodeJS.ErrnoException) => {
      if (code === 'ENOTPUBLIC') throw refuse(m.webhooks_address_private());
    });
  }

  private async newSecret(id: string) {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    return { secret, sealed: await this.deliveries.seal(id, secret) };
  }

  private async row(database: Queryable, id: string, lock = ''): Promise<WebhookRow> {
    const row = await queryRow(database, webhookRow, `select * from webhook where id = $1 ${lock}`, [id]);
    if (!row) throw new DomainError('NotFound', m.webhooks_gone());
    return row;
  }

  /** The event of a delivery, and its place. */
  private async placed(id: string, delivery: number): Promise<PlacedEvent> {
    const row = await queryRow(
      this.database,
      placeRow,
      'select * from webhook_delivery where webhook_id = $1 and id = $2 and stream is not null',
      [id, delivery],
    );
    const named = row && streamNamed(row.stream);
    const [recorded] = named ? await this.log.readRecorded(named.category, named.key, row.revision, 1) : [];
    const stored = recorded && (await this.events.read(recorded));
    if (!row || !stored) throw new DomainError('NotFound', m.webhooks_delivery_gone());
    const { after_commit: commit, after_prepare: prepare } = row;
    return { stored, after: commit < 0n ? undefined : { commit, prepare } };
  }

  /** Whoever tells it stops, and it is begun anew. */
  private async update(
    id: string,
    by: string,
    change: (row: WebhookRow) => { what: readonly WebhookChange[] },
  ): Promise<Webhook> {
    return inTransaction(this.database, async (connection) => {
      const before = await this.row(connection, id, 'for update');
      const changed = change(before);
      const row = await queryRow(
        connection,
        webhookRow,
        `update webhook w set (${COLUMNS}) = (select ${COLUMNS} from jsonb_populate_record(w, $2)), worker = null,
           leased_until = null where id = $1 returning *`,
        [id, changed],
      );
      await this.note(connection, before, by, changed.what);
      return viewOf(row ?? before);
    });
  }

  private async note(
    connection: Queryable,
    { id, address }: WebhookRow,
    by: string,
    what: readonly WebhookChange[],
  ): Promise<void> {
    await connection.query(
      'insert into webhook_change (address, at, by, what) select $1, $2, $3, unnest($4::text[])',
      [address, this.clock.now(), by, what],
    );
    await connection.query('select pg_notify($1, $2)', [CHANNELS.webhooks, id]);
  }
}

function viewOf(row: WebhookRow): Webhook {
  const { id, address, kinds, names, off_why: offWhy } = row;
  const text = (time: Date | null) => time && time.toISOString();
  const [failingSince, nextTry] = [text(row.failing_since), text(row.next_try)];
  const [offSince, lastAt] = [text(row.off_since), text(row.last_at)];
  return { id, address, kinds, names, failingSince, nextTry, offSince, offWhy, lastAt };
}

const placeAt = (place: LogPosition | undefined) => ({
  commit_position: String(place?.commit ?? -1n),
  prepare_position: String(place?.prepare ?? -1n),
});
