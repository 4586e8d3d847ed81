import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Card } from '#contracts/accounts/own-card.js';
import type { NoticeBody, ReaderNotice } from '#contracts/accounts/reader-card.js';
import { Clock } from '#platform/clock.js';
import { type Connection, type Database, inTransaction } from '#platform/database/database.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { accountNotFound } from '../reader-view.js';
import { cardOf, noticeOf } from './card.queries.js';

@Injectable()
export class CardCommands {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * A lost card: the reader gets another number, and the old one is refused from now on.
   * @throws DomainError NotFound
   */
  replaceCard(accountId: string): Promise<Card> {
    return changed(this.database, accountId, async (connection) => {
      await connection.query(
        'update reader_card set replaced_at = $2 where account_id = $1 and replaced_at is null',
        [accountId, this.clock.now()],
      );
      await connection.query('select make_out_card($1)', [accountId]);
      return cardOf(connection, accountId);
    });
  }

  /**
   * Blocks a card that the reader has, or lifts the block.
   * @throws DomainError NotFound
   */
  blockCard(accountId: string, blocked: boolean): Promise<Card> {
    return changed(this.database, accountId, async (connection) => {
      await connection.query(
        `update reader_card set blocked_at = case when $2 then coalesce(blocked_at, $3) end
         where account_id = $1 and replaced_at is null`,
        [accountId, blocked, this.clock.now()],
      );
      return cardOf(connection, accountId);
    });
  }

  /**
   * Writes what is to be said when the reader comes, in place of what was written before; nothing takes it away.
   * @throws DomainError NotFound
   */
  writeNotice(accountId: string, notice: NoticeBody | null, writtenBy: string): Promise<ReaderNotice | null> {
    return changed(this.database, accountId, async (connection) => {
      if (notice) {
        await connection.query(
          `insert into reader_notice (account_id, message, blocks, written_by, written_at) values ($1, $2, $3, $4, $5)
           on conflict (account_id) do update set message = excluded.message, blocks = excluded.blocks,
             written_by = excluded.written_by, written_at = excluded.written_at`,
          [accountId, notice.message, notice.blocks, writtenBy, this.clock.now()],
        );
      } else {
        await connection.query('delete from reader_notice where account_id = $1', [accountId]);
      }
      return noticeOf(connection, accountId);
    });
  }
}

/** In one transaction, one change of a reader after the other; all processes hear of it. */
function changed<Result>(
  database: Database,
  accountId: string,
  change: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  return inTransaction(database, async (connection) => {
    const account = await queryRow(
      connection,
      z.object({ id: z.string() }),
      'select id from account where id = $1 for no key update',
      [accountId],
    );
    if (!account) throw accountNotFound();
    const result = await change(connection);
    await notify(connection, CHANNELS.readerBlocks, accountId);
    return result;
  });
}
