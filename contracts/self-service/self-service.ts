import * as m from '#words/messages.js';
import { z } from 'zod';
import { OPEN_BORROWS_SHOWN } from '../accounts/own-card.js';
import { MAX_BOOKS_PER_BORROW } from '../borrowing/borrow-views.js';
import { call } from '../call.js';
import { HOLDS_SHOWN } from '../holds/hold-views.js';
import { LANGUAGES } from '../languages.js';
import { oneLine } from '../plain-text.js';
import { DEVICE_CODE_DIGITS } from './devices.js';
import { BOOK_REFUSALS, VISIT_REFUSALS } from './refusal-texts.js';

const refused = z.object({
  outcome: z.literal('refused'),
  /** Null where nobody knows what was scanned. */
  title: z.string().nullable(),
  why: z.enum(BOOK_REFUSALS),
});

/** What no copy has for a label is a reader's card. */
const cardSchema = z.object({ outcome: z.literal('card') });

const takenSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('lent'), title: z.string(), dueDate: z.iso.datetime() }),
  refused,
]);
export type Taken = z.infer<typeof takenSchema>;

const givenBackSchema = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('given-back'),
    title: z.string(),
    /** Somebody waits for it: it goes to the staff, not on the shelf. */
    isHeld: z.boolean(),
    /** It came so late that a fee is owed. */
    isCharged: z.boolean(),
  }),
  /** Nobody had it. */
  z.object({ outcome: z.literal('not-lent'), title: z.string(), isHeld: z.boolean() }),
  refused,
]);
export type GivenBack = z.infer<typeof givenBackSchema>;

const ofBorrow = { borrowId: z.uuid(), titles: z.array(z.string()).max(MAX_BOOKS_PER_BORROW) };
const renewedSchema = z.discriminatedUnion('outcome', [
  z.object({ ...ofBorrow, outcome: z.literal('renewed'), dueDate: z.iso.datetime() }),
  refused.omit({ title: true }).extend(ofBorrow),
]);
export type Renewed = z.infer<typeof renewedSchema>;

/** What a reader has and may collect, as far as a screen in public says it. */
const ownBooksSchema = z.object({
  loans: z
    .array(
      z.object({
        borrowId: z.uuid(),
        bookId: z.int(),
        title: z.string(),
        /** The code of the copy, where its label was scanned. */
        copy: z.string().nullable(),
        dueDate: z.iso.datetime(),
        isLate: z.boolean(),
        /** Null where it cannot be renewed. */
        renewableUntil: z.iso.datetime().nullable(),
      }),
    )
    .max(OPEN_BORROWS_SHOWN),
  /** What is kept for them, to be taken and scanned. */
  kept: z
    .array(z.object({ bookId: z.int(), title: z.string(), collectBy: z.iso.datetime() }))
    .max(HOLDS_SHOWN),
  /** In PLN; it is paid elsewhere. */
  owes: z.number().min(0),
  /** Books that they have or that are kept for them, and how many they may have. */
  books: z.object({ have: z.int().min(0), most: z.int().min(0) }),
  isBlocked: z.boolean(),
});
export type OwnBooks = z.infer<typeof ownBooksSchema>;

/** A kiosk, as its page knows it. */
const kioskSchema = z.object({
  name: z.string(),
  languages: z.array(z.enum(LANGUAGES)).min(1).max(LANGUAGES.length),
  isClosed: z.boolean(),
});
export type Kiosk = z.infer<typeof kioskSchema>;

const device = { may: ['Device'], tag: 'Self-service' } as const;
/** The visit that the reader's card began; it is over soon after the last call of it. */
const params = z.object({ visit: z.uuid() });
const scan = oneLine(z.string().trim().min(1).max(40));

/** Binds the browser that asks as the kiosk whose code it is. The code works once. */
export const bindKiosk = call('POST SelfService/bind', {
  may: ['Everybody'],
  tag: device.tag,
  body: z.object({
    code: z
      .string()
      .regex(new RegExp(`^\\d{${DEVICE_CODE_DIGITS}}$`), { error: () => m.devices_code_wrong() }),
  }),
  answer: kioskSchema,
});

export const readKiosk = call('GET SelfService/kiosk', { ...device, answer: kioskSchema });

/** Begins a reader's visit, and ends whoever's was before. */
export const beginVisit = call('POST SelfService/visit', {
  ...device,
  body: z.object({
    card: scan,
    pin: z.string().max(6).optional(),
  }),
  answer: z.discriminatedUnion('outcome', [
    z.object({
      outcome: z.literal('welcome'),
      visit: z.uuid(),
      firstname: z.string(),
      ...ownBooksSchema.shape,
    }),
    z.object({ outcome: z.literal('refused'), why: z.enum(VISIT_REFUSALS) }),
  ]),
});

export const readOwnBooks = call('GET SelfService/visit/:visit', {
  ...device,
  params,
  answer: ownBooksSchema,
});

export const takeBook = call('POST SelfService/visit/:visit/take', {
  ...device,
  params,
  body: z.object({ code: scan }),
  answer: z.discriminatedUnion('outcome', [takenSchema, cardSchema]),
  keyed: true,
});

/** Renews one loan, or all. */
export const renewLoans = call('POST SelfService/visit/:visit/renew', {
  ...device,
  params,
  body: z.object({ borrowId: z.uuid().nullable() }),
  answer: z.array(renewedSchema).max(OPEN_BORROWS_SHOWN),
  keyed: true,
});

/** With or without a reader's card. */
export const giveBookBack = call('POST SelfService/give-back', {
  ...device,
  body: z.object({ code: scan }),
  answer: z.discriminatedUnion('outcome', [givenBackSchema, cardSchema]),
  keyed: true,
});

/** The reader goes, or has gone. */
export const endSelfServiceVisit = call('DELETE SelfService/visit/:visit', {
  ...device,
  params,
  /** False where it was over before. */
  answer: z.object({ ended: z.boolean() }),
});
