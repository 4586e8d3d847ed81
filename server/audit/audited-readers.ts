import { Inject, Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { ACCOUNT_REMOVED } from '#contracts/accounts/account-views.js';
import type { Actor, AuditReader, AuditReadersQuery } from '#contracts/audit/audit-events.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import type { Database } from '#platform/database/database.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { BorrowLog } from '#platform/event-log/borrow-log.js';
import { DATABASE } from '#platform/tokens.js';
import { readersFound } from '../accounts/readers.queries.js';

interface FoundRow {
  id: string;
  fullname: string;
  username: string;
  email: string;
  borrows: number;
}

/** The readers whose histories can be looked at, and the people who act in them. */
@Injectable()
export class AuditedReaders {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly log: BorrowLog,
  ) {}

  /** A page of the readers found, by username. */
  async find({ SearchTerm, pageNumber, pageSize }: AuditReadersQuery): Promise<Paged<AuditReader>> {
    const term = SearchTerm.trim();
    if (isUuid(term)) return this.findById(term.toLowerCase());
    const { where, values } = readersFound(term);
    const limit = values.length + 1;
    const [page, total] = await Promise.all([
      this.database.query<FoundRow>(
        `${found(await this.readModel.toRead())} ${where} order by a.username collate "pl-x-icu", a.id limit $${limit} offset $${limit + 1}`,
        [...values, pageSize, (pageNumber - 1) * pageSize],
      ),
      this.database.query<{ total: number }>(
        `select count(*)::integer as total from account ${where}`,
        values,
      ),
    ]);
    return {
      items: await Promise.all(page.rows.map((row) => this.counted(row))),
      totalCount: total.rows[0]?.total ?? 0,
    };
  }

  /**
   * A reader with an account, or with events that outlived it.
   * @throws DomainError NotFound
   */
  async known(readerId: string): Promise<{ id: string; fullname: string }> {
    const { rows } = await this.database.query<{ fullname: string }>(
      'select fullname from account where id = $1',
      [readerId],
    );
    const [account] = rows;
    if (account) return { id: readerId, fullname: account.fullname };
    if ((await this.log.lastRevision(readerId)) >= 0n) return { id: readerId, fullname: ACCOUNT_REMOVED };
    throw new DomainError('NotFound', 'There is no such reader, and no history of one.');
  }

  /** Who the actors of events are, by what the events call them. */
  async actors(ids: Iterable<string>): Promise<Map<string, Actor>> {
    const wanted = [...new Set(ids)];
    const { rows } = await this.database.query<{ id: string; fullname: string }>(
      'select id, fullname from account where id = any($1::uuid[])',
      [wanted.filter((id) => isUuid(id))],
    );
    const names = new Map(rows.map(({ id, fullname }) => [id, fullname]));
    return new Map(wanted.map((id) => [id, actorOf(id, names.get(id))]));
  }

  private async findById(readerId: string): Promise<Paged<AuditReader>> {
    const schema = await this.readModel.toRead();
    const { rows } = await this.database.query<FoundRow>(`${found(schema)} where a.id = $1`, [readerId]);
    const [row] = rows;
    const reader = row
      ? await this.counted(row)
      : await this.counted({ ...REMOVED, id: readerId, borrows: await this.borrowsOf(readerId) });
    return row || reader.events > 0 ? { items: [reader], totalCount: 1 } : { items: [], totalCount: 0 };
  }

  private async borrowsOf(readerId: string): Promise<number> {
    const { rows } = await this.database.query<{ borrows: number }>(
      `select count(*)::integer as borrows from ${await this.readModel.toRead()}.borrow where reader_id = $1`,
      [readerId],
    );
    return rows[0]?.borrows ?? 0;
  }

  private async counted({ id, fullname, username, email, borrows }: FoundRow): Promise<AuditReader> {
    const events = Number(await this.log.lastRevision(id)) + 1;
    return { id, fullname, userName: username, email, borrows, events };
  }
}

/** @param schema of the read model */
const found = (schema: string) => `select a.id, a.fullname, a.username, a.email,
  (select count(*)::integer from ${schema}.borrow b where b.reader_id = a.id) as borrows from account a`;

const REMOVED = { fullname: ACCOUNT_REMOVED, username: '', email: '' };

function actorOf(id: string, fullname: string | undefined): Actor {
  if (fullname !== undefined) return { id, name: fullname, kind: 'account' };
  return isUuid(id) ? { id, name: ACCOUNT_REMOVED, kind: 'removed account' } : { id, name: id, kind: 'job' };
}
