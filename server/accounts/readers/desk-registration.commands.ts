import * as m from '#words/messages.js';
import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, Not, type EntityManager } from 'typeorm';
import type { Asked } from '../../http/serves.js';
import type { Reader } from '#contracts/accounts/reader.js';
import { readCardNumber } from '#contracts/accounts/card-number.js';
import type { Card } from '#contracts/accounts/own-card.js';
import type { registerAtDesk } from '#contracts/accounts/readers.js';
import { DomainError } from '#contracts/domain-error.js';
import { foldText } from '#contracts/fold-text.js';
import { localDay } from '#contracts/local-day.js';
import { requestAccountLetter } from '#letters/notification-request.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { byEmail, nameKey } from '#platform/database/entities/account-names.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE } from '#platform/tokens.js';
import { correlationId } from '../../http/correlation.js';
import { RequestInvalid } from '../../http/validation.js';
import { emailTaken } from '../taken-names.js';
import { hashPassword } from '../passwords/passwords.js';
import { accountNotFound, readerView } from '../reader-view.js';
import { cardOf } from './card.queries.js';
import { createAccount } from '../registration/create-account.js';

type Registration = Asked<typeof registerAtDesk>['body'];

@Injectable()
export class DeskRegistrationCommands {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  /**
   * A librarian registers somebody; a letter invites them to choose a password.
   * @throws DomainError `ReaderExists`, `UsernameTaken`, `EmailTaken`
   * @throws RequestInvalid where the membership is over, or the card is somebody's
   */
  async registerAtDesk(registration: Registration): Promise<{ reader: Reader; card: Card }> {
    const { username, cardNumber, evenIfAlike, kind, phone, guardian, memberUntil, ...person } = registration;
    refuseThePast(memberUntil, 'memberUntil', localDay(this.clock.now().getTime(), this.timeZone.name));
    // Nobody knows it: the letter's link sets the first one.
    const passwordHash = await hashPassword(randomBytes(32).toString('base64url'));
    const account = await inTransaction(this.dataSource, async (manager) => {
      if (!evenIfAlike) await refuseAlike(manager, person);
      const { id } = await createAccount(
        manager,
        {
          ...person,
          username: username ?? (await freeUsername(manager, person)),
          ...{ passwordHash, roles: ['Reader'], emailConfirmed: false },
        },
        this.clock.now(),
      );
      // Also one that nobody has confirmed, but that the library has dealt with.
      if (await manager.existsBy(AccountEntity, { ...byEmail(person.email), id: Not(id) })) {
        throw emailTaken();
      }
      // A change, so that the account is one that the library has dealt with: it stays, though nobody confirms it.
      await manager.update(AccountEntity, { id }, { kind, phone, guardian, memberUntil });
      if (memberUntil !== null) await notify(manager, CHANNELS.readerBlocks, id);
      if (cardNumber !== undefined) await takeCard(manager, id, readCardNumber(cardNumber) ?? '');
      await requestAccountLetter(manager, 'invitation', { accountId: id }, correlationId());
      return manager.findOneByOrFail(AccountEntity, { id });
    });
    return { reader: readerView(account), card: await cardOf(this.database, account.id) };
  }

  /**
   * Says until when a reader is a member.
   * @throws DomainError NotFound; RequestInvalid for a day that is over
   */
  async renewMembership(accountId: string, until: string | null): Promise<Reader> {
    refuseThePast(until, 'until', localDay(this.clock.now().getTime(), this.timeZone.name));
    return inTransaction(this.dataSource, async (manager) => {
      const { affected } = await manager.update(AccountEntity, { id: accountId }, { memberUntil: until });
      if (affected !== 1) throw accountNotFound();
      await notify(manager, CHANNELS.readerBlocks, accountId);
      return readerView(await manager.findOneByOrFail(AccountEntity, { id: accountId }));
    });
  }
}

function refuseThePast(day: string | null, field: string, today: string): void {
  if (day !== null && day < today) throw new RequestInvalid({ [field]: [m.account_day_over()] });
}

async function refuseAlike(
  manager: EntityManager,
  { firstname, lastname, dateOfBirth }: Pick<Registration, 'firstname' | 'lastname' | 'dateOfBirth'>,
): Promise<void> {
  const alike = await manager
    .createQueryBuilder(AccountEntity, 'account')
    .where('account.dateOfBirth = :dateOfBirth', { dateOfBirth })
    .andWhere('fold_name(account.fullname) = fold_name(:name)', { name: `${firstname} ${lastname}` })
    .getOne();
  if (!alike) return;
  throw new DomainError(
    'ReaderExists',
    m.readers_exists({
      fullname: alike.fullname,
      birth: dateOfBirth,
      username: alike.username,
      email: alike.email,
    }),
  );
}

/** Numbers that are tried behind a name. */
const NAMESAKES = 1_000;

/** Made of the name: "anna.nowak", or with a number behind it. */
export async function freeUsername(
  manager: EntityManager,
  { firstname, lastname }: Pick<Registration, 'firstname' | 'lastname'>,
): Promise<string> {
  const words = [firstname, lastname].map((name) => foldText(name).replace(/[^a-z0-9]+/g, ''));
  const base =
    words
      .filter((word) => word !== '')
      .join('.')
      .slice(0, 40) || 'reader';
  for (let number = 1; number <= NAMESAKES; number += 1) {
    const name = number === 1 ? base : `${base}${number}`;
    if (!(await manager.existsBy(AccountEntity, { nameKey: nameKey(name) }))) return name;
  }
  throw new RequestInvalid({ username: [m.readers_username_wanted()] });
}

/** The card that they have been given is theirs, in place of the one that was made out. */
async function takeCard(manager: EntityManager, accountId: string, number: string): Promise<void> {
  const taken: unknown[] = await manager.query('select from reader_card where number = $1', [number]);
  if (taken.length > 0) throw new RequestInvalid({ cardNumber: [m.readers_card_taken()] });
  await manager.query('update reader_card set number = $2 where account_id = $1 and replaced_at is null', [
    accountId,
    number,
  ]);
}
