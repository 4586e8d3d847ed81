import * as m from '#words/messages.js';
import { z } from 'zod';
import { BORROW_EVENTS } from '../borrowing/borrow-events.js';
import { call } from '../call.js';
import { COPY_EVENTS } from '../copies/copy-events.js';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import type { EventLabels } from '../event-entry.js';
import { STREAM_DECISIONS } from '../event-log/skipped-events.js';
import { HOLD_EVENTS } from '../holds/hold-events.js';

/** The kinds of events that others are told of: all that are declared, by what they happen to. */
export const EVENT_GROUPS: readonly {
  name: () => string;
  kinds: Readonly<Record<string, Pick<EventLabels, 'label'>>>;
}[] = [
  { name: m.common_borrows, kinds: BORROW_EVENTS },
  { name: m.common_holds, kinds: HOLD_EVENTS },
  { name: m.common_copies, kinds: COPY_EVENTS },
  { name: m.webhooks_group_log, kinds: STREAM_DECISIONS },
];
export const EVENT_KINDS = EVENT_GROUPS.flatMap(({ kinds }) => Object.keys(kinds));
const kind = z.enum(EVENT_KINDS);
const instant = z.iso.datetime();

/** What others are told of an event: all that is stored of it, and to whom or which copy it happened. No names, no free text. */
const eventPayloadSchema = z.object({
  type: z.string(),
  /** When it was stored. */
  timestamp: instant,
  data: z.record(z.string(), z.unknown()).meta({ maxProperties: 40 }),
});
export type EventPayload = z.infer<typeof eventPayloadSchema>;

const MAX_EVENTS = 500;
const LONGEST_WAIT = 25;

/** The events after a place in the log, in its order, for whoever would rather ask than be told. */
export const listEvents = call('GET events', {
  may: ['webhooks', 'audit'],
  query: z.object({
    /** The `next` of an answer; without it, from the beginning. */
    after: z.preprocess(
      emptyAsUndefined,
      z.optional(z.string().regex(/^\d{1,18}-\d{1,18}$/, { error: m.webhooks_after_rule })),
    ),
    /** With commas between them; all without it. */
    kinds: z.preprocess(
      (text) => (typeof text === 'string' && text !== '' ? text.split(',') : undefined),
      z.array(kind).max(EVENT_KINDS.length).optional(),
    ),
    limit: z.coerce.number().int().min(1).max(MAX_EVENTS).default(100),
    /** Seconds to wait for an event where there is none. */
    wait: z.coerce.number().min(0).max(LONGEST_WAIT).default(0),
  }),
  answer: z.object({
    events: z.array(eventPayloadSchema.extend({ id: z.uuid() })).max(MAX_EVENTS),
    /** What to ask for next. There may be more, also where a page is not full. */
    next: z.string().nullable(),
  }),
  takesLong: true,
  decidedByLog: true,
});

/** Why a webhook is off: an admin switched it off, its address is gone for good (410), or nothing succeeded for a day. */
export const offReasonSchema = z.enum(['admin', 'gone', 'gave-up']);
/** Why no answer came. */
const problemSchema = z.enum(['not-public', 'unreachable', 'tls', 'timeout', 'secret']);
/** What admins do with a webhook. */
export const webhookChangeSchema = z.enum([
  ...(['added', 'address', 'kinds', 'names', 'secret'] as const),
  ...(['stopped', 'now', 'again', 'off', 'removed'] as const),
]);
export type WebhookChange = z.infer<typeof webhookChangeSchema>;

export const MAX_WEBHOOKS = 20;
export const DELIVERIES_SHOWN = 100;
export const WEBHOOK_CHANGES_SHOWN = 50;
/** Characters of an answer that are kept. */
export const ANSWER_KEPT = 200;

