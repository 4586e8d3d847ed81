import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { z } from 'zod';
import { looksLikeCardNumber, readAnyCardNumber, readCardNumber } from '#contracts/accounts/card-number.js';
import type { Card, OwnCard } from '#contracts/accounts/own-card.js';
import {
  FOUND_READERS_SHOWN,
  type FoundReaders,
  type ReaderNotice,
  readerNoticeSchema,
  type ReaderPanel,
} from '#contracts/accounts/reader-card.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Database, Queryable } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { accountSearch } from '#platform/database/entities/account-names.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import type { SignedIn } from '../../http/access.js';
import { HoldsOfReader } from '../../borrowing/holds/hold.queries.js';
import { StandingOf } from '../../borrowing/reader-standing.queries.js';
import { VisitsOf } from '../../borrowing/visits.queries.js';
import { QueryWith } from '../../messages.js';
import { accountNotFound, readerView } from '../reader-view.js';

/** Who it is whose card was scanned, or whose name, username or email address was typed. */
export class FindReaders extends QueryWith<FoundReaders, { scan: string }> {}

const cardFoundRow = z.object({ accountId: z.string(), isReplaced: z.boolean() });
const besideRow = z.object({
  id: z.string(),
  cardBlocked: z.boolean(),
  notice: readerNoticeSchema.nullable(),
});

@QueryHandler(FindReaders)
export class FindReadersHandler implements IQueryHandler<FindReaders> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
  ) {}

  /** @throws DomainError CardUnknown, CardReplaced */
  async execute({ scan }: FindReaders): Promise<FoundReaders> {
    const owner = await this.ownerOf(scan);
    if (owner !== undefined) {
      const account = await this.accounts.findOneBy({ id: owner });
      if (!account) throw unknownCard();
      return { by: 'card', readers: await this.views([account]), totalCount: 1 };
    }
    const found = accountSearch(this.accounts, scan);
    const [accounts, totalCount] = await Promise.all([
      found
        .clone()
        // Whoever is meant exactly comes first.
        .orderBy('lower(:exact) in (lower(account.username), lower(account.email))', 'DESC')
        .addOrderBy('account.fullname collate "pl-x-icu"')
        .addOrderBy('account.id')
        .setParameter('exact', scan)
        .limit(FOUND_READERS_SHOWN)
        .getMany(),
      found.getCount(),
    ]);
    return { by: 'words', readers: await this.views(accounts), totalCount };
  }

  /** @returns nothing for what is no card's number, as a name: those of an earlier system have no look of their own */
  private async ownerOf(scan: string): Promise<string | undefined> {
    const card = await cardOfScan(this.database, scan);
    if (card?.isReplaced) throw new DomainError('CardReplaced', m.readers_card_replaced());
    if (card || !looksLikeCardNumber(scan)) return card?.accountId;
    if (readCardNumber(scan) === undefined)
      throw new DomainError('CardUnknown', m.readers_card_number_mistyped());
    throw unknownCard();
  }

  private async views(accounts: AccountEntity[]): Promise<FoundReaders['readers']> {
    const rows = await queryRows(this.database, besideRow, {
      name: 'beside-readers',
      text: `select c.account_id as id, c.blocked_at is not null as "cardBlocked",
          case when n.account_id is not null then json_build_object(
            'message', n.message, 'blocks', n.blocks, 'writtenBy', w.fullname,
            'writtenAt', to_char(n.written_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as notice
        from reader_card c left join reader_notice n using (account_id) left join account w on w.id = n.written_by
        where c.account_id = any($1::uuid[]) and c.replaced_at is null`,
      values: [accounts.map(({ id }) => id)],
    });
    const beside = new Map(rows.map((row) => [row.id, row]));
    return accounts.map(({ id, fullname, username, email }) => ({
      id,
      fullname,
      userName: username,
      email,
      notice: beside.get(id)?.notice ?? null,
      cardBlocked: beside.get(id)?.cardBlocked ?? false,
    }));
  }
}

/** The card with this number, of this system or of an earlier one. */
export async function cardOfScan(
  database: Queryable,
  scan: string,
): Promise<z.output<typeof cardFoundRow> | undefined> {
  const number = readAnyCardNumber(scan);
  if (number === undefined) return undefined;
  return queryRow(database, cardFoundRow, {
    name: 'card-by-number',
    text: `select account_id as "accountId", replaced_at is not null as "isReplaced" from reader_card where number = $1`,
    values: [number],
  });
}

function unknownCard(): DomainError {
  return new DomainError('CardUnknown', m.readers_card_unknown());
}

@Injectable()
export class CardQueries {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    private readonly queries: QueryBus,
  ) {}

  /**
   * All that a librarian needs to know of the reader at the desk.
   * @throws DomainError NotFound
   */
  async getReaderPanel(accountId: string): Promise<ReaderPanel> {
    const account = await this.accounts.findOneBy({ id: accountId });
    if (!account) throw accountNotFound();
    const [card, notice, standing, holds, visits] = await Promise.all([
      cardOf(this.database, accountId),
      noticeOf(this.database, accountId),
      this.queries.execute(new StandingOf({ readerId: account.pseudonym })),
      this.queries.execute(new HoldsOfReader({ readerId: account.pseudonym })),
      this.queries.execute(new VisitsOf({ readerId: account.pseudonym })),
    ]);
    return { reader: readerView(account), card, notice, ...standing, holds, visits };
  }

  /**
   * The caller's own card, with what they have and owe.
   * @throws DomainError NotFound
   */
  async getOwnCard({ accountId, pseudonym }: SignedIn): Promise<OwnCard> {
    const [card, standing] = await Promise.all([
      cardOf(this.database, accountId),
      this.queries.execute(new StandingOf({ readerId: pseudonym })),
    ]);
    return { card, ...standing };
  }
}

const cardRow = z.object({
  number: z.string(),
  issuedAt: z.date(),
  blockedAt: z.date().nullable(),
  hasPin: z.boolean(),
});

/**
 * The card that a reader has.
 * @throws DomainError NotFound
 */
export async function cardOf(database: Queryable, accountId: string): Promise<Card> {
  const row = await queryRow(database, cardRow, {
    name: 'card-of',
    text: `select number, issued_at as "issuedAt", blocked_at as "blockedAt",
        exists (select from card_pin p where p.account_id = c.account_id) as "hasPin"
      from reader_card c where account_id = $1 and replaced_at is null`,
    values: [accountId],
  });
  if (!row) throw accountNotFound();
  return {
    number: row.number,
    bars: await barsOf(row.number),
    issuedAt: row.issuedAt.toISOString(),
    blockedAt: row.blockedAt?.toISOString() ?? null,
    hasPin: row.hasPin,
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
