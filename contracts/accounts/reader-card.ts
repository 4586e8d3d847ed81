import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { atMost, oneLine, plainText } from '../plain-text.js';
import { MAX_BOOKS_PER_BORROW } from '../borrowing/borrow-views.js';
import { ownHoldsSchema } from '../holds/hold-views.js';
import { messageAnswerSchema } from './account-views.js';
import { readerSchema } from './reader.js';
import { cardSchema, ownCardSchema, readerStandingSchema } from './own-card.js';

/** What librarians want said at the desk when this reader comes. */
export const readerNoticeSchema = z.object({
  message: z.string(),
  /** Nothing can be rented by them or handed to them until it is taken away. */
  blocks: z.boolean(),
  /** Null where the account is gone. */
  writtenBy: z.string().nullable(),
  writtenAt: z.iso.datetime(),
});
export type ReaderNotice = z.infer<typeof readerNoticeSchema>;

export const FOUND_READERS_SHOWN = 10;

/** Who it is, or may be. */
export const foundReadersSchema = z.object({
  by: z.enum(['card', 'words']),
  readers: z
    .array(
      z.object({
        id: z.uuid(),
        fullname: z.string(),
        userName: z.string(),
        email: z.string(),
        notice: readerNoticeSchema.nullable(),
        cardBlocked: z.boolean(),
      }),
    )
    .max(FOUND_READERS_SHOWN),
  totalCount: z.int().min(0),
});
export type FoundReaders = z.infer<typeof foundReadersSchema>;

/** What was scanned or typed. A reading call, and a POST all the same: addresses are logged on the way, bodies are not. */
export const findReaders = call('POST Reader/find', {
  may: ['desk', 'holds', 'readers'],
  body: z.object({
    scan: oneLine(z.string().trim().min(1, { error: m.readers_scan_empty }).max(200, atMost(200))),
  }),
  answer: foundReadersSchema,
});

const handedSchema = z.object({
  borrowId: z.uuid(),
  titles: z.array(z.string()).max(MAX_BOOKS_PER_BORROW),
  dueDate: z.iso.datetime().nullable(),
});

/** Visits that are told, and the reader's latest borrows, among which they are shown. */
export const VISITS_SHOWN = 5;
export const VISITS_SEARCHED = 100;

/** What changed hands on a visit at the desk. */
const visitSchema = z.object({
  /** When it began. */
  at: z.iso.datetime(),
  issued: z.array(handedSchema).max(VISITS_SEARCHED),
  returned: z.array(handedSchema).max(VISITS_SEARCHED),
});
export type Visit = z.infer<typeof visitSchema>;

/** All that a librarian needs to know of the reader at the desk. */
const readerPanelSchema = z.object({
  reader: readerSchema,
  card: cardSchema,
  notice: readerNoticeSchema.nullable(),
  ...readerStandingSchema.shape,
  /** What they wait for, and what is kept for them, which is rented as well. */
  holds: ownHoldsSchema,
  /** The latest first. */
  visits: z.array(visitSchema).max(VISITS_SHOWN),
});
export type ReaderPanel = z.infer<typeof readerPanelSchema>;

const ofReader = { may: ['readers'], query: z.object({ id: z.uuid() }) } as const;

export const readReaderPanel = call('GET Reader/panel', {
  ...ofReader,
  may: ['desk', 'readers'],
  answer: readerPanelSchema,
});

/** How the caller stands. */
export const readOwnCard = call('GET Reader/mine', { may: ['SignedIn'], answer: ownCardSchema });

export const replaceCard = call('POST Reader/card/replace', { ...ofReader, answer: cardSchema });

export const blockCard = call('PUT Reader/card/block', {
  ...ofReader,
  body: z.object({ blocked: z.boolean() }),
  answer: cardSchema,
});

const PIN = { error: m.pin_rule };
const pinBody = z.object({ pin: z.string(PIN).regex(/^\d{4,6}$/, PIN) });

/** Sets the PIN that devices ask for with the card; nobody is told it again. */
export const setPin = call('PUT Reader/card/pin', {
  ...ofReader,
  body: pinBody,
  answer: messageAnswerSchema,
});

/** The caller sets their own. */
export const setOwnPin = call('PUT Reader/mine/pin', {
  may: ['SignedIn'],
  body: pinBody,
  answer: messageAnswerSchema,
  confirmed: true,
});

const NOTICE_LENGTH = 500;

export const noticeBodySchema = z.object({
  message: plainText(
    z
      .string({ error: m.readers_notice_empty })
      .trim()
      .min(1, { error: m.readers_notice_empty })
      .max(NOTICE_LENGTH, atMost(NOTICE_LENGTH)),
  ),
  blocks: z.boolean(),
});
export type NoticeBody = z.infer<typeof noticeBodySchema>;

/** Answers what is written now: null, if nothing is. */
export const writeNotice = call('PUT Reader/notice', {
  ...ofReader,
  body: noticeBodySchema,
  answer: readerNoticeSchema.nullable(),
});

export const removeNotice = call('DELETE Reader/notice', { ...ofReader, answer: messageAnswerSchema });