const webhookSchema = z.object({
  id: z.uuid(),
  address: z.string(),
  kinds: z.array(z.string()).max(EVENT_KINDS.length),
  /** Whether readers' names and addresses go with it. */
  names: z.boolean(),
  /** When it was last told something. */
  lastAt: instant.nullable(),
  failingSince: instant.nullable(),
  nextTry: instant.nullable(),
  offSince: instant.nullable(),
  offWhy: offReasonSchema.nullable(),
});
export type Webhook = z.infer<typeof webhookSchema>;
const webhooksSchema = z.array(webhookSchema).max(MAX_WEBHOOKS);

/** One try to tell an address something. */
export const triedSchema = z.object({
  /** Of the event, the same for every try; of a test, its own. */
  eventId: z.uuid(),
  /** Null for a test. */
  kind: z.string().nullable(),
  at: instant,
  milliseconds: z.int(),
  status: z.int().nullable(),
  problem: problemSchema.nullable(),
  /** How the answer began, where it was no success. */
  answer: z.string(),
});
const deliverySchema = triedSchema.extend({ id: z.int() });
export type Delivery = z.infer<typeof deliverySchema>;

export const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300;

const ADDRESS = { error: m.webhooks_address_rule };
const KINDS = { error: m.webhooks_kinds_missing };
const fieldsSchema = z.object({
  address: z
    .url({ protocol: /^https?$/, ...ADDRESS })
    .max(500, ADDRESS)
    .refine((text) => !/^\w+:\/\/[^/]*@|#/.test(text), ADDRESS),
  kinds: z.array(kind, KINDS).min(1, KINDS).max(EVENT_KINDS.length),
  names: z.boolean(),
});
export type WebhookFields = z.infer<typeof fieldsSchema>;

const staff = { may: ['webhooks'], tag: 'Webhook' } as const;
const params = z.object({ id: z.uuid() });
const ofOne = { ...staff, params } as const;
/** The secret is answered once, and never again. */
const withSecret = {
  answer: webhookSchema.extend({ secret: z.string() }),
  status: 201,
  confirmed: true,
} as const;
const deliveryId = z.int().min(1);

export const listWebhooks = call('GET Webhook', { ...staff, answer: webhooksSchema });

/** It is told what happens from now on. */
export const addWebhook = call('POST Webhook', { ...staff, body: fieldsSchema, ...withSecret });

export const changeWebhook = call('PUT Webhook/:id', {
  ...ofOne,
  body: fieldsSchema,
  answer: webhookSchema,
  confirmed: true,
});

/** Another secret; the former one signs beside it for a day. */
export const renewSecret = call('POST Webhook/:id/secret', { ...ofOne, ...withSecret });

/** Goes on from where it stopped, with what happens from now on, or with the event of a delivery; or is off. */
export const switchWebhook = call('PUT Webhook/:id/on', {
  ...ofOne,
  body: z.object({ from: z.union([z.enum(['stopped', 'now', 'off']), deliveryId]) }),
  answer: webhookSchema,
});

export const removeWebhook = call('DELETE Webhook/:id', { ...ofOne, answer: webhooksSchema });

/** The latest first. */
export const listDeliveries = call('GET Webhook/:id/deliveries', {
  ...ofOne,
  answer: z.array(deliverySchema).max(DELIVERIES_SHOWN),
});

/** Sends the event of a delivery once more, beside all others; or (null) a test. */
export const sendNow = call('POST Webhook/:id/deliveries', {
  ...ofOne,
  body: z.object({ again: deliveryId.nullable() }),
  answer: deliverySchema,
  takesLong: true,
});

/** The latest first. */
export const listWebhookChanges = call('GET Webhook/changes', {
  ...staff,
  answer: z
    .array(
      z.object({
        id: z.int(),
        at: instant,
        /** A name; null where the account is gone. */
        by: z.string().nullable(),
        address: z.string(),
        what: webhookChangeSchema,
      }),
    )
    .max(WEBHOOK_CHANGES_SHOWN),
});
