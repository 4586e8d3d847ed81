import { z } from 'zod';
import type { Card } from '#contracts/accounts/own-card.js';
import type { ReaderNotice } from '#contracts/accounts/reader-card.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { accountNotFound } from '../reader-view.js';

const cardRow = z.object({ number: z.string(), issuedAt: z.date(), blockedAt: z.date().nullable() });

/**
 * The card that a reader has.
 * @throws DomainError NotFound
 */
export async function cardOf(database: Queryable, accountId: string): Promise<Card> {
  const row = await queryRow(database, cardRow, {
    name: 'card-of',
    text: `select number, issued_at as "issuedAt", blocked_at as "blockedAt"
      from reader_card where account_id = $1 and replaced_at is null`,
    values: [accountId],
  });
  if (!row) throw accountNotFound();
  return {
    number: row.number,
    bars: await barsOf(row.number),
    issuedAt: row.issuedAt.toISOString(),
    blockedAt: row.blockedAt?.toISOString() ?? null,
  };
}

/** Loaded when the first card is shown: a start does without it. */
async function barsOf(text: string): Promise<number[]> {
  const { default: bwipjs } = await import('bwip-js/node');
  const [symbol] = bwipjs.raw({ bcid: 'code128', text }) as { sbs: number[] }[];
  if (!symbol?.sbs) throw new Error('The barcode could not be made.');
  return symbol.sbs;
}

const noticeRow = z.object({
  message: z.string(),
  blocks: z.boolean(),
  writtenBy: z.string().nullable(),
  writtenAt: z.date(),
});

/** What librarians wrote about a reader, if anything. */
export async function noticeOf(database: Queryable, accountId: string): Promise<ReaderNotice | null> {
  const row = await queryRow(database, noticeRow, {
    name: 'notice-of',
    text: `select n.message, n.blocks, a.fullname as "writtenBy", n.written_at as "writtenAt"
      from reader_notice n left join account a on a.id = n.written_by where n.account_id = $1`,
    values: [accountId],
  });
  return row ? { ...row, writtenAt: row.writtenAt.toISOString() } : null;
}
