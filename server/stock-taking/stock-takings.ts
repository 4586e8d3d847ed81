import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import {
  SCAN_RETENTION_DAYS,
  STOCK_TAKING_STATES,
  type NewStockTaking,
  type StockTaking,
  type StockTakingState,
} from '#contracts/stock-taking/stock-taking.js';
import { Clock } from '#platform/clock.js';
import type { Database, Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import type { Scope } from './finding-statements.js';

const viewRow = z
  .object({
    id: z.uuid(),
    name: z.string(),
    shelf_from: z.string().nullable(),
    shelf_until: z.string().nullable(),
    state: z.enum(STOCK_TAKING_STATES),
    started_at: z.date(),
    started_by: z.string().nullable(),
    scanned: z.int(),
    closed: z.boolean(),
  })
  .transform(
    ({
      id,
      name,
      shelf_from: from,
      shelf_until: until,
      state,
      started_at,
      started_by,
      scanned,
      closed,
    }): StockTaking => ({
      ...{ id, name, state, scanned, scansKept: !closed },
      shelves: from === null || until === null ? null : { from, until },
      startedAt: started_at.toISOString(),
      startedBy: started_by,
    }),
  );

const VIEW = `
  select t.id, t.name, t.shelf_from, t.shelf_until, t.state, t.started_at, p.fullname as started_by,
    coalesce(t.scanned, (select count(*)::integer from stock_scan s where s.stock_taking_id = t.id)) as scanned,
    t.closed_at is not null as closed
  from stock_taking t left join account p on p.id = t.started_by`;

/** Stock-takings, from their beginning to their end. */
@Injectable()
export class StockTakings {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @param id the same for every attempt at the same request */
  async start(id: string, { name, shelves }: NewStockTaking, accountId: string): Promise<StockTaking> {
    await this.database.query(
      `insert into stock_taking (id, name, shelf_from, shelf_until, state, started_by, started_at, state_at)
       values ($1, $2, $3, $4, 'open', $5, $6, $6) on conflict (id) do nothing`,
      [id, name, shelves?.from, shelves?.until, accountId, this.clock.now()],
    );
    return this.get(id);
  }

  /** The latest first. */
  async page(pageNumber: number, pageSize: number): Promise<Paged<StockTaking>> {
    const [items, counted] = await Promise.all([
      queryRows(this.database, viewRow, `${VIEW} order by t.started_at desc, t.id limit $1 offset $2`, [
        pageSize,
        (pageNumber - 1) * pageSize,
      ]),
      queryRow(
        this.database,
        z.object({ count: z.int() }),
        'select count(*)::integer as count from stock_taking',
      ),
    ]);
    return { items, totalCount: counted?.count ?? 0 };
  }

  /** @throws DomainError StockTakingNotFound */
  async get(id: string): Promise<StockTaking> {
    const row = await queryRow(this.database, viewRow, `${VIEW} where t.id = $1`, [id]);
    if (!row) throw notFound();
    return row;
  }

  /** @throws DomainError StockTakingNotFound; StockTakingClosed where its scans are gone */
  async change(id: string, state: StockTakingState): Promise<StockTaking> {
    await this.database.query(
      'update stock_taking set state = $2, state_at = $3 where id = $1 and state <> $2 and closed_at is null',
      [id, state, this.clock.now()],
    );
    const changed = await this.get(id);
    if (changed.state === state) return changed;
    throw new DomainError('StockTakingClosed', m.stock_scans_deleted({ days: SCAN_RETENTION_DAYS }));
  }

  /** @throws DomainError StockTakingNotFound */
  async scope(id: string): Promise<Scope> {
    return (await scopeOf(this.database, id)).scope;
  }
}

const scopeRow = z.object({
  shelf_from: z.string().nullable(),
  shelf_until: z.string().nullable(),
  state: z.enum(STOCK_TAKING_STATES),
  started_at: z.date(),
  is_closed: z.boolean(),
});

/**
 * @param lock keeps its state as it is until the transaction ends
 * @throws DomainError StockTakingNotFound
 */
export async function scopeOf(
  connection: Queryable,
  id: string,
  lock: '' | 'for key share' | 'for no key update' = '',
): Promise<{ scope: Scope; state: StockTakingState }> {
  const row = await queryRow(
    connection,
    scopeRow,
    `select shelf_from, shelf_until, state, started_at, closed_at is not null as is_closed
     from stock_taking where id = $1 ${lock}`,
    [id],
  );
  if (!row) throw notFound();
  const { shelf_from: from, shelf_until: until, state, started_at: startedAt, is_closed: isClosed } = row;
  return {
    state,
    scope: { id, startedAt, isClosed, shelves: from === null || until === null ? null : { from, until } },
  };
}

function notFound(): DomainError {
  return new DomainError('StockTakingNotFound', m.stock_not_found());
}

/** @throws DomainError StockTakingClosed, unless it takes scans and decisions */
export function refuseClosed(state: StockTakingState): void {
  if (state === 'open') return;
  throw new DomainError(
    'StockTakingClosed',
    state === 'paused' ? m.stock_refused_paused() : m.stock_refused_finished(),
  );
}
