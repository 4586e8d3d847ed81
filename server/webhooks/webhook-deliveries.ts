import { createHmac, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { streamOf } from '#contracts/event-log/categories.js';
import { isSuccess, offReasonSchema, triedSchema, type Delivery } from '#contracts/webhooks/webhooks.js';
import { Clock } from '#platform/clock.js';
import { DataKeys } from '#platform/data-keys.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { post } from './post.js';
import { PublicEvents, type PlacedEvent } from './public-events.js';

export const webhookRow = z.object({
  id: z.string(),
  address: z.string(),
  kinds: z.array(z.string()),
  names: z.boolean(),
  /** Encrypted, the present one first; `until` is when a former one signs no more. */
  secrets: z.array(z.object({ keyId: z.int(), sealed: z.string(), until: z.iso.datetime().nullable() })),
  commit_position: z.coerce.bigint(),
  prepare_position: z.coerce.bigint(),
  failing_since: z.date().nullable(),
  tries: z.int(),
  next_try: z.date().nullable(),
  off_since: z.date().nullable(),
  off_why: offReasonSchema.nullable(),
  last_at: z.date().nullable(),
});
export type WebhookRow = z.output<typeof webhookRow>;

/** One try, and the event that was told; without it, a test. */
export interface Told {
  placed: PlacedEvent | undefined;
  tried: Omit<Delivery, 'id'>;
}

export const deliveryRow = z
  .object({ id: z.coerce.number(), tried: triedSchema })
  .transform(({ id, tried }): Delivery => ({ id, ...tried }));

const ownerOf = (id: string) => `webhook ${id}`;

/** Tells webhooks of events, signed as Standard Webhooks says (https://www.standardwebhooks.com). */
@Injectable()
export class WebhookDeliveries {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: DataKeys,
    private readonly events: PublicEvents,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  /** Whether the operator named its host: it may be in their own network, and without TLS. */
  isNamed({ hostname }: URL): boolean {
    return this.settings.PRIVATE_HOSTS.includes(hostname);
  }

  /** Encrypts the secret of a webhook. */
  async seal(id: string, secret: string): Promise<WebhookRow['secrets'][number]> {
    const { manager } = this.dataSource;
    const { keyId, sealed } = await this.keys.encrypt(manager, Buffer.from(secret), ownerOf(id));
    return { keyId, sealed: sealed.toString('base64'), until: null };
  }

  /** @param placed nothing for a test */
  async tell(webhook: WebhookRow, placed?: PlacedEvent): Promise<Told> {
    const now = this.clock.now();
    const at = now.toISOString();
    const eventId = placed?.stored.id ?? randomUUID();
    const payload = placed
      ? await this.events.payloadOf(placed.stored, webhook.names)
      : { type: 'test', timestamp: at, data: {} };
    const body = JSON.stringify(payload);
    const seconds = Math.floor(now.getTime() / 1000);
    const signatures = await this.signaturesOf(webhook, `${eventId}.${seconds}.${body}`, at);
    const headers = { 'webhook-id': eventId, 'webhook-timestamp': seconds, 'webhook-signature': signatures };
    const address = new URL(webhook.address);
    const began = performance.now();
    const answered = signatures
      ? await post(address, this.isNamed(address), headers, body)
      : { status: null, problem: 'secret' as const, answer: '' };
    const answer = isSuccess(answered.status) ? '' : answered.answer;
    const milliseconds = Math.round(performance.now() - began);
    const kind = placed?.stored.event.type ?? null;
    return { placed, tried: { ...answered, answer, milliseconds, kind, eventId, at } };
  }

  /** @returns nothing where no secret can be decrypted */
  private async signaturesOf({ id, secrets }: WebhookRow, signed: string, at: string): Promise<string> {
    const { manager } = this.dataSource;
    const signatures: string[] = [];
    for (const { until, sealed, keyId } of secrets) {
      if (until !== null && until <= at) continue;
      try {
        const encrypted = { keyId, sealed: Buffer.from(sealed, 'base64') };
        const secret = String(await this.keys.decrypt(manager, encrypted, ownerOf(id)));
        const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
        signatures.push(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
      }
    }
    return signatures.join(' ');
  }
}

/** Part of the caller's transaction, where there is one. */
export async function recordTry(
  connection: Queryable,
  webhookId: string,
  { placed, tried }: Told,
): Promise<Delivery | undefined> {
  const { stored, after = { commit: -1n, prepare: -1n } } = placed ?? {};
  const place = stored && [
    streamOf(stored.category, stored.key),
    stored.revision,
    after.commit,
    after.prepare,
  ];
  const [delivery] = await queryRows(
    connection,
    deliveryRow,
    `insert into webhook_delivery (webhook_id, tried, stream, revision, after_commit, after_prepare)
     values ($1, $2, $3, $4, $5, $6) returning id, tried`,
    [webhookId, tried, ...(place?.map(String) ?? [null, null, null, null])],
  );
  return delivery;
}
