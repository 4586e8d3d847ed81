import { Inject, Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { ACCOUNT_REMOVED } from '#contracts/accounts/account-views.js';
import type { Actor, AuditReader, AuditReadersQuery } from '#contracts/audit/audit-events.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import type { Database } from '#platform/database/database.js';
import { personCalled, personOfAccount } from '#platform/database/people.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { DATABASE } from '#platform/tokens.js';
import { readersFound } from '../accounts/readers.queries.js';

interface FoundRow {
  id: string;
  pseudonym: string;
  fullname: string;
  username: string;
  email: string;
  borrows: number;
}

/** A reader, and what the log calls him. */
export interface AuditedReader {
  id: string;
  pseudonym: string;
  fullname: string;
}

/** The readers whose histories can be looked at, and the people who act in them. */
@Injectable()
export class AuditedReaders {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly log: EventLog,
  ) {}

  /** A page of the readers found, by username. */
  async find({ SearchTerm, pageNumber, pageSize }: AuditReadersQuery): Promise<Paged<AuditReader>> {
    const term = SearchTerm.trim();
    if (isUuid(term)) return this.findById(term.toLowerCase());
    const { where, values } = readersFound(term);
    const limit = values.length + 1;
    const [page, total] = await Promise.all([
      this.database.query<FoundRow>(
        `${FOUND} ${where} order by a.username collate "pl-x-icu", a.id limit $${limit} offset $${limit + 1}`,
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
  async known(readerId: string): Promise<AuditedReader> {
    const { id, pseudonym, fullname } = await personOfAccount(this.database, readerId);
    if (fullname !== null) return { id, pseudonym, fullname };
    if ((await this.log.lastRevision('borrows', pseudonym)) >= 0n) {
      return { id, pseudonym, fullname: ACCOUNT_REMOVED };
    }
    throw new DomainError('NotFound', 'There is no such reader, and no history of one.');
  }

  /** The account id of the reader whom the log calls so. */
  async accountOf(pseudonym: string): Promise<string> {
    return (await personCalled(this.database, pseudonym)).id;
  }

  /** Who the actors of events are, by what the events call them. */
  async actors(ids: Iterable<string>): Promise<Map<string, Actor>> {
    const wanted = [...new Set(ids)];
    const { rows } = await this.database.query<{ id: string; pseudonym: string; fullname: string }>(
      'select id, pseudonym, fullname from account where pseudonym = any($1::uuid[])',
      [wanted.filter((id) => isUuid(id))],
    );
    const accounts = new Map(rows.map((account) => [account.pseudonym, account]));
    return new Map(wanted.map((name) => [name, actorOf(name, accounts.get(name))]));
  }

  private async findById(readerId: string): Promise<Paged<AuditReader>> {
    const { rows } = await this.database.query<FoundRow>(`${FOUND} where a.id = $1 or a.pseudonym = $1`, [
      readerId,
    ]);
    const [row] = rows;
    const found = row
      ? await this.counted(row)
      : await this.counted({
          ...REMOVED,
          id: readerId,
          pseudonym: readerId,
          borrows: await this.borrowsOf(readerId),
        });
    return row || found.events > 0 ? { items: [found], totalCount: 1 } : { items: [], totalCount: 0 };
  }

  private async borrowsOf(readerId: string): Promise<number> {
    const { rows } = await this.database.query<{ borrows: number }>(
      'select count(*)::integer as borrows from read_model.borrow where reader_id = $1',
      [readerId],
    );
    return rows[0]?.borrows ?? 0;
  }

  private async counted({
    id,
    pseudonym,
    fullname,
    username,
    email,
    borrows,
  }: FoundRow): Promise<AuditReader> {
    const events = Number(await this.log.lastRevision('borrows', pseudonym)) + 1;
    return { id, fullname, userName: username, email, borrows, events };
  }
}

const FOUND = `select a.id, a.pseudonym, a.fullname, a.username, a.email,
  (select count(*)::integer from read_model.borrow b where b.reader_id = a.pseudonym) as borrows from account a`;

const REMOVED = { fullname: ACCOUNT_REMOVED, username: '', email: '' };

function actorOf(name: string, account: { id: string; fullname: string } | undefined): Actor {
  if (account) return { id: account.id, name: account.fullname, kind: 'account' };
  return isUuid(name)
    ? { id: name, name: ACCOUNT_REMOVED, kind: 'removed account' }
    : { id: name, name, kind: 'job' };
}
