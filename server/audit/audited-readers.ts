import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import type { Actor, AuditReader, AuditReadersQuery } from '#contracts/audit/audit-events.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import type { Database } from '#platform/database/database.js';
import { accountSearch } from '#platform/database/entities/account-names.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { deviceNames } from '#platform/database/people.js';
import { queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { DATABASE } from '#platform/tokens.js';

/** A reader and their pseudonym in the log. */
export type AuditedReader = Pick<AccountEntity, 'id' | 'pseudonym' | 'fullname'>;

/** The readers whose histories can be audited, and the actors in them. */
@Injectable()
export class AuditedReaders {
  constructor(
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly log: EventLog,
  ) {}

  /** A page of the readers found, by username. */
  async find({ SearchTerm, pageNumber, pageSize }: AuditReadersQuery): Promise<Paged<AuditReader>> {
    const term = SearchTerm.trim();
    if (isUuid(term)) return this.findById(term.toLowerCase());
    const [page, totalCount] = await accountSearch(this.accounts, term)
      .orderBy('account.username collate "pl-x-icu"')
      .addOrderBy('account.id')
      .limit(pageSize)
      .offset((pageNumber - 1) * pageSize)
      .getManyAndCount();
    const borrows = await this.borrowsOf(page.map(({ pseudonym }) => pseudonym));
    return {
      items: await Promise.all(page.map((account) => this.counted(account, borrows))),
      totalCount,
    };
  }

  /**
   * A reader with an account, or with events that outlived it.
   * @throws DomainError NotFound
   */
  async known(readerId: string): Promise<AuditedReader> {
    const account = await this.accounts.findOneBy({ id: readerId });
    if (account) return account;
    if ((await this.log.lastRevision('borrows', readerId)) >= 0n) {
      return { id: readerId, pseudonym: readerId, fullname: m.account_removed() };
    }
    throw new DomainError('NotFound', m.audit_reader_not_found());
  }

  /** The account id behind a pseudonym of the log. */
  async accountOf(pseudonym: string): Promise<string> {
    return (await this.accounts.findOneBy({ pseudonym }))?.id ?? pseudonym;
  }

  /** The actors of events, by the pseudonyms in the events. */
  async actors(ids: Iterable<string>): Promise<Map<string, Actor>> {
    const wanted = [...new Set(ids)];
    const named = wanted.filter((id) => isUuid(id));
    const [accounts, devices] = await Promise.all([
      this.accounts.findBy({ pseudonym: In(named) }),
      deviceNames(this.database, named),
    ]);
    const known = new Map(accounts.map((account) => [account.pseudonym, account]));
    return new Map(wanted.map((id) => [id, actorOf(id, known.get(id), devices.get(id))]));
  }

  private async findById(readerId: string): Promise<Paged<AuditReader>> {
    const account = await this.accounts.findOneBy([{ id: readerId }, { pseudonym: readerId }]);
    const reader = account ?? {
      id: readerId,
      pseudonym: readerId,
      fullname: m.account_removed(),
      username: '',
      email: '',
    };
    const found = await this.counted(reader, await this.borrowsOf([reader.pseudonym]));
    return account || found.events > 0 ? { items: [found], totalCount: 1 } : { items: [], totalCount: 0 };
  }

  /** How many borrows each of these readers has. */
  private async borrowsOf(pseudonyms: string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await queryRows(
      this.database,
      z.object({ reader_id: z.string(), borrows: z.int() }),
      `select reader_id, count(*)::integer as borrows from ${await this.readModel.toRead()}.borrow
       where reader_id = any($1::uuid[]) group by reader_id`,
      [pseudonyms],
    );
    return new Map(rows.map(({ reader_id, borrows }) => [reader_id, borrows]));
  }

  private async counted(
    {
      id,
      pseudonym,
      fullname,
      username,
      email,
    }: Pick<AccountEntity, 'id' | 'pseudonym' | 'fullname' | 'username' | 'email'>,
    borrows: ReadonlyMap<string, number>,
  ): Promise<AuditReader> {
    const events = Number(await this.log.lastRevision('borrows', pseudonym)) + 1;
    return { id, fullname, userName: username, email, borrows: borrows.get(pseudonym) ?? 0, events };
  }
}

function actorOf(name: string, account: AuditedReader | undefined, device: string | undefined): Actor {
  if (account) return { id: account.id, name: account.fullname, kind: 'account' };
  if (device !== undefined) return { id: name, name: device, kind: 'device' };
  return isUuid(name)
    ? { id: name, name: m.account_removed(), kind: 'removed account' }
    : { id: name, name, kind: 'job' };
}
